/**
 * Which nodes can use a browser. Each node reports it every few seconds. A report is valid while the node is registered, and
 * for a minute after its last one, so that nothing is refused while workers are replaced one after the other, a worker restarts,
 * or the database was away.
 */
import type { Database, Queryable } from "../../db/index.ts";

/** A node's report. `why`: why it has no usable browser, for the operator; null if it has one. */
export interface NodeBrowser {
  readonly nodeId: string;
  readonly why: string | null;
}

/** How long a node's last report is valid. */
export const browserMemorySeconds = 60;

/** Writes a node's report. `alone`: no other process can use this database, so other reports are invalid. */
export async function reportBrowser(db: Queryable, { nodeId, why }: NodeBrowser, alone: boolean): Promise<void> {
  // Locks: the node's own row, and rows of former nodes. The latest of those does not expire before this one is written.
  await db.query({
    name: "report browser",
    text: `with forgotten as (
             delete from node_browsers where node_id <> $1 and ($3 or seen_at < now() - interval '1 day')
           )
           insert into node_browsers (node_id, usable, why) values ($1, $2::text is null, $2)
           on conflict (node_id) do update set usable = excluded.usable, why = excluded.why, seen_at = now()`,
    values: [nodeId, why, alone],
  });
}

/**
 * Whether work that needs a browser can be done: by a node that reported in the last minute; if there is none, by the one that
 * reported last. Null if no node has ever reported.
 */
export async function readBrowserUsable(db: Queryable): Promise<boolean | null> {
  // A row for each node, and a few former ones: a table of one page.
  const { rows } = await db.query<{ usable: boolean | null }>({
    name: "read browser usable",
    text: `select bool_or(usable) as usable from node_browsers
           where seen_at >= least(now() - $1 * interval '1 second', (select max(seen_at) from node_browsers))
              or exists (select from nodes n where n.id = node_id)`,
    values: [browserMemorySeconds],
  });
  return rows[0]?.usable ?? null;
}

/** For which platforms a node other than this one can use a browser, or could within the last minute; "all": for every one. */
export type BrowserElsewhere = "all" | ReadonlySet<string>;

/** A node that does not report what it can ask, because it is of an earlier version, counts for every platform. */
export async function browserElsewhere(db: Queryable, nodeId: string): Promise<BrowserElsewhere> {
  const { rows } = await db.query<{ askable: string[] | null }>({
    name: "browser elsewhere",
    text: `select p.askable from node_browsers b left join node_platforms p using (node_id)
           where b.usable and b.node_id <> $1
             and (b.seen_at >= now() - $2 * interval '1 second' or exists (select from nodes n where n.id = b.node_id))`,
    values: [nodeId, browserMemorySeconds],
  });
  if (rows.some(({ askable }) => askable === null)) return "all";
  return new Set(rows.flatMap(({ askable }) => askable ?? []));
}

export const isElsewhere = (elsewhere: BrowserElsewhere, platform: string): boolean =>
  elsewhere === "all" || elsewhere.has(platform);

/** The maximum age of a cached value. */
const freshMs = 1000;

/** Caches `readBrowserUsable` for a second. */
export class BrowserCensus {
  readonly #database: Database;
  #usable = true;
  #readAt = Number.NEGATIVE_INFINITY;
  #reading: Promise<void> | undefined;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Also true if nothing is known: no worker has ever reported, and accepted tasks wait for one like all others. */
  async isUsable(): Promise<boolean> {
    if (performance.now() - this.#readAt > freshMs) await (this.#reading ??= this.#read());
    return this.#usable;
  }

  async #read(): Promise<void> {
    const startedAt = performance.now();
    try {
      this.#usable = (await readBrowserUsable(this.#database)) ?? true;
      this.#readAt = startedAt;
    } catch {
      // The last value is kept. The caller notices by itself that the database is unavailable.
    } finally {
      this.#reading = undefined;
    }
  }
}
