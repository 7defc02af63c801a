/**
 * What one drive reports about its recipe: whether the page still matches it. Contains names only, no selectors and nothing of
 * the page, because everyone who may list platforms can see it.
 */
import type { PageSnapshots } from "../page/snapshots.ts";
import type { Driven } from "./drive-page.ts";
import type { Extracted } from "../extract/extract-answer.ts";
import type { LoadedRecipe } from "../recipe/load-recipe.ts";

/**
 * `fallback`: a selector other than the first of a list matched. `unmatched`: none did, in a list that answers need. `check`:
 * the page named more than was read.
 */
export interface DriftSign {
  readonly sign: "fallback" | "unmatched" | "check";
  /** The place in the recipe, such as `composer.input`. */
  readonly what: string;
}

export interface DriveReport {
  /** The beginning of the digest of the recipe's file, because a report applies to one version only. */
  readonly recipe: string;
  readonly signs: readonly DriftSign[];
  /** The rules of `extract` that read something. */
  readonly read: readonly string[];
}

/** What the drive says about the recipe; null if it ended for reasons of the page, such as a login wall. */
export function driveReport(
  { recipe, sha256 }: LoadedRecipe,
  { snapshots, stopped }: Driven,
  extracted: Extracted | null,
): DriveReport | null {
  if (stopped !== null && stopped.code !== "platform_bad_response" && stopped.code !== "platform_timeout") return null;
  const signs: DriftSign[] = [
    ...fallbacks(snapshots.matched),
    ...fallbacks(extracted?.matched ?? {}),
    ...(extracted?.unmatched ?? []).map((what) => ({ sign: "unmatched" as const, what })),
    ...(extracted?.failedChecks ?? []).map(({ of }) => ({ sign: "check" as const, what: `checks.${of}` })),
  ];
  if (extracted?.differs === true) signs.push({ sign: "check", what: "turn.response" });
  if (stopped?.lacking !== undefined && stopped.lacking !== null)
    signs.push({ sign: "unmatched", what: stopped.lacking });
  const read = Object.entries(extracted?.counts ?? {}).flatMap(([name, count]) =>
    count > 0 && Object.hasOwn(recipe.extract ?? {}, name) ? [`extract.${name}`] : [],
  );
  return { recipe: sha256.slice(0, 12), signs, read };
}

/** Optional elements of a page are not a sign. `gates` is what snapshots of earlier versions call `blockers`. */
const passing = /^(blockers|gates|dismiss)\.|\.(if|unless)$/;

/** Lists in which a selector other than the first matched. */
export function fallbacks(matched: PageSnapshots["matched"]): DriftSign[] {
  return Object.entries(matched).flatMap(([what, { at }]) =>
    at > 0 && !passing.test(what) ? [{ sign: "fallback" as const, what }] : [],
  );
}
