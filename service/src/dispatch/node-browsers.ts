/**
 * What the nodes can do beside asking: whether each of them can use a browser. A node tells it every few seconds. What a node said
 * counts for a minute after it was last heard of, so that replacing workers one after the other, or a worker that is started anew,
 * refuses nothing.
 */
import type { Database, Queryable } from "../db/index.ts";

/** What a node says of its browser. `why`: why it has none that it can use, for the operator; null when it can. */
export interface NodeBrowser {
  readonly nodeId: string;
  readonly why: string | null;
}

/** How long a node's last word counts after it has gone. */
export const browserMemorySeconds = 60;

/** Writes what a node says. `alone`: no other process can use this database, so what others said before is void. */
export async function reportBrowser(db: Queryable, { nodeId, why }: NodeBrowser, alone: boolean): Promise<void> {
  // Locks: the node's own row, and rows of nodes that have gone. Of those the latest is never old before this one is written.
  await db.query({
    name: "tell browser",
    text: `with forgotten as (
             delete from node_browsers where node_id <> $1 and ($3 or seen_at < now() - interval '1 day')
           )
           insert into node_browsers (node_id, usable, why) values ($1, $2::text is null, $2)
           on conflict (node_id) do update set usable = excluded.usable, why = excluded.why, seen_at = now()`,
    values: [nodeId, why, alone],
  });
}

/**
 * Whether work that needs a browser can be done: by a node heard of in the last minute; when there is none, by the one heard of last.
 * Null when no node was ever heard of.
 */
export async function readBrowserUsable(db: Queryable): Promise<boolean | null> {
  // A row for each node, and a few of those that have gone: a table of one page.
  const { rows } = await db.query<{ usable: boolean | null }>({
    name: "read browser usable",
    text: `select bool_or(usable) as usable from node_browsers
           where seen_at >= least(now() - $1 * interval '1 second', (select max(seen_at) from node_browsers))`,
    values: [browserMemorySeconds],
  });
  return rows[0]?.usable ?? null;
}

/** Whether another node than this can use a browser, or could within the last minute. */
export async function hasBrowserElsewhere(db: Queryable, nodeId: string): Promise<boolean> {
  const { rows } = await db.query<{ usable: boolean | null }>({
    name: "browser elsewhere",
    text: `select bool_or(usable) as usable from node_browsers
           where node_id <> $1 and seen_at >= now() - $2 * interval '1 second'`,
    values: [nodeId, browserMemorySeconds],
  });
  return rows[0]?.usable === true;
}

/** How old what is read may be. */
const freshMs = 1000;

/** What `readBrowserUsable` tells, read once a second at most, however many ask. */
export class BrowserCensus {
  readonly #database: Database;
  #usable = true;
  #readAt = Number.NEGATIVE_INFINITY;
  #reading: Promise<void> | undefined;

  constructor(database: Database) {
    this.#database = database;
  }

  /** True also when nothing is known: no worker was ever heard of, and what is accepted waits for one like everything else. */
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
      // What was known holds. Whoever asks finds by themselves that the database is away.
    } finally {
      this.#reading = undefined;
    }
  }
}
