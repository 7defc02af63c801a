/** An import of 100,000 answers that is killed on both sides. */
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { test } from "node:test";
import { startTestService } from "../../service/test/harness/service.ts";
import { until } from "../../service/test/harness/wait.ts";
import { place } from "./place.ts";

// The connections that are cut are errors in the log.
const service = await startTestService({ faultsExpected: true });

const answerLine = (n: number) =>
  JSON.stringify({
    id: `a-${n}`,
    question: `Which shoes are best for ${n % 500}?`,
    platformCode: "elsewhere",
    observedAt: new Date(Date.UTC(2025, 0, 1) + n * 60_000).toISOString(),
    content: `${"A sentence about shoes that is neither short nor long. ".repeat(30)}${n}`,
    sources: Array.from({ length: 8 }, (_, k) => ({ url: `https://site-${(n * 7 + k) % 900}.example/${k}` })),
    products: [{ title: `Shoe ${n % 40}` }, { title: "Another shoe" }],
  });

test("100,000 answers, killed on both sides and begun again: every answer once, in a minute or so", async (t) => {
  using at = await place(service);
  const count = 100_000;
  writeFileSync(at.path("answers.jsonl"), Array.from({ length: count }, (_, n) => `${answerLine(n)}\n`).join(""));
  const observed = async () => {
    const { rows } = await service.database.query<{ count: number }>(
      "select count(*)::int as count from observations where account_id = $1",
      [at.account.accountId],
    );
    return rows[0]?.count ?? 0;
  };
  const startedAt = performance.now();
  for (const killedAt of [5_000, 20_000]) {
    const cli = at.start(["import", "answers.jsonl"]);
    await until("some to be imported", async () => (await observed()) >= killedAt);
    // A part that is being written is lost as if the service's process had been killed, and then the client is.
    await service.database.query(
      "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and application_name like 'service %' and state <> 'idle'",
    );
    cli.child.kill("SIGKILL");
    assert.equal((await cli.ended).code, null);
  }
  const { code, stdout, stderr } = await at.run(["import", "answers.jsonl"]);
  assert.equal(code, 0, stderr);
  const seconds = (performance.now() - startedAt) / 1000;
  assert.match(stderr, /Resuming the import after/);
  assert.equal(await observed(), count);
  const state = JSON.parse(stdout) as { importedCount: number; nextLine: number };
  assert.deepEqual([state.importedCount, state.nextLine], [count, count + 1]);
  t.diagnostic(`${count} answers in ${seconds.toFixed(1)} s, with two restarts`);

  const again = await at.run(["import", "answers.jsonl"]);
  assert.equal(again.code, 0, again.stderr);
  assert.equal(await observed(), count);
});
