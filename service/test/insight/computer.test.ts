/** What computes over many answers does so in a process of its own, which gives the same result as this one, has limits, and ends with its request. */
import assert from "node:assert/strict";
import { once } from "node:events";
import { test } from "node:test";
import { makeReport, type PanelDefinition, type ReportFacts } from "@querent/figures";
import { readConfig } from "../../src/app/config.ts";
import { makeComputer } from "../../src/app/parts.ts";
import { Computer, type Computation, type ComputerOptions } from "../../src/computing/computer.ts";
import { answerDecoder } from "../../src/observations/answers/decode-answers.ts";
import { job as reportJob, narrowReport, type ReportJobInput } from "../../src/reports/report/report-job.ts";
import { citedSitesText } from "../../src/observations/records/describe-answer.ts";
import { startChild } from "../../src/runtime/child-process.ts";
import { testDatabase } from "../harness/database.ts";
import { startedChildren } from "../harness/started-children.ts";
import { until } from "../harness/wait.ts";
import { computation, refusal, textOf, writtenBytes } from "./computation.ts";
import { endless, job, type FixtureInput } from "./fixture-job.ts";

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

function sourceOf(number: number) {
  const canonicalUrl = `https://${number % 3 === 0 ? "acme" : "other"}.example/${number % 7}`;
  return { canonicalUrl, domain: new URL(canonicalUrl).hostname, type: null };
}

/** As PostgreSQL writes an answer. */
function line(number: number): string {
  const id = `00000000-0000-7000-8000-${String(number).padStart(12, "0")}`;
  const at = new Date(Date.parse(window.from) + number * 60_000).toISOString().replace("Z", "+00:00");
  const run = `00000000-0000-7000-9000-${String(Math.floor(number / 100)).padStart(12, "0")}`;
  const head = [id, at, at, id, run, `p${number % 2}`, "0".repeat(64), "a", "", "", 1, null, 1, 100, 2, 3000, 1, 0, []];
  const sources = [sourceOf(number)];
  return [
    JSON.stringify(head),
    JSON.stringify(["api", "model", null, 1, "2-icu", "1/1"]),
    number % 4 === 0 ? "[]" : `[{"entityId": "${entityId}", "start": 1, "end": 5}]`,
    // Earlier versions wrote no sites.
    number % 5 === 0 ? JSON.stringify(sources) : citedSitesText(sources),
  ].join("\t");
}

async function* pages(count: number): AsyncGenerator<string, void, void> {
  for (let page = 0; page < count; page++)
    yield Array.from({ length: 500 }, (_, place) => line(page * 500 + place)).join("\n");
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

async function* nothing(): AsyncGenerator<string, void, void> {}

const { database } = await testDatabase();
const computerOf = (options: Partial<ComputerOptions> = {}) =>
  new Computer({ database, memoryMiB: 700, timeMs: 60_000, waitMs: 60_000, ...options });

function reportOf(input: ReportJobInput, answers: () => AsyncIterable<string>): Computation<ReportJobInput> {
  const inputs = { failures: nothing, answers };
  const { signal } = new AbortController();
  return { accountId: "a", job: reportJob, input, inputs, signal, narrow: narrowReport, memoryMiB: () => 100 };
}

test("the figures of a zip are those of its observations", async () => {
  const lines = async function* () {
    for (let page = 0; page < 6; page++)
      yield Array.from({ length: 500 }, (_, place) => `${record(page * 500 + place)}\n`).join("");
  };
  const computed = await computerOf().compute(reportOf({ as: "zip", facts }, lines));
  assert.equal(textOf(computed), `${JSON.stringify(JSON.parse(await expected(6)), null, 2)}\n`);
});

async function expected(count: number): Promise<string> {
  const decode = answerDecoder();
  const answers = [];
  for await (const page of pages(count)) answers.push(...decode(page));
  return JSON.stringify(makeReport(facts, answers));
}

for (const [count, where, processes] of [
  [1, "here", 0],
  [24, "in a process of their own", 1],
] as const)
  test(`${count * 500} answers are computed ${where}, with the same result`, async () => {
    const started = startedChildren();
    try {
      const computed = await computerOf().compute(reportOf({ as: "json", facts }, () => pages(count)));
      assert.equal(textOf(computed), await expected(count));
      assert.equal(started.children.length, processes);
    } finally {
      started.stop();
    }
  });

test("a computation's process and its reading end when the client disconnects", async () => {
  const client = new AbortController();
  let read = 0;
  const answers = () =>
    endless(Infinity, (page) => {
      read = page;
      if (page === 20) client.abort(new Error("the client has disconnected"));
    });
  const computer = computerOf();
  const asked = computation({ does: "read", name: "answers" }, { inputs: { answers }, signal: client.signal });
  await assert.rejects(computer.compute(asked), /client has disconnected/);
  assert.ok(read < 30, `${read} pages`);
  assert.equal(computer.processes, 0);
  assert.equal(computer.large.taken, 0);
});

test("a statement that is being read is canceled when the client disconnects", async () => {
  const client = new AbortController();
  const computer = computerOf();
  const answers: Computation<FixtureInput>["inputs"][string] = async function* (db) {
    await db.query("select 'slow answers', pg_sleep(600)");
    yield "";
  };
  const ended = computer.compute(
    computation({ does: "read", name: "answers" }, { inputs: { answers }, signal: client.signal }),
  );
  const isRunning = async () => {
    const { rows } = await database.query(
      "select from pg_stat_activity where query like 'select ''slow answers%' and state = 'active' and pid <> pg_backend_pid()",
    );
    return rows.length > 0;
  };
  await until("the statement to run", isRunning);
  client.abort(new Error("the client has disconnected"));
  await assert.rejects(ended, /client has disconnected/);
  assert.equal(await isRunning(), false);
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

/** A thread with so little memory would end this process. */
for (const [what, some, memoryMiB] of [
  ["answers", pages(1_000), 30],
  ["answers of many sources", longPages(), 75],
] as const)
  test(`${what} that need more memory than the process may have are refused, with what to narrow`, async () => {
    const computer = computerOf();
    const asked = { ...reportOf({ as: "json", facts }, () => some), memoryMiB: () => memoryMiB, isLarge: true };
    const { code, message, errors } = await refusal(computer.compute(asked));
    assert.equal(code, "validation_failed");
    assert.match(message, /more memory than one may take. Choose a shorter window/);
    assert.equal(errors?.[0]?.pointer, "?from");
    assert.deepEqual(await some.next(), { done: true, value: undefined }, "nothing more is read");
    assert.equal(computer.large.taken, 0);
  });

test("the settings say how much memory all processes have, and how long one may take", async () => {
  const environment = { QUERENT_FIGURES_MEMORY: "300", QUERENT_FIGURES_SECONDS: "1" };
  const computer = makeComputer({ database, config: readConfig(environment) });
  assert.equal(computer.large.inAll, 300);
  const { message } = await refusal(computer.compute(computation({ does: "spin" })));
  assert.match(message, /takes longer than 1 seconds/);
});

test("a computation that takes too long is refused, and its process ends, whatever it does", async () => {
  const computer = computerOf({ timeMs: 700 });
  for (const input of [{ does: "spin" }, { does: "read", name: "answers" }] as const) {
    const { code, message } = await refusal(computer.compute(computation(input)));
    assert.equal(code, "validation_failed");
    assert.match(message, /takes longer than 0\.7 seconds. Choose a shorter window/);
  }
  assert.equal(computer.processes, 0);
  assert.equal(computer.large.taken, 0);
});

test("results and inputs above the limit of their length are refused", async () => {
  const computer = computerOf();
  const computed = await computer.compute(computation({ does: "write", mebibytes: 30 }));
  assert.equal(Buffer.concat(computed).length, 30 * writtenBytes);
  assert.ok(
    computed.every(({ length }) => length < 4 * 2 ** 20),
    "it comes in pieces",
  );
  const long = await refusal(computer.compute(computation({ does: "write", mebibytes: 600 })));
  assert.match(long.message, /has a result of more than 32 MiB/);
  const inputs = { answers: () => endless(10) };
  const many = await refusal(computer.compute(computation({ does: "read", name: "answers" }, { inputs })));
  assert.match(many.message, /reads more than 200,000 answers/);
});

for (const isLarge of [false, true])
  test(`what cannot be computed is refused as the job says, ${isLarge ? "in a process" : "here"}`, async () => {
    const { code, message, errors } = await refusal(computerOf().compute(computation({ does: "refuse" }, { isLarge })));
    assert.deepEqual([code, message], ["validation_failed", "No figure."]);
    assert.deepEqual(errors, [{ pointer: "?measure", code: "not_allowed", detail: "It is a ratio." }]);
  });

test("a process that is killed meanwhile is a fault, and says so", async () => {
  const started = startedChildren();
  const answers = () =>
    endless(Infinity, (page) => {
      if (page === 5) for (const child of started.children) child.kill("SIGKILL");
    });
  try {
    const killed = computerOf().compute(computation({ does: "read", name: "answers" }, { inputs: { answers } }));
    await assert.rejects(killed, /ended without a result: SIGKILL/);
  } finally {
    started.stop();
  }
});

test("a process ends when the service does, and not by a signal for all processes", async () => {
  const module = new URL("../../src/computing/job-process", import.meta.url);
  const child = startChild({ module, errors: "ignore" });
  child.send({ module: job.module, input: { does: "read", name: "answers" } satisfies FixtureInput });
  assert.deepEqual(await once(child, "message"), [{ read: 1, name: "answers", of: undefined }, undefined]);
  child.kill("SIGTERM");
  child.send({ of: 1, page: "a page" });
  assert.deepEqual(await once(child, "message"), [{ taken: 1 }, undefined]);
  child.disconnect();
  assert.deepEqual(await once(child, "exit"), [0, null]);
});
