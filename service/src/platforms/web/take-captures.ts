/** What is kept of a page: the last turn, what is folded away, the page itself. */
import type { Locator } from "playwright-core";
import { boundedPart, partBytesMax } from "./captures.ts";
import { firstPresent, waitFor, type Drive } from "./drive-context.ts";
import { htmlOfElement, scrollOn, scrollToTop } from "./page-script.mjs";
import type { RecipeExpand } from "./recipe.ts";
import { runSteps } from "./run-steps.ts";

export async function htmlOf(locator: Locator): Promise<{ html: string; isCut: boolean }> {
  const html = String(await locator.evaluate(htmlOfElement, partBytesMax, { timeout: 15_000 }));
  return boundedPart(html);
}

/** The whole page, as it stands; null when it can't be read any more. */
export async function pageHtml(drive: Drive): Promise<{ html: string; isCut: boolean } | null> {
  try {
    return await htmlOf(drive.page.locator("html"));
  } catch {
    return null;
  }
}

/** Unfolds one thing and captures it; null when it is not there. */
export async function expand(drive: Drive, rule: RecipeExpand, turn: Locator): Promise<string | null> {
  const name = `expand.${rule.name}`;
  if (!(await runSteps(drive, name, rule.steps, turn))) return null;
  const found = await waitFor(drive, 5000, async () => {
    const near = await firstPresent(drive, `${name}.capture`, rule.capture, turn);
    return near ?? (await firstPresent(drive, `${name}.capture`, rule.capture));
  });
  if (found === null) return null;
  const html =
    rule.scroll === undefined ? (await htmlOf(found.last())).html : await scrolled(drive, rule, found.last());
  await runSteps(drive, `${name}.close`, rule.close, turn);
  return html;
}

const scrollsMax = 500;

/** A list that holds only what it shows: scrolled from its top to its end, and every item taken once. */
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
    for (let at = 0; at < ((await shown?.count()) ?? 0); at++) {
      const item = shown?.nth(at);
      if (item === undefined) break;
      const html = await htmlOf(item).then(
        (taken) => taken.html,
        () => "",
      );
      const key = scroll.key === undefined ? html : ((await item.getAttribute(scroll.key).catch(() => null)) ?? html);
      if (html === "" || items.has(key)) continue;
      items.set(key, html);
      length += html.length;
    }
    if ((await area.last().evaluate(scrollOn)) !== true) break;
    // The list fills itself in its own time.
    await drive.page.waitForTimeout(100);
  }
  return [...items.values()].join("\n");
}
