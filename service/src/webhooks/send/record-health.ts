import { rowsAs, type Transaction } from "../../db/index.ts";
import { putInLine } from "../outbox/delivery-turns.ts";
import type { DeliveryFault } from "./send.ts";

/** After this number of consecutive failures a destination is paused, and then gets one probe. */
export const breakerFailures = 5;

/** An attempt, as input for its destination's health. */
export interface AttemptOutcome {
  readonly accountId: string;
  readonly origin: string;
  readonly url: string;
  readonly toDefault: boolean;
  readonly delivered: boolean;
  readonly status: number | null;
  readonly fault: DeliveryFault | null;
}

/**
 * Updates the health of receivers: a destination's breaker counts its consecutive failures, and an account's default address is
 * suspended when it is gone, or has failed for days. Among attempts that are recorded together, one success makes the
 * destination healthy.
 *
 * Locks: rows of `delivery_breakers` in the order of their keys, the turns of accounts whose breaker closes, then rows of
 * `webhooks`. All are accessed by their primary keys.
 */
export async function recordHealth(tx: Transaction, outcomes: readonly AttemptOutcome[]): Promise<void> {
  const destinations = grouped(outcomes, ({ origin }) => origin);
  const healthy = destinations.filter(isHealthy);
  const failing = destinations.filter((some) => !isHealthy(some));
  const addresses = grouped(
    outcomes.filter(({ toDefault }) => toDefault),
    ({ url }) => url,
  );
  const statements: Promise<unknown>[] = [];
  if (healthy.length > 0)
    statements.push(tx.query({ name: "close_breakers", text: closeBreakers, values: destinationRows.values(healthy) }));
  if (failing.length > 0)
    statements.push(
      tx.query({
        name: "count_failures",
        text: countFailures,
        values: failingRows.values(failing),
      }),
    );
  if (addresses.length > 0)
    statements.push(
      tx.query({
        name: "record_address_health",
        text: recordAddressHealth,
        values: addressRows.values(addresses),
      }),
    );
  await Promise.all(statements);
}

type Group = readonly [AttemptOutcome, ...AttemptOutcome[]];

function grouped(outcomes: readonly AttemptOutcome[], by: (outcome: AttemptOutcome) => string): Group[] {
  const groups = Map.groupBy(outcomes, (outcome) => `${outcome.accountId} ${by(outcome)}`);
  return [...groups]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([, [first, ...others]]) => (first ? [[first, ...others]] : []));
}

const destinationRows = rowsAs<Group>("h", {
  account_id: ["uuid", ([first]) => first.accountId],
  origin: ["text", ([first]) => first.origin],
});

const failingRows = rowsAs<Group>("f", {
  account_id: ["uuid", ([first]) => first.accountId],
  origin: ["text", ([first]) => first.origin],
  failures: ["int", ({ length }) => length],
});

const addressRows = rowsAs<Group>("a", {
  account_id: ["uuid", ([first]) => first.accountId],
  url: ["text", ([first]) => first.url],
  healthy: ["boolean", isHealthy],
  failures: ["int", ({ length }) => length],
  gone: ["boolean", (some) => some.some(isGone)],
  status: ["int", (some) => lastFailure(some)?.status ?? null],
  fault: ["text", (some) => lastFailure(some)?.fault ?? null],
});

function isHealthy(some: Group): boolean {
  return some.some(({ delivered }) => delivered);
}

const isGone = ({ status }: AttemptOutcome) => status === 410;

/** Among several failures together one is recorded: a 410 before any other, since it suspends, and a status before a fault. */
function lastFailure(some: Group): { status: number | null; fault: DeliveryFault | null } | undefined {
  const failed = some.filter(({ delivered }) => !delivered);
  return failed.find(isGone) ?? failed.find(({ status }) => status !== null) ?? failed[0];
}

const closeBreakers = `
with closed as (
  delete from delivery_breakers b using ${destinationRows.after(0)}
   where b.account_id = h.account_id and b.origin = h.origin returning b.account_id
), ${putInLine("closed")} select`;

// A breaker opens again, for twice as long, when its probe fails; failures of requests that were in flight when it opened do
// not count.
const opens = `b.failures_in_row + excluded.failures_in_row >= ${breakerFailures} and (b.open_until is null or b.open_until <= now())`;
const countFailures = `
insert into delivery_breakers as b (account_id, origin, failures_in_row, openings, open_until)
select account_id, origin, failures,
       case when failures >= ${breakerFailures} then 1 else 0 end,
       case when failures >= ${breakerFailures} then now() + interval '30 s' end
  from ${failingRows.after(0)}
on conflict (account_id, origin) do update
   set failures_in_row = b.failures_in_row + excluded.failures_in_row,
       openings = b.openings + case when ${opens} then 1 else 0 end,
       open_until = case when ${opens} then now() + least(900, 30 * power(2, least(b.openings, 10))) * interval '1 s'
                         else b.open_until end`;

// Suspended at the first 410, or after five days of failures without a success. Under constant success the row is written once
// per second, not for every delivery.
const suspendedFor = `case
  when a.gone then 'gone'
  when not a.healthy and w.failures + a.failures >= 5 and w.first_failure_at <= now() - interval '12 h'
       and greatest(w.last_success_at, w.url_set_at) <= now() - interval '5 days' then 'failing'
end`;
const recordAddressHealth = `
update webhooks w
   set last_success_at  = case when a.healthy then now() else w.last_success_at end,
       failures         = case when a.healthy then 0 else w.failures + a.failures end,
       first_failure_at = case when a.healthy then null else coalesce(w.first_failure_at, now()) end,
       last_failure_at  = case when a.healthy then null else now() end,
       last_failure_status = case when a.healthy and not a.gone then null else a.status end,
       last_failure_fault  = case when a.healthy or a.status is not null then null else a.fault end,
       suspended_reason = case when w.suspended_at is null then ${suspendedFor} else w.suspended_reason end,
       suspended_at = coalesce(w.suspended_at, case when ${suspendedFor} is not null then now() end)
  from ${addressRows.after(0)}
 where w.account_id = a.account_id and w.url = a.url
   and (not a.healthy or a.gone or w.failures > 0 or w.last_success_at is null or w.last_success_at < now() - interval '1 s')`;
