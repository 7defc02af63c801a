/**
 * What one drive tells of its recipe: whether the page still is as the recipe says. Names only, no selector and nothing of the page:
 * it is shown to whoever may list platforms.
 */
import type { Captures } from "./captures.ts";
import type { Driven } from "./drive-page.ts";
import type { Extracted } from "./extract-answer.ts";
import type { LoadedRecipe } from "./load-recipe.ts";

/**
 * `fallback`: not the first selector of a list matched. `unmatched`: none did, of a list that answers need. `check`: the page told of
 * more than was read.
 */
export interface DriftSign {
  readonly sign: "fallback" | "unmatched" | "check";
  /** The place in the recipe, such as `composer.input`. */
  readonly what: string;
}

export interface DriveReport {
  /** The beginning of the digest of the recipe's file: what is told of one says nothing of the next. */
  readonly recipe: string;
  readonly signs: readonly DriftSign[];
  /** The rules of `extract` that read something. */
  readonly read: readonly string[];
}

/** Null where the drive ended for reasons of the page's own, such as a login wall: then nothing is told of the recipe. */
export function driveReport(
  { recipe, sha256 }: LoadedRecipe,
  { captures, stopped }: Driven,
  extracted: Extracted | null,
): DriveReport | null {
  if (stopped !== null && stopped.code !== "platform_bad_response" && stopped.code !== "platform_timeout") return null;
  const signs: DriftSign[] = [
    ...fallbacks(captures.matched),
    ...fallbacks(extracted?.matched ?? {}),
    ...(extracted?.unmatched ?? []).map((what) => ({ sign: "unmatched" as const, what })),
    ...(extracted?.failedChecks ?? []).map(({ of }) => ({ sign: "check" as const, what: `checks.${of}` })),
  ];
  if (stopped?.lacking !== undefined && stopped.lacking !== null)
    signs.push({ sign: "unmatched", what: stopped.lacking });
  const read = Object.entries(extracted?.counts ?? {}).flatMap(([name, count]) =>
    count > 0 && Object.hasOwn(recipe.extract ?? {}, name) ? [`extract.${name}`] : [],
  );
  return { recipe: sha256.slice(0, 12), signs, read };
}

/** What may or may not be on a page is no sign. `gates` is what snapshots of earlier versions call `blockers`. */
const passing = /^(blockers|gates|dismiss)\.|\.(if|unless)$/;

/** Lists of which another selector than the first matched. */
export function fallbacks(matched: Captures["matched"]): DriftSign[] {
  return Object.entries(matched).flatMap(([what, { at }]) =>
    at > 0 && !passing.test(what) ? [{ sign: "fallback" as const, what }] : [],
  );
}
