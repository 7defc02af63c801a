/**
 * Which platforms the nodes can ask. Each node reports it every few seconds. As with browsers, a report is valid while the node
 * is registered, and for a minute after its last one, so that nothing is refused while workers are replaced, nor after an outage.
 */
import type { Database, Queryable } from "../../db/index.ts";

/** Why a node cannot ask a platform, for the operator. `browser`: it lacks no more than a browser. */
export interface Lack {
  readonly why: string;
  readonly browser?: true;
}

/** A node's report. */
export interface NodePlatforms {
  readonly nodeId: string;
  readonly roles: readonly string[];
  readonly slotsMax: number;
  /** The platforms to which its configuration restricts it; null: none. */
  readonly onlyPlatforms: readonly string[] | null;
  readonly askable: readonly string[];
  /** The platforms that it should ask and cannot. */
  readonly lacking: ReadonlyMap<string, Lack>;
}

/** A platform whose tasks wait, because no running worker can ask it. */
export interface Unasked {
  readonly platform: string;
  readonly why: string;
}

/** Writes a node's report. `alone`: no other process can use this database, so other reports are invalid. */
export async function reportPlatforms(db: Queryable, report: NodePlatforms, alone: boolean): Promise<void> {
  // Locks: the node's own row, and rows of former nodes.
  await db.query({
    name: "report platforms",
    text: `with forgotten as (
             delete from node_platforms where node_id <> $1 and ($7 or seen_at < now() - interval '1 day')
           )
           insert into node_platforms (node_id, roles, slots_max, only_platforms, askable, lacking)
           values ($1, $2, $3, $4, $5, $6)
           on conflict (node_id) do update set slots_max = excluded.slots_max, only_platforms = excluded.only_platforms,
             askable = excluded.askable, lacking = excluded.lacking, seen_at = now()`,
    values: [
      report.nodeId,
      report.roles,
      report.slotsMax,
      report.onlyPlatforms,
      report.askable,
      JSON.stringify(Object.fromEntries(report.lacking)),
      alone,
    ],
  });
}

/**
 * Concludes from the reports which platforms can be asked, and returns those with queued tasks that cannot. A node of an earlier
 * version reports nothing: while one runs, nothing is concluded that its report might change.
 */
export async function judgePlatforms(db: Queryable): Promise<Unasked[]> {
  // Reads a row for each node and a few former ones. Locks: the platforms' rows, one statement, and only those that change.
  await db.query({ name: "judge platforms", text: judge, values: [browserMemorySeconds] });
  // Index: dispatch_queue, ordered, as in a claim.
  const { rows } = await db.query<Unasked & Record<string, unknown>>({
    name: "unasked platforms",
    text: `select code as platform, askable_why as why from platforms p
           where askable in ('lacking', 'no_worker')
             and (select true from dispatch where platform = p.code and state = 'queued' order by account_id limit 1)`,
  });
  return rows;
}

// A platform that no valid report names is left to workers that may come, if the last one that named it could ask it.
const judge = `
  with reports as (
    select *, seen_at >= now() - $1 * interval '1 second' or exists (select from nodes n where n.id = node_id) as valid
    from node_platforms
  ), silent as (
    select exists (select from nodes n where n.lease_until > now() and n.started_at < now() - interval '10 seconds'
                   and not exists (select from node_platforms r where r.node_id = n.id)) as nodes
  ), judged as (
    select p.code,
           case when exists (select from reports r where r.valid and p.code = any(r.askable)) then 'yes'
                when s.nodes then null
                when l.lack is not null then case when l.lack->>'browser' = 'true' then 'no_worker' else 'lacking' end
                when f.could then 'no_worker'
                when not f.could then 'lacking' end as askable,
           coalesce(l.lack->>'why', 'No running worker takes its tasks.') as why
    from platforms p cross join silent s
    left join lateral (
      select r.lacking->p.code as lack from reports r where r.valid and r.lacking ? p.code
      order by r.lacking->p.code->>'browser' nulls first, r.node_id limit 1
    ) l on true
    left join lateral (
      select p.code = any(r.askable) as could from reports r
      where not r.valid and (p.code = any(r.askable) or r.lacking ? p.code) order by r.seen_at desc limit 1
    ) f on true
  )
  update platforms p set askable = j.askable, askable_why = case when j.askable <> 'yes' then j.why end
  from judged j
  where p.code = j.code and (p.askable, p.askable_why) is distinct from
        (j.askable, case when j.askable <> 'yes' then j.why end)`;

type Askable = "yes" | "lacking" | "no_worker" | null;

/** The maximum age of a cached value. */
const freshMs = 1000;

/** Caches what was concluded for a second. */
export class PlatformCensus {
  readonly #database: Database;
  #askable: ReadonlyMap<string, Askable> = new Map();
  #readAt = Number.NEGATIVE_INFINITY;
  #reading: Promise<void> | undefined;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Whether the platform can be asked; null if no worker has reported on it. */
  askable(platform: string): Askable {
    return this.#askable.get(platform) ?? null;
  }

  async refresh(): Promise<void> {
    if (performance.now() - this.#readAt > freshMs) await (this.#reading ??= this.#read());
  }

  async #read(): Promise<void> {
    const startedAt = performance.now();
    try {
      const { rows } = await this.#database.query<{ code: string; askable: Askable }>({
        name: "read askable",
        text: "select code, askable from platforms",
      });
      this.#askable = new Map(rows.map(({ code, askable }) => [code, askable]));
      this.#readAt = startedAt;
    } catch {
      // The last value is kept. The caller notices by itself that the database is unavailable.
    } finally {
      this.#reading = undefined;
    }
  }
}

/**
 * A node's report on its browser, every few seconds. It is valid while the node is registered, and for a minute after its last one, so that
 * nothing is refused while workers are replaced one after the other, a worker restarts, or the database was away.
 * `why`: why it has no usable browser, for the operator; null if it has one.
 */
interface NodeBrowser {
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
const browserFreshMs = 1000;

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
    if (performance.now() - this.#readAt > browserFreshMs) await (this.#reading ??= this.#read());
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
