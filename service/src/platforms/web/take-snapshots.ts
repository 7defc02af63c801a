/** Takes the snapshots of a page: the last turn and the expanded elements. */
import type { Locator } from "playwright-core";
import { boundedPart, partBytesMax } from "./snapshots.ts";
import { firstPresent, firstVisible, waitFor, type Drive } from "./drive-context.ts";
import { mergeLists } from "./merge-lists.ts";
import { findLists, noteLists, scrollLists } from "./page-lists.mjs";
import { noteLooks } from "./page-looks.mjs";
import { htmlOfElements, newTurn, scrollOn, scrollToTop } from "./page-script.mjs";
import type { RecipeExpand } from "./recipe.ts";
import { runSteps } from "./run-steps.ts";
import { Stopped } from "./stopped.ts";

/** The HTML of the last element of a locator. */
export async function htmlOf(locator: Locator): Promise<{ html: string; isCut: boolean }> {
  const [read] = await htmlOfAll(locator.last(), null);
  if (read === undefined)
    throw new Stopped("platform_bad_response", "What was there a moment ago is gone from the page.");
  return boundedPart(read.html);
}

const listStepsMax = 400;

const stillTriesMax = 20;

const stateOf = async (turn: Locator) => JSON.stringify(await turn.evaluateAll(newTurn));

/**
 * Notes that a turn has no list that shows its visible items only, which takes some scrolling to find out. Called while the turn is
 * watched anyway; it counts as long as the turn does not change.
 */
export async function noteWithoutLists(drive: Drive, turn: Locator): Promise<void> {
  const state = await stateOf(turn);
  if (drive.withoutLists === state) return;
  // A turn that is gone at this moment is looked at again.
  const areas = await turn.evaluate(findLists, undefined, { timeout: 2000 }).catch(() => null);
  drive.withoutLists = areas === 0 ? state : null;
}

/** The HTML of a turn that the page did not change meanwhile: some render the answer anew seconds after its end. */
export async function turnHtml(
  drive: Pick<Drive, "withoutLists">,
  turn: Locator,
): Promise<{ html: string; isCut: boolean }> {
  for (let tries = 1; ; tries++) {
    const before = await stateOf(turn);
    const areas = drive.withoutLists === before ? 0 : Number(await turn.evaluate(findLists));
    const taken = await wholeTurn(turn, areas);
    if ((await stateOf(turn)) === before || tries === stillTriesMax) return taken;
    await turn.page().waitForTimeout(250);
  }
}

/** The HTML of a turn, with all items of lists that contain the visible ones only. */
async function wholeTurn(turn: Locator, areas: number): Promise<{ html: string; isCut: boolean }> {
  if (areas === 0) return htmlOf(turn);
  const snapshots: string[] = [];
  for (let area = 0, length = 0; area < areas; area++) {
    let moved = await turn.evaluate(scrollLists, { area, restart: true });
    for (let steps = 0; moved === true && steps < listStepsMax && length < 4 * partBytesMax; steps++) {
      await turn.evaluateAll(noteLooks);
      await turn.evaluate(noteLists);
      const read: unknown = await turn.evaluateAll(htmlOfElements, { charsMax: partBytesMax, key: null });
      for (const { html } of partsOf(read)) {
        snapshots.push(html);
        length += html.length;
      }
      moved = await turn.evaluate(scrollLists, { area, restart: false });
    }
  }
  return boundedPart(mergeLists(snapshots));
}

/** The HTML of all elements at once; `key` is an attribute that identifies them. */
async function htmlOfAll(locator: Locator, key: string | null): Promise<{ html: string; key: string | null }[]> {
  await locator.evaluateAll(noteLooks);
  const read: unknown = await locator.evaluateAll(htmlOfElements, { charsMax: partBytesMax, key });
  return partsOf(read);
}

function partsOf(read: unknown): { html: string; key: string | null }[] {
  if (!Array.isArray(read)) return [];
  return read.map((each: { html?: unknown; key?: unknown }) => ({
    html: typeof each.html === "string" ? each.html : "",
    key: typeof each.key === "string" ? each.key : null,
  }));
}

/** Expands what a rule names and takes its snapshot; null if it is not there. */
export async function expand(drive: Drive, rule: RecipeExpand, turn: Locator): Promise<string | null> {
  if (rule.each === undefined) return expandOne(drive, rule, turn, false);
  const name = `expand.${rule.name}`;
  const found = await firstVisible(drive, `${name}.each`, rule.each, turn);
  const parts = new Set<string>();
  const count = found === null ? 0 : Math.min(repeatsMax, await found.count());
  for (let at = 0; at < count; at++) {
    const clicked = await found
      ?.nth(at)
      .click({ timeout: 10_000 })
      .then(
        () => true,
        () => false,
      );
    const html = clicked === true ? await expandOne(drive, rule, turn, true) : null;
    if (html !== null) parts.add(html);
  }
  if (count > 0) drive.tell({ step: `${name}.each`, detail: `${count} clicked, ${parts.size} different panels taken` });
  return parts.size === 0 ? null : [...parts].join("\n");
}

const repeatsMax = 50;

async function expandOne(drive: Drive, rule: RecipeExpand, turn: Locator, clicked: boolean): Promise<string | null> {
  const name = `expand.${rule.name}`;
  // The answer is complete, so what is not there is not coming: an absent panel must not cost time.
  const { ok, acted } = await runSteps(drive, name, rule.steps, { near: turn, optionalSeconds: 0 });
  if (!ok) return null;
  const found = await waitFor(drive, acted || clicked ? 5000 : 0, async () => {
    const near = await firstPresent(drive, `${name}.capture`, rule.capture, turn);
    return near ?? (await firstPresent(drive, `${name}.capture`, rule.capture));
  });
  if (found === null) return null;
  const html =
    rule.scroll === undefined ? (await htmlOf(found.last())).html : await scrolled(drive, rule, found.last());
  await runSteps(drive, `${name}.close`, rule.close, { near: turn, optionalSeconds: 0 });
  return html;
}

const scrollsMax = 500;

/** A list that contains only its visible items: scrolled from top to end, taking every item once. */
async function scrolled(drive: Drive, rule: RecipeExpand, within: Locator): Promise<string> {
  const { scroll } = rule;
  if (scroll === undefined) return "";
  const name = `expand.${rule.name}.scroll`;
  const area =
    (await firstPresent(drive, `${name}.area`, scroll.area, within)) ??
    (await firstPresent(drive, `${name}.area`, scroll.area));
  if (area === null) return (await htmlOf(within)).html;
  const items = new Map<string, string>();
  let length = 0;
  await area.last().evaluate(scrollToTop);
  for (let scrolls = 0; scrolls < scrollsMax && length < partBytesMax / 4; scrolls++) {
    const shown = await firstPresent(drive, `${name}.each`, scroll.each, area.last());
    for (const { html, key } of shown === null ? [] : await htmlOfAll(shown, scroll.key ?? null)) {
      if (html === "" || items.has(key ?? html)) continue;
      items.set(key ?? html, html);
      length += html.length;
    }
    if ((await area.last().evaluate(scrollOn)) !== true) break;
    // Gives the list time to load more.
    await drive.page.waitForTimeout(100);
  }
  return [...items.values()].join("\n");
}
