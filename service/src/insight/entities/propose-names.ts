import { proposalReasons, type NameProposal } from "@querent/contract";
import { inOtherChineseScript } from "./chinese-scripts.ts";
import { compileEntities } from "./compile-entities.ts";
import { definitionOf, type EntityContent, type EntityNameChange } from "./entity-content.ts";
import { observedMax } from "./find-in-text.ts";
import { findMentions, type Mention } from "./find-mentions.ts";
import { foldWord } from "./fold-character.ts";
import { InflectedForms } from "./inflected-forms.ts";
import { keyOf, withChange } from "./name-changes.ts";
import { besideName, type Beside } from "./beside-name.ts";

/** An answer in which proposals are looked for. */
export interface SearchedAnswer {
  readonly observationId: string;
  readonly text: string;
  /** The mentions of the account's other entities, by their order: a name within one of them is no mention, whatever is approved. */
  readonly others: readonly { readonly start: number; readonly end: number }[];
}

export interface FoundProposals {
  readonly proposals: readonly NameProposal[];
  /** The mentions of the entity as it is. */
  readonly mentions: number;
  /** Answers that take too much work, or that came when there were enough mentions. They are in no count. */
  readonly notSearched: number;
}

export interface ProposalOptions {
  /** What a person has declined, as `keyOf` has it. */
  readonly declined?: ReadonlySet<string>;
  /** With the words that stand mostly beside the name, for whatever reason. */
  readonly withNeighbours?: boolean;
}

interface Candidate extends EntityNameChange {
  readonly reason: NameProposal["reason"];
  /** How often it was seen, to choose among many. */
  readonly seen: number;
}

/** Candidates that are counted exactly, by their reason; the most frequent ones. */
const countedMax = { script: 32, inflected: 60, own_case: 10, sense: 40, quantity: 10, lower_case: 10, neighbour: 20 };
const shownMax = { script: 10, inflected: 40, own_case: 5, sense: 30, quantity: 10, lower_case: 10, neighbour: 10 };
const evidenceMax = 5;
/** Characters of an answer on each side of a mention. */
const snippetChars = 60;

/**
 * Aliases and negative contexts that the texts of answers suggest for an entity. They decide nothing: a person sees where each would
 * add or take mentions, and approves it or not. Each count is the difference between the matcher with and without the change.
 */
export function proposeNames(
  content: EntityContent,
  answers: readonly SearchedAnswer[],
  { declined = new Set(), withNeighbours = false }: ProposalOptions = {},
): FoundProposals {
  const current = compileEntities([definitionOf("", content)]);
  const searched: Searched[] = [];
  let total = 0;
  for (const answer of answers) {
    if (total >= mentionsMax) break;
    const { mentions, isComplete } = findMentions(answer.text, current);
    // An observation has no more either.
    if (!isComplete || mentions.length > observedMax) continue;
    searched.push({ answer, mentions: mentions.filter((each) => !isOthers(each, answer)) });
    total += mentions.length;
  }
  const known = new Set(
    [content.name, ...content.aliases.map(({ text }) => text)].map((text) => foldWord(text)).concat([""]),
  );
  const candidates = [
    ...scriptCandidates(content, known),
    ...inflectedCandidates(content, searched, known),
    ...contextCandidates(searched, { declined, withNeighbours }),
  ].filter((each) => !declined.has(keyOf(each)));
  const proposals = count(content, searched, mostSeen(candidates));
  return {
    proposals,
    mentions: searched.reduce((sum, { mentions }) => sum + mentions.length, 0),
    notSearched: answers.length - searched.length,
  };
}

interface Searched {
  readonly answer: SearchedAnswer;
  readonly mentions: readonly Mention[];
}

/** Of all answers: each is compared with each candidate, which takes some microseconds. */
const mentionsMax = 5_000;

/** True if a mention is a part of another entity's. */
function isOthers({ start, end }: Mention, { others }: SearchedAnswer): boolean {
  let [low, high] = [0, others.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((others[middle]?.start ?? 0) <= start) low = middle + 1;
    else high = middle;
  }
  const other = others[low - 1];
  return other !== undefined && other.end >= end && other.end - other.start > end - start;
}

const variantsOf = ({ name, caseSensitive, aliases }: EntityContent) => [{ text: name, caseSensitive }, ...aliases];

const alias = (text: string, caseSensitive: boolean): EntityNameChange => ({
  kind: "alias",
  text,
  caseSensitive,
  alsoAliases: [],
});
const context = (text: string): EntityNameChange => ({
  kind: "negative_context",
  text,
  caseSensitive: false,
  alsoAliases: [],
});

function scriptCandidates(content: EntityContent, known: ReadonlySet<string>): Candidate[] {
  return variantsOf(content)
    .flatMap(({ text }) => inOtherChineseScript(text))
    .filter((text) => !known.has(foldWord(text)))
    .map((text) => ({ ...alias(text, false), reason: "script", seen: 1 }));
}

function inflectedCandidates(
  content: EntityContent,
  searched: readonly Searched[],
  known: ReadonlySet<string>,
): Candidate[] {
  const forms = new InflectedForms(variantsOf(content).map(({ text }) => text));
  const seen = new Map<string, number>();
  for (const { answer } of searched)
    forms.find(answer.text, (written) => {
      if (!known.has(foldWord(written)) && seen.size < formsMax) seen.set(written, (seen.get(written) ?? 0) + 1);
    });
  // In capitals, a form says the same as in its usual case, which is found in any.
  return [...seen].map(([text, times]) => ({ ...alias(text, true), reason: "inflected", seen: times }));
}

const formsMax = 1_000;

function contextCandidates(
  searched: readonly Searched[],
  { declined, withNeighbours }: Required<ProposalOptions>,
): Candidate[] {
  const phrases = new Map<string, { beside: Beside; lower: number; seen: number }>();
  const cases = new Map<string, { lower: number; others: Set<string> }>();
  let total = 0;
  for (const { answer, mentions } of searched)
    for (const mention of mentions) {
      total++;
      const written = answer.text.slice(mention.start, mention.end);
      const isLower = isInLowerCase(written, mention.variant);
      if (isLower || written !== mention.variant) {
        const of = cases.get(mention.variant) ?? { lower: 0, others: new Set() };
        if (isLower) of.lower++;
        else if (/^[\p{L}\p{N}]+$/u.test(written) && of.others.size < othersMax) of.others.add(written);
        cases.set(mention.variant, of);
      }
      for (const beside of besideName(answer.text, mention)) {
        const key = foldWord(beside.phrase);
        const of = phrases.get(key) ?? { beside, lower: 0, seen: 0 };
        if (phrases.size >= phrasesMax && of.seen === 0) continue;
        phrases.set(key, { beside: of.beside, lower: of.lower + Number(isLower), seen: of.seen + 1 });
      }
    }
  const candidates: Candidate[] = [];
  const isOwnCaseDeclined = [...cases.keys()].some((text) => declined.has(keyOf({ kind: "own_case", text })));
  for (const [text, { lower, others }] of cases)
    if (lower > 0)
      candidates.push({
        ...{ kind: "own_case", text, caseSensitive: true, alsoAliases: [...others].toSorted() },
        ...{ reason: "own_case", seen: lower },
      });
  const unsure: { beside: Beside; seen: number }[] = [];
  for (const { beside, lower, seen } of phrases.values()) {
    const change = context(beside.phrase);
    if (beside.sense === "word") candidates.push({ ...change, reason: "sense", seen });
    else if (beside.sense === "quantity") candidates.push({ ...change, reason: "quantity", seen });
    // The name in lower case is a proposal of its own, which takes these with it.
    else if (lower === seen && lower > 1 && isOwnCaseDeclined)
      candidates.push({ ...change, reason: "lower_case", seen });
    else if (lower === 0 && beside.isPlain && (total < fewMentions || (seen > 1 && seen < total / 3)))
      unsure.push({ beside, seen });
  }
  return withNeighbours ? candidates.concat(mostlyBeside(unsure, searched)) : candidates;
}

const othersMax = 5;
const phrasesMax = 20_000;
/**
 * Of so few mentions, each neighbour may be worth a look. Of more, one that is there once says nothing, and one that is everywhere is no
 * exception.
 */
const fewMentions = 20;

const isInLowerCase = (written: string, variant: string): boolean =>
  /^[^\p{L}]*\p{Lu}/u.test(variant) && written.toLowerCase() === written && written.toUpperCase() !== written;

/** Words that stand beside the name at least in half of their places. */
function mostlyBeside(unsure: readonly { beside: Beside; seen: number }[], searched: readonly Searched[]): Candidate[] {
  const often = unsure.toSorted((one, other) => other.seen - one.seen).slice(0, wordsCounted);
  const candidates: Candidate[] = [];
  for (const { beside, seen } of often) {
    let occurrences = 0;
    for (const { answer } of searched) {
      if (occurrences > 2 * seen) break;
      occurrences += countOf(beside.word, answer.text);
    }
    if (occurrences <= 2 * seen) candidates.push({ ...context(beside.phrase), reason: "neighbour", seen });
  }
  return candidates;
}

function countOf(word: string, text: string): number {
  let count = 0;
  for (let at = text.indexOf(word); at !== -1; at = text.indexOf(word, at + word.length)) count++;
  return count;
}

const wordsCounted = 40;

function mostSeen(candidates: readonly Candidate[]): Candidate[] {
  const byReason = Map.groupBy(candidates, ({ reason }) => reason);
  return proposalReasons.flatMap((reason) =>
    (byReason.get(reason) ?? []).toSorted((one, other) => other.seen - one.seen).slice(0, countedMax[reason]),
  );
}

/** Searches the answers with each change by itself, and compares with the mentions without it. */
function count(
  content: EntityContent,
  searched: readonly Searched[],
  candidates: readonly Candidate[],
): NameProposal[] {
  const changed = candidates.map((candidate) => {
    const whole = withChange(content, candidate);
    return whole === "no_room" ? null : whole;
  });
  const compiled = compileEntities(
    changed.flatMap((each, index) => (each === null ? [] : [definitionOf(String(index), each)])),
  );
  const counts = candidates.map(() => ({ mentions: 0, answers: 0, evidence: [] as NameProposal["evidence"] }));
  for (const { answer, mentions } of searched) {
    const found = findMentions(answer.text, compiled, { isEachAlone: true });
    if (!found.isComplete) continue;
    const before = new Map(mentions.map((mention) => [spanOf(mention), mention]));
    const after = Map.groupBy(found.mentions, ({ entityId }) => entityId);
    for (const [index, candidate] of candidates.entries()) {
      if (changed[index] === null) continue;
      const now = after.get(String(index)) ?? [];
      const different =
        candidate.kind === "alias"
          ? now.filter((mention) => !before.has(spanOf(mention)) && !isOthers(mention, answer))
          : takenFrom(before, now);
      const of = counts[index];
      if (of === undefined || different.length === 0) continue;
      of.mentions += different.length;
      of.answers++;
      for (const { start, end } of different.slice(0, evidenceMax - of.evidence.length))
        of.evidence.push(snippetOf(answer, start, end));
    }
  }
  const shown = new Map<string, number>();
  return candidates.flatMap(({ kind, text, caseSensitive, alsoAliases, reason }, index) => {
    const of = counts[index];
    const sameReason = shown.get(reason) ?? 0;
    if (of === undefined || of.mentions === 0 || sameReason >= shownMax[reason]) return [];
    shown.set(reason, sameReason + 1);
    return [{ kind, text, caseSensitive, alsoAliases, reason, ...of }];
  });
}

const spanOf = ({ start, end }: Mention): string => `${start}-${end}`;

function takenFrom(before: ReadonlyMap<string, Mention>, after: readonly Mention[]): Mention[] {
  const kept = new Set(after.map(spanOf));
  return [...before].filter(([span]) => !kept.has(span)).map(([, mention]) => mention);
}

function snippetOf(
  { observationId, text }: SearchedAnswer,
  start: number,
  end: number,
): NameProposal["evidence"][number] {
  const from = beforePair(text, Math.max(0, start - snippetChars));
  const to = beforePair(text, Math.min(text.length, end + snippetChars));
  return { observationId, snippet: text.slice(from, to), start: start - from, end: end - from };
}

/** Not within the two units of a character. */
const beforePair = (text: string, at: number): number => {
  const code = text.charCodeAt(at);
  return code >= 0xdc00 && code <= 0xdfff && at > 0 ? at - 1 : at;
};
