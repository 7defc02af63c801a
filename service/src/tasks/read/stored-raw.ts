import type { TaskState } from "@querent/contract";
import { textOfRaw, type RawColumns } from "../../answers/index.ts";
import type { Queryable } from "../../db/index.ts";
import { sumOfConsumption, type Consumption, type KeptConsumption } from "../../kernel/consumption.ts";

/** The operator's view of a task's stored answer. */
export interface StoredRawOfTask {
  readonly taskId: string;
  readonly platform: string;
  readonly state: TaskState;
  readonly revision: number;
  readonly expired: boolean;
  readonly mediaType: string | null;
  /** The platform's response; null: not stored, or expired. */
  readonly body: string | null;
  /** The consumption of the answer. */
  readonly consumption: KeptConsumption;
  /** The consumption of attempts that gave no answer, as long as they are stored; null if nothing was reported. */
  readonly failedConsumption: KeptConsumption | null;
}

/** What is stored of a task in addition to its record; null if the account has no such task. */
export async function readStoredRaw(db: Queryable, accountId: string, taskId: string): Promise<StoredRawOfTask | null> {
  // Index: the primary keys.
  const { rows } = await db.query<
    Omit<StoredRawOfTask, "body" | "consumption" | "failedConsumption"> &
      KeptConsumption &
      Pick<RawColumns, "raw_body" | "raw_compressed"> & { entries: readonly Entry[] | null }
  >(
    `select t.id as "taskId", t.platform, t.state, t.revision, coalesce(t.expires_at <= now(), false) as expired,
            r.raw_type as "mediaType", r.raw_body, r.raw_compressed,
            t.input_tokens as "inputTokens", t.output_tokens as "outputTokens", t.searches,
            t.cached_tokens as "cachedTokens", t.stated_usd::float8 as "statedUsd", a.entries
       from tasks t
       left join task_results r on r.day = t.result_day and r.task_id = t.id and r.account_id = t.account_id and r.expires_at > now()
       left join task_attempts a on a.account_id = t.account_id and a.task_id = t.id
      where t.account_id = $2 and t.id = $1`,
    [taskId, accountId],
  );
  const row = rows[0];
  if (row === undefined) return null;
  const { inputTokens, outputTokens, searches, cachedTokens, statedUsd, entries, raw_body, raw_compressed, ...rest } =
    row;
  return {
    ...rest,
    body: await textOfRaw({ raw_body, raw_compressed }),
    consumption: { inputTokens, outputTokens, searches, cachedTokens, statedUsd },
    failedConsumption: sumOfConsumption((entries ?? []).flatMap(({ consumption }) => consumption ?? [])),
  };
}

interface Entry {
  readonly consumption?: Consumption;
}
