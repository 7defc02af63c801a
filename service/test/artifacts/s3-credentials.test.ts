/** Temporary keys of a role: from servers that answer as AWS documents it, used against a real S3 server, and renewed before they expire. */
import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { after, mock, suite, test, type TestContext } from "node:test";
import { ContentFault, CredentialsError, roleKeys, S3Store } from "../../src/artifacts/index.ts";
import { s3Keys, startS3 } from "../harness/s3.ts";

const patience = () => AbortSignal.timeout(180_000);
const folder = mkdtempSync(join(tmpdir(), "querent-role-"));
after(() => rmSync(folder, { recursive: true, force: true }));
const tokenFile = join(folder, "token");
writeFileSync(tokenFile, "the-token-of-the-account\n");

interface Asked {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingMessage["headers"];
  readonly body: string;
}
interface Answer {
  readonly status?: number;
  readonly body: string;
}

/** A server of AWS, or what stands in for it on a machine. */
async function startServer(t: TestContext, answer: (asked: Asked) => Answer) {
  const asked: Asked[] = [];
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      const one = { method: request.method ?? "", path: request.url ?? "", headers: request.headers, body };
      asked.push(one);
      const { status = 200, body: sent } = answer(one);
      response.writeHead(status).end(sent);
    });
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return { asked, address: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

const inAnHour = () => new Date(Date.now() + 3_600_000).toISOString();
const asJson = (expiration = inAnHour()) =>
  JSON.stringify({
    Code: "Success",
    Type: "AWS-HMAC",
    AccessKeyId: s3Keys.accessKeyId,
    SecretAccessKey: s3Keys.secretAccessKey,
    Token: "the session+token/==",
    Expiration: expiration,
  });
const asXml = `<AssumeRoleWithWebIdentityResponse xmlns="https://sts.amazonaws.com/doc/2011-06-15/">
  <AssumeRoleWithWebIdentityResult>
    <Audience>sts.amazonaws.com</Audience>
    <Credentials>
      <SessionToken>the session+token/==</SessionToken>
      <SecretAccessKey>${s3Keys.secretAccessKey}</SecretAccessKey>
      <Expiration>${inAnHour()}</Expiration>
      <AccessKeyId>${s3Keys.accessKeyId}</AccessKeyId>
    </Credentials>
    <Provider>arn:aws:iam::123456789012:oidc-provider/oidc.eks.example</Provider>
  </AssumeRoleWithWebIdentityResult>
</AssumeRoleWithWebIdentityResponse>`;

const instance = ({ method, path, headers }: Asked): Answer => {
  if (method === "PUT" && path === "/latest/api/token" && headers["x-aws-ec2-metadata-token-ttl-seconds"] !== undefined)
    return { body: "a-session" };
  if (headers["x-aws-ec2-metadata-token"] !== "a-session") return { status: 401, body: "" };
  if (path === "/latest/meta-data/iam/security-credentials/") return { body: "querent-role" };
  return path.endsWith("/querent-role") ? { body: asJson() } : { status: 404, body: "" };
};

suite("keys of a role", async () => {
  const s3 = await startS3("artifacts");
  after(() => s3.stop());

  const stores = async (environment: NodeJS.ProcessEnv) => {
    const store = new S3Store({ ...s3.settings, credentials: roleKeys(environment, "eu-central-1") });
    const bytes = randomBytes(100);
    const key = `ab/${bytes.toString("hex").slice(0, 20)}`;
    await store.write(key, bytes, patience());
    assert.ok((await store.read(key, 100, patience())).equals(bytes));
    await store.close();
  };

  test("of a service account: its token is exchanged at STS, read again each time", async (t) => {
    const { asked, address } = await startServer(t, () => ({ body: asXml }));
    await stores({
      AWS_WEB_IDENTITY_TOKEN_FILE: tokenFile,
      AWS_ROLE_ARN: "arn:aws:iam::123456789012:role/querent",
      AWS_ENDPOINT_URL_STS: address,
    });
    assert.equal(asked.length, 1);
    assert.deepEqual(Object.fromEntries(new URLSearchParams(asked[0]?.body)), {
      Action: "AssumeRoleWithWebIdentity",
      Version: "2011-06-15",
      RoleArn: "arn:aws:iam::123456789012:role/querent",
      RoleSessionName: "querent",
      WebIdentityToken: "the-token-of-the-account",
    });
  });

  test("of a pod or a task: the agent is asked with the token of the file", async (t) => {
    const { asked, address } = await startServer(t, () => ({ body: asJson() }));
    await stores({
      AWS_CONTAINER_CREDENTIALS_FULL_URI: `${address}/v1/credentials`,
      AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE: tokenFile,
    });
    assert.deepEqual(
      asked.map(({ path, headers }) => [path, headers.authorization]),
      [["/v1/credentials", "the-token-of-the-account"]],
    );
  });

  test("of an instance: a session is begun first, as version 2 of the metadata service asks for", async (t) => {
    const { asked, address } = await startServer(t, instance);
    await stores({ AWS_EC2_METADATA_SERVICE_ENDPOINT: address });
    assert.deepEqual(
      asked.map(({ method, path }) => `${method} ${path}`),
      [
        "PUT /latest/api/token",
        "GET /latest/meta-data/iam/security-credentials/",
        "GET /latest/meta-data/iam/security-credentials/querent-role",
      ],
    );
  });

  test("the token goes to no address outside, and the error says so", () => {
    for (const address of [
      "http://203.0.113.5/keys",
      "http://169.254.170.2.example.com/",
      "ftp://127.0.0.1/",
      "nonsense",
    ])
      assert.throws(() => roleKeys({ AWS_CONTAINER_CREDENTIALS_FULL_URI: address }, "eu-central-1"), CredentialsError);
  });
});

suite("renewal", () => {
  const startAgent = async (t: TestContext, answer: () => Answer) => {
    const { asked, address } = await startServer(t, answer);
    return { asked, credentials: roleKeys({ AWS_CONTAINER_CREDENTIALS_FULL_URI: address }, "eu-central-1") };
  };
  const inMinutes = (minutes: number) => new Date(Date.now() + minutes * 60_000).toISOString();

  test("many requests ask once, and again five minutes before the keys expire", async (t) => {
    const { asked, credentials } = await startAgent(t, () => ({ body: asJson(inMinutes(60)) }));
    await Promise.all(Array.from({ length: 50 }, () => credentials.read(patience())));
    assert.equal(asked.length, 1);
    mock.timers.enable({ apis: ["Date"], now: Date.now() + 54 * 60_000 });
    try {
      await credentials.read(patience());
      assert.equal(asked.length, 1);
      mock.timers.tick(2 * 60_000);
      await credentials.read(patience());
      assert.equal(asked.length, 2);
    } finally {
      mock.timers.reset();
    }
  });

  test("while nobody answers, keys that are still valid are used, and nobody is asked at each request", async (t) => {
    let status = 200;
    const { asked, credentials } = await startAgent(t, () => ({ status, body: asJson(inMinutes(4)) }));
    const first = await credentials.read(patience());
    status = 503;
    for (let requests = 0; requests < 5; requests++) assert.equal(await credentials.read(patience()), first);
    assert.equal(asked.length, 2);
    mock.timers.enable({ apis: ["Date"], now: Date.now() + 5 * 60_000 });
    try {
      await assert.rejects(credentials.read(patience()), /answered with 503/);
    } finally {
      mock.timers.reset();
    }
  });

  test("keys that the bucket no longer accepts are renewed, and the request is sent again", async (t) => {
    const { asked, credentials } = await startAgent(t, () => ({ body: asJson() }));
    const tokens: unknown[] = [];
    const bucket = await startServer(t, ({ headers }) => {
      tokens.push(headers["x-amz-security-token"]);
      return tokens.length === 1
        ? { status: 400, body: "<Error><Code>ExpiredToken</Code></Error>" }
        : { status: 200, body: "" };
    });
    const store = new S3Store({ endpoint: bucket.address, bucket: "b", region: "r", prefix: "", credentials });
    await store.write("ab/c", Buffer.of(1), patience());
    assert.equal(asked.length, 2);
    assert.deepEqual(tokens, ["the session+token/==", "the session+token/=="]);
    await store.close();
  });

  test("answers that are no keys are refused with their source, and never quoted", async (t) => {
    for (const body of [
      "",
      "<html>secret-in-a-page</html>",
      "null",
      '{"Code":"Failed"}',
      asJson("yesterday"),
      asJson(inMinutes(-1)),
      asJson().replace('"Token"', '"NoToken"'),
      JSON.stringify({ AccessKeyId: 1, SecretAccessKey: {}, Token: [], Expiration: inAnHour() }),
      "x".repeat(1_000_000),
    ]) {
      const { credentials } = await startAgent(t, () => ({ body }));
      const store = new S3Store({ endpoint: "http://127.0.0.1:9", bucket: "b", region: "r", prefix: "", credentials });
      await assert.rejects(store.write("ab/c", Buffer.of(1), patience()), (error) => {
        assert.ok(error instanceof ContentFault);
        assert.match(
          error.message,
          /there are no keys for it\. The container's credentials (gave no valid|answered with)/,
        );
        assert.doesNotMatch(error.message, /secret-in-a-page|S3RVER/);
        return true;
      });
      await store.close();
    }
  });

  test("a token that can't be read, and a server that is not there, are told by file and address", async () => {
    const missing = roleKeys(
      { AWS_WEB_IDENTITY_TOKEN_FILE: join(folder, "none"), AWS_ROLE_ARN: "arn:aws:iam::1:role/r" },
      "eu-central-1",
    );
    await assert.rejects(missing.read(patience()), /none can't be read/);
    const away = roleKeys({ AWS_EC2_METADATA_SERVICE_ENDPOINT: "http://127.0.0.1:9" }, "eu-central-1");
    await assert.rejects(away.read(patience()), /metadata of the instance did not answer at http:\/\/127\.0\.0\.1:9/);
  });
});
