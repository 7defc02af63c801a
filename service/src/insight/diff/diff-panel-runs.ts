import type { Readable } from "node:stream";
import type { PanelRunDiff } from "@querent/contract";
import type { Database } from "../../db/index.ts";
import { answerTexts } from "../../tasks/index.ts";
import { memoryForAnswers, type Computer } from "../computing/computer.ts";
import { listEntities } from "../entities/entity-rows.ts";
import { chooseRuns, type ComparableRun } from "./choose-runs.ts";
import { comparedPages, type ComparedSelection } from "./compared-pages.ts";
import { job } from "./diff-job.ts";

export interface DiffDeps {
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
export async function diffPanelRuns(
  { database, computer }: DiffDeps,
  { accountId, signal }: { readonly accountId: string; readonly signal: AbortSignal },
  { runId, withRun, results, from, limit, ...selection }: DiffRequest,
): Promise<Buffer | Readable | null> {
  const { panelId } = selection;
  const chosen = await chooseRuns(database, accountId, { panelId, runId, withRun });
  if (chosen === null) return null;
  const { before, after, others } = chosen;
  const runs = new Map([before, after, ...others].map((run) => [run.runId, run]));
  const entities = await listEntities(database, accountId, { relation: null, beforeId: null, limit: null });
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
