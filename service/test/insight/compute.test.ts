/** Many answers are computed in a process of their own, which gives the same reply as this one, and ends with its request. */
import assert from "node:assert/strict";
import { once } from "node:events";
import { test } from "node:test";
import { makeReport, type PanelDefinition, type ReportFacts } from "@querent/figures";
import { ProblemError } from "../../src/api/problem-error.ts";
import { compute } from "../../src/insight/computing/compute.ts";
import { answerDecoder } from "../../src/insight/figures/decode-answers.ts";
import { citedSitesText } from "../../src/insight/sources/cited-sites.ts";
import { startChild } from "../../src/runtime/child-process.ts";
import { startedChildren } from "../harness/started-children.ts";

const entityId = "00000000-0000-7000-8000-0000000000aa";
const panel: PanelDefinition = {
  panelId: "00000000-0000-7000-8000-000000000001",
  name: "Grinders",
  revision: 1,
  digest: "0",
  prompts: ["p0", "p1"].map((promptId) => ({ promptId, topic: promptId, intent: null, branded: [] })),
  platforms: ["a"],
  locales: [],
  personas: [],
  repeats: 1,
  entities: [
    {
      entityId,
      name: "Acme",
      kind: "brand",
      relation: "own",
      domains: ["acme.example"],
      createdAt: "2025-01-01T00:00:00.000Z",
    },
  ],
};
const window = { from: "2026-01-01T00:00:00.000Z", to: "2026-03-01T00:00:00.000Z" };
const facts: ReportFacts = { panel, window, revisions: [], service: { name: "Querent", version: "0" } };
const job = { kind: "report", failures: [], facts } as const;

function sourceOf(number: number) {
  const canonicalUrl = `https://${number % 3 === 0 ? "acme" : "other"}.example/${number % 7}`;
  return { canonicalUrl, domain: new URL(canonicalUrl).hostname, type: null };
}

/** As PostgreSQL writes an answer. */
function line(number: number): string {
  const id = `00000000-0000-7000-8000-${String(number).padStart(12, "0")}`;
  const at = new Date(Date.parse(window.from) + number * 60_000).toISOString().replace("Z", "+00:00");
  const run = `00000000-0000-7000-9000-${String(Math.floor(number / 100)).padStart(12, "0")}`;
  const head = [id, at, at, id, run, `p${number % 2}`, "a", "", "", 1, null, 1, 100, 2, 3000, 1, 0, []];
  const sources = [sourceOf(number)];
  return [
    JSON.stringify(head),
    JSON.stringify(["api", "model", null, 1, "2-icu", "1/1"]),
    number % 4 === 0 ? "[]" : `[{"entityId": "${entityId}", "start": 1, "end": 5}]`,
    // Earlier versions wrote no sites.
    number % 5 === 0 ? JSON.stringify(sources) : citedSitesText(sources),
  ].join("\t");
}

let isEnded = false;
async function* pages(count: number): AsyncGenerator<string, void, void> {
  isEnded = false;
  try {
    for (let page = 0; page < count; page++)
      yield Array.from({ length: 500 }, (_, place) => line(page * 500 + place)).join("\n");
  } finally {
    isEnded = true;
  }
}

/** The public record of the same answer, in the members that are used. */
const record = (number: number) => {
  const [answer] = answerDecoder()(line(number));
  assert.ok(answer);
  const { panelRevision, runId, promptId, platformCode, locale, persona, repeat, mentions, ...others } = answer;
  const cell = { panelRevision, runId, promptId, platformCode, locale, persona, repeat };
  return JSON.stringify({
    ...others,
    cell,
    mentions: mentions.map(({ entityId: id }) => ({ entityId: id })),
    sources: [sourceOf(number)],
    cards: [],
  });
};

test("the figures of a zip are those of its observations", async () => {
  const { signal } = new AbortController();
  const lines = (async function* () {
    for (let page = 0; page < 6; page++)
      yield Array.from({ length: 500 }, (_, place) => `${record(page * 500 + place)}\n`).join("");
  })();
  const reply = await compute({ job: { kind: "zip", facts, failures: [] }, answers: 3000, signal }, lines);
  assert.equal(reply.toString(), `${JSON.stringify(JSON.parse(await expected(6)), null, 2)}\n`);
});

async function expected(count: number): Promise<string> {
  const decode = answerDecoder();
  const answers = [];
  for await (const page of pages(count)) answers.push(...decode(page));
  return JSON.stringify(makeReport(facts, answers));
}

for (const [count, where] of [
  [2, "here"],
  [12, "in a process of their own"],
] as const)
  test(`${count * 500} answers are computed ${where}, with the same reply`, async () => {
    const { signal } = new AbortController();
    const reply = await compute({ job, answers: count * 500, signal }, pages(count));
    assert.equal(typeof reply === "string", where === "here");
    if (where !== "here") assert.ok(Buffer.isBuffer(reply));
    assert.equal(reply.toString(), await expected(count));
  });

test("the process and the reading end when the client disconnects", async () => {
  const client = new AbortController();
  let read = 0;
  const endless = (async function* () {
    for await (const page of pages(10_000)) {
      if (++read === 8) client.abort(new Error("the client has disconnected"));
      yield page;
    }
  })();
  await assert.rejects(compute({ job, answers: 200_000, signal: client.signal }, endless), /client has disconnected/);
  assert.ok(isEnded && read < 100, `${read} pages`);
});

/** 500 answers that each cite 1,000 sites: more than V8 can allocate at once when little memory is left. */
async function* longPages(): AsyncGenerator<string, void, void> {
  for (let page = 0; page < 1_000; page++) {
    const sources = Array.from({ length: 1_000 }, (_, number) => {
      const domain = `page-${page}.site-${number}.example`;
      return { canonicalUrl: `https://${domain}/`, domain, type: null };
    });
    const row = [...line(page).split("\t").slice(0, 3), citedSitesText(sources)].join("\t");
    yield Array.from({ length: 500 }, () => row).join("\n");
  }
}

/** With so few answers, 30 and 75 MB remain of what every process has. A thread of 75 MB would end this process. */
for (const [what, some, answers] of [
  ["answers", pages(1_000), -68_000],
  ["answers of many sources", longPages(), -50_000],
] as const)
  test(`${what} that need more memory than the process may have are refused`, async () => {
    const { signal } = new AbortController();
    await assert.rejects(compute({ job, answers, signal }, some), (error) => {
      assert.ok(error instanceof ProblemError, String(error));
      assert.equal(error.code, "validation_failed");
      return true;
    });
    assert.deepEqual(await some.next(), { done: true, value: undefined }, "nothing more is read");
  });

test("a process that is killed meanwhile is a fault, and says so", async () => {
  const { signal } = new AbortController();
  const started = startedChildren();
  const killing = (async function* () {
    for await (const page of pages(1_000)) {
      yield page;
      for (const child of started.children) child.kill("SIGKILL");
    }
  })();
  try {
    await assert.rejects(compute({ job, answers: 200_000, signal }, killing), /ended without a result: SIGKILL/);
  } finally {
    started.stop();
  }
});

test("a process ends when the service does, and not by a signal for all processes", async () => {
  const module = new URL("../../src/insight/computing/figure-process", import.meta.url);
  const child = startChild({ module, errors: "ignore" });
  child.send({ job });
  child.send({ page: line(1) });
  assert.deepEqual(await once(child, "message"), [{ decoded: true }, undefined]);
  child.kill("SIGTERM");
  child.send({ page: line(2) });
  assert.deepEqual(await once(child, "message"), [{ decoded: true }, undefined]);
  child.disconnect();
  assert.deepEqual(await once(child, "exit"), [0, null]);
});
