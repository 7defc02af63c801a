/** What an answer belongs to in a panel that was changed: the wording that was asked, the revision, and the state of its brands. */
import type { Answer, Instrument } from "./answer.ts";
import type { FormerPrompt, PanelDefinition, PanelEntity, PanelPromptDefinition } from "./panel-definition.ts";

/** The prompts of a panel, now and before, by the keys of their cells. */
export interface PromptWordings {
  /**
   * Of a prompt as it is asked now: its `promptId`. Another wording has a key of its own, because its answers are answers to another
   * question; and the same text is the same prompt, whatever its id was.
   */
  readonly keyOf: (answer: Pick<Answer, "promptId" | "promptDigest" | "panelRevision">) => string;
  /** Undefined: the panel never had such a prompt. */
  readonly get: (key: string) => PanelPromptDefinition | undefined;
  /** Those of now, in the order of the panel, and then those of before. */
  readonly keys: readonly string[];
}

export function wordingsOf({ prompts, formerPrompts }: PanelDefinition): PromptWordings {
  const current = new Map(prompts.map((prompt) => [prompt.promptId, prompt]));
  // Of an earlier version, which knew prompts by their ids alone.
  if (formerPrompts === undefined)
    return { keyOf: ({ promptId }) => promptId, get: (key) => current.get(key), keys: [...current.keys()] };
  const byText = new Map(prompts.toReversed().map(({ promptId, digest }) => [digest, promptId]));
  const former = new Map(formerPrompts.map((prompt) => [keyOfFormer(prompt), prompt]));
  const formerById = Map.groupBy(formerPrompts, ({ promptId }) => promptId);
  const keyOf: PromptWordings["keyOf"] = ({ promptId, promptDigest, panelRevision }) => {
    if (promptDigest === undefined) {
      const before = askedAt(formerById.get(promptId) ?? [], panelRevision);
      return before === undefined ? promptId : keyOfFormer(before);
    }
    if (current.get(promptId)?.digest === promptDigest) return promptId;
    return byText.get(promptDigest) ?? keyOfFormer({ promptId, digest: promptDigest });
  };
  // An imported answer may name a prompt and have another text: it is about the same, in a cell of its own.
  const byId = (promptId: string) => current.get(promptId) ?? formerById.get(promptId)?.at(-1);
  return {
    keyOf,
    get: (key) => current.get(key) ?? former.get(key) ?? byId(promptIdOf(key)),
    keys: [...current.keys(), ...former.keys()],
  };
}

/** Which prompt of the other panel has the same words as which of the first one, by their keys, each once. */
export function sameWordings(one: PanelDefinition, other: PanelDefinition): [key: string, otherKey: string][] {
  const [first, second] = [wordingsOf(one), wordingsOf(other)];
  const byDigest = new Map(second.keys.toReversed().map((key) => [second.get(key)?.digest, key]));
  return first.keys.flatMap((key): [string, string][] => {
    const digest = first.get(key)?.digest;
    const same = digest === undefined ? undefined : byDigest.get(digest);
    byDigest.delete(digest);
    return same === undefined ? [] : [[key, same]];
  });
}

const keyOfFormer = ({ promptId, digest }: { promptId: string; digest: string }) => `${promptId} ${digest}`;
/** An id has no spaces. */
export const promptIdOf = (key: string): string => key.split(" ", 1)[0] ?? "";

/** The wording of a prompt at a revision, of those that it had before; undefined: the one of now. */
const askedAt = (former: readonly FormerPrompt[], revision: number): FormerPrompt | undefined =>
  former
    .filter(({ lastRevision }) => lastRevision >= revision)
    .toSorted((one, other) => one.lastRevision - other.lastRevision)[0];

/** A panel as it was at a time, as far as changes are judged by it. */
export function panelAt(
  panel: PanelDefinition,
  { revision, at }: { readonly revision: number; readonly at: string },
): PanelDefinition {
  if (panel.formerPrompts === undefined) return panel;
  const formerById = Map.groupBy(panel.formerPrompts, ({ promptId }) => promptId);
  const ids = new Set([...panel.prompts.map(({ promptId }) => promptId), ...formerById.keys()]);
  const current = new Map(panel.prompts.map((prompt) => [prompt.promptId, prompt]));
  return {
    ...panel,
    revision,
    prompts: [...ids].flatMap(
      (promptId) => askedAt(formerById.get(promptId) ?? [], revision) ?? current.get(promptId) ?? [],
    ),
    formerPrompts: [],
    entities: panel.entities.map((entity) =>
      entity.searchedSince === undefined
        ? entity
        : { ...entity, searchedSince: entity.searchedSince.filter((since) => since <= at) },
    ),
  };
}

/** The parts of an instrument that are the panel's. */
type OfPanel = Required<Pick<Instrument, "panelRevision" | "brandsSince">>;

/** Finds the panel's part of the instrument of an answer; null if an earlier version described the panel, which told nothing of it. */
export function panelInstrument(panel: PanelDefinition): ((answer: Answer) => OfPanel) | null {
  if (panel.asked === undefined) return null;
  const revisionOf = revisionFinder(panel);
  const times = [
    ...new Set(panel.entities.flatMap((entity) => (entity.relation === "other" ? [] : searchTimes(entity)))),
  ].toSorted();
  return (answer) => ({
    // Nobody knows how answers from elsewhere were asked, and each import may add prompts to its panel.
    panelRevision: answer.instrument.kind === "imported" ? null : revisionOf(answer),
    brandsSince: times.findLast((time) => time <= answer.recordedAt) ?? null,
  });
}

/** When the entity was created, and when the names changed by which it is found. */
const searchTimes = ({ createdAt, searchedSince }: PanelEntity): readonly string[] => searchedSince ?? [createdAt];

/** The revision with which a panel began to ask what an answer was asked: later revisions that ask the same have the same number. */
function revisionFinder(panel: PanelDefinition): (answer: Pick<Answer, "panelRevision" | "persona">) => number {
  const askedBy = askedFinder(panel);
  const known = new Map<string, number>();
  return ({ panelRevision, persona }) => {
    const key = `${panelRevision} ${persona}`;
    let revision = known.get(key);
    if (revision === undefined) {
      const asked = askedBy(panelRevision);
      const first = panel.asked?.find(
        ({ prompts, conditions }) => prompts === asked?.prompts && conditions[persona] === asked.conditions[persona],
      );
      revision = first?.revision ?? panelRevision;
      known.set(key, revision);
    }
    return revision;
  };
}

/** What a revision asks; undefined: it is too long ago to be known. */
const askedFinder =
  ({ asked = [] }: PanelDefinition) =>
  (revision: number) =>
    asked.findLast((one) => one.revision <= revision);

/**
 * Whether an answer can stand on one side of a change that is judged now: its question is asked now, as the same persona and with the
 * same options, and it was searched for today's names. Returns its prompt, or null.
 */
export function comparableAnswers(
  panel: PanelDefinition,
): (answer: Answer, searchedSince?: string) => PanelPromptDefinition | null {
  const { keyOf } = wordingsOf(panel);
  const prompts = new Map(panel.prompts.map((prompt) => [prompt.promptId, prompt]));
  const askedBy = askedFinder(panel);
  const now = askedBy(panel.revision);
  const known = new Map<string, boolean>();
  const isAskedAsNow = ({ panelRevision, persona, instrument }: Answer) => {
    if (now === undefined || instrument.kind === "imported") return true;
    const key = `${panelRevision} ${persona}`;
    let isSame = known.get(key);
    if (isSame === undefined) {
      isSame = askedBy(panelRevision)?.conditions[persona] === now.conditions[persona];
      known.set(key, isSame);
    }
    return isSame;
  };
  return (answer, searchedSince = "") => {
    if (answer.recordedAt < searchedSince || !isAskedAsNow(answer)) return null;
    return prompts.get(keyOf(answer)) ?? null;
  };
}

/** When the names last changed that a measure of entities depends on; empty: it depends on none, or that is not known. */
export function namesChangedAt(entities: readonly PanelEntity[]): string {
  return entities.reduce((last, { searchedSince }) => {
    const since = searchedSince?.at(-1) ?? "";
    return since > last ? since : last;
  }, "");
}
