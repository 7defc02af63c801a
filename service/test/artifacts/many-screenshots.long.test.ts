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
  const submittedAt = performance.now();
  await busy.submit(Array.from({ length: 50 }, (_, n) => item(`${n} cards=product`, { options, runTimeoutSeconds })));
  const one = await small.answerTo("another account's", { options });
  assert.equal(one.state, "completed", JSON.stringify(one.failure));
  const states = async () => {
    const { rows } = await service.database.query<{ state: string; n: number }>(
      "select concat_ws(' ', state, failure->>'code', failure->>'message') as state, count(*)::int as n from tasks where account_id = $1 group by 1",
      [busy.accountId],
    );
    return Object.fromEntries(rows.map(({ state, n }) => [state, n]));
  };
  assert.ok(((await states())["pending"] ?? 0) > 25, "it did not wait for the batch");
  await until("the batch to end", async () => (await states())["pending"] === undefined, 14 * 60_000);
  assert.deepEqual(await states(), { completed: 50 });
  assert.ok(
    performance.now() - submittedAt > 1000 * runTimeoutSeconds,
    "the last ones waited for longer than they may run",
  );
  await service.stop();
});
