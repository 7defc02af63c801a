/** Who comes from where. */
import assert from "node:assert/strict";
import { mock, test } from "node:test";
import { authenticator, createToken, insertAccount, revokeToken } from "../../src/accounts/index.ts";
import { readConfig } from "../../src/app/config.ts";
import { testDatabase } from "../harness/database.ts";
import { refused, startTestService } from "../harness/service.ts";

test("behind a trusted proxy every visitor has a limit of its own; others can't choose the address they are counted by", async () => {
  const environment = { QUERENT_PAGE_REQUESTS_PER_MINUTE: "2" };
  const open = (service: Awaited<ReturnType<typeof startTestService>>, forwardedFor: string) =>
    service.call("GET", "/s/guess", { headers: { "x-forwarded-for": forwardedFor } });

  const behind = await startTestService({
    environment: { ...environment, QUERENT_TRUSTED_PROXIES: "127.0.0.0/8, ::1" },
  });
  for (let n = 0; n < 2; n++) refused(await open(behind, "198.51.100.1"), "not_found");
  refused(await open(behind, "198.51.100.1"), "rate_limited");
  refused(await open(behind, "198.51.100.2"), "not_found");
  // What the visitor itself sent stands before what the proxy adds, and counts for nothing.
  refused(await open(behind, "203.0.113.7, 198.51.100.1"), "rate_limited");
  await behind.stop();

  const direct = await startTestService({ environment });
  for (let n = 0; n < 2; n++) refused(await open(direct, `198.51.100.${n}`), "not_found");
  refused(await open(direct, "198.51.100.9"), "rate_limited");
  await direct.stop();
});

test("wrong tokens are told to wait, and right ones from the same address are served all the while", async () => {
  const service = await startTestService({ environment: { QUERENT_WRONG_TOKENS_PER_MINUTE: "3" } });
  const account = await service.account();
  const guess = (n: number) =>
    service.call("GET", "/v1/webhook", { headers: { authorization: `Bearer qrt_${"x".repeat(42)}${n}` } });
  for (let n = 0; n < 3; n++) refused(await guess(n), "unauthorized");
  for (let n = 3; n < 6; n++) {
    const answer = await guess(n);
    refused(answer, "rate_limited");
    assert.match(answer.headers["retry-after"] ?? "", /^[1-9]\d?$/);
    assert.equal((await account.get("/v1/webhook")).status, 200);
  }
  refused(await service.call("GET", "/v1/webhook"), "rate_limited");
  await service.stop();
});

test("a thousand requests at once are authenticated by a few statements, each with its own token", async () => {
  const { database } = await testDatabase();
  const accounts = await database.transaction(async (tx) => [
    await insertAccount(tx, "a"),
    await insertAccount(tx, "b"),
  ]);
  const tokens = await Promise.all(
    accounts.map((accountId) =>
      createToken(database, { accountId, scopes: ["tasks:read"], name: null, expiresAt: null }),
    ),
  );
  const query = mock.method(database, "query");
  const authenticate = authenticator(database);
  const asked = Array.from({ length: 1_000 }, (_, n) => tokens[n % 3]?.token ?? `qrt_${"x".repeat(43)}`);
  const callers = await Promise.all(asked.map(authenticate));
  assert.deepEqual(
    callers.map((caller) => caller?.accountId ?? null),
    asked.map((_, n) => accounts[n % 3] ?? null),
  );
  assert.ok(query.mock.callCount() <= 8, `${query.mock.callCount()} statements`);
  await revokeToken(database, tokens[0]?.tokenId ?? "");
  assert.equal(await authenticate(tokens[0]?.token ?? ""), null, "nothing is remembered");
});

test("a range that can't be read and a file that is not there are told when the configuration is read", () => {
  for (const name of ["QUERENT_EGRESS_ALLOW", "QUERENT_BROWSER_EGRESS_ALLOW", "QUERENT_TRUSTED_PROXIES"]) {
    assert.throws(
      () => readConfig({ [name]: "10.0.0.0/8,10.0.0.0/99" }),
      new RegExp(`^ConfigError: ${name} .*"10\\.0\\.0\\.0/99"`),
    );
    assert.deepEqual(readConfig({ [name]: "" }).trustedProxies, []);
  }
  assert.throws(
    () => readConfig({ QUERENT_EGRESS_CA: "/nowhere/ca.pem" }),
    /QUERENT_EGRESS_CA .*\/nowhere\/ca\.pem \(ENOENT\)/,
  );
  assert.throws(
    () => readConfig({ QUERENT_EGRESS_CA: import.meta.filename }),
    /QUERENT_EGRESS_CA .*without a certificate/,
  );
});
