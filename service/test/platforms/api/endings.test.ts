/** An answer is complete only if its last event or finish says so, in every form of response. */
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import fc from "fast-check";
import { endingWords } from "../../../src/platforms/api/body/endings.ts";
import { asStream } from "./as-stream.ts";
import { readText, told } from "./reread.ts";

type Json = Record<string, unknown>;

const read = (body: string) => readText(body, "openrouter");

const half = "retryable platform_bad_response";

/** A whole document of each form that ends with a word, and the same as a stream. */
const chat = (finish: unknown, more: Json = {}) =>
  JSON.stringify({
    object: "chat.completion",
    model: "m",
    choices: [{ index: 0, finish_reason: finish, message: { role: "assistant", content: "Some text.", ...more } }],
  });
const message = (stop: unknown, more: readonly Json[] = []) =>
  JSON.stringify({
    type: "message",
    role: "assistant",
    model: "m",
    content: [{ type: "text", text: "Some text." }, ...more],
    stop_reason: stop,
    usage: {},
  });
const said = {
  type: "message",
  role: "assistant",
  content: [{ type: "output_text", text: "Some text.", annotations: [] }],
};
const response = (status: unknown, output: readonly Json[] = [said], more: Json = {}) =>
  JSON.stringify({ object: "response", model: "m", status, output, ...more });
const candidate = (finish: unknown, parts: readonly Json[] = [{ text: "Some text." }]) => ({
  candidates: [
    { index: 0, content: { role: "model", parts }, ...(finish === undefined ? {} : { finishReason: finish }) },
  ],
});
const event = (document: unknown, name = "") =>
  `${name === "" ? "" : `event: ${name}\n`}data: ${JSON.stringify(document)}\n\n`;
const stream = (...documents: readonly unknown[]) => documents.map((document) => event(document)).join("");

describe("the word that an answer ends with", () => {
  const consequences = {
    complete: "answered",
    cut: "answered length_limit",
    filtered: "answered content_filter",
  } as const;
  for (const [ending, expected] of Object.entries(consequences)) {
    for (const word of endingWords[ending as keyof typeof consequences]) {
      test(`\`${word}\`: ${expected}`, () => {
        for (const written of [word, word.toUpperCase()]) {
          for (const body of [chat(written), asStream(chat(written)), message(written), asStream(message(written))])
            assert.equal(told(read(body)), expected, body);
          assert.equal(told(read(JSON.stringify(candidate(written)))), expected);
          assert.equal(told(read(stream(candidate(undefined), candidate(written, [])))), expected);
        }
      });
    }
  }

  test("those of a failure, of a call, and those that nobody knows, make no answer", () => {
    const known = new Set(Object.values(endingWords).flat());
    const calls = ["tool_calls", "function_call", "tool_use", "pause_turn", "requires_action", "in_progress", "queued"];
    const unknown = fc.string({ minLength: 1 }).filter((word) => !known.has(word.toLowerCase()) && word !== "null");
    const bodiesOf = (word: unknown) => [
      chat(word),
      asStream(chat(word)),
      message(word),
      asStream(message(word)),
      response(word),
      JSON.stringify(candidate(word)),
      stream(candidate(undefined), candidate(word, [])),
      JSON.stringify({
        object: "interaction",
        status: word,
        steps: [{ type: "model_output", content: [{ type: "text", text: "x" }] }],
      }),
    ];
    for (const word of [...endingWords.failed, ...calls, null])
      for (const body of bodiesOf(word)) assert.match(read(body).kind, /^(?:retryable|throttled)$/, body);
    fc.assert(
      fc.property(unknown, (word) => {
        for (const body of bodiesOf(word)) assert.equal(told(read(body)), half, body);
      }),
    );
  });

  test("of several, one that says that something is missing outweighs one that says that all is well", () => {
    const choice = (content: string, finish: string | null) => ({
      object: "chat.completion.chunk",
      choices: [{ index: 0, delta: { content }, finish_reason: finish }],
    });
    const text = choice("Some text.", null);
    assert.equal(told(read(stream(text, choice("", "stop"), choice("", "stop")))), "answered");
    assert.equal(told(read(stream(text, choice("", "length"), choice("", "stop")))), "answered length_limit");
    assert.equal(told(read(stream(text, choice("", "stop"), choice("", "length")))), "answered length_limit");
    assert.equal(told(read(stream(text, choice("", "tool_calls"), choice("", "stop")))), half);
    assert.equal(told(read(stream(choice("Some ", "stop"), choice("text.", null)))), half);
    assert.equal(told(read(stream(choice("Some ", "tool_calls"), choice("text.", "stop")))), "answered");
    assert.equal(told(read(stream(choice("Some ", "stop"), choice("text.", "stop")))), "answered");
  });
});

describe("a stream without its last event", () => {
  test("is no answer, although [DONE] follows", () => {
    const chunk = {
      object: "chat.completion.chunk",
      choices: [{ index: 0, delta: { content: "Half" }, finish_reason: null }],
    };
    assert.equal(told(read(`${event(chunk)}data: [DONE]\n\n`)), half);
    assert.equal(
      told(
        read(
          `${stream({ ...chunk, choices: [{ delta: { content: "Half" }, finish_reason: "null" }] })}data: [DONE]\n\n`,
        ),
      ),
      half,
    );
  });

  test("of Gemini's: ratings of the question end nothing, nor does a STOP with text behind it", () => {
    const ratings = {
      promptFeedback: { safetyRatings: [{ category: "HARM_CATEGORY_HARASSMENT", probability: "LOW" }] },
    };
    assert.equal(told(read(event({ ...candidate(undefined), ...ratings }))), half);
    assert.equal(told(read(stream(ratings, candidate(undefined)))), half);
    assert.equal(told(read(stream(candidate("STOP"), candidate(undefined)))), half);
    assert.equal(told(read(stream(candidate("STOP"), candidate(undefined), candidate("STOP")))), "answered");
    assert.equal(told(read(stream(candidate("STOP"), { usageMetadata: {} }))), "answered");
    assert.equal(told(read(stream({ promptFeedback: { blockReason: "SAFETY" } }))), "permanent platform_refused");
  });

  const own = join(import.meta.dirname, "responses");
  const recordings = process.env["RECORDINGS_DIR"];
  const streams = [own, ...(recordings === undefined ? [] : [recordings])].flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: "utf8" })
      .filter((name) => /\.sse$|chunks\.txt$/.test(name))
      .map((name) => ({ name, events: eventsOf(join(folder, name)) })),
  );
  /** What only the end of a stream contains, found in its text without a parser. */
  const lastEvent =
    /"finish_?reason": ?"(?!null)\w|"type": ?"(?:response\.(?:completed|done|incomplete)|message_stop|conversation\.response\.done)"|"interaction\.completed?"/i;

  for (const { name, events } of streams) {
    test(`${name}: cut after any event, with or without [DONE], it is an answer only with its last one`, () => {
      for (let at = 0; at <= events.length; at++) {
        const kept = events.slice(0, at);
        const isWhole = kept.some((each) => lastEvent.test(each));
        for (const end of ["", "data: [DONE]\n\n"]) {
          const { kind } = read(kept.join("") + end);
          assert.ok(isWhole || kind !== "answered", `after ${at} of ${events.length} events${end}`);
        }
      }
    });

    test(`${name}: with an error after any event, in any form, it is none`, () => {
      const errors = [
        'event: error\ndata: {"message":"upstream overloaded","type":"overloaded_error"}\n\n',
        "event: error\ndata: upstream overloaded\n\n",
        'event: error\ndata: "upstream overloaded"\n\n',
        'event: response.error\ndata: {"code":"server_error"}\n\n',
        'error: {"code":500,"message":"boom"}\n\n',
        "error: boom\n\n",
        'data: {"error":{"code":502,"message":"gone"}}\n\n',
        'data: {"error":"gone"}\n\n',
        'data: {"object":"error","message":"gone","code":500}\n\n',
        'data: {"code":"InternalError","message":"gone"}\n\n',
        'data: {"type":"error","message":"gone"}\n\n',
      ];
      const step = Math.max(1, Math.floor(events.length / 40));
      for (let at = 0; at <= events.length; at += step) {
        for (const error of errors) {
          const body = [...events.slice(0, at), error, ...events.slice(at)].join("");
          assert.notEqual(read(body).kind, "answered", `${error.trim()} after ${at} events`);
        }
      }
    });
  }
});

function eventsOf(file: string): string[] {
  const text = readFileSync(file, "utf8").replaceAll("\r\n", "\n");
  if (file.endsWith(".txt"))
    return text
      .trim()
      .split("\n")
      .map((line) => `data: ${line}\n\n`);
  return text.split(/(?<=\n\n)/).filter((each) => !each.includes("[DONE]"));
}

describe("a call that nobody runs", () => {
  const call = { type: "function_call", call_id: "c1", name: "search", arguments: "{}", status: "completed" };

  test("in chat completions: what was said before it is no answer", () => {
    const calls = { tool_calls: [{ id: "1", type: "function", function: { name: "web_search", arguments: "{}" } }] };
    assert.equal(told(read(chat("tool_calls", calls))), half);
    assert.equal(told(read(asStream(chat("tool_calls", calls)))), half);
  });

  test("in the Responses API: unless it was run, or a message follows", () => {
    for (const type of ["function_call", "computer_call", "local_shell_call", "mcp_approval_request"]) {
      for (const body of [
        response("completed", [said, { ...call, type }]),
        response("completed", [{ ...call, type }]),
      ]) {
        assert.equal(told(read(body)), half);
        assert.equal(told(read(asStream(body))), half);
      }
    }
    assert.equal(told(read(response("completed", [said, call, said]))), "answered");
    assert.equal(
      told(read(response("completed", [said, call, { type: "function_call_output", call_id: "c1" }]))),
      "answered",
    );
    assert.equal(
      told(read(response("completed", [said, call, { type: "function_call_output", call_id: "c2" }]))),
      half,
    );
    assert.equal(told(read(response("completed", [{ ...said, status: "in_progress" }]))), half);
  });

  test("in Messages, generateContent, Interactions and Conversations: the same", () => {
    assert.equal(told(read(message("end_turn", [{ type: "tool_use", id: "1", name: "f", input: {} }]))), half);
    const called = { functionCall: { name: "f", args: {} } };
    assert.equal(told(read(JSON.stringify(candidate("STOP", [{ text: "Let me look." }, called])))), half);
    assert.equal(told(read(JSON.stringify(candidate("STOP", [called, { text: "Some text." }])))), "answered");
    const step = { type: "model_output", content: [{ type: "text", text: "Some text." }] };
    const interaction = (status: string, steps: readonly Json[]) =>
      JSON.stringify({ object: "interaction", status, steps });
    assert.equal(told(read(interaction("completed", [step]))), "answered");
    assert.equal(told(read(interaction("completed", [step, { type: "function_call" }]))), half);
    assert.equal(told(read(interaction("requires_action", [step]))), half);
    const output = { type: "message.output", content: "Some text." };
    assert.equal(told(read(JSON.stringify({ outputs: [output] }))), "answered");
    assert.equal(told(read(JSON.stringify({ outputs: [output, { type: "function.call" }] }))), half);
  });
});

describe("an incomplete response", () => {
  const details = (reason: unknown) => response("incomplete", [said], { incomplete_details: reason });
  test("is an answer only if the reason is a limit of length or a filter", () => {
    assert.equal(told(read(details({ reason: "max_output_tokens" }))), "answered length_limit");
    assert.equal(told(read(details({ reason: "content_filter" }))), "answered content_filter");
    for (const reason of [{ reason: "max_tool_calls" }, { reason: "" }, {}, null, undefined, { reason: "whatever" }])
      assert.equal(told(read(details(reason))), half, JSON.stringify(reason));
  });
});

describe("an error with status 200", () => {
  const cases: readonly (readonly [unknown, string])[] = [
    [{ error: { code: "429", message: "slow down please" } }, "throttled"],
    [{ error: { code: 429, message: "slow down please" } }, "throttled"],
    [{ error: { status: 429, message: "slow down please" } }, "throttled"],
    [{ error: { status: "429", message: "slow down please" } }, "throttled"],
    [{ error: { status_code: 429 } }, "throttled"],
    [{ status: 429, message: "slow down please" }, "throttled"],
    [{ status: 429, title: "Too Many Requests" }, "throttled"],
    [{ code: "429", message: "slow down please" }, "throttled"],
    [{ code: 429, msg: "slow down please" }, "throttled"],
    [{ error: "slow down please", code: 429 }, "throttled"],
    [{ error: { code: "401", message: "No auth credentials found" } }, "permanent platform_auth"],
    [{ error: { status: 403, message: "no" } }, "permanent platform_auth"],
    [{ code: "401", message: "No auth credentials found" }, "permanent platform_auth"],
    [{ error: { code: "402", message: "pay" } }, "permanent platform_auth"],
    [{ error: { code: "404", message: "nothing here" } }, "permanent platform_not_configured"],
    [{ error: { code: "400", message: "bad" } }, "permanent platform_refused"],
    [{ error: { code: "503", message: "away" } }, "retryable platform_unavailable"],
    [{ error: { code: "504", message: "late" } }, "retryable platform_timeout"],
    [{ error: { code: 500, message: "away" } }, "retryable platform_unavailable"],
    [{ error: { type: "invalid_request_error", message: "no such option" } }, "permanent platform_refused"],
    [{ error: { type: "not_found_error", message: "model: x" } }, "permanent platform_not_configured"],
    [{ error: { status: "INVALID_ARGUMENT", message: "no" } }, "permanent platform_refused"],
    [{ error: { type: "overloaded_error", message: "busy" } }, "retryable platform_unavailable"],
    [{ error: { type: "permission_error", message: "no" } }, "permanent platform_auth"],
    [{ error: { message: "something went wrong" } }, "retryable platform_unavailable"],
  ];
  for (const [error, expected] of cases) {
    test(`${JSON.stringify(error)}: ${expected}, alone and in a stream`, () => {
      assert.equal(told(read(JSON.stringify(error))), expected);
      const chunk = { object: "chat.completion.chunk", choices: [{ index: 0, delta: { content: "Half" } }] };
      if (!("title" in (error as Json))) {
        assert.equal(told(read(`${stream(chunk, error)}data: [DONE]\n\n`)), expected);
        const started = { type: "message_start", message: { content: [] } };
        assert.equal(told(read(stream(started, error))), expected);
      }
    });
  }
});
