/** docs/reference/errors.md#problems. */
import assert from "node:assert/strict";
import { createServer, connect, type Socket } from "node:net";
import { after, test } from "node:test";
import {
  api,
  itemProblems,
  layerProblems,
  openapiDocument,
  problemCodes,
  problems,
  type Problem,
} from "@querent/contract";
import { newId } from "../../src/kernel/ids.ts";
import { invalidAt, item, refused, startTestService } from "../harness/service.ts";
import { until } from "../harness/wait.ts";

const service = await startTestService();

test("an error is application/problem+json with type, title, status, detail, instance, code and requestId", async () => {
  const answer = await service.call("GET", "/v1/webhook?secret=1");
  const problem = refused(answer, "unauthorized");
  assert.equal(answer.headers["content-type"], "application/problem+json; charset=utf-8");
  assert.deepEqual(Object.keys(problem).sort(), ["code", "detail", "instance", "requestId", "status", "title", "type"]);
  assert.equal(problem.instance, "/v1/webhook");
});

for (const code of problemCodes) {
  test(`the type of ${code} resolves to a page that explains it`, async () => {
    const answer = await service.call("GET", `/problems/${code}`);
    assert.equal(answer.status, 200);
    assert.match(answer.headers["content-type"] ?? "", /^text\/html/);
    assert.ok(answer.text.includes(code));
    assert.ok(answer.text.includes(`HTTP ${problems[code].status}`));
  });
}

test("all problems are listed on one page, with those of single places", async () => {
  const { text } = await service.call("GET", "/problems");
  for (const code of problemCodes) assert.ok(text.includes(`/problems/${code}`));
  const places = (await service.call("GET", "/problems/validation_failed")).text;
  for (const code of Object.keys(itemProblems)) assert.ok(places.includes(`<code>${code}</code>`));
});

test("every problem of the catalogue is listed by an operation or belongs to the HTTP layer", () => {
  const listed = new Set<string>([...api.operations.flatMap(({ problems: own }) => own), ...layerProblems]);
  assert.deepEqual(
    problemCodes.filter((code) => !listed.has(code)),
    [],
  );
});

test("each operation's document lists exactly the statuses of its problems and replies", () => {
  const { paths } = openapiDocument({ version: "0" }) as {
    paths: Record<string, Record<string, { responses: object }>>;
  };
  for (const operation of api.operations) {
    const documented = Object.keys(paths[operation.path]?.[operation.method.toLowerCase()]?.responses ?? {});
    const statuses = [
      ...Object.keys(operation.replies),
      ...operation.problems.map((code) => String(problems[code].status)),
    ];
    assert.deepEqual(documented.toSorted(), [...new Set(statuses)].sort(), operation.id);
  }
});

test("an X-Request-Id is on every response, a new one each time, whatever the client sends", async () => {
  const ids = new Set<string>();
  for (const path of ["/healthz", "/v1/tasks", "/nowhere", "/docs", "/openapi.json", "/problems"]) {
    const { headers } = await service.call("GET", path, { headers: { "x-request-id": "mine" } });
    ids.add(headers["x-request-id"] ?? "");
  }
  assert.equal(ids.size, 6);
  assert.ok(!ids.has("mine"));
});

test("429 rate_limited: above the account's rate, with Retry-After, RateLimit and RateLimit-Policy; others are served", async () => {
  const limited = await startTestService({ environment: { QUERENT_REQUESTS_PER_MINUTE: "3" } });
  const [account, other] = [await limited.account(), await limited.account()];
  for (const left of [2, 1, 0]) {
    const { headers } = await account.get("/v1/webhook");
    assert.match(headers["ratelimit"] ?? "", new RegExp(`^"account";r=${left};t=\\d+$`));
    assert.equal(headers["ratelimit-policy"], '"account";q=3;w=60');
  }
  const before = await limited.counts();
  refused(await account.post([item()]), "rate_limited");
  assert.deepEqual(await limited.counts(), before);
  assert.equal((await other.get("/v1/webhook")).status, 200);
});

test("503 unavailable: the database is away; nothing was accepted, and it comes back by itself", async () => {
  const way = await startWay();
  const cut = await startTestService({ through: way.through, roles: ["api"], faultsExpected: true });
  const account = await cut.account();
  const before = await cut.counts();
  way.cut();
  refused(await account.post([item()]), "unavailable");
  refused(await account.get("/v1/webhook"), "unavailable");
  refused(await cut.call("GET", "/readyz"), "unavailable");
  assert.equal((await cut.call("GET", "/healthz")).status, 200);
  assert.deepEqual(await cut.counts(), before);
  way.mend();
  await until("the service to be ready", async () => (await cut.call("GET", "/readyz")).status === 200);
  assert.equal((await account.submit([item()])).acceptedCount, 1);
});

/** A way to the database that can be cut. */
async function startWay() {
  const sockets = new Set<Socket>();
  let isCut = false;
  let target = { path: "" };
  const server = createServer((socket) => {
    sockets.add(socket.on("error", () => undefined).on("close", () => sockets.delete(socket)));
    if (isCut) {
      socket.destroy();
      return;
    }
    const onward = connect(target).on("error", () => socket.destroy());
    sockets.add(onward);
    onward.on("close", () => void (sockets.delete(onward), socket.destroy()));
    socket.on("close", () => onward.destroy());
    socket.pipe(onward).pipe(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  after(() => server.close());
  const listening = server.address();
  const port = typeof listening === "object" ? (listening?.port ?? 0) : 0;
  return {
    through: (address: string) => {
      const url = new URL(address);
      const folder = url.searchParams.get("host");
      const database = { host: url.hostname, port: Number(url.port || 5432) };
      target = (folder === null ? database : { path: `${folder}/.s.PGSQL.${database.port}` }) as { path: string };
      return `postgresql://${url.username}:${url.password}@127.0.0.1:${port}${url.pathname}`;
    },
    cut: () => {
      isCut = true;
      for (const socket of sockets) socket.destroy();
    },
    mend: () => {
      isCut = false;
    },
  };
}

const withToken = api.operations.filter(({ scope }) => scope !== null);

test("422: a parameter that an operation does not know is refused by every operation that takes a token, and nothing is done", async () => {
  const account = await service.account();
  const taskId = await account.ask("delay=30m");
  const { body: task } = await account.get<{ batchId: string }>(`/v1/tasks/${taskId}`);
  for (const { method, path, query, body: expected } of withToken) {
    const required = (query?.required ?? []).map((name) => `${name}=x&`).join("");
    const at = path
      .replace("{task_id}", taskId)
      .replace("{batch_id}", task.batchId)
      .replace("{evidence_kind}", "picture")
      .replace(/\{\w+\}/g, newId());
    const body = method === "GET" ? {} : { body: "{}" };
    const headers = { "idempotency-key": newId(), "content-type": expected?.type ?? "application/json" };
    const answer = await account.call(method, `${at}?${required}onyl_failed_id=1`, { headers, ...body });
    assert.equal(invalidAt(answer, { "?onyl_failed_id": "unknown_field" }).errors?.length, 1, `${method} ${path}`);
    const [known] = Object.keys(query?.properties ?? {});
    if (known === undefined) continue;
    const problem = invalidAt(await account.call(method, `${at}?${required}${known}x=1`, { headers, ...body }), {
      [`?${known}x`]: "unknown_field",
    });
    assert.match(problem.errors?.[0]?.detail ?? "", new RegExp(`Did you mean \`${known}\``));
  }
  assert.equal((await account.task(taskId)).state, "pending");
  await account.call("POST", `/v1/tasks/${taskId}/cancellation`);
});

test("only what anybody may open lets parameters of others pass", async () => {
  const open = api.operations.filter(({ scope, login }) => scope === null && login === undefined);
  assert.deepEqual(
    open.map(({ id }) => id),
    [
      "listSignInWays",
      "endProviderLogins",
      "getLinkedFigures",
      "getUnsubscribePage",
      "unsubscribe",
      "getSharePage",
      "getSharedReport",
      "openSharedReport",
      "getScreenshot",
      "getPageFont",
      "getEvidenceKeys",
      "getOpenapi",
      "getLlmsText",
      "getHealth",
      "getReadiness",
    ],
  );
  assert.equal((await service.call("GET", "/healthz?probe=1")).status, 200);
});

test("422: what an operation without a body is told in one is not passed over", async () => {
  const account = await service.account();
  const taskId = await account.ask("delay=30m");
  const { batchId } = await account.task(taskId);
  const path = `/v1/batches/${batchId}/cancellation`;
  invalidAt(await account.call("POST", path, { body: { state: "queued" } }), { "/state": "unknown_field" });
  refused(
    await account.call("POST", path, {
      body: "state=queued",
      headers: { "content-type": "application/x-www-form-urlencoded" },
    }),
    "unsupported_media_type",
  );
  assert.equal((await account.task(taskId)).state, "pending");
  const form = { "content-type": "application/x-www-form-urlencoded", "content-length": "0" };
  assert.equal((await account.call("POST", path, { headers: form })).status, 200);
  assert.equal((await account.call("POST", path, { body: {} })).status, 200);
});

test("a name is suggested only when it is near the one that was sent", async () => {
  const account = await service.account();
  const detail = async (body: object) => (await account.post([item("Why?", body)])).body as unknown as Problem;
  const said = async (body: object) => (await detail(body)).errors?.[0]?.detail;
  assert.equal(await said({ foo: 1 }), "There is no member `foo` here.");
  assert.equal(await said({ tag: 1 }), "There is no member `tag` here. Did you mean `tags`?");
  assert.equal(
    await said({ client_reference: 1 }),
    "There is no member `client_reference` here. Did you mean `clientReference`?",
  );
  assert.equal(await said({ [`x${"y".repeat(100)}`]: 1 }), "There is no such member here.");
});

test("400 malformed_json tells where the JSON breaks, also at its first character", async () => {
  const account = await service.account();
  const places = {
    hello: "it breaks at line 1, column 1",
    "[1,\n  hello]": "it breaks at line 2, column 3",
    "[1,]": "it breaks at line 1, column 4",
    "{'a':1}": "it breaks at line 1, column 2",
    '[{"question":"q"': "it ends too early, after 16 characters",
    "/* c */ []": "it breaks at line 1, column 1",
    "[]x": "it breaks at line 1, column 3",
    NaN: "it breaks at line 1, column 1",
  };
  for (const [text, where] of Object.entries(places)) {
    const problem = refused(await account.post(text), "malformed_json");
    assert.equal(problem.detail, `The body is not JSON: ${where}.`, text);
  }
});

test("a byte order mark before the body is passed over", async () => {
  const account = await service.account();
  assert.equal((await account.post(`\uFEFF${JSON.stringify([item()])}`)).status, 202);
});
