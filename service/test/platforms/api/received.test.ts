/** What is received otherwise than requested: compressed, in another character set, stopped by a filter, or from a firewall. */
import assert from "node:assert/strict";
import type { StoredResult } from "@querent/contract";
import { fromMarkdown } from "mdast-util-from-markdown";
import { after, before, describe, test } from "node:test";
import { brotliCompressSync, deflateSync, gzipSync, zstdCompressSync } from "node:zlib";
import { composeResult } from "../../../src/answers/index.ts";
import { bodyBytesMax } from "../../../src/platforms/api/requests/exchange.ts";
import type { Outcome } from "../../../src/platforms/index.ts";
import { startReplayServer, type ReplayServer } from "../../harness/replay-server.ts";
import { ask, platformAt, question } from "./ask-api.ts";

let server: ReplayServer;
before(async () => {
  server = await startReplayServer();
});
after(() => server.close());

function receive(
  api: string,
  status: number,
  headers: Record<string, string>,
  body: Uint8Array | string,
): Promise<Outcome> {
  server.reply = (_request, _index, response) => {
    response.writeHead(status, { "content-type": "application/json", ...headers });
    response.end(body);
    return undefined;
  };
  return ask(platformAt(api, server.url));
}

const chat = (content: string, finish = "stop") =>
  JSON.stringify({ choices: [{ finish_reason: finish, message: { content } }] });

function textOf(outcome: Outcome): string {
  assert.ok(outcome.kind === "answered", JSON.stringify(outcome));
  return outcome.answer.parts.map((part) => (part.type === "markdown" ? part.markdown : "")).join("");
}

/** As the record says it. */
function recorded(api: string, outcome: Outcome): StoredResult {
  assert.ok(outcome.kind === "answered", JSON.stringify(outcome));
  return composeResult(outcome.answer, platformAt(api, server.url), question("?", false).options);
}

function truncatedBy(api: string, outcome: Outcome): string | null {
  return recorded(api, outcome).truncatedBy ?? null;
}

function failed(outcome: Outcome): string {
  if (outcome.kind === "throttled") return `throttled ${outcome.retryAfterMs}`;
  assert.ok("code" in outcome, outcome.kind);
  return `${outcome.kind} ${outcome.code}`;
}

describe("a stream that arrives in two pieces", () => {
  const said = "九巴 🎉 né";
  const events = [...said].map((content) => `data: ${JSON.stringify({ choices: [{ delta: { content } }] })}`);
  const end = `data: ${JSON.stringify({ choices: [{ delta: {}, finish_reason: "stop" }] })}`;
  for (const [ending, lineEnd] of [
    ["line feeds", "\n"],
    ["carriage returns and line feeds", "\r\n"],
  ] as const)
    for (const encoding of ["identity", "gzip"]) {
      test(`with ${ending}, ${encoding}: divided at every byte, it is the same answer`, async () => {
        const plain = Buffer.from([...events, end, "data: [DONE]", ""].join(lineEnd + lineEnd));
        const body = encoding === "gzip" ? gzipSync(plain) : plain;
        const platform = platformAt("deepseek", server.url);
        const headers = { "content-type": "text/event-stream", "content-encoding": encoding };
        const wrong: number[] = [];
        for (let at = 1; at < body.length; at++) {
          server.reply = (_request, _index, response) => {
            response.writeHead(200, headers);
            response.write(body.subarray(0, at), () => response.end(body.subarray(at)));
            return undefined;
          };
          if (textOf(await ask(platform)) !== said) wrong.push(at);
        }
        assert.deepEqual(wrong, []);
      });
    }
});

describe("compression that was not asked for", () => {
  const plain = Buffer.from(chat("Nine bars – 九巴。"));
  const compressed: Readonly<Record<string, Buffer>> = {
    gzip: gzipSync(plain),
    "x-gzip": gzipSync(plain),
    deflate: deflateSync(plain),
    br: brotliCompressSync(plain),
    zstd: zstdCompressSync(plain),
    "gzip, br": brotliCompressSync(gzipSync(plain)),
    identity: plain,
  };
  for (const [encoding, body] of Object.entries(compressed)) {
    test(`${encoding} is undone`, async () => {
      assert.equal(
        textOf(await receive("deepseek", 200, { "content-encoding": encoding }, body)),
        "Nine bars – 九巴。",
      );
    });
  }

  test("what is damaged, or of an unknown kind, is no answer", async () => {
    for (const [encoding, body] of [
      ["gzip", gzipSync(plain).subarray(0, 40)],
      ["gzip", plain],
      ["compress", plain],
    ] as const) {
      const outcome = await receive("deepseek", 200, { "content-encoding": encoding }, body);
      assert.equal(failed(outcome), "retryable platform_bad_response");
    }
  });

  test("a small body that grows beyond the limit is not read", async () => {
    const bomb = gzipSync(Buffer.alloc(bodyBytesMax + 1, " "));
    const outcome = await receive("deepseek", 200, { "content-encoding": "gzip" }, bomb);
    assert.equal(failed(outcome), "permanent platform_bad_response");
  });

  test("a failure is told by its status, readable or not", async () => {
    const outcome = await receive("deepseek", 429, { "content-encoding": "gzip", "retry-after": "3" }, plain);
    assert.equal(failed(outcome), "throttled 3000");
  });
});

describe("character sets", () => {
  const type = (charset: string) => ({ "content-type": `application/json; charset=${charset}` });
  /** 摩卡壶 in GBK, and 九 in Big5. */
  const around = (bytes: number[]) =>
    Buffer.concat([Buffer.from('{"choices":[{"message":{"content":"'), Buffer.from(bytes), Buffer.from('"}}]}')]);

  test("GBK, GB18030 and Big5 are decoded", async () => {
    const gbk = around([0xc4, 0xa6, 0xbf, 0xa8, 0xba, 0xf8]);
    for (const charset of ["gbk", "GB2312", '"gb18030"'])
      assert.equal(textOf(await receive("glm", 200, type(charset), gbk)), "摩卡壶");
    assert.equal(textOf(await receive("glm", 200, type("big5"), around([0xa4, 0x45]))), "九");
  });

  test("UTF-8 under the name of a server's default set is UTF-8", async () => {
    assert.equal(textOf(await receive("glm", 200, type("iso-8859-1"), chat("Café – 九"))), "Café – 九");
    assert.equal(textOf(await receive("glm", 200, type("iso-8859-1"), around([0x43, 0xe9]))), "Cé");
  });

  test("bytes that are no text in the named set are no answer, never one with replacement characters", async () => {
    const bytes = around([0xc4, 0xa6, 0xff, 0xff]);
    for (const headers of [{}, type("utf-8"), type("gbk"), type("klingon")])
      assert.equal(failed(await receive("glm", 200, headers, bytes)), "retryable platform_bad_response");
  });
});

describe("a content filter", () => {
  const notice = "\n\n*[The platform's content filter ended the answer here.]*";
  const bodies: Readonly<Record<string, readonly [api: string, body: unknown]>> = {
    "chat completions": ["mistral", { choices: [{ finish_reason: "content_filter", message: { content: "Half" } }] }],
    Zhipu: ["glm", { choices: [{ finish_reason: "sensitive", message: { content: "Half" } }] }],
    Responses: [
      "openai",
      {
        object: "response",
        status: "incomplete",
        incomplete_details: { reason: "content_filter" },
        output: [{ type: "message", content: [{ type: "output_text", text: "Half" }] }],
      },
    ],
    Gemini: ["gemini", { candidates: [{ finishReason: "SAFETY", content: { parts: [{ text: "Half" }] } }] }],
  };
  for (const [what, [api, body]] of Object.entries(bodies)) {
    test(`${what}: the text before it is the answer, which says so`, async () => {
      const outcome = await receive(api, 200, {}, JSON.stringify(body));
      assert.equal(textOf(outcome), "Half");
      assert.equal(recorded(api, outcome).content, `Half${notice}`);
      assert.equal(truncatedBy(api, outcome), "content_filter");
    });
  }

  test("an answer at the limit of length says so, too, and a whole one nothing", async () => {
    assert.equal(truncatedBy("deepseek", await receive("deepseek", 200, {}, chat("Half", "length"))), "length_limit");
    assert.equal(truncatedBy("deepseek", await receive("deepseek", 200, {}, chat("Whole"))), null);
  });

  test("what says so is no part of the code in which an answer ends", async () => {
    for (const [text, end] of [
      ["So:\n\n```js\nlet a = 1;", "\n```"],
      ["So:\n\n~~~~\nlet a = 1;\n", "\n~~~~"],
      ["- So:\n  ```\n  let a = 1;", ""],
      ["So: <!-- ", ""],
      ["<!-- so", "\n-->"],
    ] as const) {
      const { content } = recorded("deepseek", await receive("deepseek", 200, {}, chat(text, "length")));
      const notice = "*[The platform ended its answer here, at its limit of length.]*";
      assert.equal(content, `${text.trimEnd()}${end}\n\n${notice}`);
      const { children } = fromMarkdown(content);
      const last = children.at(-1);
      assert.ok(last?.type === "paragraph" && last.children[0]?.type === "emphasis", content);
    }
  });
});

describe("refusals", () => {
  // https://rubydoc.info/github/anthropics/anthropic-sdk-ruby/Anthropic/Models/RefusalStopDetails (2026-11-22).
  test("tell the category and the explanation that the platform gives", async () => {
    const body = {
      type: "message",
      content: [{ type: "text", text: "I" }],
      stop_reason: "refusal",
      stop_details: { type: "refusal", category: "cyber", explanation: "It asks for\nan exploit." },
    };
    const outcome = await receive("anthropic", 200, {}, JSON.stringify(body));
    assert.ok(outcome.kind === "permanent" && outcome.code === "platform_refused");
    assert.equal(outcome.message, "The platform declined to answer (cyber): It asks for an exploit.");
  });

  test("tell what the model said, in bounds", async () => {
    const output = [{ type: "message", content: [{ type: "refusal", refusal: `No.\u0000 ${"😀".repeat(1000)}` }] }];
    const outcome = await receive(
      "openai",
      200,
      {},
      JSON.stringify({ object: "response", status: "completed", output }),
    );
    assert.ok(outcome.kind === "permanent");
    assert.match(outcome.message, /^The platform declined to answer \(refusal\): No\. 😀+…$/v);
    assert.ok(outcome.message.length < 600);
  });
});

describe("answers that cannot be used", () => {
  test("tell what they consumed", async () => {
    const usage = { prompt_tokens: 10, completion_tokens: 20 };
    for (const finish of ["stop", "length", "content_filter"]) {
      const body = { choices: [{ finish_reason: finish, message: { content: "" } }], usage };
      const outcome = await receive("deepseek", 200, {}, JSON.stringify(body));
      assert.ok(outcome.kind === "retryable" || outcome.kind === "permanent");
      assert.deepEqual(outcome.consumption, { inputTokens: 10, outputTokens: 20, searches: null });
    }
  });
});

describe("errors that were taken for others", () => {
  // Message as in https://github.com/openai/codex/issues/38366 (2026-11-22).
  test("a request larger than the limit of a minute is refused, and holds nobody up", async () => {
    const message =
      "Request too large for gpt-5.6-luna in organization org-x on tokens per min (TPM): Limit 200000, Requested 208334. The input or output tokens must be reduced in order to run successfully.";
    const error = { code: "rate_limit_exceeded", type: "tokens", message };
    for (const [api, status, body] of [
      ["openai", 429, { error }],
      ["groq", 413, { error }],
      ["openai", 200, { object: "response", status: "failed", error, output: [] }],
      [
        "anthropic",
        413,
        { type: "error", error: { type: "request_too_large", message: "Request exceeds the maximum size" } },
      ],
    ] as const)
      assert.equal(failed(await receive(api, status, {}, JSON.stringify(body))), "permanent platform_refused");
  });

  test("a limit that is only used up is waited for", async () => {
    const message =
      "Rate limit reached for gpt-5 on tokens per min (TPM): Limit 30000, Used 29000, Requested 2000. Please try again in 2s.";
    const body = { error: { code: "rate_limit_exceeded", type: "tokens", message } };
    assert.equal(failed(await receive("openai", 429, {}, JSON.stringify(body))), "throttled 2000");
  });

  // "Sonar is now the Agent API", as in https://github.com/danielmiessler/Fabric/releases/tag/v1.4.528 (2026-11-22).
  test("a retired model or address is no rejected key, with any status", async () => {
    for (const [status, message] of [
      [403, "Sonar is now the Agent API. See https://docs.perplexity.ai/docs/agent-api/migrate-from-sonar"],
      [400, "The model `x` has been decommissioned and is no longer supported."],
      [404, "This model was retired on 2026-09-27."],
    ] as const) {
      const outcome = await receive("openai-compatible", status, {}, JSON.stringify({ error: { message } }));
      assert.equal(failed(outcome), "permanent platform_not_configured", message);
    }
    for (const message of ["This API key has been retired.", "Your region is no longer supported.", "Forbidden"]) {
      const outcome = await receive("openai-compatible", 403, {}, JSON.stringify({ error: { message } }));
      assert.equal(failed(outcome), "permanent platform_auth");
    }
  });

  test("a firewall's page with status 403 says nothing about the key", async () => {
    const page = "<!DOCTYPE html><html><title>Attention Required! | Cloudflare</title></html>";
    for (const body of [page, "error code: 1020"]) {
      const outcome = await receive("openai", 403, { "content-type": "text/html" }, body);
      assert.equal(failed(outcome), "retryable platform_unavailable");
    }
    assert.equal(failed(await receive("openai", 403, {}, '{"error":{"message":"No."}}')), "permanent platform_auth");
  });

  test("DashScope's throttling with status 200 is throttling, alone or in a stream", async () => {
    const stated = {
      code: "Throttling.RateQuota",
      message: "Requests rate limit exceeded, please try again later.",
      request_id: "r",
    };
    const event = (document: unknown) => `data: ${JSON.stringify(document)}\n\n`;
    const chunk = { object: "chat.completion.chunk", choices: [{ delta: { content: "Half" } }] };
    for (const body of [
      JSON.stringify(stated),
      JSON.stringify({ ...stated, output: null }),
      JSON.stringify({ ...stated, output: { choices: [] }, usage: {} }),
      JSON.stringify({ ...stated, choices: [] }),
      `id:1\nevent:error\n:HTTP_STATUS/429\n${event(stated)}`,
      event(chunk) + event(stated),
      event({ output: { choices: [{ message: { content: "Half" } }] } }) + event(stated),
    ])
      assert.equal(failed(await receive("qwen", 200, {}, body)), "throttled 10000", body);
  });

  test("what cannot be read is told in plain words", async () => {
    const messages: Readonly<Record<string, string>> = {
      "": "The platform sent an empty response.",
      "<html></html>": "The platform sent a web page instead of an answer.",
      '{"a":': "The platform sent broken JSON: part of its answer is missing or damaged.",
      hello: "The platform sent a response that is not JSON.",
      '{"hello":"world"}': "The platform sent JSON in an unknown form.",
    };
    for (const [body, message] of Object.entries(messages)) {
      const outcome = await receive("openai", 200, {}, body);
      assert.ok(outcome.kind === "retryable");
      assert.equal(outcome.message, message);
    }
  });
});
