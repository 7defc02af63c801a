import { api, type PanelRunDiff } from "@querent/contract";
import { decodeCursor } from "../../api/cursor.ts";
import { ProblemError } from "../../api/problem-error.ts";
import { route, type Route } from "../../api/route.ts";
import { jsonHeaders } from "../figures/routes.ts";
import type { Readable } from "node:stream";
import type { Database, Queryable } from "../../db/index.ts";
import { answerTexts, readBatches } from "../../tasks/index.ts";
import { memoryForAnswers, type Computer } from "../../computing/computer.ts";
import { listEntities } from "../../observations/entities/entity-rows.ts";
import { job } from "./diff-job.ts";
import { firstIdAt } from "../../kernel/ids.ts";
import { linePages } from "../../computing/line-pages.ts";

export function diffRoutes(deps: DiffDeps): Route[] {
  return [
    route(api.diffPanelRun, async ({ caller: { accountId }, params, query, signal }) => {
      const { with: withRun = null, results = "false", limit = 50, cursor, ...selection } = query;
      const diff = await diffPanelRuns(
        deps,
        { accountId, signal },
        {
          ...selection,
          panelId: params.panel_id,
          runId: params.run_id,
          withRun,
          results: results === "true",
          from: cursor === undefined ? 0 : Number(decodeCursor(cursor, /^\d{1,6}$/)),
          limit,
        },
      );
      if (diff === null)
        throw new ProblemError(
          "not_found",
          withRun === null
            ? "The panel has no such run, or no run before it to compare with."
            : "The panel does not have both of these runs, or one of them was not started.",
        );
      return { status: 200, headers: jsonHeaders, body: diff };
    }),
  ];
}

interface DiffDeps {
  readonly database: Database;
  readonly computer: Computer;
}

export interface DiffRequest extends ComparedSelection {
  readonly runId: string;
  /** The run to compare with; null for the one before. */
  readonly withRun: string | null;
  /** Compares texts and prices, too. */
  readonly results: boolean;
  /** The changes from this one on are shown, at most so many. */
  readonly from: number;
  readonly limit: number;
}

const narrow = { pointer: "?", detail: "Choose a `promptId` or a `platformCode`." };
/** Answers are kept with their sources; and the texts of a cell with their words. */
const memoryMiB = 2 * memoryForAnswers(20_000);
const memoryWithResultsMiB = memoryMiB + 150;

/** The diff of two runs of a panel as JSON. Null: there are no such runs. */
async function diffPanelRuns(
  { database, computer }: DiffDeps,
  { accountId, signal }: { readonly accountId: string; readonly signal: AbortSignal },
  { runId, withRun, results, from, limit, ...selection }: DiffRequest,
): Promise<Buffer | Readable | null> {
  const { panelId } = selection;
  const chosen = await chooseRuns(database, accountId, { panelId, runId, withRun });
  if (chosen === null) return null;
  const { before, after, others } = chosen;
  const runs = new Map([before, after, ...others].map((run) => [run.runId, run]));
  const entities = await listEntities(database, accountId, {
    projects: null,
    relation: null,
    beforeId: null,
    limit: null,
  });
  return computer.reply({
    accountId,
    job,
    input: {
      panelId,
      before: stated(before),
      after: stated(after),
      others: others.map((run) => run.runId),
      results,
      from,
      limit,
      names: new Map(entities.map(({ id, content }) => [id, content.name])),
    },
    inputs: {
      answers: (db, of) => comparedPages(db, accountId, selection, chosenOf(runs, of)),
      texts: (db, of) => answerTexts(db, accountId, of as readonly string[]),
    },
    signal,
    narrow,
    memoryMiB: () => (results ? memoryWithResultsMiB : memoryMiB),
    // Comparing two long texts is one step.
    isLarge: results,
  });
}

const chosenOf = (runs: ReadonlyMap<string, ComparableRun>, runIds: unknown): ComparableRun[] =>
  (runIds as readonly string[]).flatMap((runId) => runs.get(runId) ?? []);

const stated = ({ runId, revision, createdAt }: ComparableRun): PanelRunDiff["before"] => ({
  runId,
  revision,
  createdAt: createdAt.toISOString(),
});

/** Which answers of the runs are read. */
interface ComparedSelection {
  readonly panelId: string;
  readonly promptId?: string;
  readonly platformCode?: string;
}

/** The answers of runs, as pages of text for `comparedDecoder`. */
async function* comparedPages(
  db: Queryable,
  accountId: string,
  { panelId, promptId, platformCode }: ComparedSelection,
  runs: readonly ComparableRun[],
): AsyncGenerator<string, void, void> {
  const runIds = runs.map(({ runId }) => runId);
  for (const { from, to } of windowsOf(runs)) {
    // Index: observations_panel, in its order; the filters leave out few rows of a panel. Locks nothing.
    // Imported answers, which may name a run, are not its own. JSON has no control characters, so tabs and line feeds separate its texts.
    const pages = linePages(db, ({ after, limit }) => ({
      text: `select o.id,
               json_build_array(o.task_id, o.run_id, o.prompt_id, encode(o.prompt_digest, 'hex'), o.platform, o.locale, o.persona, coalesce(o.repeat, 1), o.content_length, o.flags)::text
               || E'\\t' || json_build_array(o.platform_kind, o.model_version, o.recipe, o.reader, o.matcher, o.source_rules)::text
               || E'\\t' || o.mentions::text || E'\\t' || o.sources::text || E'\\t' || o.cards::text as line
          from observations o
         where o.account_id = $1 and o.panel_id = $2 and o.id < $3::uuid and o.id ${after === null ? ">=" : ">"} $4::uuid
           and o.run_id = any($5::uuid[]) and o.task_id is not null and o.prompt_id is not null
           and ($6::text is null or o.prompt_id = $6) and ($7::text is null or o.platform = $7)
         order by o.id limit $8::int`,
      values: [
        accountId,
        panelId,
        firstIdAt(to),
        after ?? firstIdAt(from),
        runIds,
        promptId ?? null,
        platformCode ?? null,
        limit,
      ],
    }));
    for await (const { text } of pages) yield text;
  }
}

/** Runs follow each other, so windows that overlap are read as one. */
function windowsOf(runs: readonly ComparableRun[]): { from: Date; to: Date }[] {
  const windows: { from: Date; to: Date }[] = [];
  for (const { createdAt, endedBefore } of runs.toSorted((a, b) => a.createdAt.getTime() - b.createdAt.getTime())) {
    const last = windows.at(-1);
    if (last === undefined || createdAt > last.to) windows.push({ from: createdAt, to: endedBefore });
    else if (endedBefore > last.to) last.to = endedBefore;
  }
  return windows;
}

/** A run whose answers can be compared. */
interface ComparableRun {
  readonly runId: string;
  readonly revision: number;
  readonly createdAt: Date;
  /** All of its answers were observed before. */
  readonly endedBefore: Date;
}

export interface ChosenRuns {
  readonly before: ComparableRun;
  readonly after: ComparableRun;
  /** The other runs, nearest to the two first. */
  readonly others: readonly ComparableRun[];
}

const othersMax = 20;
/** After the batches of a run are gone, it is not known when it ended. */
const longestRunMs = 7 * 86_400_000;

interface RunRow {
  id: string;
  revision: number;
  batch_ids: string[];
  created_at: Date;
}

/** The two runs of a diff and those around them. Null: the panel has no such runs, or none to compare with. */
async function chooseRuns(
  db: Queryable,
  accountId: string,
  { panelId, runId, withRun }: { panelId: string; runId: string; withRun: string | null },
): Promise<ChosenRuns | null> {
  // Index: the primary key, three times. Locks nothing.
  const { rows } = await db.query<RunRow & Record<string, unknown>>(
    `select id, revision, batch_ids, created_at from panel_runs
      where account_id = $1 and panel_id = $2 and id = any($3::uuid[]) and state = 'started'
     union
     (select id, revision, batch_ids, created_at from panel_runs
       where account_id = $1 and panel_id = $2 and id < $4 and state = 'started' order by id desc limit ${othersMax + 1})
     union
     (select id, revision, batch_ids, created_at from panel_runs
       where account_id = $1 and panel_id = $2 and id > $4 and state = 'started' order by id limit ${othersMax})
     order by id`,
    [accountId, panelId, [runId, ...(withRun === null ? [] : [withRun])], runId],
  );
  const at = rows.findIndex(({ id }) => id === runId);
  const withAt = withRun === null ? at - 1 : rows.findIndex(({ id }) => id === withRun);
  const [after, before] = [rows[at], rows[withAt]];
  if (after === undefined || before === undefined) return null;
  const others = rows
    .map((row, index) => ({ row, distance: Math.min(Math.abs(index - at), Math.abs(index - withAt)) }))
    .filter(({ distance }) => distance > 0)
    .toSorted((one, other) => one.distance - other.distance)
    .slice(0, othersMax)
    .map(({ row }) => row);
  const [first, second, ...more] = await withEnds(db, accountId, [before, after, ...others]);
  return first === undefined || second === undefined ? null : { before: first, after: second, others: more };
}

async function withEnds(db: Queryable, accountId: string, rows: readonly RunRow[]): Promise<ComparableRun[]> {
  const batches = await readBatches(
    db,
    accountId,
    rows.flatMap((row) => row.batch_ids),
  );
  const ends = new Map(batches.map(({ batchId, finishedAt }) => [batchId, finishedAt]));
  return rows.map(({ id, revision, batch_ids: batchIds, created_at: createdAt }) => {
    const known = batchIds.map((batchId) => ends.get(batchId) ?? null).filter((end) => end !== null);
    const last = known.map((end) => Date.parse(end)).toSorted((a, b) => b - a)[0];
    const ended =
      known.length === batchIds.length && last !== undefined ? last + 1 : createdAt.getTime() + longestRunMs;
    return { runId: id, revision, createdAt, endedBefore: new Date(ended) };
  });
}
