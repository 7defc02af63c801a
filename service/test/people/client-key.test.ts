import assert from "node:assert/strict";
import { createPrivateKey, createPublicKey, generateKeyPairSync, X509Certificate } from "node:crypto";
import { test } from "node:test";
import type { LoginState, ProviderAddress } from "@querent/contract";
import { decodeJwt, decodeProtectedHeader, type JWK } from "jose";
import { readConfig } from "../../src/app/config.ts";
import { readSignInProviders } from "../../src/app/sign-in-providers.ts";
import { readClientKey } from "../../src/people/index.ts";
import { testCertificate } from "../harness/receiver.ts";
import { startTestService, type TestService } from "../harness/service.ts";
import { openBrowser } from "./browser.ts";
import { startProvider } from "./identity-provider.ts";

const publicUrl = "https://querent.example";
const host = { host: "querent.example" };
const rsa = generateKeyPairSync("rsa", { modulusLength: 2048 });
const ec = generateKeyPairSync("ec", { namedCurve: "P-256" });
const pemOf = (pair: { privateKey: typeof rsa.privateKey }) =>
  pair.privateKey.export({ type: "pkcs8", format: "pem" }).toString();
const jwkOf = (pair: { publicKey: typeof rsa.publicKey }, kid: string): JWK => ({
  ...(pair.publicKey.export({ format: "jwk" }) as JWK),
  kid,
  use: "sig",
});

const { key, cert } = await testCertificate();
const certified = createPrivateKey(key);
const provider = await startProvider({
  ...{ publicUrl, providerId: "company" },
  clientKey: {
    keys: [jwkOf({ publicKey: createPublicKey(key) }, "ours"), jwkOf(ec, "of ec")],
    entry: "{ variable: COMPANY_KEY, id: ours }",
  },
  serviceAddress: () => service.address,
});
test.after(() => provider.close());
const assertions: string[] = [];
provider.intercept = (request) => {
  if (request.url === "/token")
    request.on("data", (chunk: Buffer) => {
      const sent = new URLSearchParams(chunk.toString()).get("client_assertion");
      if (sent !== null) assertions.push(sent);
    });
  return false;
};
const environment = provider.environment(["{ account: Ruled, role: viewer }"]);
const service: TestService = await startTestService({
  environment: { ...environment, COMPANY_KEY: `${key}\n${cert}` },
});
const { accountId } = await service.account();
await service.database.query("update accounts set name = 'Ruled' where id = $1", [accountId]);

async function signIn(subject: string) {
  provider.persons.set(subject, { email: `${subject}@example.com`, email_verified: true });
  const browser = openBrowser(service);
  const path = "/v1/login/providers/company";
  const begun = await browser.call<ProviderAddress>("POST", `${path}/attempts`, { body: {}, headers: host });
  const back = await provider.browser().signIn(begun.body.address, subject);
  return browser.call<LoginState>("POST", path, { body: { response: back.search.slice(1) }, headers: host });
}

test("a client with a key signs in by a proof for the provider's token endpoint, which is new each time", async () => {
  for (const subject of ["ada", "bea"]) {
    const answer = await signIn(subject);
    assert.equal(answer.status, 201, answer.text);
  }
  assert.equal(assertions.length, 2);
  const [one, two] = assertions.map((text) => decodeJwt(text));
  const header = decodeProtectedHeader(assertions[0] ?? "");
  const thumbprint = Buffer.from(String(header["x5t#S256"]), "base64url").toString("hex").toUpperCase();
  assert.deepEqual(
    [header.kid, header.typ, thumbprint],
    ["ours", "JWT", new X509Certificate(cert).fingerprint256.replaceAll(":", "")],
  );
  assert.deepEqual([one?.iss, one?.sub, one?.aud], [provider.clientId, provider.clientId, `${provider.issuer}/token`]);
  assert.notEqual(one?.jti, two?.jti);
  assert.ok((one?.exp ?? 0) - Date.now() / 1000 < 300);
  const { rows } = await service.database.query<{ row: string }>(
    "select t::text as row from logins t union all select t::text from audit_entries t",
  );
  const kept = JSON.stringify([rows, service.events]);
  const lines = certified.export({ type: "pkcs8", format: "pem" }).toString().split("\n");
  assert.ok(!kept.includes(lines[2] ?? "x") && !kept.includes(assertions[0]?.slice(-40) ?? "x"));
});

test("a key that the provider does not know is refused by it, and the doctor says so", async () => {
  const examined = async (pem: string) => {
    const { providers } = readSignInProviders(readConfig(environment), { COMPANY_KEY: pem });
    return (await providers[0]?.examine(`${publicUrl}/console`)) ?? assert.fail("there is no provider");
  };
  assert.match((await examined(pemOf(rsa))).join(), /does not accept `clientId` with this key/);
  assert.deepEqual(await examined(key), []);
});

test("a certificate of another key is refused", () => {
  assert.throws(() => readClientKey(`${cert}\n${pemOf(rsa)}`, { id: null, algorithm: null }), /of another key/);
});

test("a key that cannot be meant is refused at start with what to do, and its text is not told", () => {
  const passphrase = { type: "pkcs8", format: "pem", cipher: "aes-256-cbc", passphrase: "x" } as const;
  const weak = generateKeyPairSync("rsa", { modulusLength: 1024 });
  const other = generateKeyPairSync("ec", { namedCurve: "P-384" });
  for (const [text, said] of [
    ["", /no private key in PEM/],
    [rsa.publicKey.export({ type: "spki", format: "pem" }).toString(), /no private key in PEM/],
    [rsa.privateKey.export(passphrase).toString(), /passphrase.*openssl pkcs8/],
    ["-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----", /can't be read/],
    [pemOf(weak), /2048 bits/],
    [pemOf(other), /P-256/],
    [`${pemOf(rsa)}-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----`, /certificate that can't be read/],
  ] as const)
    assert.throws(() => readClientKey(text, { id: null, algorithm: null }), said);
  assert.throws(() => readClientKey(pemOf(ec), { id: null, algorithm: "RS256" }), /does not sign with RS256/);
  const older = rsa.privateKey.export({ type: "pkcs1", format: "pem" }).toString();
  assert.equal(readClientKey(older, { id: null, algorithm: null }).algorithm, "RS256");
  assert.equal(readClientKey(pemOf(ec), { id: null, algorithm: null }).algorithm, "ES256");
});
