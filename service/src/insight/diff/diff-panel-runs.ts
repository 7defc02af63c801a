import { diffAnswersMax, diffResultsMax, type PanelRunDiff, type RunCellChange } from "@querent/contract";
import type { CellDiff, ItemChange } from "@querent/figures";
import { ProblemError } from "../../api/problem-error.ts";
import type { Database } from "../../db/index.ts";
import { yieldToEventLoop } from "../../runtime/slices.ts";
import { listEntities } from "../entities/entity-rows.ts";
import { chooseRuns, type ChosenRuns, type ComparableRun } from "./choose-runs.ts";
import { diffInSlices } from "./diff-in-slices.ts";
import { diffWords } from "./diff-words.ts";
import { ComparedReader, type ComparedSelection, type ReadAnswer } from "./read-compared.ts";

export interface DiffRequest extends ComparedSelection {
  readonly runId: string;
  /** Null: the run before. */
  readonly withRun: string | null;
  /** Compares texts and prices, too. */
  readonly results: boolean;
}

type WholeDiff = Omit<PanelRunDiff, "changes" | "nextCursor"> & {
  /** The changes from one position to another. */
  readonly page: (from: number, to: number) => Promise<RunCellChange[]>;
  readonly changeCount: number;
};

/** The diff of two runs of a panel. Null: there are no such runs. */
export async function diffPanelRuns(
  database: Database,
  accountId: string,
  { runId, withRun, results, ...selection }: DiffRequest,
): Promise<WholeDiff | null> {
  const chosen = await chooseRuns(database, accountId, { panelId: selection.panelId, runId, withRun });
  if (chosen === null) return null;
  const reader = new ComparedReader(database, accountId, selection);
  const { answers, order } = await readAll(reader, chosen, results);
  const [before, after] = [chosen.before.runId, chosen.after.runId];
  const { changes, ...diff } = await diffInSlices(answers, { before, after, order });
  const entities = await listEntities(database, accountId, { relation: null, beforeId: null, limit: null });
  const labels = new Map([
    ...reader.labels,
    ...entities.map(({ id, content }): [string, string] => [id, content.name]),
  ]);
  const texts = new Map(
    answers
      .filter(({ run, text }) => text !== null && (run === before || run === after))
      .map((answer): [string, string] => [textKey(answer), answer.text ?? ""]),
  );
  const textOf = (cell: string, run: string, repeat: number) => texts.get(textKey({ cell, run, repeat }));
  const wordsOf = ({ cell, answers: count }: CellDiff) => {
    for (let repeat = 1; repeat <= Math.max(repeatsMax, count.before, count.after); repeat++) {
      const [one, other] = [textOf(cell, before, repeat), textOf(cell, after, repeat)];
      if (one !== undefined && other !== undefined && one !== other) return diffWords(one, other);
    }
    return null;
  };
  return {
    panelId: selection.panelId,
    before: stated(chosen.before),
    after: stated(chosen.after),
    otherRuns: order.length - 2,
    ...diff,
    aspects: [...diff.aspects],
    changeCount: changes.length,
    async page(from, to) {
      const shown: RunCellChange[] = [];
      for (const change of changes.slice(from, to)) {
        shown.push(cellChange(change, labels, change.text === null ? null : wordsOf(change)));
        await yieldToEventLoop();
      }
      return shown;
    },
  };
}

/** A cell may have answers of few repeats, if the others failed. */
const repeatsMax = 100;
const textKey = ({ cell, run, repeat }: Pick<ReadAnswer, "cell" | "run" | "repeat">) => `${run} ${repeat} ${cell}`;

/** The answers of the two runs, and of as many others as the limits allow. */
async function readAll(
  reader: ComparedReader,
  { before, after, others }: ChosenRuns,
  results: boolean,
): Promise<{ answers: ReadAnswer[]; order: string[] }> {
  const compared = before.runId === after.runId ? [before] : [before, after];
  const answers = await reader.read(compared);
  const max = results ? diffResultsMax : diffAnswersMax;
  if (results && answers.length > max) {
    throw new ProblemError(
      "validation_failed",
      `The two runs have ${answers.length.toLocaleString("en")} answers; with their results, at most ${max.toLocaleString("en")} are compared.`,
      { errors: [{ pointer: "?results", code: "too_many", detail: "Choose a `promptId` or a `platformCode`, too." }] },
    );
  }
  const perRun = Math.max(1, Math.ceil(answers.length / 2));
  const room = Math.max(0, Math.floor((max - answers.length) / perRun));
  const used = others.slice(0, room);
  answers.push(...(await reader.read(used)));
  const order = [before, after, ...used].toSorted((a, b) => (a.runId < b.runId ? -1 : 1)).map(({ runId }) => runId);
  return { answers: sorted(results ? await reader.withResults(answers) : answers), order };
}

/** By cell, so that a page continues where the one before ended. */
const sorted = (answers: readonly ReadAnswer[]) =>
  answers.toSorted((a, b) => (a.cell < b.cell ? -1 : a.cell > b.cell ? 1 : a.repeat - b.repeat));

const stated = ({ runId, revision, createdAt }: ComparableRun) => ({
  runId,
  revision,
  createdAt: createdAt.toISOString(),
});

type Words = NonNullable<RunCellChange["text"]>["words"];

function cellChange(change: CellDiff, labels: ReadonlyMap<string, string>, words: Words): RunCellChange {
  const [promptId, platformCode, locale, persona] = JSON.parse(change.cell) as [string, string, string, string];
  const labelled = <Change extends Pick<ItemChange, "item">>(changes: readonly Change[]) =>
    changes.map((one) => ({ label: labels.get(one.item) ?? "", ...one }));
  const instruments = (keys: readonly string[]) =>
    keys.map((key) => JSON.parse(key) as RunCellChange["instruments"]["before"][number]);
  return {
    promptId,
    platformCode,
    locale,
    persona,
    answers: change.answers,
    instruments: { before: instruments(change.instruments.before), after: instruments(change.instruments.after) },
    text: change.text === null ? null : { ...change.text, words },
    brands: labelled(change.brands),
    first: labelled(change.first),
    sources: labelled(change.sources),
    cards: labelled(change.cards),
    prices: labelled(change.prices).map((price) => ({ ...price, before: [...price.before], after: [...price.after] })),
  };
}
