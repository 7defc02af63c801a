import type { Database } from "../../db/index.ts";
import { putInLine } from "../outbox/delivery-turns.ts";
import { indexOnly } from "./claim-deliveries.ts";

/**
 * Runs periodically in any process. Queues rows again whose lease has expired (their owner died; once another process has
 * claimed them, it can no longer record anything), and updates rows to a default address after a suspension or its end.
 */
export async function upkeepDeliveries(database: Database): Promise<{ requeued: number }> {
  const [expired, , freed] = await database.transactionOf(
    upkeepStatements.map((text) => ({ text })),
    { settings: indexOnly },
  );
  return { requeued: (expired?.rowCount ?? 0) + (freed?.rowCount ?? 0) };
}

const upkeepStatements = [
  `with queued as (
  update delivery_queue d set state = 'queued', lease_until = null, slot = null
   where d.id = any(array(select id from delivery_queue where state = 'in_flight' and lease_until < now()
                           limit 10000 for update skip locked))
  returning d.account_id
), ${putInLine("queued")}
select from queued`,
  // From the accounts to their rows, never the other way round: there may be a hundred thousand of one account.
  `update delivery_queue d set state = 'held'
 where d.id = any(array(
         select q.id
           from webhooks w
          cross join lateral (select id from delivery_queue
                               where account_id = w.account_id and state = 'queued' and to_default
                               limit 10000 for update skip locked) q
          where w.suspended_at is not null))`,
  `with freed as (
  update delivery_queue d set state = 'queued', next_attempt_at = now(), origin = x.origin
    from webhooks x
   where d.id = any(array(
           select q.id
             from webhooks w
            cross join lateral (select id from delivery_queue
                                 where account_id = w.account_id and state = 'held'
                                 limit 10000 for update skip locked) q
            where w.suspended_at is null and w.url is not null))
     and x.account_id = d.account_id and x.url is not null
  returning d.account_id, d.delivery_ids, x.url, x.origin
), ${putInLine("freed")}
update deliveries d set url = f.url, origin = f.origin
  from freed f cross join lateral unnest(f.delivery_ids) as u(id) where d.account_id = f.account_id and d.id = u.id`,
];
