/** Submissions that come at once: for the last points, with one key, again after everything has ended. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { ProblemError } from "../../src/api/problem-error.ts";
import { forgetKeys } from "../../src/tasks/index.ts";
import { quoteBatch } from "../../src/tasks/submit/quote-batch.ts";
import { readItems, type ItemRules } from "../../src/tasks/submit/read-items.ts";
import { optionSupport } from "../../src/platforms/index.ts";
import { submitBatch } from "../../src/tasks/submit/submit-batch.ts";
import { acceptableItem, answered, testEngine, type TestEngine } from "../harness/engine.ts";
import { holdAt } from "../harness/race.ts";

const submit = (
  { database }: TestEngine,
  accountId: string,
  { key = `${Math.random()}`, body = "body", count = 1, pricePoints = 1 } = {},
) =>
  submitBatch(database, { accountId, route: "test", key, fingerprint: Buffer.alloc(32, body) }, () =>
    Array.from({ length: count }, () => ({ ...acceptableItem, pricePoints })),
  );

/** What became of each: `accepted`, `replayed`, or the code of the refusal. */
async function outcomes(submissions: Iterable<ReturnType<typeof submit>>): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const settled of await Promise.allSettled(submissions)) {
    if (settled.status === "rejected" && !(settled.reason instanceof ProblemError)) throw settled.reason;
    const what =
      settled.status === "rejected"
        ? (settled.reason as ProblemError).code
        : settled.value.replayed
          ? "replayed"
          : "accepted";
    counts[what] = (counts[what] ?? 0) + 1;
  }
  return counts;
}

test("a hundred submitters at once on a balance that pays for half of them: half are accepted, to the point", async () => {
  const engine = await testEngine();
  const account = await engine.account("a", 50 * 12);
  const submissions = Array.from({ length: 100 }, () => submit(engine, account, { count: 4, pricePoints: 3 }));
  assert.deepEqual(await outcomes(submissions), { accepted: 50, points_short: 50 });
  const { rows } = await engine.database.query("select points_available, points_held from accounts");
  assert.deepEqual(rows, [{ points_available: 0, points_held: 600 }]);
  await engine.assertSound();
  await engine.node(async () => answered);
  await engine.allEnded();
  const { rows: after } = await engine.database.query(
    "select points_available, points_held, points_captured from accounts",
  );
  assert.deepEqual(after, [{ points_available: 0, points_held: 0, points_captured: 600 }]);
  await engine.assertSound();
});

test("points that are released while submitters wait are there for the next one, and for nobody twice", async () => {
  const engine = await testEngine();
  const account = await engine.account("a", 10);
  const fail = { code: "platform_refused", stage: "platform", message: "", platformStatus: null } as const;
  await engine.node(async () => ({ kind: "failed", fault: fail, retryable: false }));
  let accepted = 0;
  for (let round = 0; round < 10; round++) {
    const counts = await outcomes(
      Array.from({ length: 10 }, () => submit(engine, account, { count: 2, pricePoints: 2 })),
    );
    accepted += counts["accepted"] ?? 0;
  }
  await engine.allEnded();
  assert.ok(accepted > 2, `${accepted} accepted: the released points were used again`);
  const { rows } = await engine.database.query("select points_available from accounts");
  assert.deepEqual(rows, [{ points_available: 10 }]);
  await engine.assertSound();
});

test("one key fifty times at once makes one batch; the others are told it is in use, or get the replay", async () => {
  const engine = await testEngine();
  const account = await engine.account("a");
  const counts = await outcomes(Array.from({ length: 50 }, () => submit(engine, account, { key: "one", count: 3 })));
  assert.equal(counts["accepted"], 1);
  assert.equal((counts["replayed"] ?? 0) + (counts["idempotency_key_in_use"] ?? 0), 49);
  assert.deepEqual(await engine.states(), { pending: 3 });
  await engine.assertSound();
});

test("a key under way refuses a second request at once instead of letting it wait", async () => {
  const engine = await testEngine();
  const account = await engine.account("a");
  using hold = holdAt("submit.before_hold");
  const first = submit(engine, account, { key: "one" });
  await hold.reached;
  await assert.rejects(submit(engine, account, { key: "one" }), { code: "idempotency_key_in_use" });
  hold.release();
  assert.equal((await first).replayed, false);
  assert.equal((await submit(engine, account, { key: "one" })).replayed, true);
  await engine.assertSound();
});

test("a refused submission does not use its key up", async () => {
  const engine = await testEngine();
  const account = await engine.account("a", 5);
  await assert.rejects(submit(engine, account, { key: "one", count: 6 }), { code: "points_short" });
  assert.equal((await submit(engine, account, { key: "one", count: 5, body: "another" })).replayed, false);
  await engine.assertSound();
});

test("a replay after everything has ended answers what the first answer was, and starts nothing", async () => {
  const engine = await testEngine();
  const account = await engine.account("a", 4);
  const first = await submit(engine, account, { key: "one", count: 4 });
  await engine.node(async () => answered);
  await engine.allEnded();
  const again = await submit(engine, account, { key: "one", count: 4 });
  assert.deepEqual(again, { ...first, replayed: true, platforms: [] }, "even though no point is left");
  await assert.rejects(submit(engine, account, { key: "one", body: "x" }), { code: "idempotency_key_reused" });
  assert.deepEqual(await engine.states(), { completed: 4 });
  await engine.assertSound();
});

test("a key is kept for seven days to the second, and then makes a new batch", async () => {
  const engine = await testEngine();
  const account = await engine.account("a");
  const first = await submit(engine, account, { key: "one" });
  const age = (interval: string) =>
    engine.database.query("update idempotency_keys set created_at = now() - $1::interval", [interval]);
  await age("6 days 23:59:50");
  assert.equal(await forgetKeys(engine.database), 0);
  assert.equal((await submit(engine, account, { key: "one" })).replayed, true);
  await age("7 days 00:00:01");
  // Until it is forgotten it answers as before: never two batches from a key that is still known.
  assert.equal((await submit(engine, account, { key: "one" })).replayed, true);
  const [forgotten, raced] = await Promise.all([forgetKeys(engine.database), submit(engine, account, { key: "one" })]);
  assert.equal(forgotten, 1);
  const last = await submit(engine, account, { key: "one" });
  assert.notEqual(last.accepted.batchId, raced.replayed ? first.accepted.batchId : null);
  await engine.assertSound();
});

test("a task keeps the price it was accepted with, whatever was quoted before and whatever comes after", async () => {
  const engine = await testEngine();
  const account = await engine.account("a", 100);
  const rules = (base: number): ItemRules => ({
    itemsMax: 10,
    browserUsable: true,
    now: new Date(),
    refuseWebhookUrl: () => null,
    platforms: new Map([
      [
        "p",
        {
          code: "p",
          kind: "sample",
          pageHtml: false,
          options: optionSupport(),
          price: { base, deepAnalysis: 0, screenshot: 0, shareLink: 0, pageHtml: 0 },
          runTimeoutSeconds: 60,
          missing: null,
        },
      ],
    ]),
  });
  const body = [{ question: "?", platformCode: "p", options: {} }];
  const quote = await quoteBatch(engine.database, account, body, rules(3));
  assert.equal(quote.estimatedPoints, 3);
  const use = { accountId: account, route: "test", key: "k", fingerprint: Buffer.alloc(32) };
  using hold = holdAt("submit.key_claimed");
  // The price goes up between the quote and the acceptance, and again while it is being accepted.
  const prices = { current: rules(5) };
  const accepting = submitBatch(engine.database, use, () => readItems(body, prices.current));
  await hold.reached;
  prices.current = rules(7);
  hold.release();
  assert.equal((await accepting).accepted.estimatedPoints, 7, "the price at the acceptance");
  prices.current = rules(50);
  await engine.node(async () => answered);
  await engine.allEnded();
  const { rows } = await engine.database.query("select charged_points from tasks");
  assert.deepEqual(rows, [{ charged_points: 7 }]);
  await engine.assertSound();
});
