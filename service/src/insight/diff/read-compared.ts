import type { ObservationRecord, TaskRecord } from "@querent/contract";
import type { ComparedAnswer } from "@querent/figures";
import type { Queryable } from "../../db/index.ts";
import { canonicalAddress } from "../../kernel/addresses/canonical-address.ts";
import { sharedTexts, type Share } from "../../kernel/shared-texts.ts";
import { getTasks } from "../../tasks/index.ts";
import { listObservations } from "../observations/list-observations.ts";
import type { ComparableRun } from "./choose-runs.ts";

/** An answer to compare, with its name. */
export interface ReadAnswer extends ComparedAnswer {
  readonly taskId: string | null;
}

/** Which answers are read, and what is kept of them. */
export interface ComparedSelection {
  readonly panelId: string;
  readonly promptId?: string;
  readonly platformCode?: string;
}

/** The labels of items: domains of sources, titles of cards. Filled while answers are read. */
type ItemLabels = Map<string, string>;

const answersAtOnce = 1_000;
const resultsAtOnce = 100;

/** Reads answers of runs, and shares equal texts among them. */
export class ComparedReader {
  readonly #db: Queryable;
  readonly #accountId: string;
  readonly #selection: ComparedSelection;
  readonly #share: Share = sharedTexts();
  readonly labels: ItemLabels = new Map();
  constructor(db: Queryable, accountId: string, selection: ComparedSelection) {
    this.#db = db;
    this.#accountId = accountId;
    this.#selection = selection;
  }

  async read(runs: readonly ComparableRun[]): Promise<ReadAnswer[]> {
    const wanted = new Set(runs.map(({ runId }) => runId));
    const answers: ReadAnswer[] = [];
    for (const { from, to } of windowsOf(runs)) {
      const filter = { ...this.#selection, observedFrom: from.toISOString(), observedBefore: to.toISOString() };
      for (let beforeId: string | null = null; ;) {
        const page = { beforeId, limit: answersAtOnce };
        const { observations, nextId } = await listObservations(this.#db, this.#accountId, filter, page);
        for (const observation of observations)
          if (observation.cell.runId !== null && wanted.has(observation.cell.runId))
            answers.push(this.#reduced(observation));
        if (nextId === null) break;
        beforeId = nextId;
      }
    }
    return answers;
  }

  /** The same answers with texts and prices, if their results have not expired. */
  async withResults(answers: readonly ReadAnswer[]): Promise<ReadAnswer[]> {
    const complete: ReadAnswer[] = [];
    for (let first = 0; first < answers.length; first += resultsAtOnce) {
      const step = answers.slice(first, first + resultsAtOnce);
      const ids = step.flatMap(({ taskId }) => taskId ?? []);
      const tasks = ids.length === 0 ? new Map<string, TaskRecord>() : await getTasks(this.#db, this.#accountId, ids);
      for (const answer of step) {
        const task = answer.taskId === null ? undefined : tasks.get(answer.taskId);
        complete.push(task === undefined || task.expired ? answer : { ...answer, ...resultOf(task, answer.cards) });
      }
    }
    return complete;
  }

  #reduced(observation: ObservationRecord): ReadAnswer {
    const { cell, flags, instrument, mentions, sources, cards, taskId } = observation;
    const share = this.#share;
    const isUnknown = (field: string) =>
      flags.includes(`parse_failed:${field}`) || flags.includes(`not_exposed:${field}`);
    return {
      taskId,
      cell: share(cellKey(cell)),
      run: share(cell.runId ?? ""),
      repeat: cell.repeat ?? 1,
      instrument: share(JSON.stringify(instrument)),
      text: null,
      brands: instrument.matcher === null ? null : [...new Set(mentions.map(({ entityId }) => share(entityId)))],
      sources: isUnknown("sources")
        ? null
        : sources.flatMap(({ canonicalUrl, domain, opaque }) => {
            if (opaque !== true) return [this.#labelled(canonicalUrl, domain)];
            // The redirect to a page differs from answer to answer, but not its site.
            return domain === "" ? [] : [this.#labelled(domain, domain)];
          }),
      cards: cardFields.some(isUnknown)
        ? null
        : cards.map((card) => ({ key: this.#labelled(cardKey(card), card.title), price: null })),
    };
  }

  #labelled(item: string, label: string): string {
    const shared = this.#share(item);
    if (!this.labels.has(shared)) this.labels.set(shared, this.#share(label));
    return shared;
  }
}

const cardFields = ["products", "videos", "media"];

/** Names a cell in the comparison. */
export const cellKey = ({ promptId, platformCode, locale, persona }: ObservationRecord["cell"]): string =>
  JSON.stringify([promptId, platformCode, locale, persona]);

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

function cardKey({ kind, title, url }: { kind: string; title: string; url: string | null }): string {
  return `${kind} ${url === null ? title : (canonicalAddress(url)?.address ?? url)}`;
}

function resultOf(task: TaskRecord, cards: ComparedAnswer["cards"]): Pick<ComparedAnswer, "text" | "cards"> {
  const prices = new Map<string, string>();
  for (const { title, url, price, priceUnit } of task.products ?? [])
    if (price !== "") prices.set(cardKey({ kind: "product", title, url }), `${price} ${priceUnit}`.trim());
  return {
    text: task.content ?? "",
    cards: cards?.map(({ key }) => ({ key, price: prices.get(key) ?? null })) ?? null,
  };
}
