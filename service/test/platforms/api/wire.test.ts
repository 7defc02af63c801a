/** What goes out: the request of each platform, as a server sees it, for both values of `deepAnalysis`. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, beforeEach, describe, test } from "node:test";
import { vendors, type ApiStep, type UpstreamChange } from "../../../src/platforms/api/index.ts";
import { startReplayServer, type ReplayServer } from "../../harness/replay-server.ts";
import { asStream } from "./as-stream.ts";
import { ask, key, platformAt, question } from "./ask-api.ts";

const text = "How fine should I grind?";
const bearer = ["authorization", `Bearer ${key}`] as const;
const responsesInput = [{ role: "user", content: [{ type: "input_text", text }] }];
const chatMessages = [{ role: "user", content: text }];
const glmSearch = {
  type: "web_search",
  web_search: { enable: true, search_engine: "search_pro_jina", search_result: true },
};

interface Expected {
  readonly path: string;
  readonly keyHeader: readonly [string, string];
  readonly plain: object;
  readonly deep: object;
  /** Without search, in a plain question. */
  readonly unsearched: object;
  /** Its path, if it is another. */
  readonly unsearchedPath?: string;
}

const chat = (path: string, both: object, plain: object, deep: object, unsearched: object): Expected => ({
  path,
  keyHeader: bearer,
  plain: { messages: chatMessages, ...both, ...plain },
  deep: { messages: chatMessages, ...both, ...deep },
  unsearched: { messages: chatMessages, ...both, ...unsearched },
});

const off = { thinking: { type: "disabled" } };
const on = { thinking: { type: "enabled" } };
const deepseekSearch = [{ type: "deepseek_web_search", name: "deepseek_web_search" }];
const kimiSearch = {
  tools: [
    {
      type: "function",
      function: {
        name: "web_search",
        description: "Search the web for information",
        parameters: {
          type: "object",
          properties: { query: { type: "string", description: "What to search for" } },
          required: ["query"],
        },
      },
    },
  ],
};
const routerSearch = { tools: [{ type: "openrouter:web_search" }] };

const expected: Readonly<Record<string, Expected>> = {
  openai: {
    path: "/responses",
    keyHeader: bearer,
    plain: {
      model: "gpt-6-astra",
      input: responsesInput,
      store: false,
      include: ["web_search_call.action.sources", "reasoning.encrypted_content"],
      tools: [{ type: "web_search" }],
      tool_choice: "auto",
    },
    deep: {
      model: "gpt-6-astra",
      input: responsesInput,
      store: true,
      background: true,
      include: ["web_search_call.action.sources"],
      reasoning: { effort: "high", summary: "auto" },
      tools: [{ type: "web_search" }],
      tool_choice: "auto",
    },
    unsearched: { model: "gpt-6-astra", input: responsesInput, store: false, include: ["reasoning.encrypted_content"] },
  },
  anthropic: {
    path: "/messages",
    keyHeader: ["x-api-key", key],
    plain: {
      model: "claude-sonnet-5-5",
      max_tokens: 16_000,
      messages: [{ role: "user", content: [{ type: "text", text }] }],
      tools: [{ type: "web_search_20260318", name: "web_search", max_uses: 8, allowed_callers: ["direct"] }],
      tool_choice: { type: "auto" },
    },
    deep: {
      model: "claude-sonnet-5-5",
      max_tokens: 32_000,
      thinking: { type: "adaptive", display: "summarized" },
      output_config: { effort: "high" },
      messages: [{ role: "user", content: [{ type: "text", text }] }],
      tools: [{ type: "web_search_20260318", name: "web_search", max_uses: 8, allowed_callers: ["direct"] }],
      tool_choice: { type: "auto" },
    },
    unsearched: {
      model: "claude-sonnet-5-5",
      max_tokens: 16_000,
      messages: [{ role: "user", content: [{ type: "text", text }] }],
    },
  },
  gemini: {
    path: "/models/gemini-pro-latest:generateContent",
    keyHeader: ["x-goog-api-key", key],
    plain: { generationConfig: {}, contents: [{ role: "user", parts: [{ text }] }], tools: [{ googleSearch: {} }] },
    deep: {
      generationConfig: { thinkingConfig: { thinkingLevel: "high", includeThoughts: true } },
      contents: [{ role: "user", parts: [{ text }] }],
      tools: [{ googleSearch: {} }],
    },
    unsearched: { generationConfig: {}, contents: [{ role: "user", parts: [{ text }] }] },
  },
  perplexity: {
    path: "/v1/responses",
    keyHeader: bearer,
    plain: { preset: "low", input: text, store: false },
    deep: { preset: "medium", input: text, store: false },
    unsearched: { preset: "low", max_tool_calls: 0, input: text, store: false },
  },
  xai: {
    path: "/responses",
    keyHeader: bearer,
    plain: {
      model: "grok-latest",
      input: responsesInput,
      store: false,
      include: ["reasoning.encrypted_content", "web_search_call.action.sources"],
      tools: [{ type: "web_search" }, { type: "x_search" }],
      tool_choice: "auto",
    },
    deep: {
      model: "grok-latest",
      input: responsesInput,
      store: false,
      include: ["reasoning.encrypted_content", "web_search_call.action.sources"],
      reasoning: { effort: "high", summary: "auto" },
      tools: [{ type: "web_search" }, { type: "x_search" }],
      tool_choice: "auto",
    },
    unsearched: { model: "grok-latest", input: responsesInput, store: false, include: ["reasoning.encrypted_content"] },
  },
  mistral: {
    path: "/conversations",
    keyHeader: bearer,
    plain: {
      model: "mistral-medium-latest",
      inputs: text,
      tools: [{ type: "web_search" }],
      stream: false,
      store: false,
    },
    deep: {
      model: "mistral-medium-latest",
      inputs: text,
      tools: [{ type: "web_search" }],
      completion_args: { reasoning_effort: "high" },
      stream: false,
      store: false,
    },
    unsearched: { model: "mistral-medium-latest", inputs: text, tools: [], stream: false, store: false },
  },
  // A compound system decides for itself whether to search and how hard to think.
  groq: chat(
    "/chat/completions",
    { model: "groq/compound" },
    {},
    {},
    { compound_custom: { tools: { enabled_tools: [] } } },
  ),
  deepseek: {
    path: "/anthropic/v1/messages",
    keyHeader: bearer,
    plain: { model: "deepseek-flash", ...off, messages: chatMessages, tools: deepseekSearch },
    deep: { model: "deepseek-flash", ...on, messages: chatMessages, tools: deepseekSearch },
    unsearchedPath: "/chat/completions",
    unsearched: { model: "deepseek-flash", messages: chatMessages, ...off },
  },
  qwen: {
    path: "/responses",
    keyHeader: bearer,
    plain: {
      model: "qwen3.8-max",
      input: responsesInput,
      tools: [{ type: "web_search" }],
      tool_choice: "auto",
      enable_thinking: false,
    },
    deep: {
      model: "qwen3.8-max",
      input: responsesInput,
      tools: [{ type: "web_search" }],
      tool_choice: "auto",
      enable_thinking: true,
    },
    unsearched: { model: "qwen3.8-max", input: responsesInput, enable_thinking: false },
  },
  kimi: chat(
    "/chat/completions",
    { model: "kimi-k3" },
    { reasoning_effort: "low", ...kimiSearch },
    { reasoning_effort: "high", ...kimiSearch },
    { reasoning_effort: "low" },
  ),
  glm: chat(
    "/chat/completions",
    { model: "glm-5.3" },
    { ...off, tools: [glmSearch] },
    { ...on, tools: [glmSearch] },
    off,
  ),
  doubao: {
    path: "/responses",
    keyHeader: bearer,
    plain: {
      model: "doubao-seed-evolving",
      input: responsesInput,
      store: false,
      tools: [{ type: "web_search" }],
      tool_choice: "auto",
      ...off,
    },
    deep: {
      model: "doubao-seed-evolving",
      input: responsesInput,
      store: false,
      tools: [{ type: "web_search" }],
      tool_choice: "auto",
      ...on,
    },
    unsearched: { model: "doubao-seed-evolving", input: responsesInput, store: false, ...off },
  },
  openrouter: chat(
    "/chat/completions",
    { model: "openrouter/auto" },
    routerSearch,
    { ...routerSearch, reasoning: { effort: "high" } },
    {},
  ),
  "openai-compatible": chat("/chat/completions", { model: "default" }, {}, { reasoning_effort: "high" }, {}),
};

let server: ReplayServer;
before(async () => {
  server = await startReplayServer();
});
beforeEach(() => {
  server.requests.length = 0;
  server.reply = { body: "{}" };
});
after(() => server.close());

async function sent(api: string, change: UpstreamChange = {}, deep = false) {
  await ask(platformAt(api, server.url, change), { deep, text });
  const [request, ...more] = server.requests;
  assert.ok(request !== undefined && more.length === 0, "one request");
  return request;
}

describe("the request on the wire", () => {
  for (const { code } of vendors) {
    test(`of ${code}: path, key, search and thinking, for both values of deepAnalysis`, async () => {
      const { path, keyHeader, plain, deep, unsearched, unsearchedPath } =
        expected[code] ?? assert.fail(`${code} is not asserted`);
      for (const [body, isDeep, change, at] of [
        [plain, false, {}, path],
        [deep, true, {}, path],
        [unsearched, false, { search: false }, unsearchedPath ?? path],
      ] as const) {
        server.requests.length = 0;
        const request = await sent(code, change, isDeep);
        assert.equal(request.method, "POST");
        assert.equal(request.path, at);
        assert.equal(request.headers[keyHeader[0]], keyHeader[1]);
        assert.deepEqual(request.body, body);
        assert.ok(!request.path.includes(key) && !request.text.includes(key), "the key stands in its header only");
      }
    });
  }

  test("takes members of the body from the settings: for all, for those that search, for deep ones", async () => {
    const change = {
      model: "llama",
      body: { temperature: 0 },
      searchBody: { web: true },
      deepBody: { think: 9 },
    };
    const plain = { model: "llama", messages: chatMessages, temperature: 0, web: true };
    assert.deepEqual((await sent("openai-compatible", change)).body, plain);
    server.requests.length = 0;
    assert.deepEqual((await sent("openai-compatible", change, true)).body, {
      ...plain,
      reasoning_effort: "high",
      think: 9,
    });
    server.requests.length = 0;
    const { web: _web, ...unsearched } = plain;
    assert.deepEqual((await sent("openai-compatible", { ...change, search: false })).body, unsearched);
  });

  test("carries the key in the header that the settings name, and nowhere else", async () => {
    const { headers } = await sent("openai-compatible", { keyHeader: "api-key" });
    assert.equal(headers["api-key"], key);
    assert.equal(headers.authorization, undefined);
  });

  test("carries no key where none is needed", async () => {
    const { headers } = await sent("openai-compatible", { keyVariable: null });
    assert.equal(headers.authorization, undefined);
  });

  test("asks the model that is named for deep questions", async () => {
    const { body } = await sent("perplexity", { deepModel: "high" }, true);
    assert.equal((body as { preset: string }).preset, "high");
  });
});

const own = (name: string) => readFileSync(join(import.meta.dirname, "responses", name), "utf8");

/** A request without the numbers of calls, which only a stream needs. */
function withoutIndex(body: unknown): unknown {
  return JSON.parse(JSON.stringify(body, (name, value: unknown) => (name === "index" ? undefined : value)));
}

describe("answers that take several requests", () => {
  test("a background run is asked after until it has ended, and canceled when nobody waits any more", async () => {
    const running = JSON.stringify({ id: "resp_1", object: "response", status: "queued", output: [] });
    server.reply = ({ method }, index) => ({
      body: index < 2 ? running : method === "GET" ? own("openai.json") : "{}",
    });
    const outcome = await ask(platformAt("openai", server.url), { deep: true });
    assert.ok(outcome.kind === "answered");
    assert.equal(outcome.answer.modelVersion, "gpt-5.5-2026-04-23");
    assert.equal(outcome.raw?.body, own("openai.json"));
    assert.deepEqual(
      server.requests.map(({ method, path }) => `${method} ${path}`),
      ["POST /responses", "GET /responses/resp_1", "GET /responses/resp_1"],
    );
    assert.ok(server.requests.every(({ headers }) => headers.authorization === `Bearer ${key}`));

    server.requests.length = 0;
    const abort = new AbortController();
    server.reply = ({ method }) => {
      if (method === "GET") abort.abort();
      return { body: running };
    };
    assert.deepEqual(await ask(platformAt("openai", server.url), { deep: true, signal: abort.signal }), {
      kind: "canceled",
    });
    assert.equal(server.requests.at(-1)?.path, "/responses/resp_1/cancel");
  });

  test("a poll that fails is tried again: the run goes on meanwhile", async () => {
    const running = JSON.stringify({ id: "resp_1", object: "response", status: "in_progress", output: [] });
    const replies = [{ body: running }, { status: 503, body: "away" }, { body: own("openai.json") }];
    server.reply = (_request, index) => replies[index];
    assert.equal((await ask(platformAt("openai", server.url), { deep: true })).kind, "answered");
  });

  test("a background run of Perplexity is polled, and canceled when nobody waits any more", async () => {
    const running = JSON.stringify({ id: "resp_1", object: "response", status: "queued", output: [], usage: null });
    server.reply = (_request, index) => ({ body: index === 0 ? running : own("perplexity-agent.json") });
    const platform = platformAt("perplexity", server.url, { background: true });
    const outcome = await ask(platform, { deep: true });
    assert.ok(outcome.kind === "answered");
    assert.equal(outcome.answer.sources.length, 3);
    assert.deepEqual(
      server.requests.map(({ method, path }) => `${method} ${path}`),
      ["POST /v1/responses", "GET /v1/responses/resp_1"],
    );
    assert.deepEqual(server.requests[0]?.body, { preset: "medium", input: text, store: true, background: true });

    const abort = new AbortController();
    server.reply = ({ method }) => {
      if (method === "GET") abort.abort();
      return { body: running };
    };
    assert.deepEqual(await ask(platform, { deep: true, signal: abort.signal }), { kind: "canceled" });
    assert.equal(server.requests.at(-1)?.path, "/v1/responses/resp_1/cancel");
  });

  test("a turn of Claude's that pauses is gone on with, and both halves are the answer", async () => {
    server.reply = (_request, index) => ({ body: own(`anthropic-pause-${index + 1}.json`) });
    const platform = platformAt("anthropic", server.url);
    const outcome = await ask(platform);
    assert.ok(outcome.kind === "answered" && outcome.raw !== null);
    assert.equal(outcome.answer.sources.length, 2);
    assert.equal(outcome.answer.search?.[0]?.query, "burr or blade grinder");
    const [, second] = server.requests;
    const { messages } = (second ?? assert.fail()).body as { messages: { role: string; content: unknown }[] };
    assert.deepEqual(
      messages.map(({ role }) => role),
      ["user", "assistant"],
    );
    assert.deepEqual(messages[1]?.content, (JSON.parse(own("anthropic-pause-1.json")) as { content: unknown }).content);
    assert.equal(outcome.consumption?.outputTokens, 600);
    const again = platform.reread?.(
      outcome.raw,
      { taskId: "", text, options: { deepAnalysis: false, output: "answer", resultFormat: "json" }, attempt: 1 },
      outcome.answer.observedAt,
    );
    assert.deepEqual(again, outcome);
  });

  test("each of Kimi's searches is run by a request of its own, and the model goes on with what they found", async () => {
    const fiber = own("kimi-1-fiber.json");
    const replies = [own("kimi-1.json"), fiber, fiber.replaceAll("摩卡壶 研磨", "moka pot grind"), own("kimi-2.json")];
    server.reply = (_request, index) => ({ body: replies[index] ?? assert.fail() });
    const platform = platformAt("kimi", server.url);
    const outcome = await ask(platform);
    assert.ok(outcome.kind === "answered");
    assert.deepEqual(outcome.answer.parts, [{ type: "markdown", markdown: "摩卡壶用中细粉。" }]);
    assert.deepEqual(
      outcome.answer.sources.map(({ url: page, title }) => [page, title]),
      [
        ["https://grind.example/moka", ""],
        ["https://pots.example/fine", "How fine"],
      ],
    );
    assert.deepEqual(
      outcome.answer.search?.map(({ query, results }) => [query, results.length]),
      [
        ["摩卡壶 研磨", 2],
        ["moka pot grind", 2],
      ],
    );
    assert.deepEqual(outcome.consumption, { inputTokens: 60, outputTokens: 140, searches: 2 });
    const fibers = "/formulas/moonshot/web-search:latest/fibers";
    assert.deepEqual(
      server.requests.map(({ path }) => path),
      ["/chat/completions", fibers, fibers, "/chat/completions"],
    );
    assert.deepEqual(server.requests[2]?.body, { name: "web_search", arguments: '{"query": "moka pot grind"}' });
    const { messages } = (server.requests[3] ?? assert.fail()).body as { messages: Record<string, unknown>[] };
    assert.equal(messages[1]?.["reasoning_content"], "先查一下。");
    assert.deepEqual(
      messages.slice(2).map(({ role, tool_call_id: call }) => [role, call]),
      [
        ["tool", "call_1"],
        ["tool", "call_2"],
      ],
    );
    assert.match(String(messages[2]?.["content"]), /^----MOONSHOT ENCRYPTED BEGIN/);
  });

  test("a turn that is sent as a stream is gone on with in the same way", async () => {
    const fiber = own("kimi-1-fiber.json");
    const answers = {
      kimi: [own("kimi-1.json"), fiber, fiber.replaceAll("摩卡壶 研磨", "moka pot grind"), own("kimi-2.json")],
      anthropic: [own("anthropic-pause-1.json"), own("anthropic-pause-2.json")],
    };
    for (const [api, bodies] of Object.entries(answers)) {
      const platform = platformAt(api, server.url);
      /** Which of the turns are streams, by the bits of a number. */
      const outcomes = [];
      for (let streams = 0; streams < 2 ** bodies.length; streams++) {
        server.requests.length = 0;
        server.reply = (_request, index) => {
          const body = bodies[index] ?? assert.fail();
          const isStream = (streams & (2 ** index)) !== 0 && !body.includes('"fiber"');
          return isStream ? { headers: { "content-type": "text/event-stream" }, body: asStream(body) } : { body };
        };
        const outcome = await ask(platform);
        assert.ok(outcome.kind === "answered" && outcome.raw !== null, JSON.stringify(outcome));
        assert.equal(server.requests.length, bodies.length);
        assert.deepEqual(platform.reread(outcome.raw, question("", false), outcome.answer.observedAt), outcome);
        outcomes.push({ ...outcome, raw: null, sent: server.requests.map(({ body }) => withoutIndex(body)) });
      }
      for (const outcome of outcomes) assert.deepEqual(outcome, outcomes[0]);
    }
  });

  test("what Kimi says before it searches is reasoning, not a part of the answer", async () => {
    const preamble = JSON.parse(own("kimi-1.json")) as { choices: { message: { content: string } }[] };
    (preamble.choices[0] ?? assert.fail()).message.content = "Let me search.";
    for (const first of [JSON.stringify(preamble), asStream(JSON.stringify(preamble))]) {
      const replies = [first, own("kimi-1-fiber.json"), own("kimi-1-fiber.json"), own("kimi-2.json")];
      server.requests.length = 0;
      server.reply = (_request, index) => ({ body: replies[index] ?? assert.fail() });
      const outcome = await ask(platformAt("kimi", server.url));
      assert.ok(outcome.kind === "answered");
      assert.deepEqual(outcome.answer.parts, [{ type: "markdown", markdown: "摩卡壶用中细粉。" }]);
      assert.ok(outcome.answer.reasoning?.some(({ text: thought }) => thought === "Let me search."));
    }
  });

  test("Kimi's former tool runs when it is given its arguments back", async () => {
    const first = own("kimi-1.json").replaceAll('"name": "web_search"', '"name": "$web_search"');
    for (const body of [first, asStream(first)]) {
      server.requests.length = 0;
      server.reply = (_request, index) => ({ body: index === 0 ? body : own("kimi-2.json") });
      assert.equal((await ask(platformAt("kimi", server.url))).kind, "answered");
      assert.equal(server.requests.length, 2);
      const { messages } = (server.requests[1] ?? assert.fail()).body as { messages: Record<string, unknown>[] };
      assert.deepEqual(
        messages.slice(2).map(({ role, name, content }) => [role, name, content]),
        [
          ["tool", "$web_search", '{"query": "摩卡壶 研磨"}'],
          ["tool", "$web_search", '{"query": "moka pot grind"}'],
        ],
      );
    }
  });

  test("a background run that is announced as a stream is polled as well", async () => {
    const running = JSON.stringify({ id: "resp_1", object: "response", status: "queued", output: [] });
    const event = { type: "response.created", response: JSON.parse(running) as object };
    server.reply = (_request, index) => ({
      body: index === 0 ? `data: ${JSON.stringify(event)}\n\n` : asStream(own("openai.json")),
    });
    const outcome = await ask(platformAt("openai", server.url), { deep: true });
    assert.ok(outcome.kind === "answered", JSON.stringify(outcome));
    assert.equal(server.requests[1]?.path, "/responses/resp_1");
  });

  test("a turn whose stream breaks off is not gone on with", async () => {
    for (const [api, file] of [
      ["anthropic", "anthropic-pause-1.json"],
      ["kimi", "kimi-1.json"],
    ] as const) {
      const stream = asStream(own(file));
      const lastEvent = stream.lastIndexOf(api === "kimi" ? '"finish_reason":"tool_calls"' : "event: message_stop");
      server.requests.length = 0;
      server.reply = { body: `${stream.slice(0, stream.lastIndexOf("\n\n", lastEvent))}\n\n` };
      assert.equal((await ask(platformAt(api, server.url))).kind, "retryable");
      assert.equal(server.requests.length, 1);
    }
  });

  test("a search of Kimi's that fails is no answer without it", async () => {
    const failed = { object: "fiber", status: "failed", context: { error: "busy" } };
    server.reply = ({ path }) => ({ body: path.endsWith("/fibers") ? JSON.stringify(failed) : own("kimi-1.json") });
    const outcome = await ask(platformAt("kimi", server.url));
    assert.ok(outcome.kind === "retryable" && outcome.code === "platform_bad_response");
    assert.equal(server.requests.length, 2);
  });

  test("a turn that fails tells what went wrong, whatever the turns before it brought", async () => {
    const limit = {
      status: 429,
      headers: { "retry-after": "4" },
      body: '{"error":{"type":"rate_limit_reached_error"}}',
    };
    server.reply = (_request, index) => (index === 0 ? { body: own("kimi-1.json") } : limit);
    const outcome = await ask(platformAt("kimi", server.url));
    assert.deepEqual(outcome, {
      kind: "throttled",
      retryAfterMs: 4000,
      platformStatus: 429,
      // The consumption is that of the turns before it.
      consumption: { inputTokens: 30, outputTokens: 70, searches: null },
    });
  });

  test("a model that calls for ever is stopped", async () => {
    server.reply = ({ path }) => ({ body: own(path.endsWith("/fibers") ? "kimi-1-fiber.json" : "kimi-1.json") });
    const outcome = await ask(platformAt("kimi", server.url));
    assert.ok(outcome.kind === "retryable" && outcome.code === "platform_bad_response");
    // Five turns, the last of which must not search, and two searches of each of the first four.
    assert.equal(server.requests.length, 13);
    const last = server.requests.at(-1) ?? assert.fail();
    assert.equal((last.body as { tool_choice?: string }).tool_choice, "none");
  });
});

describe("what onlookers are shown", () => {
  test("is the request and the answer without the key, wherever it stands", async () => {
    const steps: ApiStep[] = [];
    const echo = `{"error":{"message":"bad key ${key}","code":"${key}"},"seen":"${Buffer.from(key).toString("base64")}"}`;
    server.reply = { status: 401, headers: { "x-echo": key }, body: echo };
    const outcome = await ask(
      platformAt("openai", server.url, {}, (step) => steps.push(step)),
      { text: `my key is ${key}` },
    );
    assert.equal(steps.length, 1);
    assert.ok(
      !JSON.stringify(steps).includes(key) && !JSON.stringify(steps).includes(Buffer.from(key).toString("base64")),
    );
    assert.ok(!JSON.stringify(outcome).includes(key));
    assert.equal(steps[0]?.sent.headers["authorization"], "[redacted]");
  });
});
