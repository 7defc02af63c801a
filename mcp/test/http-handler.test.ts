/** docs/how-to/assistants.md: the tools for assistants over HTTP, asked by the official client and by hostile ones. */
import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import type { PanelRecord } from "@querent/client";
import { startTestService, type TestAccount, type TestService } from "../../service/test/harness/service.ts";

const service = await startTestService();

interface Told {
  readonly structuredContent?: Record<string, unknown>;
  readonly content: readonly { readonly text: string }[];
  readonly isError?: boolean;
}

/** `pin`: a revision of the protocol, instead of what the client negotiates. */
async function connect(at: TestService, token: string, pin?: string) {
  const client = new Client(
    { name: "test", version: "1" },
    pin === undefined ? {} : { versionNegotiation: { mode: { pin } } },
  );
  const requestInit = { headers: { authorization: `Bearer ${token}` } };
  await client.connect(new StreamableHTTPClientTransport(new URL(`${at.address}/mcp`), { requestInit }));
  return {
    client,
    tools: async () => (await client.listTools()).tools.map(({ name }) => name),
    call: async (name: string, input: object = {}) =>
      (await client.callTool({ name, arguments: { ...input } })) as unknown as Told,
    [Symbol.asyncDispose]: () => client.close(),
  };
}

const listIn = <Element>({ structuredContent }: Told, name: string) => (structuredContent?.[name] ?? []) as Element[];

const readers = [
  "results",
  "platforms",
  "observations",
  "sources",
  "panels",
  "figures",
  "changes",
  "compare",
  "pairs",
  "searches",
  "prices",
];

suite("assistants over HTTP", () => {
  test("the tools are those that the token may use, and none that costs points unless the operator allows it", async () => {
    const account = await service.account();
    await using all = await connect(service, account.token);
    assert.deepEqual(await all.tools(), readers);
    const onlyFigures = await account.withToken({ scopes: ["panels:read"] });
    await using some = await connect(service, onlyFigures.token);
    assert.deepEqual(await some.tools(), ["panels", "figures", "changes", "compare", "pairs", "searches", "prices"]);
    const writes = await account.withToken({ scopes: ["tasks:write"] });
    await using none = await connect(service, writes.token);
    assert.deepEqual(await none.tools(), []);
    const refused = await all.call("ask", { question: "Why?", platforms: ["simulator"] }).then(
      ({ isError }) => isError === true,
      () => true,
    );
    assert.ok(refused);
    assert.equal((await service.counts(account.accountId))["tasks"], 0);
  });

  for (const pin of [undefined, "2026-07-28"])
    test(`a figure comes with its sample, and with why it has no interval (${pin ?? "negotiated"})`, async () => {
      const account = await service.account();
      const panelId = await panelWithAnswers(account);
      await using mcp = await connect(service, account.token, pin);
      const panels = await mcp.call("panels");
      assert.match(panels.content[0]?.text ?? "", new RegExp(panelId));
      const figures = await mcp.call("figures", { panelId, measures: ["presence"] });
      const [these, alike] = figures.content[0]?.text.split("\n") ?? [];
      assert.match(
        these ?? "",
        /^presence\/\d+, Acme, on simulator \(sample\): 0 %, without an interval \(1 answer to 1 prompt from .+ to .+, for exactly these prompts\)\. Too few runs/,
      );
      assert.match(alike ?? "", /for prompts like these\)/);
      const [row] = listIn<{ thesePrompts: { answers: number } }>(figures, "rows");
      assert.equal(row?.thesePrompts.answers, 1);
      const changes = await mcp.call("changes", { panelId });
      assert.match(changes.content[0]?.text ?? "", /^(No run of this panel has been judged yet\.|Verdicts as of )/);
      const observations = await mcp.call("observations", { panelId, limit: 1 });
      assert.equal(listIn(observations, "observations").length, 1);
      const sources = await mcp.call("sources", { panelId });
      assert.match(sources.content[0]?.text ?? "", /^Sources cited by 2 observed answers .+ without intervals/);
    });

  test("what the API refuses is told to the model, and nothing of another account is shown", async () => {
    const [account, other] = [await service.account(), await service.account()];
    const panelId = await panelWithAnswers(other);
    await using mcp = await connect(service, account.token);
    const figures = await mcp.call("figures", { panelId });
    assert.deepEqual(
      [figures.isError, figures.content[0]?.text],
      [true, "Not found (not_found): There is no such panel."],
    );
    const wrong = await mcp.call("figures", { panelId, measures: ["nonsense"] });
    assert.equal(wrong.isError, true);
  });

  test("requests without a token, of web pages, in batches or of another form are refused", async () => {
    const { token } = await service.account();
    const list = { jsonrpc: "2.0", id: 1, method: "tools/list" };
    const send = (body: unknown, headers: Record<string, string> = {}, method = "POST") =>
      fetch(`${service.address}/mcp`, {
        method,
        headers: {
          authorization: `Bearer ${token}`,
          accept: "application/json, text/event-stream",
          "content-type": "application/json",
          ...headers,
        },
        ...(method === "POST" ? { body: typeof body === "string" ? body : JSON.stringify(body) } : {}),
      });
    const statusOf = async (...given: Parameters<typeof send>) => {
      const response = await send(...given);
      assert.ok((await response.text()).length < 100_000);
      return response.status;
    };
    assert.equal(await statusOf(list), 200);
    assert.equal(await statusOf(list, { authorization: "Bearer wrong-token" }), 401);
    assert.equal(await statusOf(list, { origin: "https://evil.example" }), 403);
    assert.equal(await statusOf(list, { origin: "null" }), 403);
    // A name that an attacker lets point to this machine.
    assert.equal(await statusOf(list, { origin: "http://evil.example:8080", host: "evil.example:8080" }), 403);
    assert.equal(await statusOf(list, { origin: new URL(service.address).origin }), 200);
    assert.equal(await statusOf([list, list]), 400);
    assert.equal(await statusOf([]), 400);
    assert.equal(await statusOf([list], { "mcp-protocol-version": "2025-06-18" }), 400);
    assert.equal(await statusOf("{"), 400);
    assert.equal(await statusOf("[".repeat(50_000)), 400);
    assert.equal(await statusOf(`"${"x".repeat(200_000)}"`), 413);
    assert.equal(await statusOf(list, { "content-type": "text/plain" }), 415);
    assert.equal(await statusOf(list, { accept: "text/html" }), 406);
    assert.equal(await statusOf({ ...list, method: "sampling/createMessage" }), 200);
    assert.equal(await statusOf({ ...list, method: "subscriptions/listen" }), 404);
    for (const body of [null, 1, "text", {}, { jsonrpc: "1.0" }, { ...list, id: {} }]) {
      const status = await statusOf(JSON.stringify(body));
      assert.ok(status >= 400 && status < 500, `${JSON.stringify(body)}: ${status}`);
    }
    assert.equal(await statusOf(null, {}, "GET"), 405);
    assert.equal(await statusOf(null, {}, "DELETE"), 405);
  });
});

suite("what a client of another revision or library sends", () => {
  const post = async (body: unknown, headers: Record<string, string> = {}) => {
    const { token } = await service.account();
    const response = await fetch(`${service.address}/mcp`, {
      method: "POST",
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json", ...headers },
      body: JSON.stringify(body),
    });
    const text = await response.text();
    return { status: response.status, type: response.headers.get("content-type") ?? "", text };
  };
  const initialize = {
    jsonrpc: "2.0",
    id: 1,
    method: "initialize",
    params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "x", version: "1" } },
  };
  const both = { accept: "application/json, text/event-stream" };

  for (const accept of [
    "*/*",
    "application/json",
    "application/json, application/mcp+json",
    "application/*",
    "Application/JSON; charset=utf-8",
    "text/html, application/json;q=0.5",
    "text/event-stream;q=0, */*",
    "text/event-stream;q=0.5, */*",
    "application/json, text/event-stream;q=0.1",
    "application/json;q=1.0, text/*;q=0.9",
    "nonsense",
    "",
  ])
    test(`a request that accepts ${JSON.stringify(accept)} is answered with JSON`, async () => {
      const { status, type, text } = await post(initialize, { accept });
      assert.equal(status, 200, text);
      assert.match(type, /^application\/json/);
      assert.equal((JSON.parse(text) as { result: { protocolVersion: string } }).result.protocolVersion, "2025-06-18");
    });

  for (const accept of [
    both.accept,
    "text/event-stream",
    "text/*",
    "application/json;q=0, */*",
    "application/json;q=0.5, text/event-stream",
    "text/event-stream, */*",
    "application/*;q=0.2, TEXT/Event-Stream;q=0.20",
  ])
    test(`a request that accepts ${JSON.stringify(accept)} is answered with a stream`, async () => {
      const { status, type, text } = await post(initialize, { accept });
      assert.equal(status, 200, text);
      assert.match(type, /^text\/event-stream/);
      assert.match(text, /^data: \{.*"protocolVersion":"2025-06-18"/m);
    });

  test("a request that accepts neither is refused with 406", async () => {
    for (const accept of ["text/html", "application/json;q=0, text/html", "*/*;q=0", "image/*"])
      assert.equal((await post(initialize, { accept })).status, 406, accept);
  });

  test("null is as good as no parameter and no argument", async () => {
    for (const params of [
      { name: "platforms", arguments: null },
      { name: "sources", arguments: { panelId: null, by: null, limit: null } },
      { name: "platforms", arguments: {}, _meta: null },
    ]) {
      const { status, text } = await post({ jsonrpc: "2.0", id: 1, method: "tools/call", params }, { accept: "*/*" });
      assert.equal(status, 200, text);
      const { result } = JSON.parse(text) as { result?: { isError?: boolean } };
      assert.ok(result !== undefined && result.isError !== true, text);
    }
    const list = await post({ jsonrpc: "2.0", id: 1, method: "tools/list", params: null }, both);
    assert.match(list.text, /"tools":\[/);
  });

  test("a batch of a revision that has them is answered message by message, in the form that the client accepts", async () => {
    const call = (id: unknown, name: string) => ({
      jsonrpc: "2.0",
      id,
      method: "tools/call",
      params: { name, arguments: null },
    });
    const batch = [
      { jsonrpc: "2.0", id: 1, method: "ping" },
      { jsonrpc: "2.0", method: "notifications/initialized" },
      call("two", "platforms"),
      { jsonrpc: "2.0", id: 3, method: "nonsense" },
      7,
      { ...initialize, id: 4 },
    ];
    for (const revision of [{}, { "mcp-protocol-version": "2025-03-26" }]) {
      const { status, type, text } = await post(batch, { accept: "application/json", ...revision });
      assert.equal(status, 200, text);
      assert.match(type, /^application\/json/);
      const answers = JSON.parse(text) as { id: unknown; result?: object; error?: { code: number } }[];
      assert.deepEqual(
        answers.map(({ id, error }) => [id, error?.code ?? null]),
        [
          [1, null],
          ["two", null],
          [3, -32601],
          [null, -32600],
          [4, -32600],
        ],
      );
    }
    const streamed = await post(batch.slice(0, 3), both);
    assert.match(streamed.type, /^text\/event-stream/);
    assert.equal(streamed.text.match(/^data: /gm)?.length, 2);
    const notified = await post(batch.slice(1, 2), both);
    assert.deepEqual([notified.status, notified.text], [202, ""]);
    const long = Array.from({ length: 51 }, (_, id) => ({ jsonrpc: "2.0", id, method: "ping" }));
    assert.equal((await post(long, both)).status, 400);
    const nested = await post([[{ jsonrpc: "2.0", id: 1, method: "ping" }]], both);
    assert.match(nested.text, /"error"/);
  });
});

suite("assistants that may ask", async () => {
  const asking = await startTestService({ environment: { QUERENT_MCP: "ask" } });

  test("a question is asked and charged if the token may, and waits no longer than a proxy does", async () => {
    const account = await asking.account();
    await using mcp = await connect(asking, account.token);
    assert.deepEqual(await mcp.tools(), ["ask", ...readers]);
    const told = await mcp.call("ask", { question: "sources=1", platforms: ["simulator"] });
    const [task] = listIn<{ state: string; chargedPoints: number }>(told, "tasks");
    assert.deepEqual([task?.state, task?.chargedPoints], ["completed", 1]);
    const tooLong = await mcp.call("ask", { question: "Why?", platforms: ["simulator"], waitSeconds: 600 });
    assert.equal(tooLong.isError, true);
    const reads = await account.withToken({ scopes: ["tasks:read", "panels:read"] });
    await using reader = await connect(asking, reads.token);
    assert.deepEqual(await reader.tools(), readers);
  });

  test("it can be switched off", async () => {
    const off = await startTestService({ environment: { QUERENT_MCP: "off" } });
    const { token } = await off.account();
    const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
    assert.equal((await fetch(`${off.address}/mcp`, { method: "POST", headers, body: "{}" })).status, 404);
  });
});

/** A panel of two prompts that was run once, and a brand, which one of them names. */
async function panelWithAnswers(account: TestAccount): Promise<string> {
  await account.call("POST", "/v1/entities", { body: { name: "Acme", relation: "own" } });
  const { body: panel } = await account.call<PanelRecord>("POST", "/v1/panels", {
    body: { name: "Tools", prompts: [{ text: "brands=Acme:1" }, { text: "sources=2" }], platforms: ["simulator"] },
  });
  const run = await account.call<{ batches: { batchId: string }[] }>("POST", `/v1/panels/${panel.panelId}/runs`, {
    headers: { "idempotency-key": `run ${panel.panelId}` },
  });
  const { body } = await account.get<{ tasks: { taskId: string }[] }>(
    `/v1/tasks?batchId=${run.body.batches[0]?.batchId}`,
  );
  for (const { taskId } of body.tasks) await account.ended(taskId);
  return panel.panelId;
}
