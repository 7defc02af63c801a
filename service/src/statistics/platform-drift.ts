import type { PlatformRecord } from "@querent/contract";
import { rowsAs, type Database } from "../db/index.ts";
import { newId } from "../kernel/ids.ts";
import type { DriftSign, DriveReport } from "../platforms/index.ts";
import { DelayedWrite } from "../runtime/batcher.ts";

type Drift = NonNullable<PlatformRecord["health"]["drift"]>[number];

const recentHours = 24;
/** How far back a sign's first hour, and earlier successful reads, are looked up. */
const keptHours = 8 * 24;
const writeEveryMs = 5000;
/** Names come from recipes, so there are few. More than this would be a bug, and must not fill the table. */
const countsMax = 5000;
/** Nothing read in this number of runs counts as a sign only if something was read in as many runs before. */
const asksMin = 10;

interface Count {
  readonly platform: string;
  readonly hour: number;
  readonly recipe: string;
  readonly sign: "asked" | "read" | DriftSign["sign"];
  readonly what: string;
  asks: number;
  readonly firstAt: Date;
  lastAt: Date;
}

const driftRows = rowsAs<Count>("e", {
  platform: ["text", (count) => count.platform],
  hour: ["timestamptz", (count) => new Date(count.hour * hourMs)],
  recipe: ["text", (count) => count.recipe],
  sign: ["text", (count) => count.sign],
  what: ["text", (count) => count.what],
  asks: ["int", (count) => count.asks],
  first_at: ["timestamptz", (count) => count.firstAt],
  last_at: ["timestamptz", (count) => count.lastAt],
});

/**
 * Counts in memory what runs of web platforms report about their recipes, and writes its hourly counts every few seconds:
 * nothing waits for it.
 */
export class PlatformDrift {
  readonly #database: Database;
  readonly #nodeId = newId();
  readonly #onError: (error: unknown) => void;
  readonly #counts = new Map<string, Count>();
  #changed = new Set<Count>();
  readonly #writing = new DelayedWrite(writeEveryMs, () => this.#write());

  constructor(database: Database, onError: (error: unknown) => void) {
    this.#database = database;
    this.#onError = onError;
  }

  /** Records the report of one run; returns the signs that are new in this process and hour. */
  note(platform: string, { recipe, signs, read }: DriveReport): DriftSign[] {
    const at = new Date();
    const count = (sign: Count["sign"], what: string) => this.#count(platform, recipe, sign, what, at);
    count("asked", "");
    for (const what of read) count("read", what);
    const first = signs.filter(({ sign, what }) => count(sign, what));
    this.#writing.schedule();
    return first;
  }

  /** Writes what has changed, without further delay. */
  flush(): Promise<void> {
    return this.#writing.flush();
  }

  /** Counts of the current hour are overwritten as they grow. */
  async #write(): Promise<void> {
    const rows = [...this.#changed];
    if (rows.length === 0) return;
    this.#changed = new Set();
    try {
      // Locks: only rows of this node.
      await this.#database.query(
        `insert into platform_drift (node_id, ${driftRows.columns}) select $1, * from ${driftRows.after(1)}
         on conflict (hour, platform, node_id, recipe, sign, what) do update set
           asks = excluded.asks, last_at = excluded.last_at`,
        [this.#nodeId, ...driftRows.values(rows)],
      );
    } catch (error) {
      for (const row of rows) this.#changed.add(row);
      this.#onError(error);
      return;
    }
    const now = Math.floor(Date.now() / hourMs);
    for (const [key, { hour }] of this.#counts) if (hour < now) this.#counts.delete(key);
  }

  /** True if it is the first of its kind in its hour. */
  #count(platform: string, recipe: string, sign: Count["sign"], what: string, at: Date): boolean {
    const hour = Math.floor(at.getTime() / hourMs);
    const key = [platform, hour, recipe, sign, what].join(" ");
    const known = this.#counts.get(key);
    if (known === undefined && this.#counts.size >= countsMax) return false;
    const count = known ?? { platform, hour, recipe, sign, what, asks: 0, firstAt: at, lastAt: at };
    count.asks++;
    count.lastAt = at;
    this.#counts.set(key, count);
    this.#changed.add(count);
    return known === undefined;
  }
}

const hourMs = 3_600_000;

/** The counts of one sign, and of the platform's recent runs: until the sign's last hour, and after it. */
interface DriftRow {
  platform: string;
  sign: Count["sign"];
  what: string;
  recent: number;
  total: number;
  first_at: Date;
  last_at: Date;
  asked_recent: number;
  asked_until: number;
  asked_after: number;
}

/** The places where the pages of web platforms do not match the recipes in use, by code. */
export async function readDrift(database: Database): Promise<Map<string, Drift[]>> {
  // Index: the primary key, by hour. A recipe's signs and rules have some ten rows per hour and node.
  const { rows } = await database.query<DriftRow>(
    `with kept as (
       select * from platform_drift where hour > now() - $1 * interval '1 hour'
     ), used as (
       select distinct on (platform) platform, recipe from kept where sign = 'asked' order by platform, last_at desc
     ), counted as (
       select platform, sign, what, sum(asks)::int as total, min(first_at) as first_at, max(last_at) as last_at,
              max(hour) as last_hour,
              coalesce(sum(asks) filter (where hour > now() - $2 * interval '1 hour'), 0)::int as recent
         from kept join used using (platform, recipe)
        group by platform, sign, what
     ), asked as (
       select platform, hour, sum(asks) as asks
         from kept join used using (platform, recipe)
        where sign = 'asked'
        group by platform, hour
     )
     select c.platform, c.sign, c.what, c.recent, c.total, c.first_at, c.last_at,
            coalesce(sum(a.asks) filter (where a.hour > now() - $2 * interval '1 hour'), 0)::int as asked_recent,
            coalesce(sum(a.asks) filter (where a.hour <= c.last_hour), 0)::int as asked_until,
            coalesce(sum(a.asks) filter (where a.hour > c.last_hour), 0)::int as asked_after
       from counted c join asked a using (platform)
      where c.sign <> 'asked'
      group by c.platform, c.sign, c.what, c.recent, c.total, c.first_at, c.last_at`,
    [keptHours, recentHours],
  );
  const drifts = new Map<string, Drift[]>();
  for (const row of rows) {
    const drift = driftOf(row);
    if (drift !== null) drifts.set(row.platform, [...(drifts.get(row.platform) ?? []), drift]);
  }
  for (const all of drifts.values()) all.sort((a, b) => b.share - a.share || (a.what < b.what ? -1 : 1));
  return drifts;
}

function driftOf(row: DriftRow): Drift | null {
  const { sign, what } = row;
  if (sign === "asked") return null;
  if (sign === "read") {
    const wasUsual = row.asked_until >= asksMin && row.total >= row.asked_until / 2;
    return wasUsual && row.asked_after >= asksMin
      ? { what, sign: "unread", since: row.last_at.toISOString(), share: 1 }
      : null;
  }
  if (row.recent === 0 || row.asked_recent === 0) return null;
  return { what, sign, since: row.first_at.toISOString(), share: Math.min(1, row.recent / row.asked_recent) };
}

/** Deletes hours that no view includes. */
export async function forgetDrift(database: Database): Promise<void> {
  // Index: the primary key, by hour.
  await database.query("delete from platform_drift where hour < now() - $1 * interval '1 hour'", [keptHours]);
}
