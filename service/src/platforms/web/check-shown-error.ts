import type { Locator } from "playwright-core";
import type { Drive } from "./drive-context.ts";
import { shownError } from "./page-script.mjs";
import { selectors } from "./recipe-parts.ts";
import { Stopped } from "./stopped.ts";

/**
 * Throws if the page shows an error with its answer: the answer broke off, although the page considers it finished. Blockers of
 * the recipe are checked before, and know more about their page.
 */
export async function checkShownError({ recipe, tell }: Drive, turn: Locator): Promise<void> {
  // The drive's time limit is the only one. Playwright's own would blame the recipe for a page that has stopped replying.
  const words: unknown = await turn.evaluate(shownError, selectors(recipe.turn.text), { timeout: 0 });
  if (typeof words !== "string") return;
  tell({ step: "error", detail: words });
  throw new Stopped("platform_unavailable", `The answer broke off. The page shows: "${words.slice(0, 300)}"`);
}
