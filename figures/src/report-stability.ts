import type { Answer } from "./answer.ts";
import type { PanelDefinition } from "./panel-definition.ts";
import { hasKnownSources } from "./report-sources.ts";
import { jaccard, rankBiasedOverlap } from "./stability.ts";
import type { Surface } from "./state-figures.ts";
import { byRun, bySurface } from "./surfaces.ts";

/** A mean over pairs of answers to the same prompt; null without such a pair. */
export interface PairMean {
  readonly value: number | null;
  readonly pairs: number;
}

export interface SurfaceStability extends Surface {
  /** Jaccard's index of the cited domains: of the repeats of one run, and of each run and the next. */
  readonly sourcesWithinRuns: PairMean;
  readonly sourcesBetweenRuns: PairMean;
  /** Rank-biased overlap of own entities and competitors, in the order in which they are named: of each run and the next. */
  readonly orderBetweenRuns: PairMean;
  /** How often the entity that is named first is another one in the next run. */
  readonly firstChanged: PairMean;
}

type Pair = readonly [Answer, Answer];

/** How much the answers to the same prompt differ. One answer to each prompt says nothing of it. */
export function measureStability(panel: PanelDefinition, answers: readonly Answer[]): SurfaceStability[] {
  const asked = new Set(panel.prompts.map(({ promptId }) => promptId));
  const compared = new Set(panel.entities.filter(({ relation }) => relation !== "other").map((one) => one.entityId));
  const named = ({ mentions }: Answer) =>
    mentions.flatMap(({ entityId }) => (compared.has(entityId) ? [entityId] : []));
  return bySurface(answers.filter(({ promptId }) => asked.has(promptId))).map(({ answers: ofSurface, ...surface }) => {
    const { within, between } = pairsOf(ofSurface);
    const searched = between.filter((pair) => pair.every(isSearched));
    return {
      ...surface,
      sourcesWithinRuns: meanOver(within.filter(areSourcesKnown), compareSources),
      sourcesBetweenRuns: meanOver(between.filter(areSourcesKnown), compareSources),
      orderBetweenRuns: meanOver(searched, ([one, other]) => rankBiasedOverlap(named(one), named(other))),
      firstChanged: meanOver(searched, ([one, other]) => {
        const [before, after] = [named(one)[0], named(other)[0]];
        return before === undefined || after === undefined ? null : Number(before !== after);
      }),
    };
  });
}

const isSearched = ({ instrument, flags }: Answer) => instrument.matcher !== null && !flags.includes("empty");
const areSourcesKnown = (pair: Pair) => pair.every(hasKnownSources);
const compareSources = ([one, other]: Pair) => jaccard(domainsOf(one), domainsOf(other));
const domainsOf = ({ sources }: Answer) => new Set(sources.map(({ domain }) => domain));

/** The repeats of a prompt in one run, each with the next one; and its first repeats in each run and in the next one. */
function pairsOf(answers: readonly Answer[]): { within: Pair[]; between: Pair[] } {
  const within: Pair[] = [];
  const between: Pair[] = [];
  const before = new Map<string, Answer>();
  for (const run of byRun(answers)) {
    const last = new Map<string, Answer>();
    for (const answer of run.answers) {
      const previous = last.get(answer.promptId);
      if (previous !== undefined) within.push([previous, answer]);
      last.set(answer.promptId, answer);
      if (previous !== undefined) continue;
      const earlier = before.get(answer.promptId);
      if (earlier !== undefined) between.push([earlier, answer]);
      before.set(answer.promptId, answer);
    }
  }
  return { within, between };
}

function meanOver(pairs: readonly Pair[], compare: (pair: Pair) => number | null): PairMean {
  const values = pairs.flatMap((pair) => compare(pair) ?? []);
  const value = values.length === 0 ? null : values.reduce((sum, one) => sum + one, 0) / values.length;
  return { value, pairs: values.length };
}
