/** What goes wrong at a platform, and what it means for the task: the failure code, whether it is asked again, how long it is left alone. */
import assert from "node:assert/strict";
import { after, before, beforeEach, describe, test } from "node:test";
import { composeResult } from "../../../src/answers/index.ts";
import { bodyBytesMax } from "../../../src/platforms/api/requests/exchange.ts";
import type { Outcome } from "../../../src/platforms/index.ts";
import { startReplayServer, type ReplayedReply, type ReplayServer } from "../../harness/replay-server.ts";
import { ask, key, platformAt, question } from "./ask-api.ts";

let server: ReplayServer;
before(async () => {
  server = await startReplayServer();
});
beforeEach(() => {
  server.requests.length = 0;
});
after(() => server.close());

const from = (api: string, reply: ReplayServer["reply"], change = {}): Promise<Outcome> => {
  server.reply = reply;
  return ask(platformAt(api, server.url, change));
};

/** `retryable platform_timeout`, `throttled 7000`: an outcome in two words. */
function told(outcome: Outcome): string {
  if (outcome.kind === "throttled") return `throttled ${outcome.retryAfterMs}`;
  return "code" in outcome ? `${outcome.kind} ${outcome.code}` : outcome.kind;
}

const json = (status: number, body: unknown, headers = {}): ReplayedReply => ({
  status,
  body: JSON.stringify(body),
  headers,
});
const chatError = (status: number, error: unknown, headers = {}) => json(status, { error }, headers);
const at = "2026-11-21T09:30:00Z";

const cases: readonly (readonly [what: string, api: string, reply: ReplayedReply, expected: string])[] = [
  // Keys and accounts.
  [
    "OpenAI: a wrong key",
    "openai",
    chatError(401, { code: "invalid_api_key", type: "invalid_request_error" }),
    "permanent platform_auth",
  ],
  [
    "Anthropic: a wrong key",
    "anthropic",
    json(401, { type: "error", error: { type: "authentication_error", message: "invalid x-api-key" } }),
    "permanent platform_auth",
  ],
  [
    "Gemini: a wrong key, with status 400",
    "gemini",
    chatError(400, {
      code: 400,
      status: "INVALID_ARGUMENT",
      message: "API key not valid.",
      details: [{ "@type": "type.googleapis.com/google.rpc.ErrorInfo", reason: "API_KEY_INVALID" }],
    }),
    "permanent platform_auth",
  ],
  [
    "xAI: a wrong key, with status 400",
    "xai",
    json(400, { code: "Client specified an invalid argument", error: "Incorrect API key provided: xa***ey." }),
    "permanent platform_auth",
  ],
  [
    "Perplexity: a wrong key",
    "perplexity",
    chatError(401, { message: "Invalid API key provided.", type: "invalid_api_key", code: 401 }),
    "permanent platform_auth",
  ],
  [
    "Zhipu: a wrong key",
    "glm",
    chatError(401, { code: "1002", message: "Authorization Token非法" }),
    "permanent platform_auth",
  ],
  [
    "a key that may not do this",
    "openai",
    chatError(403, { message: "You are not allowed." }),
    "permanent platform_auth",
  ],
  [
    "OpenAI: no credit left, with status 429",
    "openai",
    chatError(429, { code: "insufficient_quota", type: "insufficient_quota" }, { "retry-after": "1" }),
    "permanent platform_auth",
  ],
  [
    "Anthropic: no credit left, with status 400",
    "anthropic",
    json(400, {
      type: "error",
      error: { type: "invalid_request_error", message: "Your credit balance is too low to access the Anthropic API." },
    }),
    "permanent platform_auth",
  ],
  [
    "DeepSeek: no credit left",
    "deepseek",
    chatError(402, { message: "Insufficient Balance" }),
    "permanent platform_auth",
  ],
  [
    "Kimi: no credit left, with status 429",
    "kimi",
    chatError(429, { type: "exceeded_current_quota_error" }),
    "permanent platform_auth",
  ],
  [
    "Zhipu: no credit left, with status 429",
    "glm",
    chatError(429, { code: "1113", message: "您的账户已欠费" }),
    "permanent platform_auth",
  ],
  [
    "Volcengine: no credit left, with status 403",
    "doubao",
    chatError(403, { code: "AccountOverdueError", type: "Forbidden" }),
    "permanent platform_auth",
  ],
  // Limits of speed, and how long to wait.
  [
    "429 with Retry-After in seconds",
    "openai",
    chatError(429, { code: "rate_limit_exceeded" }, { "retry-after": "7" }),
    "throttled 7000",
  ],
  [
    "429 with Retry-After as a date",
    "openai",
    chatError(429, {}, { "retry-after": "Sat, 21 Nov 2026 09:30:42 GMT" }),
    "throttled 42000",
  ],
  [
    "429 with a date that has passed",
    "openai",
    chatError(429, {}, { "retry-after": "Sat, 21 Nov 2026 09:29:42 GMT" }),
    "throttled 10000",
  ],
  ...["0", "-1", "5, 5", "1.5", "0, 7", "2026-11-21T10:00:00Z"].map(
    (value) =>
      [
        `429 with Retry-After: ${value}`,
        "openai",
        chatError(429, {}, { "retry-after": value }),
        "throttled 10000",
      ] as const,
  ),
  [
    "429 with a header that asks for no wait, and a body that asks for one",
    "openai",
    chatError(429, { message: "Please try again in 1.2s." }, { "retry-after": "0", "retry-after-ms": "-1" }),
    "throttled 1200",
  ],
  ...["in 0s", "in -3s", "in 0 seconds", "after 0ms"].map(
    (words) =>
      [
        `a sentence that asks to try again ${words}`,
        "openai",
        chatError(429, { message: `Please try again ${words}.` }),
        "throttled 10000",
      ] as const,
  ),
  [
    "a sentence in whole words",
    "openai",
    chatError(429, { message: "Retry after 1 minute 30 seconds." }),
    "throttled 90000",
  ],
  ...["0s", "-1s", "-0.5s", "5, 5", "5"].map(
    (retryDelay) =>
      [
        `Gemini: RetryInfo of ${retryDelay}`,
        "gemini",
        chatError(429, { status: "RESOURCE_EXHAUSTED", details: [{ retryDelay }] }),
        "throttled 10000",
      ] as const,
  ),
  ...["0", "-5", "0s", "-5s", "1e3", "5, 5", String(Date.parse(at) - 5000), "2026-11-21T09:29:00Z"].map(
    (value) =>
      [
        `limits that reset at ${value}`,
        "openrouter",
        chatError(429, {}, { "x-ratelimit-remaining": "0", "x-ratelimit-reset": value }),
        "throttled 10000",
      ] as const,
  ),
  [
    "503 with a Retry-After that asks for no wait",
    "openai",
    { status: 503, headers: { "retry-after": "0" }, body: "" },
    "retryable platform_unavailable",
  ],
  [
    "429 with retry-after-ms",
    "openai",
    chatError(429, {}, { "retry-after-ms": "1250", "retry-after": "2" }),
    "throttled 1250",
  ],
  ["429 that says nothing", "openai", { status: 429, body: "slow down" }, "throttled 10000"],
  ["429 with nonsense to wait for", "openai", chatError(429, {}, { "retry-after": "soon" }), "throttled 10000"],
  ["429 that asks for a year", "openai", chatError(429, {}, { "retry-after": "31536000" }), "throttled 3600000"],
  [
    "Gemini: RetryInfo",
    "gemini",
    json(429, [
      {
        error: {
          code: 429,
          status: "RESOURCE_EXHAUSTED",
          details: [{ "@type": "type.googleapis.com/google.rpc.RetryInfo", retryDelay: "12.5s" }],
        },
      },
    ]),
    "throttled 12500",
  ],
  [
    "OpenAI: a sentence",
    "openai",
    chatError(429, {
      code: "rate_limit_exceeded",
      message: "Rate limit reached. Please try again in 1m2.5s. Visit us.",
    }),
    "throttled 62500",
  ],
  [
    "OpenAI: limits in headers",
    "openai",
    chatError(
      429,
      {},
      {
        "x-ratelimit-remaining-requests": "0",
        "x-ratelimit-reset-requests": "6m0s",
        "x-ratelimit-remaining-tokens": "10",
        "x-ratelimit-reset-tokens": "9h",
      },
    ),
    "throttled 360000",
  ],
  [
    "Anthropic: limits in headers",
    "anthropic",
    json(
      429,
      { type: "error", error: { type: "rate_limit_error" } },
      { "anthropic-ratelimit-requests-remaining": "0", "anthropic-ratelimit-requests-reset": "2026-11-21T09:30:30Z" },
    ),
    "throttled 30000",
  ],
  [
    "OpenRouter: headers of whoever answered it",
    "openrouter",
    chatError(429, {
      code: 429,
      message: "Provider returned error",
      metadata: { headers: { "X-RateLimit-Reset": String(Date.parse(at) + 5000) } },
    }),
    "throttled 5000",
  ],
  ["Zhipu: too many at once", "glm", chatError(429, { code: "1302", message: "并发数过高" }), "throttled 10000"],
  [
    "Anthropic: overloaded, and for how long",
    "anthropic",
    json(529, { type: "error", error: { type: "overloaded_error" } }, { "retry-after": "3" }),
    "throttled 3000",
  ],
  ["503 with Retry-After", "openai", { status: 503, headers: { "retry-after": "20" }, body: "" }, "throttled 20000"],
  // Faults that may pass.
  [
    "Anthropic: overloaded",
    "anthropic",
    json(529, { type: "error", error: { type: "overloaded_error" } }),
    "retryable platform_unavailable",
  ],
  ["500", "openai", { status: 500, body: "<html>oops</html>" }, "retryable platform_unavailable"],
  [
    "502 with a web page",
    "openai",
    { status: 502, headers: { "content-type": "text/html" }, body: "<html>Bad gateway</html>" },
    "retryable platform_unavailable",
  ],
  ["504", "openai", { status: 504, body: "" }, "retryable platform_timeout"],
  ["408", "openai", { status: 408, body: "" }, "retryable platform_timeout"],
  [
    "DeepSeek: no resources",
    "deepseek",
    json(200, { choices: [{ finish_reason: "insufficient_system_resource", message: { content: "Half an" } }] }),
    "retryable platform_unavailable",
  ],
  // The request itself.
  [
    "OpenAI: too long",
    "openai",
    chatError(400, { code: "context_length_exceeded", message: "Your input exceeds the context window." }),
    "permanent platform_refused",
  ],
  [
    "Anthropic: too long",
    "anthropic",
    json(400, {
      type: "error",
      error: { type: "invalid_request_error", message: "prompt is too long: 210000 tokens > 200000 maximum" },
    }),
    "permanent platform_refused",
  ],
  ["413", "openai", { status: 413, body: "" }, "permanent platform_refused"],
  [
    "OpenAI: a content policy",
    "openai",
    chatError(400, { code: "content_policy_violation" }),
    "permanent platform_refused",
  ],
  ["Alibaba: inspected", "qwen", chatError(400, { code: "data_inspection_failed" }), "permanent platform_refused"],
  [
    "OpenRouter: flagged, with status 403",
    "openrouter",
    chatError(403, { code: 403, message: "Input flagged by moderation", metadata: { reasons: ["x"] } }),
    "permanent platform_refused",
  ],
  [
    "400 for anything else",
    "openai",
    chatError(400, { type: "invalid_request_error", message: "Web search options not supported with this model." }),
    "permanent platform_refused",
  ],
  [
    "a model that is not there",
    "openai",
    chatError(404, { code: "model_not_found" }),
    "permanent platform_not_configured",
  ],
  ["an address that is not there", "openai", { status: 404, body: "<html>" }, "permanent platform_not_configured"],
  [
    "a redirect",
    "openai",
    { status: 307, headers: { location: "https://elsewhere.example/" }, body: "" },
    "permanent platform_not_configured",
  ],
  // 200, and yet.
  [
    "OpenRouter: 200 with an error inside",
    "openrouter",
    json(200, { error: { code: 502, message: "Provider is down" } }),
    "retryable platform_unavailable",
  ],
  [
    "OpenRouter: 200 with a limit inside",
    "openrouter",
    json(200, { error: { code: 429, message: "Rate limited" } }),
    "throttled 10000",
  ],
  ...(
    [
      [{ success: false, code: 401, msg: "No such key" }, "permanent platform_auth"],
      [{ error: true, message: "Slow down", statusCode: 429 }, "throttled 10000"],
      [{ status_code: "401", message: "No" }, "permanent platform_auth"],
      [{ detail: "Unauthorized", status: 401 }, "permanent platform_auth"],
      [{ success: false, errors: [{ code: 429, message: "Slow down" }], result: null }, "throttled 10000"],
      [{ errors: [{ code: 401, message: "No such key" }] }, "permanent platform_auth"],
    ] as const
  ).map(
    ([body, expected]) => [`200 with ${JSON.stringify(body)}`, "openai-compatible", json(200, body), expected] as const,
  ),
  [
    "OpenRouter: 200 with an error in the choice",
    "openrouter",
    json(200, {
      choices: [{ error: { code: 503, message: "away" }, finish_reason: "error", message: { content: "Half" } }],
    }),
    "retryable platform_unavailable",
  ],
  [
    "OpenAI: a run that failed",
    "openai",
    json(200, { object: "response", status: "failed", error: { code: "server_error", message: "x" }, output: [] }),
    "retryable platform_unavailable",
  ],
  [
    "OpenAI: a run that met a limit",
    "openai",
    json(200, {
      object: "response",
      status: "failed",
      error: { code: "rate_limit_exceeded", message: "Please try again in 2s." },
      output: [],
    }),
    "throttled 2000",
  ],
  [
    "OpenAI: a refusal",
    "openai",
    json(200, {
      object: "response",
      status: "completed",
      output: [{ type: "message", content: [{ type: "refusal", refusal: "I can't help with that." }] }],
    }),
    "permanent platform_refused",
  ],
  [
    "OpenAI: filtered",
    "openai",
    json(200, {
      object: "response",
      status: "incomplete",
      incomplete_details: { reason: "content_filter" },
      output: [],
    }),
    "permanent platform_refused",
  ],
  [
    "Anthropic: a refusal",
    "anthropic",
    json(200, { type: "message", content: [], stop_reason: "refusal" }),
    "permanent platform_refused",
  ],
  [
    "Gemini: a blocked question",
    "gemini",
    json(200, { promptFeedback: { blockReason: "PROHIBITED_CONTENT" } }),
    "permanent platform_refused",
  ],
  [
    "Gemini: a blocked answer",
    "gemini",
    json(200, { candidates: [{ finishReason: "SAFETY", content: { parts: [{ text: "" }] } }] }),
    "permanent platform_refused",
  ],
  [
    "Zhipu: sensitive",
    "glm",
    json(200, { choices: [{ finish_reason: "sensitive", message: { content: "" } }] }),
    "permanent platform_refused",
  ],
  [
    "chat: filtered",
    "mistral",
    json(200, { choices: [{ finish_reason: "content_filter", message: { content: "" } }] }),
    "permanent platform_refused",
  ],
  [
    "an empty answer",
    "openai",
    json(200, { object: "response", status: "completed", output: [] }),
    "retryable platform_bad_response",
  ],
  [
    "all thought and no answer at the limit of length",
    "deepseek",
    json(200, { choices: [{ finish_reason: "length", message: { content: "", reasoning_content: "Hm" } }] }),
    "permanent platform_bad_response",
  ],
  ["no body", "openai", { body: "" }, "retryable platform_bad_response"],
  [
    "a web page",
    "openai",
    { headers: { "content-type": "text/html" }, body: "<!doctype html><title>Sign in</title>" },
    "retryable platform_bad_response",
  ],
  [
    "broken JSON",
    "openai",
    { body: '{"object":"response","output":[{"type":"mess' },
    "retryable platform_bad_response",
  ],
  ["JSON of another kind", "openai", json(200, { hello: "world" }), "retryable platform_bad_response"],
  ["a bare string", "openai", { body: '"hello"' }, "retryable platform_bad_response"],
  [
    "a stream that breaks off",
    "openrouter",
    {
      headers: { "content-type": "text/event-stream" },
      body: 'data: {"object":"chat.completion.chunk","choices":[{"delta":{"content":"Half an"}}]}\n\n',
    },
    "retryable platform_bad_response",
  ],
  [
    "a stream with an error in it",
    "openrouter",
    {
      headers: { "content-type": "text/event-stream" },
      body: 'data: {"object":"chat.completion.chunk","choices":[{"delta":{"content":"Half"}}]}\n\ndata: {"error":{"code":502,"message":"gone"},"choices":[{"delta":{"content":""},"finish_reason":"error"}]}\n\n',
    },
    "retryable platform_unavailable",
  ],
  [
    "Anthropic: a stream with an error in it",
    "anthropic",
    {
      body: 'event: message_start\ndata: {"type":"message_start","message":{"content":[]}}\n\nevent: error\ndata: {"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}\n\n',
    },
    "retryable platform_unavailable",
  ],
];

describe("each fault has its consequence", () => {
  for (const [what, api, reply, expected] of cases) {
    test(`${what}: ${expected}`, async () => {
      const outcome = await from(api, reply);
      assert.equal(told(outcome), expected, JSON.stringify(outcome));
      assert.ok(server.requests.length === 1, "it is asked once: trying again is the engine's matter");
      if ("platformStatus" in outcome) assert.equal(outcome.platformStatus, reply.status ?? 200);
      if ("message" in outcome) assert.match(outcome.message, /^[A-Z][^\n<>{}]{10,200}[.`]$/, outcome.message);
    });
  }

  test("an answer that reached the limit of length is kept, and says so at its end", async () => {
    const outcome = await from(
      "deepseek",
      json(200, { choices: [{ finish_reason: "length", message: { content: "Half an" } }] }),
    );
    assert.ok(outcome.kind === "answered");
    const { content } = composeResult(outcome.answer, platformAt("deepseek", server.url), question("?", false).options);
    assert.equal(content, "Half an\n\n*[The platform ended its answer here, at its limit of length.]*");
  });
});

describe("the way to the platform", () => {
  test("nobody listens there: it may pass", async () => {
    const { url, close } = await startReplayServer();
    await close();
    const outcome = await ask(platformAt("openai", url));
    assert.equal(told(outcome), "retryable platform_unavailable");
    assert.ok("message" in outcome && outcome.message === "The platform can't be reached (ECONNREFUSED).");
  });

  test("a name that does not exist", async () => {
    assert.equal(told(await ask(platformAt("openai", "http://nonesuch.invalid"))), "retryable platform_unavailable");
  });

  test("a connection that is cut in the middle of the body: it may pass", async () => {
    const outcome = await from("openai", (_request, _index, response) => {
      response.writeHead(200, { "content-type": "application/json", "content-length": "1000" });
      response.write('{"object":"response",', () => response.destroy());
      return undefined;
    });
    assert.equal(told(outcome), "retryable platform_bad_response");
  });

  test("a connection that is cut before the status: it may pass", async () => {
    const outcome = await from("openai", (_request, _index, response) => {
      response.destroy();
      return undefined;
    });
    assert.equal(told(outcome), "retryable platform_unavailable");
  });

  test("a platform that does not answer in time is given up", async () => {
    const started = performance.now();
    const outcome = await from("openai", () => undefined, { timeoutSeconds: 0.2 });
    assert.equal(told(outcome), "retryable platform_timeout");
    assert.ok(performance.now() - started < 60_000);
  });

  test("and so is one that sends a byte now and then", async () => {
    const outcome = await from(
      "openai",
      (_request, _index, response) => {
        response.writeHead(200, { "content-type": "application/json" });
        const drip = setInterval(() => response.write(" "), 20);
        response.on("close", () => clearInterval(drip));
        return undefined;
      },
      { timeoutSeconds: 0.3 },
    );
    assert.equal(told(outcome), "retryable platform_timeout");
  });

  test("an answer without end is cut off at the limit, and not asked for again", async () => {
    let written = 0;
    const outcome = await from("openai", (_request, _index, response) => {
      response.writeHead(200, { "content-type": "application/json" });
      const chunk = Buffer.alloc(256 * 1024, 0x20);
      const more = () => {
        while (!response.destroyed) {
          written += chunk.length;
          if (!response.write(chunk)) return void response.once("drain", more);
        }
      };
      more();
      return undefined;
    });
    assert.equal(told(outcome), "permanent platform_bad_response");
    assert.ok(written < bodyBytesMax * 2, `${written} bytes were sent`);
  });

  test("a redirect is not followed: the key goes nowhere else", async () => {
    await using elsewhere = await startReplayServer();
    for (const status of [301, 302, 303, 307, 308]) {
      const outcome = await from("openai", { status, headers: { location: `${elsewhere.url}/responses` }, body: "" });
      assert.equal(told(outcome), "permanent platform_not_configured");
    }
    assert.equal(elsewhere.requests.length, 0);
  });

  test("a question that is given up while it is asked is canceled, and its connection closed", async () => {
    const abort = new AbortController();
    const closed = new Promise<void>((resolve) => {
      server.reply = (_request, _index, response) => {
        response.on("close", resolve);
        abort.abort();
        return undefined;
      };
    });
    const outcome = await ask(platformAt("openai", server.url), { signal: abort.signal });
    assert.deepEqual(outcome, { kind: "canceled" });
    await closed;
  });

  test("one that was given up before is not asked", async () => {
    assert.deepEqual(await ask(platformAt("openai", server.url), { signal: AbortSignal.abort() }), {
      kind: "canceled",
    });
    assert.equal(server.requests.length, 0);
  });
});

describe("keys", () => {
  const forms = [key, encodeURIComponent(key), Buffer.from(key).toString("base64")];
  test("that a platform sends back reach neither the answer nor what is stored", async () => {
    const outcome = await from(
      "deepseek",
      json(200, {
        model: key,
        choices: [{ message: { content: `Your key is ${forms.join(" or ")}.`, reasoning_content: key } }],
      }),
    );
    assert.ok(outcome.kind === "answered" && outcome.raw !== null);
    for (const form of forms) assert.ok(!JSON.stringify(outcome).includes(form), form);
    assert.match(outcome.raw.body, /\[redacted\]/);
  });

  test("that a platform puts into its errors reach no failure", async () => {
    for (const error of [{ code: key }, { type: key, message: key }, key]) {
      for (const status of [200, 400, 401, 429, 500]) {
        assert.ok(!JSON.stringify(await from("deepseek", json(status, { error }))).includes(key));
      }
    }
  });
});

describe("hostile bodies", () => {
  const content = (text: string) => json(200, { choices: [{ finish_reason: "stop", message: { content: text } }] });
  const large = 4 * 1024 * 1024;
  const bodies: Readonly<Record<string, ReplayedReply>> = {
    "nested lists": { body: "[".repeat(large) },
    "nested objects": { body: '{"error":'.repeat(large / 16) },
    "backticks of all lengths": content(Array.from({ length: 2000 }, (_, index) => "`".repeat(index + 1)).join(" ")),
    brackets: content("[".repeat(large)),
    "opened markers": content("【1†".repeat(large / 4)),
    "opened private-use markers": content("\uE200cite".repeat(large / 8)),
    "opened render tags": content("<grok:render".repeat(large / 32)),
    "opened thoughts": content("<think>".repeat(large / 8)),
    "events without end": { body: "data: {\n".repeat(large / 8) },
    "citations by the thousand": json(200, {
      choices: [
        {
          message: {
            content: "x".repeat(100_000),
            annotations: Array.from({ length: 20_000 }, (_, index) => ({
              type: "url_citation",
              url_citation: { url: `https://a.example/${index}`, start_index: 0, end_index: index },
            })),
          },
        },
      ],
    }),
    "grounding by the thousand": json(200, {
      candidates: [
        {
          content: { parts: [{ text: "é".repeat(100_000) }] },
          groundingMetadata: {
            groundingChunks: [{ web: { uri: "https://a.example/" } }],
            groundingSupports: Array.from({ length: 20_000 }, (_, index) => ({
              groundingChunkIndices: [0],
              segment: { startIndex: index, endIndex: index + 1, text: "nowhere" },
            })),
          },
        },
      ],
    }),
  };
  for (const [what, reply] of Object.entries(bodies)) {
    test(`${what} are read in time that grows with their length`, async () => {
      const started = process.cpuUsage();
      const outcome = await from("openai-compatible", reply);
      assert.notEqual(outcome.kind, "canceled");
      const spentMs = process.cpuUsage(started).user / 1000;
      assert.ok(spentMs < 10_000, `${spentMs} ms`);
    });
  }

  test("members of every type in every place are read or left out, and never thrown at", async () => {
    const odd: readonly unknown[] = [null, 0, -1, true, "", "x", [], [null], {}, { a: 1 }, [[[]]], "\u0000", "\uD800"];
    const names = [
      "output",
      "choices",
      "content",
      "candidates",
      "outputs",
      "error",
      "usage",
      "model",
      "citations",
      "search_results",
      "web_search",
      "images",
      "videos",
      "message",
      "annotations",
      "executed_tools",
      "tool_calls",
      "groundingMetadata",
      "action",
      "summary",
      "arguments",
    ];
    for (const value of odd) {
      const flat = Object.fromEntries(names.map((name) => [name, value]));
      for (const body of [
        flat,
        { choices: [flat] },
        { choices: [{ message: flat }] },
        {
          output: [
            flat,
            { type: "message", ...flat },
            { type: "web_search_call", ...flat },
            { type: "reasoning", ...flat },
          ],
        },
        { candidates: [{ ...flat, content: flat }] },
        {
          outputs: [
            { type: "message.output", ...flat },
            { type: "tool.execution", ...flat },
          ],
        },
        {
          type: "message",
          content: [
            { type: "text", ...flat },
            { type: "web_search_tool_result", ...flat },
            { type: "server_tool_use", input: value },
          ],
        },
      ]) {
        const outcome = await from("openai-compatible", json(200, body));
        if (outcome.kind === "answered")
          composeResult(outcome.answer, platformAt("openai-compatible", server.url), question("?", false).options);
      }
    }
  });

  test("addresses that run something become neither sources nor links", async () => {
    const bad = ["javascript:alert(1)", "data:text/html,<script>", "file:///etc/passwd", "vbscript:x"];
    const outcome = await from(
      "perplexity",
      json(200, { citations: bad, choices: [{ message: { content: "See [1], [2], [3] and [4]." } }] }),
    );
    assert.ok(outcome.kind === "answered");
    const result = composeResult(outcome.answer, platformAt("perplexity", server.url), question("?", false).options);
    assert.equal(result.content, "See [1], [2], [3] and [4].");
    assert.deepEqual(result.sources, []);
  });
});
