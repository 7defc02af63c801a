import { simulatedPlatformPrefix } from "../kernel/simulated-platform.ts";
import { listPartitions, type Database, type Queryable } from "../db/index.ts";

export interface ConsistencyCheck {
  /** What holds if it finds nothing. */
  readonly holds: string;
  /** The ids of what violates it, and why, at most `shownMax`. */
  readonly violations: readonly string[];
  /** Why it could not be checked; null if it was. */
  readonly unchecked: string | null;
}

const shownMax = 20;

/** Checks that the database is whole. All of it sees the same moment and locks nothing. It reads every row of the history. */
export async function checkConsistency(database: Database): Promise<{ at: Date; checks: readonly ConsistencyCheck[] }> {
  // On its own connection, without the time limit of the pool.
  const client = await database.connect();
  try {
    await client.query("begin isolation level repeatable read read only");
    const { rows } = await client.query<{ at: Date }>("select now() as at");
    return { at: rows[0]?.at ?? new Date(), checks: await runChecks(client) };
  } finally {
    await client.end();
  }
}

export async function runChecks(db: Queryable): Promise<ConsistencyCheck[]> {
  const [first] = await listPartitions(db, { table: "ledger" });
  const isWhole = first === undefined || first.from === null;
  const checks: ConsistencyCheck[] = [];
  for (const [holds, sql] of Object.entries(rules)) {
    if (!isWhole && ofWholeHistory.has(holds)) {
      checks.push({ holds, violations: [], unchecked: "old history was dropped, and with it a part of what adds up" });
      continue;
    }
    const { rows } = await db.query<{ what: string }>(`${sql} limit $1`, [shownMax]);
    checks.push({ holds, violations: rows.map(({ what }) => what), unchecked: null });
  }
  return checks;
}

const addsUp = "the ledger of each account adds up to its balance";
const batchesAreWhole = "each batch is whole, and its points were held once";

/** What only the whole history shows: `querentd history drop` removes ledger entries and tasks, and batches stay. */
const ofWholeHistory: ReadonlySet<string> = new Set([addsUp, batchesAreWhole]);

/** Each statement finds violations, as `what`. No index: they read whole tables. */
const rules: Readonly<Record<string, string>> = {
  [addsUp]: `
    select format('account %s: granted %s, held %s, captured %s; the ledger says %s, %s, %s',
                  a.id, a.points_granted, a.points_held, a.points_captured, l.granted, l.held, l.captured) as what
      from accounts a cross join lateral (
        select coalesce(sum(points) filter (where kind = 'grant'), 0) as granted,
               coalesce(sum(points) filter (where kind = 'capture'), 0) as captured,
               coalesce(sum(case kind when 'hold' then points when 'grant' then 0 else -points end), 0) as held
          from ledger where account_id = a.id) l
     where (a.points_granted, a.points_held, a.points_captured) is distinct from (l.granted, l.held, l.captured)`,
  "each account counts its pending tasks": `
    select format('account %s: counts %s, has %s', a.id, a.unfinished_tasks, t.pending) as what
      from accounts a cross join lateral (
        select count(*) as pending from tasks where account_id = a.id and state = 'pending') t
     where a.unfinished_tasks <> t.pending`,
  "each ended task was settled once, with the points that it was charged": `
    select format('task %s: charged %s, %s entries in the ledger, %s points captured',
                  t.id, t.charged_points, count(l.id), coalesce(sum(l.points) filter (where l.kind = 'capture'), 0)) as what
      from tasks t left join ledger l on l.account_id = t.account_id and l.task_id = t.id
     group by t.account_id, t.id, t.state, t.charged_points
    having count(l.id) <> case t.state when 'pending' then 0 else 1 end
        or coalesce(sum(l.points) filter (where l.kind = 'capture'), 0) <> t.charged_points`,
  [batchesAreWhole]: `
    select format('batch %s: %s of %s tasks, %s holds', b.id, t.tasks, b.task_count, l.holds) as what
      from batches b
      cross join lateral (select count(*) as tasks from tasks where account_id = b.account_id and batch_id = b.id) t
      cross join lateral (select count(*) as holds, coalesce(sum(points), 0) as points from ledger
                           where account_id = b.account_id and batch_id = b.id and kind = 'hold') l
     where t.tasks <> b.task_count or l.holds <> 1 or l.points <> b.estimated_points`,
  "each pending task is in the queue, and no other": `
    select format('task %s is %s, and %s', coalesce(t.id, d.task_id), coalesce(t.state, 'missing'),
                  case when d.task_id is null then 'not queued' else 'queued' end) as what
      from tasks t full join dispatch d on d.task_id = t.id
     where (t.state is not distinct from 'pending' and d.task_id is null)
        or (d.task_id is not null and d.state <> 'aborting' and t.state is distinct from 'pending')`,
  "each result that has not expired is there": `
    select format('task %s', t.id) as what
      from tasks t
     where t.state = 'completed' and t.expires_at > now()
       and not exists (select from task_results r where r.day = t.result_day and r.task_id = t.id)`,
  "each end was announced once, unless its delivery has been pruned": `
    select format('task %s: %s first deliveries', t.id, count(v.id)) as what
      from tasks t left join deliveries v on v.account_id = t.account_id and v.task_id = t.id and v.delivery_revision = 1
     where t.platform not like '${simulatedPlatformPrefix}%' -- announced to nobody
     group by t.account_id, t.id, t.state, t.completed_at
    having count(v.id) > case t.state when 'pending' then 0 else 1 end
        or (t.state <> 'pending' and count(v.id) = 0
            and t.completed_at >= (select min(created_at) from deliveries where account_id = t.account_id))`,
  "each delivery that is due is in the queue": `
    select format('delivery %s', v.id) as what
      from deliveries v
     where v.state = 'pending'
       and not exists (select from delivery_queue q where q.account_id = v.account_id and v.id = any (q.delivery_ids))`,
  "the numbers of the event feed rise, and none was given out twice": `
    with numbered as (
      select account_id, event_number from deliveries where event_number is not null
      union all select account_id, number from account_events
    )
    select format('account %s: number %s, %s times', account_id, event_number, count(*)) as what
      from numbered group by account_id, event_number having count(*) > 1
    union all
    select format('number %s is beyond the sequence', max(event_number))
      from numbered having max(event_number) > (select last_value from event_numbers)`,
  "each event of an account has a first delivery, unless it has been pruned": `
    select format('account %s: event %s', e.account_id, e.id) as what
      from account_events e
     where not exists (select from deliveries v where v.account_id = e.account_id and v.id = e.id)
       and e.created_at >= (select min(created_at) from deliveries where account_id = e.account_id)`,
};
