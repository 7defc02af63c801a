/** Writes to the database through its entrance all the time, with plain SQL: how long the cluster itself accepts nothing. */
import { setTimeout as sleep } from "node:timers/promises";
import { query } from "./patroni.ts";

export interface WriteProbe {
  /** When a write was confirmed. */
  readonly at: number[];
  stop(): Promise<void>;
}

const everyMs = 200;
const patienceMs = 5000;
/** Each write has a connection of its own, so that it waits for no other. */
const atOnceMax = 20;

export async function startWriteProbe(url: string): Promise<WriteProbe> {
  await query(url, "create table if not exists test_writes (n bigint primary key)");
  await query(url, "insert into test_writes values (0) on conflict do nothing");
  let stopped = false;
  const writing = new Set<Promise<void>>();
  const probe: WriteProbe = {
    at: [],
    async stop() {
      stopped = true;
      await done;
      await Promise.all(writing);
    },
  };
  const write = () =>
    query(url, "update test_writes set n = n + 1", patienceMs).then(
      () => void probe.at.push(performance.now()),
      () => undefined,
    );
  const done = (async () => {
    while (!stopped) {
      if (writing.size < atOnceMax) {
        const one = write().finally(() => writing.delete(one));
        writing.add(one);
      }
      await sleep(everyMs);
    }
  })();
  return probe;
}

/** The longest time between two of these, in seconds. */
export function longestGap(times: readonly number[]): number {
  const sorted = times.toSorted((a, b) => a - b);
  const gaps = sorted.slice(1).map((time, index) => time - (sorted[index] ?? time));
  return Math.round(Math.max(0, ...gaps) / 100) / 10;
}
