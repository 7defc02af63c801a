/** What is not on a page is known not to be there, in time. */
import assert from "node:assert/strict";
import { after, test } from "node:test";
import { testPool } from "../../harness/browser.ts";
import type { DriveReport } from "../../../src/platforms/index.ts";
import { drivePage } from "../../../src/platforms/web/drive/drive-page.ts";
import { contextNeeds } from "../../../src/platforms/web/drive/context-needs.ts";
import { ask, platformOf } from "./fixture.ts";
import { smallPage } from "./small-page.ts";

const { pool } = testPool({ after });
const sources = (expand: string) => `expand:
  - ${expand}
extract: { sources: { in: panel, each: a, fields: { title: ., url: "@href" } } }`;

test("a step finds out at once that an optional panel is not there, also behind a condition that does not hold", async () => {
  const times: number[] = [];
  for (const expand of [
    `{ name: panel, optional: true, steps: [{ click: .gone, optional: true }], capture: .panel }`,
    `{ name: panel, optional: true, steps: [{ click: .gone, if: .also-gone }], capture: .panel }`,
    `{ name: panel, optional: true, steps: [{ click: .gone }], capture: .panel, close: [{ press: Escape }] }`,
  ]) {
    const loaded = await smallPage({}, sources(expand));
    const matched = new Map<string, number>();
    await pool.withContext(new AbortController().signal, contextNeeds(loaded), ({ context, refused }) =>
      drivePage({
        loaded,
        question: { text: "Why?", deepAnalysis: false },
        context,
        refused,
        deadline: performance.now() + 600_000,
        tell: ({ step }) => matched.set(step, performance.now()),
      }),
    );
    times.push(performance.now() - (matched.get("complete.done") ?? 0));
  }
  const [absent = 0, conditional = 0, required = 0] = times;
  // A required click waits five seconds for its element.
  assert.ok(absent < required && conditional < required && required >= 5000, String(times));
});

test("an answer of which no turn is found fails as a page that has changed, and reports drift", async () => {
  const reports: DriveReport[] = [];
  const loaded = await smallPage({}, `turn: { each: .gone }\ncomplete: { startSeconds: 600 }`);
  const outcome = await ask(platformOf(loaded, pool, { onReport: (report) => reports.push(report) }), "Why?");
  assert.ok(outcome.kind === "retryable" && outcome.code === "platform_bad_response", JSON.stringify(outcome));
  assert.deepEqual(
    reports.map(({ signs }) => signs),
    [[{ sign: "unmatched", what: "turn.each" }]],
  );
});
