import type { Locator } from "playwright-core";
import type { Drive } from "./drive-context.ts";
import { unscroll } from "./page-script.mjs";
import { picture } from "./share-and-picture.ts";

/** A larger picture is left out. */
export const pictureBytesMax = 16 * 1024 * 1024;
const pictureMs = 10_000;

/**
 * The picture of the page for the evidence of an answer: question and answer, all of it. Null if it cannot be taken, which must
 * not cost an answer that is complete. It changes the page.
 */
export async function evidencePicture(drive: Drive, turn: Locator): Promise<Buffer | null> {
  try {
    // Without the recipe's areas, those that the answer is in.
    if (drive.recipe.screenshot?.unscroll === undefined) await turn.last().evaluate(unscroll);
    const png = await picture(drive, Math.max(1, Math.min(pictureMs, drive.deadline - performance.now())));
    if (png.byteLength <= pictureBytesMax) return png;
    drive.tell({ step: "evidence.picture", detail: `left out: it has ${png.byteLength} bytes` });
  } catch (error) {
    const why = error instanceof Error ? error.message.split("\n")[0] : String(error);
    drive.tell({ step: "evidence.picture", detail: `could not be taken: ${why}` });
  }
  return null;
}
