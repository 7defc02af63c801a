import type { Database } from "../db/index.ts";

/** The state of destinations: the account's deliveries to one origin. */
export type DestinationState = "healthy" | "failing" | "paused" | "suspended";

export interface BacklogFigures {
  readonly state: DestinationState;
  readonly destinations: number;
  readonly deliveries: number;
  /** How long the oldest that is not on its way has been due. */
  readonly oldestSeconds: number;
}

/**
 * Deliveries that have not ended, by the state of their destinations, and the number of suspended default addresses. Reads the
 * whole queue: the caller must not repeat it without a pause. Locks nothing.
 */
export async function measureDeliveries(
  database: Database,
): Promise<{ readonly backlog: readonly BacklogFigures[]; readonly suspended: number }> {
  const [{ rows: backlog }, { rows: addresses }] = await Promise.all([
    database.query<BacklogFigures & Record<string, unknown>>(backlogFigures),
    database.query<{ n: number }>("select count(*)::int as n from webhooks where suspended_at is not null"),
  ]);
  return { backlog, suspended: addresses[0]?.n ?? 0 };
}

const backlogFigures = `
  select s.state, count(q.account_id)::int as destinations, coalesce(sum(q.deliveries), 0)::float8 as deliveries,
         greatest(coalesce(extract(epoch from now() - min(q.due)), 0), 0)::float8 as "oldestSeconds"
  from unnest(array['healthy', 'failing', 'paused', 'suspended']) as s(state)
  left join (
    select d.*, case when d.suspended then 'suspended' when b.open_until > now() then 'paused'
                     when b.failures_in_row > 0 then 'failing' else 'healthy' end as state
    from (
      select account_id, origin, state = 'held' as suspended, sum(cardinality(delivery_ids)) as deliveries,
             min(next_attempt_at) filter (where state <> 'in_flight') as due
      from delivery_queue group by account_id, origin, state = 'held'
    ) d
    left join delivery_breakers b on b.account_id = d.account_id and b.origin = d.origin
  ) q on q.state = s.state
  group by s.state`;

/** Slots in which deliveries are being sent, by account, over all processes. */
export async function deliveringByAccount(database: Database): Promise<ReadonlyMap<string, number>> {
  // Index: delivery_queue_in_flight, for at most the slots of all processes and their next batches.
  const { rows } = await database.query<{ account_id: string; n: number }>(
    `select account_id, count(distinct (origin, slot))::int as n from delivery_queue where state = 'in_flight'
      group by account_id`,
  );
  return new Map(rows.map(({ account_id, n }) => [account_id, n]));
}
