/** Bodies, ours and recorded ones, replayed over a real socket, held against what they hold. */
import assert from "node:assert/strict";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { basename, join, relative, sep } from "node:path";
import { after, before, describe, test } from "node:test";
import type { StoredResult } from "@querent/contract";
import { composeResult } from "../../../src/answers/index.ts";
import { vendors } from "../../../src/platforms/api/index.ts";
import type { Outcome } from "../../../src/platforms/index.ts";
import { startReplayServer, type ReplayServer } from "../../harness/replay-server.ts";
import { ask, observedAt, platformAt, question } from "./ask-api.ts";
import { holdings, samePage } from "./oracle.ts";

const own = join(import.meta.dirname, "responses");
/** A folder of recordings, laid out as `<vendor>/<name>.json|sse|chunks.txt`; an `error-<status>` in a name is its status. */
const recordings = process.env["RECORDINGS_DIR"];
/** Folders named otherwise than the platform. */
const platformOf: Readonly<Record<string, string>> = {
  google: "gemini",
  zai: "glm",
  zhipu: "glm",
  bigmodel: "glm",
  moonshot: "kimi",
  moonshotai: "kimi",
  alibaba: "qwen",
  dashscope: "qwen",
  volcengine: "doubao",
  ark: "doubao",
  grok: "xai",
  ollama: "openai-compatible",
};
const codes = vendors.map(({ code }) => code);

let server: ReplayServer;
before(async () => {
  server = await startReplayServer();
});
after(() => server.close());

describe("responses in the shapes of the vendors' documents", () => {
  for (const file of readdirSync(own).filter((name) => /\.(json|sse|txt)$/.test(name))) {
    // Halves of answers that take two turns have tests of their own.
    if (/pause|kimi-1/.test(file)) continue;
    const code = codes.find((each) => file.startsWith(each)) ?? "";
    test(`${file} gives everything that it holds, and nothing else`, async () => {
      await gives(code, join(own, file), 200);
    });
  }

  for (const file of readdirSync(own).filter((name) => name.includes("-stream"))) {
    const plain = file.replace(/-stream.*$/, ".json");
    test(`${file} gives the same as ${plain}`, async () => {
      const code = codes.find((each) => file.startsWith(each)) ?? "";
      assert.deepEqual(
        resultOf(code, await replay(code, join(own, file), 200)),
        resultOf(code, await replay(code, join(own, plain), 200)),
      );
    });
  }
});

describe(
  "recordings of the vendors' own responses",
  { skip: recordings === undefined ? "RECORDINGS_DIR names no folder" : false },
  () => {
    for (const file of recordings === undefined ? [] : filesBelow(recordings)) {
      const folder = relative(recordings ?? "", file).split(sep)[0] ?? "";
      const code = platformOf[folder] ?? folder;
      if (!codes.includes(code) || !/\.(json|sse|txt)$/.test(file)) continue;
      const name = relative(recordings ?? "", file);
      const status = Number(/error-(\d{3})/.exec(basename(file))?.[1] ?? 200);
      test(`${name} gives everything that it holds, and nothing else`, async () => {
        await gives(code, file, status);
      });
    }
  },
);

function filesBelow(folder: string): string[] {
  return readdirSync(folder).flatMap((name) => {
    const path = join(folder, name);
    return statSync(path).isDirectory() ? filesBelow(path) : [path];
  });
}

/** Serves a file, as it came, and asks. */
async function replay(code: string, file: string, status: number): Promise<Outcome> {
  const text = readFileSync(file, "utf8");
  const events = file.endsWith(".txt");
  const body = events
    ? text
        .trim()
        .split("\n")
        .map((line) => `data: ${line}\n\n`)
        .join("")
    : text;
  const type = events || file.endsWith(".sse") ? "text/event-stream" : "application/json";
  server.reply = { status, headers: { "content-type": type }, body };
  return ask(platformAt(code, server.url));
}

function resultOf(code: string, outcome: Outcome): StoredResult {
  assert.ok(outcome.kind === "answered", JSON.stringify(outcome));
  return composeResult(outcome.answer, platformAt(code, server.url), question("?", true).options);
}

async function gives(code: string, file: string, status: number): Promise<void> {
  const text = readFileSync(file, "utf8");
  const holds = holdings(text);
  const outcome = await replay(code, file, status);
  if (status !== 200 || holds.failed) {
    assert.notEqual(outcome.kind, "answered");
    return;
  }
  const result = resultOf(code, outcome);
  assert.ok((result.content ?? "").length > 0);

  const found = new Map(result.sources.map((source) => [samePage(source.url), source]));
  assert.equal(found.size, result.sources.length, "one source a page");
  const held = new Map<string, Set<string>>();
  for (const [url, titles] of holds.sources)
    held.set(samePage(url), (held.get(samePage(url)) ?? new Set()).union(titles));
  assert.deepEqual([...found.keys()].sort(), [...held.keys()].sort(), "no source lost, none invented");
  for (const [page, titles] of held) {
    const source = found.get(page);
    assert.ok(
      titles.size === 0 ? source?.title === source?.site : titles.has(source?.title ?? ""),
      `the title of ${page}: ${source?.title}`,
    );
    assert.ok(source?.publishedAt === null || Date.parse(source?.publishedAt ?? "") > Date.UTC(1990));
  }

  // A page that was opened is a step without a query.
  const queries = (result.searchProcess ?? []).map(({ query }) => query).filter((query) => query !== "");
  assert.deepEqual(new Set(queries), holds.queries, "the queries");
  const reasoning = (result.reasoningProcess ?? []).map(({ text }) => text).join("");
  for (const line of holds.thoughts
    .split("\n")
    .map((each) => each.trim())
    .filter((each) => each !== ""))
    assert.ok(squeezed(reasoning).includes(squeezed(line)), `a thought: ${line}`);
  if (holds.thoughts.trim() === "" && !text.includes("<think>")) assert.equal(reasoning, "");
  assert.equal(result.modelVersion, holds.model);

  // Every link of the text leads to an address that the body holds; no marker is left.
  for (const [, address] of (result.content ?? "").matchAll(/\]\(<?(https?:[^)>\n" ]*)>?[) ]/g))
    assert.ok(text.includes(jsonText(address ?? "")), address);
  assert.doesNotMatch(
    result.content ?? "",
    /[\uE000-\uF8FF]|【\d+[:†]|oaicite|turn\d+search|<grok:render|\[\^\d+\^\]|\[ref_|\[web:/,
  );

  // Read again from what is stored, it is the same.
  assert.ok(outcome.kind === "answered" && outcome.raw !== null);
  const platform = platformAt(code, server.url);
  assert.deepEqual(platform.reread?.(outcome.raw, question("?", true), observedAt), outcome);
}

function squeezed(text: string): string {
  return text.replace(/\s+/g, "");
}

/** An address as it stands in JSON, where some write `&` and `/` otherwise. */
function jsonText(address: string): string {
  return JSON.stringify(address).slice(1, -1);
}
