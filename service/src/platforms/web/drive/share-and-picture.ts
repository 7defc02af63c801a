/** Work on a page once its answer is complete: the page's own share URL, and a screenshot of all of it. */
import type { Locator } from "playwright-core";
import { firstMatch } from "../recipe/expression.ts";
import type { Clipboard } from "../page/clipboard.ts";
import { firstPresent, scopes, waitFor, type Drive } from "../page/drive-context.ts";
import { loadImages, styleForPicture } from "../page/page-picture.mjs";
import { attributeOf, grow, heightOf, hide, unscroll, unscrollWithin } from "../page/page-script.mjs";
import { fieldParts } from "../recipe/read-field.ts";
import { selectors } from "../recipe/recipe-parts.ts";
import { runSteps } from "./run-steps.ts";
import { Stopped } from "../recipe/stopped.ts";

/** Performs the recipe's steps to get a share URL, and reads it. */
export async function shareAddress(drive: Drive, clipboard: Clipboard | null): Promise<string> {
  const { share } = drive.recipe;
  if (share === undefined)
    throw new Stopped("output_unavailable", "The recipe does not say how the page shares an answer.");
  clipboard?.clear();
  if (!(await runSteps(drive, "share", share.steps)).ok) {
    throw new Stopped("output_unavailable", "The page did not have what the recipe's share names.");
  }
  const address = await waitFor(drive, 15_000, async () => {
    if (share.from === "address") return fitting(drive, drive.page.url());
    if (share.from === "clipboard") return fitting(drive, (await clipboard?.read(drive)) ?? "");
    return readAddress(drive);
  });
  if (address === null) throw new Stopped("output_unavailable", "The page showed no address to share.");
  return address;
}

/** The address, if it is one that the recipe expects. */
function fitting({ recipe: { share } }: Drive, text: string): string | null {
  const address = text.trim();
  const fits = share?.pattern === undefined || firstMatch(share.pattern, "u", address) !== null;
  return /^https?:\/\//.test(address) && fits ? address : null;
}

async function readAddress(drive: Drive): Promise<string | null> {
  const { share } = drive.recipe;
  if (share?.address === undefined) return null;
  for (const { select, attribute, match } of fieldParts(share.address)) {
    const found = await firstPresent(drive, "share.address", select ?? share.in ?? "body");
    if (found === null) continue;
    const read =
      attribute === null
        ? await found.last().innerText()
        : await found.last().evaluate(attributeOf, attribute, { timeout: 2000 });
    const text = typeof read === "string" ? read.trim() : "";
    const address = match === null ? text : (firstMatch(match, "u", text)?.slice(0, 2).at(-1) ?? "");
    const fits = fitting(drive, address);
    if (fits !== null) return fits;
  }
  return null;
}

/** Makes the frame's element as high as its contents. */
async function growFrame({ root }: Drive): Promise<void> {
  if (!("owner" in root)) return;
  const height: unknown = await root.locator("html").evaluate(heightOf);
  if (typeof height === "number") await root.owner().evaluate(grow, Math.min(height, heightMax));
}

export const heightMax = 16_000;

export interface Picture {
  readonly png: Buffer;
  /** Of what was pictured, in pixels. */
  readonly height: number;
  /** True: it is higher than a picture may be, which ends at `heightMax`. */
  readonly isCut: boolean;
}

/**
 * A screenshot of the whole answer: scrollable areas are enlarged first, and floating elements are hidden. `turn`: null if the page
 * has no answer.
 */
export async function picture(drive: Drive, turn: Locator | null, timeoutMs = 30_000): Promise<Picture> {
  const rules = drive.recipe.screenshot ?? {};
  const root = await firstPresent(drive, "screenshot.root", rules.root);
  const pictured = root?.last() ?? drive.root.locator("body");
  await prepare(drive, pictured);
  // Without the recipe's areas, those that the answer is in.
  if (rules.unscroll === undefined) await turn?.last().evaluate(unscroll);
  await turn?.last().evaluate(unscrollWithin);
  const area = await firstPresent(drive, "screenshot.unscroll", rules.unscroll);
  if (area !== null) for (let at = 0; at < (await area.count()); at++) await area.nth(at).evaluate(unscroll);
  if (drive.root !== drive.page) await growFrame(drive);
  await pictured.evaluate(loadImages, { waitMs: timeoutMs / 6 });
  const options = { animations: "disabled", timeout: timeoutMs } as const;
  const height = (await pictured.boundingBox())?.height ?? 0;
  // A screenshot that would be too high starts at its top and is truncated.
  if (height > heightMax) {
    const clip = { ...((await pictured.boundingBox()) ?? { x: 0, y: 0, width: 1280 }), height: heightMax };
    return { png: await drive.page.screenshot({ fullPage: true, clip, ...options }), height, isCut: true };
  }
  const png = await (root === null
    ? drive.page.screenshot({ fullPage: true, ...options })
    : pictured.screenshot(options));
  return { png, height, isCut: false };
}

/** Hides what floats, on the page and in the assistant's frame. */
async function prepare(drive: Drive, pictured: Locator): Promise<void> {
  const hidden = selectors(drive.recipe.screenshot?.hide);
  const { root } = drive;
  const kept = "owner" in root ? [pictured, root.owner()] : [pictured];
  for (const element of kept) {
    const others: unknown = await element.evaluate(styleForPicture, { hidden });
    if (!Array.isArray(others)) continue;
    for (const scope of scopes(drive))
      for (const selector of hidden.filter((each) => others.includes(each)))
        await scope.locator(selector).evaluateAll(hide);
  }
}
