import type { BrowserContext } from "playwright-core";
import { keepClipboard } from "./clipboard-script.mjs";
import { waitFor, type Drive } from "./drive-context.ts";
import type { Recipe } from "../recipe/recipe.ts";
import { boundedPart } from "./snapshots.ts";

export interface Clipboard {
  /** Forgets what was copied before. */
  clear(): void;
  /** What the page copies, within a few seconds; null if it copies nothing. */
  read(drive: Drive): Promise<string | null>;
}

const copyMsMax = 5000;

/** A clipboard that belongs to the context; null if the recipe uses none. Call it before the page is opened. */
export async function watchClipboard(context: BrowserContext, recipe: Recipe): Promise<Clipboard | null> {
  if (recipe.turn.copy === undefined && recipe.share?.from !== "clipboard") return null;
  let copied: string | null = null;
  await context.exposeBinding("querentCopied", (_source, text: unknown) => {
    if (typeof text === "string" && text.trim() !== "") copied = boundedPart(text).html;
  });
  await context.addInitScript(keepClipboard);
  return {
    clear: () => void (copied = null),
    read: async (drive) => waitFor(drive, copyMsMax, async () => copied),
  };
}
