import type { BrowserContext } from "playwright-core";
import { findComposer } from "../drive/ask-question.ts";
import { checkBlockers } from "../drive/blockers.ts";
import { firstVisible, type Drive, type DriveEvent } from "../page/drive-context.ts";
import { newDrive, openPage } from "../drive/drive-page.ts";
import type { LoadedRecipe } from "../recipe/load-recipe.ts";
import { Stopped } from "../recipe/stopped.ts";

export interface PageCheck {
  readonly url: string;
  readonly title: string;
  /** Why the page cannot be asked; null if the composer is there, and nothing covers it. */
  readonly failure: { readonly code: string; readonly message: string } | null;
  readonly refused: Readonly<Record<string, string>>;
}

export async function checkPage(input: {
  loaded: LoadedRecipe;
  context: BrowserContext;
  refused: ReadonlyMap<string, string>;
  tell: (event: DriveEvent) => void;
}): Promise<PageCheck> {
  const { recipe } = input.loaded;
  const page = await input.context.newPage();
  const deadline = performance.now() + 90_000;
  const drive: Drive = { ...newDrive(recipe, page, ""), matched: new Map(), deadline, tell: input.tell };
  let failure: PageCheck["failure"] = null;
  try {
    await openPage(drive, input.refused);
    if (recipe.composer === undefined) await checkBlockers(drive, () => drive.entryStatus);
    else {
      await findComposer(drive, recipe.composer);
      const { submit } = recipe.composer;
      if ("click" in submit) await firstVisible(drive, "composer.submit", submit.click);
    }
  } catch (error) {
    if (!(error instanceof Stopped)) throw error;
    failure = { code: error.code, message: error.message };
  }
  return { url: page.url(), title: await page.title(), failure, refused: Object.fromEntries(input.refused) };
}
