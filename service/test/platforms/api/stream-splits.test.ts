/**
 * A stream may be cut into pieces anywhere, and may send each piece as a string or as a list. Every recorded stream, ours and
 * those of RECORDINGS_DIR, is sent again in other pieces and other forms: the answer is the same each time. A stream that ends
 * early never gives another answer than the whole one.
 */
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import { readBody } from "../../../src/platforms/api/body/read-body.ts";
import type { Outcome } from "../../../src/platforms/index.ts";
import { observedAt, platformAt, question } from "./ask-api.ts";

type Json = Record<string, unknown>;

const own = join(import.meta.dirname, "responses");
const recordings = process.env["RECORDINGS_DIR"];
const streams = [own, ...(recordings === undefined ? [] : [recordings])].flatMap((folder) =>
  readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => /\.sse$|chunks\.txt$/.test(name))
    .map((name) => ({ name: `${folder === own ? "" : "recorded "}${name}`, body: bodyOf(join(folder, name)) })),
);
/** At most this many places of one stream, evenly spread. */
const placesMax = 300;

describe("a stream in other pieces", () => {
  for (const { name, body } of streams) {
    const whole = answerIn(body);
    const all = everythingIn(body);
    test(`${name}: text deltas divided anywhere, as strings and as lists, give the same answer`, () => {
      for (const size of [1, 2, 3, 7]) {
        for (const form of forms) assert.deepEqual(everythingIn(rewritten(body, form, size)), all, `${form}, ${size}`);
      }
    });

    test(`${name}: cut after any byte, it gives the whole answer or none`, () => {
      const bytes = Buffer.from(body);
      const step = Math.max(1, Math.floor(bytes.length / placesMax));
      for (let at = 0; at < bytes.length; at += step) {
        const answer = answerIn(bytes.subarray(0, at).toString());
        assert.ok(answer === null || answer === whole, `cut after ${at} bytes: ${answer}`);
      }
    });

    test(`${name}: with one event damaged, it gives the whole answer or none`, () => {
      const events = body.split(/(?<=\n\n)/);
      const step = Math.max(1, Math.floor(events.length / placesMax));
      for (let at = 0; at < events.length; at += step) {
        const event = events[at] ?? "";
        const damaged = event.trimEnd().slice(0, -2);
        if (!/data: *[[{]/.test(damaged)) continue;
        const answer = answerIn([...events.slice(0, at), `${damaged}\n\n`, ...events.slice(at + 1)].join(""));
        assert.ok(answer === null || answer === whole, `event ${at} damaged: ${answer}`);
      }
    });
  }

  test("a stream that sends a string, a list and a string again loses none of them", () => {
    const mixes: readonly unknown[][] = [
      ["1", [{ type: "text", text: "4" }], "4"],
      [[{ type: "text", text: "1" }], "4", [{ type: "text", text: "4" }]],
      ["1", ["4"], { type: "text", text: "4" }],
      [[{ type: "text", text: "14" }], null, "", [], "4"],
    ];
    for (const contents of mixes) {
      const events = contents.map((content) => chunk({ content }));
      const outcome = read(`${[...events, chunk({}, "stop")].map(event).join("")}data: [DONE]\n\n`);
      assert.equal(markdownOf(outcome), "144", JSON.stringify(contents));
    }
  });
});

const forms = ["strings", "lists", "mixed", "single"] as const;
type Form = (typeof forms)[number];

function bodyOf(file: string): string {
  const text = readFileSync(file, "utf8").replaceAll("\r\n", "\n");
  return file.endsWith(".txt")
    ? text
        .trim()
        .split("\n")
        .map((line) => `data: ${line}\n\n`)
        .join("")
    : text;
}

function event(document: unknown): string {
  return `data: ${JSON.stringify(document)}\n\n`;
}

function chunk(delta: Json, finish: string | null = null): Json {
  return { object: "chat.completion.chunk", model: "m", choices: [{ index: 0, delta, finish_reason: finish }] };
}

function read(body: string): Outcome {
  const platform = platformAt("openai-compatible", "http://127.0.0.1:9");
  return platform.reread({ mediaType: "text/event-stream; api=openrouter", body }, question("?", false), observedAt);
}

function markdownOf(outcome: Outcome): string | null {
  if (outcome.kind !== "answered") return null;
  return outcome.answer.parts.map((part) => (part.type === "markdown" ? part.markdown : "")).join("");
}

/** The text; null if there is no answer. */
function answerIn(body: string): string | null {
  return markdownOf(read(body));
}

/** Everything that was read, without the body itself. */
function everythingIn(body: string): unknown {
  const outcome = read(body);
  return outcome.kind === "answered" ? { ...outcome, raw: null } : outcome;
}

/** The same stream, each text divided into pieces of `size` characters, in the form. */
function rewritten(body: string, form: Form, size: number): string {
  const documents = readBody(body);
  assert.ok(documents.kind === "documents");
  let count = 0;
  const formed = (text: string, canBeList: boolean): unknown => {
    count += 1;
    if (!canBeList || form === "strings" || (form === "mixed" && count % 3 === 0)) return text;
    const piece = { type: "text", text };
    return form === "single" && count % 2 === 0 ? piece : [piece];
  };
  const events = documents.documents.flatMap((document) => divided(document as Json, size, formed));
  return events.map(event).join("") + (documents.done ? "data: [DONE]\n\n" : "");
}

/** An event as several, where it is a piece of text. */
function divided(document: Json, size: number, formed: (text: string, canBeList: boolean) => unknown): Json[] {
  const choice = (document["choices"] as Json[] | undefined)?.[0];
  const delta = (choice?.["delta"] ?? document["delta"]) as Json | undefined;
  const pieces = (text: unknown) =>
    typeof text === "string" ? (text.match(new RegExp(`[^]{1,${size}}`, "gu")) ?? []) : [];
  if (choice !== undefined && typeof delta?.["content"] === "string" && delta["content"] !== "") {
    const { content, ...rest } = delta;
    const { finish_reason: finish, message: _message, ...kept } = choice;
    const texts = pieces(content).map((text) => ({
      ...document,
      choices: [{ ...kept, delta: { content: formed(text, true) } }],
    }));
    return [...texts, { ...document, choices: [{ ...kept, finish_reason: finish, delta: rest }] }];
  }
  if (document["type"] === "message.output.delta" && typeof document["content"] === "string")
    return pieces(document["content"]).map((text) => ({ ...document, content: formed(text, true) }));
  if (typeof delta?.["text"] === "string")
    return pieces(delta["text"]).map((text) => ({ ...document, delta: { ...delta, text } }));
  return [document];
}
