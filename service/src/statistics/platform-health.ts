import type { PlatformRecord } from "@querent/contract";
import type { Database } from "../db/index.ts";
import { bucketOf, quantile } from "../kernel/histogram.ts";
import { newId } from "../kernel/ids.ts";
import { DelayedWrite } from "../runtime/batcher.ts";

/** Upper bounds of the histogram's buckets, in seconds; a last bucket counts what is slower. */
const bucketSeconds = [0.05, 0.1, 0.25, 0.5, 1, 2, 4, 8, 15, 30, 60, 120, 300, 600] as const;
/** The period that health covers. */
export const healthWindowSeconds = 3600;
const recentSeconds = 300;
const keptHours = 24 * 31;
const writeEveryMs = 5000;

interface Minute {
  platform: string;
  minute: number;
  completed: number;
  failed: number;
  seconds: number[];
}

/**
 * Counts in memory how the runs of each platform end, and writes its counts per minute every few seconds: nothing waits for it.
 */
export class PlatformHealth {
  readonly #database: Database;
  readonly #nodeId = newId();
  readonly #onError: (error: unknown) => void;
  readonly #minutes = new Map<string, Minute>();
  readonly #writing = new DelayedWrite(writeEveryMs, () => this.#write());

  constructor(database: Database, onError: (error: unknown) => void) {
    this.#database = database;
    this.#onError = onError;
  }

  /** Counts the end of one run. */
  note(platform: string, completed: boolean, seconds: number): void {
    const minute = Math.floor(Date.now() / 60_000);
    const key = `${platform} ${minute}`;
    const counts = this.#minutes.get(key) ?? {
      platform,
      minute,
      completed: 0,
      failed: 0,
      seconds: Array(bucketSeconds.length + 1).fill(0),
    };
    this.#minutes.set(key, counts);
    if (completed) {
      counts.completed++;
      const at = bucketOf(bucketSeconds, seconds);
      counts.seconds[at] = (counts.seconds[at] ?? 0) + 1;
    } else {
      counts.failed++;
    }
    this.#writing.schedule();
  }

  /** Writes the counts without further delay. */
  flush(): Promise<void> {
    return this.#writing.flush();
  }

  /** Counts of the current minute are overwritten as they grow. */
  async #write(): Promise<void> {
    const now = Math.floor(Date.now() / 60_000);
    for (const [key, counts] of [...this.#minutes]) {
      try {
        await this.#database.query(
          `insert into platform_minutes (platform, node_id, minute, completed, failed, seconds)
           values ($1, $2, to_timestamp($3), $4, $5, $6)
           on conflict (platform, minute, node_id) do update set
             completed = excluded.completed, failed = excluded.failed, seconds = excluded.seconds`,
          [counts.platform, this.#nodeId, counts.minute * 60, counts.completed, counts.failed, counts.seconds],
        );
      } catch (error) {
        this.#onError(error);
        return;
      }
      if (counts.minute < now) this.#minutes.delete(key);
    }
  }
}

/** Health of every platform over the last hour, by code. */
export async function readHealth(
  database: Database,
): Promise<
  Map<string, Pick<PlatformRecord["health"], "finished" | "successRate" | "p50Seconds" | "p95Seconds" | "recent">>
> {
  const { rows } = await database.query<{
    platform: string;
    completed: number;
    failed: number;
    seconds: number[];
    recent: boolean;
  }>(
    `select platform, completed, failed, seconds, minute > now() - $2 * interval '1 second' as recent
     from platform_minutes where minute > now() - $1 * interval '1 second'`,
    [healthWindowSeconds, recentSeconds],
  );
  const sums = new Map<string, Ended & { seconds: number[]; recent: Ended }>();
  for (const row of rows) {
    const sum = sums.get(row.platform) ?? { completed: 0, failed: 0, seconds: [], recent: { completed: 0, failed: 0 } };
    for (const counts of row.recent ? [sum, sum.recent] : [sum]) {
      counts.completed += row.completed;
      counts.failed += row.failed;
    }
    for (const [bucket, count] of row.seconds.entries()) sum.seconds[bucket] = (sum.seconds[bucket] ?? 0) + count;
    sums.set(row.platform, sum);
  }
  return new Map(
    [...sums].map(([platform, { seconds, recent, ...all }]) => {
      const isRecent = recent.completed + recent.failed > 0;
      return [
        platform,
        {
          ...rateOf(all),
          p50Seconds: quantile(bucketSeconds, seconds, 0.5),
          p95Seconds: quantile(bucketSeconds, seconds, 0.95),
          recent: { windowSeconds: isRecent ? recentSeconds : healthWindowSeconds, ...rateOf(isRecent ? recent : all) },
        },
      ];
    }),
  );
}

/** The health of a platform on which no task ended in the window. */
export const noHealth = {
  finished: 0,
  successRate: null,
  p50Seconds: null,
  p95Seconds: null,
  recent: { windowSeconds: healthWindowSeconds, finished: 0, successRate: null },
};

interface Ended {
  completed: number;
  failed: number;
}

const rateOf = ({ completed, failed }: Ended) => ({
  finished: completed + failed,
  successRate: completed + failed === 0 ? null : completed / (completed + failed),
});

/** Deletes minutes that no view includes. */
export async function forgetHealth(database: Database): Promise<void> {
  await database.query("delete from platform_minutes where minute < now() - $1 * interval '1 hour'", [keptHours]);
}
