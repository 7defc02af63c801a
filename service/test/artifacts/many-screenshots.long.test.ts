/** A batch of screenshots that waits for browsers longer than a run may take. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { item, startTestService } from "../harness/service.ts";
import { until } from "../harness/wait.ts";

test("a batch of screenshots completes, also where most of them wait for a browser longer than a run may take", async () => {
  const service = await startTestService({ environment: { QUERENT_BROWSER_CONTEXTS: "1" } });
  const [busy, small] = [await service.account(), await service.account()];
  const options = { output: "screenshot" };
  const picture = async () => {
    const startedAt = performance.now();
    const task = await small.answerTo("one picture", { options });
    assert.equal(task.state, "completed", JSON.stringify(task.failure));
    return (performance.now() - startedAt) / 1000;
  };
  await picture(); // Starts the browser.
  // A machine that is slow draws slowly, too, and may become slower yet: a run may take as long as 20 pictures.
  const runTimeoutSeconds = Math.max(5, Math.ceil(20 * (await picture())));
  let submittedAt = 0;
  const submit = async (count: number) => {
    submittedAt = performance.now();
    await busy.submit(
      Array.from({ length: count }, (_, n) => item(`${n} cards=product`, { options, runTimeoutSeconds })),
    );
  };
  const states = async () => {
    const { rows } = await service.database.query<{ state: string; n: number }>(
      "select concat_ws(' ', state, failure->>'code', failure->>'message') as state, count(*)::int as n from tasks where account_id = $1 group by 1",
      [busy.accountId],
    );
    return Object.fromEntries(rows.map(({ state, n }) => [state, n]));
  };
  const pending = async () => (await states())["pending"] ?? 0;

  const ended = async () => {
    await until("the batch to end", async () => (await pending()) === 0, 14 * 60_000);
    return (performance.now() - submittedAt) / 1000;
  };

  let submitted = 50;
  await submit(submitted);
  const one = await small.answerTo("another account's", { options });
  assert.equal(one.state, "completed", JSON.stringify(one.failure));
  assert.ok((await pending()) > 25, "it did not wait for the batch");
  // The last ones of a batch wait for as long as it takes. If the machine draws faster than when it was measured, a larger one does.
  while ((await ended()) <= runTimeoutSeconds) {
    await submit(submitted);
    submitted *= 2;
  }
  assert.deepEqual(await states(), { completed: submitted });
  await service.stop();
});
