/**
 * Which platforms the nodes can ask. Each node reports it every few seconds. As with browsers, a report is valid while the node
 * is registered, and for a minute after its last one, so that nothing is refused while workers are replaced, nor after an outage.
 */
import type { Database, Queryable } from "../../db/index.ts";
import { browserMemorySeconds } from "./node-browsers.ts";

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
