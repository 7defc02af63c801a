import type { Answer, Instrument, CitedSite } from "./answer.ts";
import type { PanelDefinition } from "./panel-definition.ts";
import { panelInstrument, wordingsOf } from "./panel-history.ts";
import { whyDomainsAreMissing, type LeftOut } from "./readings.ts";
import type { Surface } from "./state-figures.ts";

/**
 * Answers with numbers for what many of them have in common: every figure goes over all of them, and numbers are compared and added
 * up in a tenth of the time that texts and objects need. An answer is named by its place, from 0.
 */
export interface AnswerIndex {
  readonly answers: readonly Answer[];
  readonly surfaces: IndexColumn<Surface>;
  /** The keys of their cells' prompts: see `PromptWordings`. */
  readonly prompts: IndexColumn<string>;
  /** The run of each answer; without one, its day. */
  readonly runs: IndexColumn<string>;
  /** With which probability each was asked; null: all were asked for certain. */
  readonly probabilities: Float64Array | null;
  /** UTC. */
  readonly days: IndexColumn<string>;
  /** One object for equal instruments, with the panel's part of them. */
  readonly instruments: IndexColumn<Instrument>;
  /** The instrument that each counts for: its own, or of a failed task, that of the answers of its run. -1: there are none. */
  readonly countsFor: Int32Array;
  /** How many are answers: after them, there may be tasks that failed. */
  readonly answered: number;
  /** Why the sources of an answer, or their domains, are not known; null if they are. */
  readonly missingSources: readonly (LeftOut | null)[];
  /** The sites of sources, each object once; and the different domains. */
  readonly sources: readonly CitedSite[];
  readonly domains: readonly string[];
  /** The number of each site's domain. */
  readonly domainOf: Int32Array;
  /** The sites of the sources of all answers, one answer after the other, and where those of each answer start; one more, for the end. */
  readonly cited: Int32Array;
  readonly citedFrom: Int32Array;
  /** The same of their domains, each once, in ascending order. */
  readonly citedDomains: Int32Array;
  readonly citedDomainsFrom: Int32Array;
}

/** One value for each answer: which one of the different ones, in the order of their first answers. */
export interface IndexColumn<Value> {
  readonly values: readonly Value[];
  readonly of: Int32Array;
}

/** Answers between two pauses. */
const stepAnswers = 1000;

export function indexAnswers(panel: PanelDefinition, answers: Iterable<Answer>): AnswerIndex {
  const steps = indexSteps(panel, answers);
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}

/** The same, with a pause after each thousand answers. */
export function* indexSteps(panel: PanelDefinition, given: Iterable<Answer>): Generator<void, AnswerIndex, void> {
  const answers: readonly Answer[] = Array.isArray(given) ? (given as readonly Answer[]) : [...given];
  const surfaces = startColumn<Surface>(answers.length);
  const prompts = startColumn<string>(answers.length);
  const runs = startColumn<string>(answers.length);
  const days = startColumn<string>(answers.length);
  const instruments = startColumn<Instrument>(answers.length);
  const text = numberTexts();
  const { keyOf: promptOf } = wordingsOf(panel);
  const ofPanel = panelInstrument(panel);
  const keyOf = remember(({ kind, modelVersion, recipe, reader, matcher, sourceRules }: Instrument) =>
    JSON.stringify([kind, modelVersion, recipe, reader, matcher, sourceRules]),
  );
  const sources = startSources();
  const citedFrom = new Int32Array(answers.length + 1);
  const missingSources: (LeftOut | null)[] = [];
  let probabilities: Float64Array | null = null;
  const cited: number[] = [];
  const citedDomainsFrom = new Int32Array(answers.length + 1);
  const citedDomains: number[] = [];
  for (const [place, answer] of answers.entries()) {
    if (place % stepAnswers === stepAnswers - 1) yield;
    const { platformCode, locale, persona, instrument } = answer;
    const { kind } = instrument;
    const surface = `${text(platformCode)} ${text(kind)} ${text(locale)} ${text(persona)}`;
    surfaces.add(place, surface, () => ({ platformCode, kind, locale, persona }));
    const prompt = promptOf(answer);
    prompts.add(place, prompt, () => prompt);
    runs.add(place, runOf(answer), () => runOf(answer));
    days.add(place, dayOf(answer), () => dayOf(answer));
    if (ofPanel === null) instruments.add(place, keyOf(instrument), () => instrument);
    else {
      const part = ofPanel(answer);
      const key = `${keyOf(instrument)} ${part.panelRevision ?? ""} ${part.brandsSince ?? ""}`;
      instruments.add(place, key, () => ({ ...instrument, ...part }));
    }
    if (answer.probability !== undefined) {
      probabilities ??= new Float64Array(answers.length).fill(1);
      probabilities[place] = answer.probability;
    }
    missingSources.push(whyDomainsAreMissing(answer));
    for (const source of answer.sources) cited.push(sources.numberOf(source));
    citedFrom[place + 1] = cited.length;
    for (const domain of sources.domainsOf(cited, citedFrom[place] ?? 0)) citedDomains.push(domain);
    citedDomainsFrom[place + 1] = citedDomains.length;
  }
  return {
    answers,
    surfaces: surfaces.column,
    prompts: prompts.column,
    runs: runs.column,
    probabilities,
    days: days.column,
    instruments: instruments.column,
    countsFor: instruments.column.of,
    answered: answers.length,
    missingSources,
    ...sources.result(),
    cited: Int32Array.from(cited),
    citedFrom,
    citedDomains: Int32Array.from(citedDomains),
    citedDomainsFrom,
  };
}

/** The numbers of the domains that an answer cites, each once, in ascending order. */
export const domainsAt = ({ citedDomains, citedDomainsFrom }: AnswerIndex, place: number): Int32Array =>
  citedDomains.subarray(citedDomainsFrom[place], citedDomainsFrom[place + 1]);

const dayOf = ({ observedAt }: Answer) => observedAt.slice(0, 10);
const runOf = (answer: Answer) => answer.runId ?? dayOf(answer);

/** When the first and the last of some answers were observed. */
export function timesOf({ answers }: AnswerIndex, places: readonly number[]): { firstAt: string; lastAt: string } {
  let firstAt = answers[places[0] ?? 0]?.observedAt ?? "";
  let lastAt = firstAt;
  for (const place of places) {
    const { observedAt = "" } = answers[place] ?? {};
    if (observedAt < firstAt) firstAt = observedAt;
    if (observedAt > lastAt) lastAt = observedAt;
  }
  return { firstAt, lastAt };
}

/** The places of the answers of each surface; surfaces by name. */
export function bySurface({ surfaces, answers }: AnswerIndex): { surface: Surface; places: number[] }[] {
  const found = surfaces.values.map((surface): { surface: Surface; places: number[] } => ({ surface, places: [] }));
  for (let place = 0; place < answers.length; place++) found[surfaces.of[place] ?? 0]?.places.push(place);
  const keyed = found.map((one) => ({ ...one, key: keyOfSurface(one.surface) }));
  return keyed.toSorted((one, other) => (one.key < other.key ? -1 : 1));
}

const keyOfSurface = ({ platformCode, kind, locale, persona }: Surface) =>
  JSON.stringify([platformCode, kind, locale, persona]);

/** Runs in the order of their first answers: the number of each, and its answers. */
export function byRun({ runs, answers }: AnswerIndex, places: readonly number[]): { run: number; places: number[] }[] {
  const found = new Map<number, { run: number; first: string; places: number[] }>();
  for (const place of places) {
    const run = runs.of[place] ?? 0;
    const { observedAt = "" } = answers[place] ?? {};
    const known = found.get(run);
    if (known === undefined) {
      found.set(run, { run, first: observedAt, places: [place] });
      continue;
    }
    known.places.push(place);
    if (observedAt < known.first) known.first = observedAt;
  }
  return [...found.values()].toSorted((one, other) => (one.first < other.first ? -1 : one.first > other.first ? 1 : 0));
}

function startColumn<Value>(count: number) {
  const numbers = new Map<string, number>();
  const values: Value[] = [];
  const of = new Int32Array(count);
  return {
    column: { values, of },
    add(place: number, key: string, make: () => Value) {
      let number = numbers.get(key);
      if (number === undefined) {
        number = values.push(make()) - 1;
        numbers.set(key, number);
      }
      of[place] = number;
    },
  };
}

/** One number for each site object: answers that were read from a database share theirs. */
function startSources() {
  const numbers = new Map<CitedSite, number>();
  const domain = numberTexts();
  const domains: string[] = [];
  const domainOf: number[] = [];
  return {
    numberOf(source: CitedSite): number {
      let number = numbers.get(source);
      if (number === undefined) {
        number = numbers.size;
        numbers.set(source, number);
        const ofDomain = domain(source.domain);
        domains[ofDomain] = source.domain;
        domainOf.push(ofDomain);
      }
      return number;
    },
    /** The domains of the sources from a place on. */
    domainsOf(cited: readonly number[], from: number): number[] {
      const found: number[] = [];
      for (let at = from; at < cited.length; at++) {
        const ofSource = domainOf[cited[at] ?? 0] ?? 0;
        insertSorted(found, ofSource);
      }
      return found;
    },
    result: () => ({ sources: [...numbers.keys()], domains, domainOf: Int32Array.from(domainOf) }),
  };
}

/** An answer cites few domains, so each is moved to its place. */
function insertSorted(numbers: number[], number: number): void {
  let at = numbers.length;
  while (at > 0 && (numbers[at - 1] ?? 0) > number) at--;
  if (at > 0 && numbers[at - 1] === number) return;
  for (let after = numbers.length; after > at; after--) numbers[after] = numbers[after - 1] ?? 0;
  numbers[at] = number;
}

function numberTexts(): (text: string) => number {
  const numbers = new Map<string, number>();
  return (text) => {
    let number = numbers.get(text);
    if (number === undefined) {
      number = numbers.size;
      numbers.set(text, number);
    }
    return number;
  };
}

function remember<Input extends object>(compute: (input: Input) => string): (input: Input) => string {
  const known = new Map<Input, string>();
  return (input) => {
    const before = known.get(input);
    if (before !== undefined) return before;
    const result = compute(input);
    known.set(input, result);
    return result;
  };
}
