import type { UsageDay } from "@querent/contract";
import type { Queryable } from "../db/index.ts";

/** Usage by UTC day, platform and token; both days included. */
export async function readUsageDays(
  database: Queryable,
  accountId: string,
  range: { from: string; to: string },
): Promise<UsageDay[]> {
  // Index: the key of usage_hours, account and hour.
  const { rows } = await database.query<UsageDay & Record<string, unknown>>(
    `select d.day::text, d.platform as "platformCode", d.token_id as "tokenId", t.name as "tokenName", d.completed, d.failed,
            d.canceled, d.points as "chargedPoints"
     from (select (hour at time zone 'UTC')::date as day, platform, token_id, sum(completed)::bigint as completed,
                  sum(failed)::bigint as failed, sum(canceled)::bigint as canceled, sum(charged_points)::bigint as points
           from usage_hours
           where account_id = $1 and hour >= $2::timestamp at time zone 'UTC'
             and hour < ($3::timestamp + interval '1 day') at time zone 'UTC'
           group by 1, 2, 3) d
     left join access_tokens t on t.id = d.token_id
     order by d.day desc, d.platform, d.token_id`,
    [accountId, range.from, range.to],
  );
  return rows;
}
