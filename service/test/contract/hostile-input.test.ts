/** What a client may send by mistake or on purpose: a clear problem each time, nothing half accepted, and never a 500. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { gzipSync } from "node:zlib";
import type { Problem } from "@querent/contract";
import { newId } from "../../src/kernel/ids.ts";
import { bareHttpServer } from "../harness/http-server.ts";
import { exchange } from "../harness/raw-http.ts";
import { invalidAt, item, refused, startTestService } from "../harness/service.ts";

const service = await startTestService();
const account = await service.account();
const nothing = await service.counts();
const MiB = 1024 * 1024;

/** Nothing of what this file sends may be accepted. */
async function assertNothingAccepted(): Promise<void> {
  assert.deepEqual(await service.counts(), nothing);
}

const head = (method: string, path: string, lines: readonly string[] = []) =>
  [`${method} ${path} HTTP/1.1`, `Host: x`, `Authorization: Bearer ${account.token}`, ...lines, "", ""].join("\r\n");
const submission = { method: "POST", path: "/v1/tasks/batch" };
const submissionHead = (...lines: string[]) =>
  head("POST", "/v1/tasks/batch", [`Idempotency-Key: ${newId()}`, "Content-Type: application/json", ...lines]);
const problemOf = (answer: { text: string }) => (JSON.parse(answer.text) as Problem).code;

test("17 MiB with a length announced: 413, also to a client that writes everything before it reads", async () => {
  const body = Buffer.alloc(17 * MiB, "[");
  refused(await account.post(body), "payload_too_large");
  const answer = await exchange(service.address, [submissionHead(`Content-Length: ${body.length}`), body], submission);
  assert.equal(problemOf(answer), "payload_too_large");
  await assertNothingAccepted();
});

test("17 MiB in chunks, with no length announced: 413", async () => {
  const chunk = Buffer.alloc(MiB, "[");
  const chunks = Array.from({ length: 17 }, () =>
    Buffer.concat([Buffer.from("100000\r\n"), chunk, Buffer.from("\r\n")]),
  );
  const parts = [submissionHead("Transfer-Encoding: chunked"), ...chunks, "0\r\n\r\n"];
  assert.equal(problemOf(await exchange(service.address, parts, submission)), "payload_too_large");
  await assertNothingAccepted();
});

test("17 MiB by fetch, as a buffer and as a stream: 413, not a reset connection", async () => {
  for (const body of [
    Buffer.alloc(17 * MiB, "["),
    ReadableStream.from(Array.from({ length: 17 }, () => new Uint8Array(MiB))),
  ]) {
    const response = await fetch(`${service.address}/v1/tasks/batch`, {
      method: "POST",
      headers: {
        authorization: `Bearer ${account.token}`,
        "idempotency-key": newId(),
        "content-type": "application/json",
      },
      body,
      duplex: "half",
    });
    assert.equal(response.status, 413);
    assert.equal(((await response.json()) as Problem).code, "payload_too_large");
  }
  await assertNothingAccepted();
});

test("large bodies that are refused for another reason are answered too", async () => {
  const body = Buffer.alloc(17 * MiB, "[");
  const length = `Content-Length: ${body.length}`;
  for (const [path, code, lines] of [
    ["/v1/tasks/batch", "idempotency_key_missing", []],
    ["/v1/tasks/batch", "unsupported_media_type", ["Idempotency-Key: k", "Content-Type: text/plain"]],
    ["/v1/nowhere", "not_found", []],
    ["/v1/webhook", "method_not_allowed", []],
    [`/v1/tasks/${newId()}/cancellation`, "payload_too_large", []],
  ] as const) {
    const bytes = [head("POST", path, [...lines, length]), body];
    assert.equal(problemOf(await exchange(service.address, bytes, { method: "POST", path })), code);
  }
});

test("after a refusal the connection goes on to serve", async () => {
  const body = Buffer.alloc(17 * MiB, "[");
  for (let round = 0; round < 3; round++) {
    refused(await account.post(body), "payload_too_large");
    assert.equal((await account.get("/v1/webhook")).status, 200);
  }
});

test("millions of [ are refused, closed or not, before they are parsed", async () => {
  invalidAt(await account.post("[".repeat(8 * MiB)), { "": "too_many" });
  refused(await account.post("[".repeat(8_000)), "malformed_json");
  refused(await account.post("[".repeat(2 * MiB) + "]".repeat(2 * MiB)), "validation_failed");
  const deep = '{"a":'.repeat(MiB) + "1" + "}".repeat(MiB);
  refused(await account.post(`[${deep}]`), "validation_failed");
  refused(
    await account.post(
      `[{"question":"q","platformCode":"simulator","options":{},"tags":${"[".repeat(MiB)}${"]".repeat(MiB)}}]`,
    ),
    "validation_failed",
  );
  refused(await account.call("PUT", "/v1/webhook", { body: "[".repeat(8000) + "]".repeat(8000) }), "validation_failed");
  await assertNothingAccepted();
});

test("millions of wrong elements and members cost no more than a few", async () => {
  const tags = `[${"1,".repeat(3 * MiB)}1]`;
  refused(
    await account.post(`[{"question":"q","platformCode":"simulator","options":{},"tags":${tags}}]`),
    "validation_failed",
  );
  const options = `{${Array.from({ length: 300_000 }, (_, index) => `"m${index}":1`).join(",")}}`;
  refused(
    await account.post(`[{"question":"q","platformCode":"simulator","options":${options}}]`),
    "validation_failed",
  );
  const quoted = await account.call("POST", "/v1/tasks/quote", { body: `[{"tags":${tags}}]` });
  invalidAt(quoted, { "": "too_many" });
  await assertNothingAccepted();
});

test("__proto__, constructor and the like are members like any other: unknown", async () => {
  for (const name of ["__proto__", "constructor", "prototype", "toString", "hasOwnProperty", "then"]) {
    const text = `[{"question":"q","platformCode":"simulator","options":{},"${name}":{"question":"x"}}]`;
    invalidAt(await account.post(text), { [`/0/${name}`]: "unknown_field" });
    const options = `[{"question":"q","platformCode":"simulator","options":{"${name}":{"output":"answer"}}}]`;
    invalidAt(await account.post(options), { [`/0/options/${name}`]: "unknown_field" });
    invalidAt(await account.get(`/v1/tasks?${name}=x`), { [`?${name}`]: "unknown_field" });
  }
  // A required member is not found on a prototype.
  const inherited = refused(
    await account.post('[{"__proto__":{"question":"q","platformCode":"simulator","options":{}}}]'),
    "validation_failed",
  );
  assert.ok(inherited.errors?.some(({ pointer }) => pointer === "/0/question"));
  await assertNothingAccepted();
});

test("an unknown member whose name is long, empty or no text is told without harm", async () => {
  for (const name of ["", "a/b~c", "\\ud800", "x".repeat(100_000), "\\u0000"])
    refused(
      await account.post(`[{"question":"q","platformCode":"simulator","options":{},"${name}":1}]`),
      "validation_failed",
    );
});

test("of a member sent twice the last one counts", async () => {
  const text = '[{"question":"good","platformCode":"simulator","options":{},"question":""}]';
  invalidAt(await account.post(text), { "/0/question": "too_short" });
});

test("numbers beyond every type are refused as what they are", async () => {
  for (const number of ["1e400", "-1e400", "1e308", "123456789012345678901234567890", "0.1"]) {
    const text = `[{"question":"q","platformCode":"simulator","options":{},"priority":${number}}]`;
    refused(await account.post(text), "validation_failed");
  }
  for (const limit of ["0", "201", "-1", "1e9", "0x10", "9".repeat(30), "1.5", "NaN", ""])
    refused(await account.get(`/v1/tasks?limit=${limit}`), "validation_failed");
  await assertNothingAccepted();
});

for (const url of [
  "https://127.0.0.1/",
  "https://127.1/",
  "https://0x7f000001/",
  "https://2130706433/",
  "https://0177.0.0.1/",
  "https://127.0.0.1.:443/",
  "https://0/",
  "https://0.0.0.0/",
  "https://10.1.2.3/",
  "https://172.16.0.1/",
  "https://192.168.1.1/",
  "https://169.254.169.254/",
  "https://100.64.0.1/",
  "https://192.0.2.1/",
  "https://198.18.0.1/",
  "https://224.0.0.1/",
  "https://255.255.255.255/",
  "https://[::]/",
  "https://[::1]/",
  "https://[0:0:0:0:0:0:0:1]/",
  "https://[::ffff:127.0.0.1]/",
  "https://[::ffff:7f00:1]/",
  "https://[::127.0.0.1]/",
  "https://[64:ff9b::7f00:1]/",
  "https://[2002:7f00:1::]/",
  "https://[fe80::1]/",
  "https://[fc00::1]/",
  "https://[fd00:ec2::254]/",
  "https://[ff02::1]/",
  "https://localhost/",
  "https://LOCALHOST./",
  "https://a.localhost/",
  "https://metadata.google.internal/",
  "https://printer.local/",
  "https://intranet/",
  "https://①②⑦.0.0.1/",
  "https://127。0。0。1/",
  "https://example.com:0/",
]) {
  // prettier-ignore
  test(`a task's webhookUrl to ${url} is refused`, async () => {
    invalidAt(await account.post([item("Why?", { webhookUrl: url })]), { "/0/webhookUrl": "address_not_allowed" });
    await assertNothingAccepted();
  });
}

test("duplicate Idempotency-Key headers are malformed, equal or not", async () => {
  for (const key of ["one", "two"]) {
    const lines = [
      "Idempotency-Key: one",
      `Idempotency-Key: ${key}`,
      "Content-Type: application/json",
      "Content-Length: 2",
    ];
    const answer = await exchange(service.address, `${head("POST", "/v1/tasks/batch", lines)}[]`, submission);
    assert.equal(problemOf(answer), "idempotency_key_malformed");
  }
});

test("headers above 16 KiB: 431, as a problem", async () => {
  const path = "/healthz";
  const answer = await exchange(service.address, head("GET", path, [`X-Long: ${"a".repeat(20_000)}`]), {
    method: "GET",
    path,
  });
  assert.equal(answer.status, 431);
  assert.equal(problemOf(answer), "headers_too_large");
  const many = Array.from({ length: 1500 }, (_, index) => `X-${index}: ${index}`);
  assert.equal((await exchange(service.address, head("GET", path, many), { method: "GET", path })).status, 431);
});

test("a header list far above the limit is answered too, and not reset", async () => {
  const answer = await exchange(service.address, head("GET", "/healthz", [`X-Long: ${"a".repeat(MiB)}`]));
  assert.equal(problemOf(answer), "headers_too_large");
});

test("addresses above 8 KiB: 414, as a problem", async () => {
  for (const length of [9_000, 15_000, 30_000, 300_000]) {
    const path = `/v1/tasks?text=${"a".repeat(length)}`;
    const answer = await exchange(service.address, head("GET", path), { method: "GET", path });
    assert.equal(answer.status, 414, String(length));
    assert.equal(problemOf(answer), "uri_too_long");
  }
});

test("path tricks lead nowhere", async () => {
  for (const path of [
    "/v1//tasks",
    "/v1/tasks/",
    "/v1/./webhook",
    "/V1/webhook",
    "/v1/webhook%2f",
    "/v1%2fwebhook",
    "/v1/tasks/../webhook",
    "/v1/tasks/%2e%2e/webhook",
    "//v1/webhook",
    "/v1/webhook;x=1",
    "/v1/webhook/signing-secret",
    "/.env",
    "/docs/../../package.json",
    "/docs/%2e%2e%2fpackage.json",
    "/problems/..%2f..%2fpackage.json",
    "/problems/__proto__",
    "/problems/constructor",
    "/v2/tasks",
  ]) {
    // prettier-ignore
    const answer = await exchange(service.address, head("GET", path), { method: "GET", path });
    assert.ok(answer.status === 404 || answer.status === 400, `${path}: ${answer.status}`);
  }
});

test("a path that can't be decoded: 400", async () => {
  for (const path of ["/v1/tasks/%", "/v1/tasks/%zz", "/v1/tasks/%ff%fe", "/v1/tasks/%c0%af"]) {
    const answer = await exchange(service.address, head("GET", path), { method: "GET", path });
    assert.equal(problemOf(answer), "malformed_request", path);
  }
});

test("what is not HTTP: 400, as a problem", async () => {
  for (const bytes of [
    "hello\r\n\r\n",
    "GET\r\n\r\n",
    "BREW /pot HTTP/1.1\r\nHost: x\r\n\r\n",
    "GET / HTTP/9.9\r\nHost: x\r\n\r\n",
    "GET /healthz HTTP/1.1\r\nHost: x\r\nbad header\r\n\r\n",
    "GET /healthz HTTP/1.1\r\nHost: x\r\nA: a\0b\r\n\r\n",
    "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",
    "POST /v1/tasks/batch HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
    "POST /v1/tasks/batch HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n[]",
    "POST /v1/tasks/batch HTTP/1.1\r\nHost: x\r\nContent-Length: -1\r\n\r\n",
  ]) {
    // prettier-ignore
    assert.equal(problemOf(await exchange(service.address, Buffer.from(bytes, "latin1"))), "malformed_request", bytes);
  }
});

test("no Host, two of them, or two tokens: 400", async () => {
  for (const lines of [
    "",
    "Host: a\r\nHost: b\r\n",
    "Host: a\r\nAuthorization: Bearer a\r\nAuthorization: Bearer b\r\n",
  ]) {
    const answer = await exchange(service.address, `GET /healthz HTTP/1.1\r\n${lines}\r\n`, {
      method: "GET",
      path: "/healthz",
    });
    assert.equal(problemOf(answer), "malformed_request");
  }
});

test("an expectation that nobody knows is left unmet, and an upgrade is not made", async () => {
  for (const line of ["Expect: miracles", "Upgrade: websocket\r\nConnection: Upgrade", "Expect: 100-continue"]) {
    const answer = await exchange(service.address, head("GET", "/healthz", [line]), {
      method: "GET",
      path: "/healthz",
    });
    assert.equal(answer.status, 200);
  }
});

test("a gzip body is refused before it is unpacked", async () => {
  const bomb = gzipSync(Buffer.alloc(8 * MiB, " "));
  refused(await account.post(bomb, { "content-encoding": "gzip" }), "unsupported_media_type");
});

test("a body that is cut off leaves nothing behind", async () => {
  const body = JSON.stringify([item()]);
  await assert.rejects(async () => {
    const cut = new AbortController();
    const part = ReadableStream.from(
      (async function* () {
        yield Buffer.from(body.slice(0, 10));
        cut.abort();
      })(),
    );
    await fetch(`${service.address}/v1/tasks/batch`, {
      method: "POST",
      headers: {
        authorization: `Bearer ${account.token}`,
        "idempotency-key": "cut",
        "content-type": "application/json",
      },
      body: part,
      signal: cut.signal,
      duplex: "half",
    });
  });
  assert.equal((await service.call("GET", "/healthz")).status, 200);
  await assertNothingAccepted();
});

test("a request that does not arrive in time: 408, as a problem", async () => {
  const app = await bareHttpServer(100);
  const address = await app.listen({ host: "127.0.0.1", port: 0 });
  const answer = await exchange(address, "GET / HTTP/1.1\r\nHost: x\r\nX-Sl");
  assert.equal(problemOf(answer), "request_timeout");
  await app.close();
});

test("NUL and broken text in query parameters are refused or find nothing", async () => {
  for (const name of ["platformCode", "tag", "clientReference", "text"])
    invalidAt(await account.get(`/v1/tasks?${name}=%00`), { [`?${name}`]: "unstorable_text" });
  for (const value of ["%ff", "%ed%a0%80", "%F0%9F"])
    assert.ok((await account.get(`/v1/tasks?text=${value}`)).status < 500);
  invalidAt(await account.get("/v1/tasks?state=pending&state=failed"), { "?state": "not_allowed" });
});

test("a cursor that this service did not give is refused", async () => {
  const cursors = [
    "x",
    "-",
    "a".repeat(512),
    Buffer.from("-".repeat(36)).toString("base64url"),
    Buffer.from("\0").toString("base64url"),
    Buffer.from("9".repeat(16)).toString("base64url"),
  ];
  for (const cursor of cursors) invalidAt(await account.get(`/v1/tasks?cursor=${cursor}`), { "?cursor": "malformed" });
  for (const cursor of cursors.slice(0, -1))
    invalidAt(await account.get(`/v1/usage/ledger?cursor=${cursor}`), { "?cursor": "malformed" });
  assert.equal((await account.get(`/v1/usage/ledger?cursor=${cursors.at(-1)}`)).status, 200);
});

test("after all this, nothing was accepted, no points moved, and the service answers", async () => {
  await assertNothingAccepted();
  assert.equal((await service.call("GET", "/readyz")).status, 200);
});
