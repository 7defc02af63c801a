/** Selects the catalogue's cards for an answer, and the passage that each follows. */
import type { DraftCard } from "../platform.ts";
import type { CardHit, Hit, Index } from "./passage-index.ts";
import { terms, type Word } from "./words.ts";

const cardsMax = { plain: 3, deep: 6 } as const;
const cardsPerTypeMax = { plain: 2, deep: 3 } as const;
/** The share of the question's weight that a card must cover; a card of a quoted document needs less. */
const coverageMin = 0.6;
const coverageMinOfQuoted = 0.4;

export interface ChosenCards {
  /** For each passage, in order, the cards that follow it. */
  readonly afterPassage: readonly (readonly DraftCard[])[];
  readonly count: number;
}

export function chooseCards(
  index: Index,
  question: readonly Word[],
  passages: readonly Hit[],
  deep: boolean,
): ChosenCards {
  const depth = deep ? "deep" : "plain";
  const afterPassage: DraftCard[][] = passages.map(() => []);
  const perType = new Map<string, number>();
  let count = 0;
  for (const hit of index.searchCards(question)) {
    if (count === cardsMax[depth]) break;
    const own = lastPassageAbout(hit, passages);
    if (hit.coverage < (own === null ? coverageMin : coverageMinOfQuoted)) continue;
    const type = hit.card.draft.type;
    if (perType.get(type) === cardsPerTypeMax[depth]) continue;
    afterPassage[own ?? mostAlike(hit, passages)]?.push(hit.card.draft);
    perType.set(type, (perType.get(type) ?? 0) + 1);
    count += 1;
  }
  return { afterPassage, count };
}

/**
 * The last passage of the first quoted document that the card names, so that the card does not separate passages of one
 * document.
 */
function lastPassageAbout({ card }: CardHit, passages: readonly Hit[]): number | null {
  const isAbout = ({ document }: Hit): boolean => card.about.includes(document.file.replace(/\.[^./]+(?:#\d+)?$/u, ""));
  const first = passages.find(isAbout);
  return first === undefined ? null : passages.findLastIndex(({ document }) => document === first.document);
}

function mostAlike({ card }: CardHit, passages: readonly Hit[]): number {
  const own = new Set([card.draft.card.title ?? "", ...card.keywords].flatMap((text) => terms(text)));
  let best = passages.length - 1;
  let bestCount = 0;
  for (const [place, { document, passage }] of passages.entries()) {
    const shared = new Set(terms(`${document.title} ${passage.heading} ${passage.markdown}`)).intersection(own).size;
    if (shared > bestCount) [best, bestCount] = [place, shared];
  }
  return best;
}
