/** Weeks of a panel's answers within seconds: its runs are moved to days in the past. */
import type { PanelRun } from "@querent/contract";
import type { Transaction } from "../../src/db/index.ts";
import { firstIdAt } from "../../src/kernel/ids.ts";
import type { TestAccount, TestService } from "../harness/service.ts";
import { until } from "../harness/wait.ts";
import { asOneWording, panel, runPanel } from "./fixture.ts";

export interface Phase {
  /** One run on each of so many days. */
  readonly days: number;
  /** The directives of every prompt. */
  readonly directives: string;
}

export const promptsMax = 24;

export const weeksPanel = (directives: string) => ({
  ...panel(),
  prompts: Array.from({ length: promptsMax }, (_, index) => ({
    text: `Question ${index}? ${directives}`,
    promptId: `p${index}`,
    topic: `t${index}`,
  })),
});

/** Runs a panel on successive days, the last one of which is today. */
export async function runWeeks(
  service: TestService,
  account: TestAccount,
  panelId: string,
  phases: readonly Phase[],
): Promise<void> {
  const runs: PanelRun[] = [];
  for (const { days, directives } of phases) {
    await account.call("PUT", `/v1/panels/${panelId}`, { body: weeksPanel(directives) });
    for (let day = 0; day < days; day++) runs.push((await runPanel(account, panelId)).body);
    await until("every answer is observed", async () => {
      const { rows } = await service.database.query<{ count: number }>(
        "select count(*)::int as count from observations where account_id = $1 and panel_id = $2",
        [account.accountId, panelId],
      );
      return rows[0]?.count === runs.reduce((sum, run) => sum + run.taskCount, 0);
    });
  }
  // So that nobody judges the panel while its runs are moved.
  await until("every run has ended, and the panel is judged", async () => {
    const { rows } = await service.database.query<{ open: number }>(
      `select (select count(*)::int from panel_runs where panel_id = $1 and ended_at is null) +
              (select count(*)::int from panel_evaluations where panel_id = $1 and due_at is not null) as open`,
      [panelId],
    );
    return rows[0]?.open === 0;
  });
  await asOneWording(service.database, panelId);
  await service.database.transaction(async (tx) => {
    for (const [index, { runId }] of runs.entries()) await moveBack(tx, runId, runs.length - 1 - index);
  });
}

/** The id of an observation contains its time. */
async function moveBack(tx: Transaction, runId: string, days: number): Promise<void> {
  if (days === 0) return;
  await tx.query("update panel_runs set created_at = created_at - $2 * interval '1 day' where id = $1", [runId, days]);
  const { rows } = await tx.query<{ id: string; observed_at: Date }>(
    "select id, observed_at from observations where run_id = $1",
    [runId],
  );
  const moved = rows.map(({ id, observed_at: at }) => {
    const time = new Date(at.getTime() - days * 86_400_000);
    return { id, time, newId: `${firstIdAt(time).slice(0, 13)}${id.slice(13)}` };
  });
  await tx.query(
    `update observations o set id = m.new_id, observed_at = m.time
       from unnest($1::uuid[], $2::uuid[], $3::timestamptz[]) as m(id, new_id, time) where o.id = m.id and o.run_id = $4`,
    [moved.map(({ id }) => id), moved.map(({ newId }) => newId), moved.map(({ time }) => time), runId],
  );
}
