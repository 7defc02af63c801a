import type { ObservedMention } from "@querent/contract";
import type { CompiledEntities } from "./compile-entities.ts";
import { findMentions, type Mention } from "./find-mentions.ts";
import { listPositions } from "./list-positions.ts";

/** What a text is searched for: its mentions as they are written, for somebody who tries a text; or as observations keep them. */
export type SearchKind = "mentions" | "observed";

export interface FoundInText {
  /** For the kind `mentions`. */
  readonly mentions: readonly Mention[];
  /** For the kind `observed`. */
  readonly observed: readonly ObservedMention[];
  /** False: there are more than are kept, or the search took too many steps. */
  readonly isComplete: boolean;
}

/** An observation keeps so many mentions of an answer. */
export const observedMax = 500;

export function findIn(text: string, entities: CompiledEntities, as: SearchKind): FoundInText {
  const { mentions, isComplete } = findMentions(text, entities);
  if (as === "mentions") return { mentions, observed: [], isComplete };
  // An observation with a part of them would be counted as one that does not name the others.
  if (!isComplete || mentions.length > observedMax) return { mentions: [], observed: [], isComplete: false };
  return { mentions: [], observed: observedMentions(text, mentions, entities), isComplete };
}

/** What can be found here and now: in a short text, with few mentions. Null: it belongs into a process of its own. */
export function findHere(text: string, entities: CompiledEntities, as: SearchKind): FoundInText | null {
  if (text.length > charsHere) return null;
  const { mentions, isComplete } = findMentions(text, entities, { stepsMax: stepsHere });
  if (!isComplete || mentions.length > mentionsHere) return null;
  if (as === "mentions") return { mentions, observed: [], isComplete };
  return { mentions: [], observed: observedMentions(text, mentions, entities), isComplete };
}

/** Texts up to this length are searched in a few milliseconds, whatever they contain. Most answers have 2,000 to 8,000 characters. */
const charsHere = 16 * 1024;
const stepsHere = 10_000;
const mentionsHere = 100;

function observedMentions(text: string, mentions: readonly Mention[], entities: CompiledEntities): ObservedMention[] {
  const positions = positionsOf(text, mentions, entities);
  return mentions.map((mention) => ({
    entityId: mention.entityId,
    start: mention.start,
    end: mention.end,
    listPosition: positions.get(mention) ?? null,
  }));
}

/** The places of mentions in lists, which depend on those of their own project alone. */
function positionsOf(
  text: string,
  mentions: readonly Mention[],
  { projects }: CompiledEntities,
): ReadonlyMap<Mention, number | null> {
  const groups =
    projects.size === 0
      ? [mentions]
      : [...Map.groupBy(mentions, ({ entityId }) => projects.get(entityId) ?? null).values()];
  return new Map(
    groups.flatMap((group) => {
      const positions = listPositions(text, group);
      return group.map((mention, index) => [mention, positions[index] ?? null] as const);
    }),
  );
}
