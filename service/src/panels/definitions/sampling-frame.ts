/** From how many proposals the prompts of a panel were chosen: kept beside a revision, and no part of what it asks. */
import {
  promptOrigins,
  type PanelContent,
  type PromptDraw,
  type PromptOrigin,
  type SamplingFrame,
} from "@querent/contract";
import { refusal, type GivenFrame } from "./read-panel.ts";

export interface StoredFrame {
  readonly draws: readonly PromptDraw[];
  /** Of the prompts that were chosen from proposals, by their ids. */
  readonly origins: Readonly<Record<string, readonly PromptOrigin[]>>;
}

/** What is kept with a revision that has these prompts. What the request leaves out is as it was before. */
export function frameToStore(
  prompts: PanelContent["prompts"],
  given: GivenFrame | undefined,
  before: StoredFrame | null,
): StoredFrame | null {
  const draws = given?.draws ?? before?.draws ?? [];
  if (draws.length === 0) return null;
  const earlier = new Map(Object.entries(before?.origins ?? {}));
  const chosen = prompts.flatMap(({ promptId }): [string, readonly PromptOrigin[]][] => {
    const of = given?.origins.get(promptId) ?? earlier.get(promptId) ?? [];
    return of.length === 0 ? [] : [[promptId, promptOrigins.filter((origin) => of.includes(origin))]];
  });
  const frame = { draws, origins: Object.fromEntries(chosen) };
  requirePossible(frame, prompts);
  return frame;
}

/** Nothing can be chosen more often than it was proposed. */
function requirePossible(frame: StoredFrame, prompts: PanelContent["prompts"]): void {
  const { proposals, byOrigin, chosen, chosenByOrigin } = frameOf(frame, prompts);
  const over = promptOrigins.find((origin) => chosenByOrigin[origin] > byOrigin[origin]);
  if (over === undefined && chosen <= proposals) return;
  const what =
    over === undefined
      ? `${chosen} prompts are said to be chosen from ${proposals} proposals`
      : `${chosenByOrigin[over]} prompts are said to be chosen from ${byOrigin[over]} proposals of the origin \`${over}\``;
  throw refusal([
    {
      pointer: "/frame/draws",
      code: "out_of_range",
      detail: `${what}. Send the \`draw\` of every reply that prompts were chosen from, or \`origins: []\` with prompts that were written by hand.`,
    },
  ]);
}

/** As it is told. Deleted prompts are in no count. */
export function frameOf({ draws, origins }: StoredFrame, prompts: PanelContent["prompts"]): SamplingFrame {
  const known = new Map(Object.entries(origins));
  const chosen = prompts.flatMap(({ promptId }) => {
    const of = known.get(promptId);
    return of === undefined ? [] : [of];
  });
  const counts = (count: (origin: PromptOrigin) => number) =>
    Object.fromEntries(promptOrigins.map((origin) => [origin, count(origin)])) as Record<PromptOrigin, number>;
  return {
    draws: [...draws],
    proposals: draws.reduce((sum, { proposals }) => sum + proposals, 0),
    byOrigin: counts((origin) => draws.reduce((sum, { byOrigin }) => sum + byOrigin[origin], 0)),
    chosen: chosen.length,
    chosenByOrigin: counts((origin) => chosen.filter((of) => of.includes(origin)).length),
    written: prompts.length - chosen.length,
  };
}
