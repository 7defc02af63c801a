import type { ObservationRecord } from "@querent/client";
import { compileEntities } from "../../../service/src/observations/entities/compile-entities.ts";
import { findMentions } from "../../../service/src/observations/entities/find-mentions.ts";

/** Counts with what they are of. */
export type Share = readonly [count: number, of: number];

/** Which product is first, which no measure of the service says: it counts entities, and not the titles of cards. */
export interface FirstProducts {
  /** The share of the prompts whose answers name different products first, among those whose answers all name one. */
  readonly changedByName: Share;
  readonly changedByMatcher: Share;
  /** Different first names of a prompt that the matcher takes for one product. */
  readonly joined: readonly (readonly string[])[];
}

export function firstProducts(observations: readonly ObservationRecord[]): FirstProducts {
  const firsts = Map.groupBy(observations, ({ cell }) => cell.promptId)
    .values()
    .map((answers) => answers.map(firstProduct))
    .filter((names) => names.every((name) => name !== null))
    .toArray();
  const isChanged = firsts.map((names) => new Set(names).size > 1);
  const isOne = firsts.map(areOneProduct);
  return {
    changedByName: [isChanged.filter(Boolean).length, firsts.length],
    changedByMatcher: [isOne.filter((one) => !one).length, firsts.length],
    joined: firsts
      .filter((_, index) => isChanged[index] === true && isOne[index] === true)
      .map((names) => [...new Set(names)]),
  };
}

const firstProduct = ({ cards }: ObservationRecord): string | null =>
  cards.find(({ kind }) => kind === "product")?.title ?? null;

/** True if each name is linked with the first one by names of which one contains the other, as the matcher of brands finds names. */
function areOneProduct(names: readonly string[]): boolean {
  const [first, ...others] = new Set(names);
  if (first === undefined) return true;
  const linked = [first];
  for (let left = others; left.length > 0;) {
    const next = left.find((name) => linked.some((one) => contains(one, name) || contains(name, one)));
    if (next === undefined) return false;
    linked.push(next);
    left = left.filter((name) => name !== next);
  }
  return true;
}

function contains(text: string, name: string): boolean {
  const variants = [{ text: name, isCaseSensitive: false }];
  return findMentions(text, compileEntities([{ entityId: name, variants, negativeContexts: [] }])).mentions.length > 0;
}
