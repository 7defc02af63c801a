/** From what was found to proposals: merged, marked, grouped. The same texts make the same proposals. No model takes part. */
import {
  promptOrigins,
  promptProposalsMax,
  type PromptEvidence,
  type PromptOrigin,
  type PromptProposal,
} from "@querent/contract";
import { compileEntities } from "../../observations/entities/compile-entities.ts";
import { definitionOf, type EntityContent } from "../../observations/entities/entity-content.ts";
import { findMentions } from "../../observations/entities/find-mentions.ts";
import { groupTopics } from "./group-topics.ts";
import { intentOrder, languageRules } from "./languages.ts";
import { asQuestion, canonicalOf, intentOf, isQuestion, languageOf, rulesFor, termsIn } from "./read-text.ts";

/** A text that a source has, already tidy. */
export interface FoundText {
  readonly text: string;
  readonly evidence: PromptEvidence;
}

export interface NamedEntity {
  readonly entityId: string;
  readonly content: EntityContent;
}

export interface Proposed {
  readonly proposals: PromptProposal[];
  /** Those that are counted but not listed. */
  readonly more: number;
  readonly byOrigin: Record<PromptOrigin, number>;
}

export interface ProposeInput {
  readonly found: Iterable<FoundText>;
  readonly entities: readonly NamedEntity[];
  /** The texts of a panel's prompts. */
  readonly asked: readonly string[];
  /** What the caller calls topics. */
  readonly topics: readonly string[];
  /** Of texts whose language is not recognised. */
  readonly language: string | null;
}

interface Merged {
  readonly language: string | null;
  readonly spellings: Map<string, number>;
  readonly evidence: Map<PromptOrigin, PromptEvidence[]>;
  readonly strengths: Map<PromptOrigin, number>;
  evidenceCount: number;
  strength: number;
}

/** Evidence of one origin that is kept until the strongest is chosen. */
const evidenceKept = 20;
const evidenceShown = 5;
const variantsShown = 5;
const spellingsKept = 50;

export function* proposePrompts(input: ProposeInput): Generator<void, Proposed, void> {
  const merged = yield* merge(input);
  const listed = strongest(merged);
  const byOrigin = Object.fromEntries(
    promptOrigins.map((origin) => [
      origin,
      [...merged.values()].filter(({ strengths }) => strengths.has(origin)).length,
    ]),
  ) as Proposed["byOrigin"];
  yield;
  const marker = brandMarker(input.entities);
  const asked = new Set(input.asked.map((text) => canonicalOf(text, languageOf(text) ?? input.language)));
  yield;
  const made: {
    readonly proposal: PromptProposal;
    readonly terms: ReturnType<typeof topicTerms>;
    readonly strength: number;
  }[] = [];
  for (const [key, one] of listed) {
    const { strength } = one;
    const [text = "", ...variants] = spellingsOf(one);
    const language = languageOf(text) ?? input.language;
    const { spans, entities, isBranded } = marker(text);
    const terms = termsIn(text, language);
    const within = ({ start, end }: { start: number; end: number }) =>
      spans.some((span) => span.start < end && start < span.end);
    const { intent, word } = intentOf(text, language, { isBrandAlone: spans.length > 0 && terms.every(within) });
    const asks = variants.find((variant) => isQuestion(variant, language));
    made.push({
      terms: topicTerms(terms, within, language),
      strength,
      proposal: {
        text,
        question: isQuestion(text, language) ? null : (asks ?? asQuestion(text, language)),
        language,
        topic: null,
        intent,
        intentWord: word,
        branded: isBranded,
        entities,
        origins: promptOrigins.filter((origin) => one.evidence.has(origin)),
        evidence: shownEvidence(one, text),
        evidenceCount: one.evidenceCount,
        variants: variants.slice(0, variantsShown),
        inPanel: asked.has(key),
      },
    });
    if (made.length % 50 === 0) yield;
  }
  const given = input.topics.map((name) => ({
    name,
    stems: termsIn(name, languageOf(name) ?? input.language).map(({ stem }) => stem),
  }));
  const topics = yield* groupTopics(made, given);
  const sizes = new Map<string | null, number>();
  for (const topic of topics) sizes.set(topic, (sizes.get(topic) ?? 0) + 1);
  const sizeOf = (topic: string | null) => (topic === null ? 0 : (sizes.get(topic) ?? 0));
  const proposals = made
    .map(({ proposal, strength }, index) => ({ strength, proposal: { ...proposal, topic: topics[index] ?? null } }))
    .toSorted(
      (one, other) =>
        sizeOf(other.proposal.topic) - sizeOf(one.proposal.topic) ||
        compare(one.proposal.topic ?? "", other.proposal.topic ?? "") ||
        other.strength - one.strength ||
        compare(one.proposal.text, other.proposal.text),
    )
    .map(({ proposal }) => proposal);
  return { proposals, more: merged.size - listed.length, byOrigin };
}

const compare = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0);

function* merge({ found, language: assumed }: ProposeInput): Generator<void, Map<string, Merged>, void> {
  const merged = new Map<string, Merged>();
  let read = 0;
  for (const { text, evidence } of found) {
    const language = languageOf(text) ?? assumed;
    const key = canonicalOf(text, language);
    let one = merged.get(key);
    if (one === undefined) {
      one = {
        language,
        spellings: new Map(),
        evidence: new Map(),
        strengths: new Map(),
        evidenceCount: 0,
        strength: 0,
      };
      merged.set(key, one);
    }
    const strength = strengthOf(evidence);
    if (one.spellings.size < spellingsKept || one.spellings.has(text))
      one.spellings.set(text, (one.spellings.get(text) ?? 0) + strength);
    const same = one.evidence.get(evidence.origin) ?? [];
    one.evidence.set(evidence.origin, same);
    if (same.length < evidenceKept) same.push({ ...evidence, text });
    one.strengths.set(evidence.origin, (one.strengths.get(evidence.origin) ?? 0) + strength);
    one.strength += strength;
    one.evidenceCount++;
    if (++read % 100 === 0) yield;
  }
  return merged;
}

/** An answer, a click, a page, or a question counts one; twenty impressions as much. */
function strengthOf({ answers, clicks, impressions }: PromptEvidence): number {
  if (answers !== undefined) return answers;
  if (clicks === undefined) return 1;
  return 0.1 + (clicks ?? 0) + (impressions ?? 0) / 20;
}

/** Of more than can be listed, the strongest of each origin in turns, so that none hides the others. */
function strongest(merged: ReadonlyMap<string, Merged>): (readonly [string, Merged])[] {
  const all = [...merged];
  if (all.length <= promptProposalsMax) return all;
  const ranks = new Map<string, number>();
  for (const origin of promptOrigins) {
    const of = all
      .filter(([, { strengths }]) => strengths.has(origin))
      .toSorted(
        ([key, one], [otherKey, other]) =>
          (other.strengths.get(origin) ?? 0) - (one.strengths.get(origin) ?? 0) || compare(key, otherKey),
      );
    for (const [rank, [key]] of of.entries()) ranks.set(key, Math.min(rank, ranks.get(key) ?? rank));
  }
  return all
    .toSorted(([one], [other]) => (ranks.get(one) ?? 0) - (ranks.get(other) ?? 0) || compare(one, other))
    .slice(0, promptProposalsMax);
}

/** The spelling with the most evidence first; a question before keywords, and the shorter one, if that is equal. */
function spellingsOf({ spellings, language }: Merged): string[] {
  const asks = (text: string) => Number(isQuestion(text, language));
  return [...spellings]
    .toSorted(
      ([one, strength], [other, otherStrength]) =>
        otherStrength - strength || asks(other) - asks(one) || one.length - other.length || compare(one, other),
    )
    .map(([text]) => text);
}

/** The strongest of each origin first, then the rest. */
function shownEvidence({ evidence }: Merged, shown: string): PromptEvidence[] {
  const sorted = promptOrigins.map((origin) =>
    (evidence.get(origin) ?? []).toSorted((one, other) => strengthOf(other) - strengthOf(one)),
  );
  const chosen = [...sorted.flatMap((list) => list.slice(0, 1)), ...sorted.flatMap((list) => list.slice(1))];
  return chosen
    .slice(0, evidenceShown)
    .map(({ text, ...rest }) => (text === shown || text === undefined ? rest : { ...rest, text }));
}

/** What may name a topic. */
function topicTerms(
  terms: ReturnType<typeof termsIn>,
  isOfBrand: (term: { start: number; end: number }) => boolean,
  language: string | null,
) {
  const rules = rulesFor(language).map((one) => languageRules[one].intents);
  const tellsIntent = (word: string) =>
    rules.some((intents) => intentOrder.some((intent) => intents[intent].exec(word)?.[0].length === word.length));
  return terms.filter((term) => !isOfBrand(term) && !tellsIntent(term.written) && !/^\p{N}+$/u.test(term.written));
}

interface Marked {
  readonly spans: readonly { readonly start: number; readonly end: number }[];
  readonly entities: PromptProposal["entities"];
  readonly isBranded: boolean;
}

/**
 * Finds the project's entities as answers are searched for them, with one difference: searches are typed in lower case, so names count in
 * any case. Hosts of brands count as well.
 */
function brandMarker(entities: readonly NamedEntity[]): (text: string) => Marked {
  const byId = new Map(entities.map((entity) => [entity.entityId, entity]));
  const compiled = compileEntities(
    entities.map(({ entityId, content }) => {
      const definition = definitionOf(entityId, content);
      return {
        ...definition,
        variants: definition.variants.map((variant) => ({ ...variant, isCaseSensitive: false })),
      };
    }),
  );
  const hosts = entities.flatMap(({ entityId, content: { domains } }) =>
    domains.map((domain) => ({ entityId, domain: domain.toLowerCase() })),
  );
  return (text) => {
    const { mentions, isComplete } = findMentions(text, compiled);
    const lower = text.toLowerCase();
    const spans = mentions.map(({ start, end }) => ({ start, end }));
    const ids = new Set(mentions.map(({ entityId }) => entityId));
    for (const { entityId, domain } of hosts) {
      const start = lower.indexOf(domain);
      if (start === -1 || /[\p{L}\p{N}-]/u.test((lower[start - 1] ?? " ") + (lower[start + domain.length] ?? " ").replace(".", " "))) continue; // prettier-ignore
      ids.add(entityId);
      spans.push({ start, end: start + domain.length });
    }
    const named = [...ids].toSorted().flatMap((entityId) => {
      const entity = byId.get(entityId);
      return entity === undefined ? [] : [{ entityId, name: entity.content.name, relation: entity.content.relation }];
    });
    // A text that could not be searched to its end is treated as if it named one.
    return { spans, entities: named, isBranded: !isComplete || named.some(({ relation }) => relation !== "other") };
  };
}
