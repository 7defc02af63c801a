import type { Transaction } from "../db/index.ts";
import { answerTimeBucket, answerTimeColumns } from "./answer-times.ts";

interface Consumed {
  readonly inputTokens: number | null;
  readonly outputTokens: number | null;
  readonly searches: number | null;
}

/** A task that has ended, as its points see it. */
export interface Settlement {
  readonly accountId: string;
  readonly batchId: string;
  readonly taskId: string;
  /** The token that it was submitted with; null where none was noted. */
  readonly tokenId: string | null;
  readonly platform: string;
  readonly state: "completed" | "failed" | "canceled";
  /** What was held for it. */
  readonly points: number;
  /** From acceptance to the end. */
  readonly seconds: number;
  /** What the platform says that the answer took of the operator's account there. */
  readonly consumption: Consumed | null;
}

/**
 * Captures the points of completed tasks and releases those of the others, in the transaction that ends them; one
 * statement, and the last before the commit: an account's row is what everybody waits for.
 * The ledger's unique index on the task refuses a second capture or release, whatever code runs beside this.
 */
export async function settlePoints(tx: Transaction, settlements: readonly Settlement[]): Promise<void> {
  if (settlements.length === 0) return;
  await tx.query({
    name: "settle points",
    text: settle,
    values: [
      settlements.map((task) => task.accountId),
      settlements.map((task) => task.batchId),
      settlements.map((task) => task.taskId),
      settlements.map((task) => task.platform),
      settlements.map((task) => task.state),
      settlements.map((task) => task.points),
      ...consumptionColumns(settlements.map((task) => task.consumption)),
      settlements.map((task) => task.tokenId),
      settlements.map((task) => (task.state === "completed" ? answerTimeBucket(task.seconds) : null)),
    ],
  });
}

/** Input tokens, output tokens and searches as three arrays; empty, which `unnest` fills up with nulls, where nothing was told. */
export function consumptionColumns(consumed: readonly (Consumed | null)[]): (number | null)[][] {
  if (consumed.every((told) => told === null)) return [[], [], []];
  return [
    consumed.map((told) => told?.inputTokens ?? null),
    consumed.map((told) => told?.outputTokens ?? null),
    consumed.map((told) => told?.searches ?? null),
  ];
}

// Locks: accounts, in the order of their ids (an update alone would take them in any), then their hours; one update each,
// whatever the number of tasks. The update meets each account as the lock found it, not as the snapshot shows it.
const settle = `
  with ended as (
    select * from unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::text[], $5::text[], $6::bigint[], $7::int[], $8::int[], $9::int[],
                         $10::uuid[], $11::int[])
      as e(account_id, batch_id, task_id, platform, state, points, input_tokens, output_tokens, searches, token_id, bucket)
  ), line as (
    insert into ledger (account_id, kind, points, batch_id, task_id)
    select account_id, case when state = 'completed' then 'capture' else 'release' end, points, batch_id, task_id from ended
  ), locked as materialized (
    select id from accounts where id in (select account_id from ended) order by id for no key update
  ), moved as (
    select account_id, count(*)::int as tasks, coalesce(sum(points) filter (where state = 'completed'), 0)::bigint as captured,
           coalesce(sum(points) filter (where state <> 'completed'), 0)::bigint as released
    from ended group by account_id
  ), balance as (
    update accounts a
    set points_held = a.points_held - (m.captured + m.released), points_captured = a.points_captured + m.captured,
        points_available = a.points_available + m.released, unfinished_tasks = a.unfinished_tasks - m.tasks
    from locked l join moved m on m.account_id = l.id
    where a.id = l.id
    returning a.id
  )
  insert into usage_hours as u (account_id, hour, platform, token_id, completed, failed, canceled, charged_points,
                                metered, input_tokens, output_tokens, searches, ${answerTimeColumns.join(", ")})
  select e.account_id, date_trunc('hour', now(), 'UTC'), e.platform, e.token_id, count(*) filter (where e.state = 'completed'),
         count(*) filter (where e.state = 'failed'), count(*) filter (where e.state = 'canceled'),
         coalesce(sum(e.points) filter (where e.state = 'completed'), 0),
         count(coalesce(e.input_tokens, e.output_tokens, e.searches)), sum(e.input_tokens), sum(e.output_tokens), sum(e.searches),
         ${answerTimeColumns.map((_, bucket) => `count(*) filter (where e.bucket = ${bucket})`).join(", ")}
  -- The join makes the accounts come before their hours, which is the order of locks.
  from ended e join balance b on b.id = e.account_id
  group by e.account_id, e.platform, e.token_id
  order by e.account_id, e.platform, e.token_id
  on conflict (account_id, hour, platform, token_id) do update set
    completed = u.completed + excluded.completed, failed = u.failed + excluded.failed,
    canceled = u.canceled + excluded.canceled, charged_points = u.charged_points + excluded.charged_points,
    metered = u.metered + excluded.metered,
    input_tokens = coalesce(u.input_tokens + excluded.input_tokens, u.input_tokens, excluded.input_tokens),
    output_tokens = coalesce(u.output_tokens + excluded.output_tokens, u.output_tokens, excluded.output_tokens),
    searches = coalesce(u.searches + excluded.searches, u.searches, excluded.searches),
    ${answerTimeColumns.map((column) => `${column} = u.${column} + excluded.${column}`).join(", ")}`;
