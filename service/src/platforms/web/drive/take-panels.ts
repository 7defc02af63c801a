/** Takes the snapshots of the panels that a recipe expands. */
import type { Locator } from "playwright-core";
import { firstPresent, firstVisible, waitFor, type Drive } from "../page/drive-context.ts";
import { inPage } from "../page/in-page.ts";
import { noteLooks } from "../page/page-looks.mjs";
import { htmlOfElements, markPanels } from "../page/page-script.mjs";
import { rendered, scrollOn, scrollToTop } from "../page/page-scroll.mjs";
import { type RecipeExpand, selectors } from "../recipe/recipe.ts";
import { runSteps } from "./run-steps.ts";
import { boundedPart, partBytesMax } from "../page/snapshots.ts";
import { partsOf } from "../page/take-snapshots.ts";

/** How long a panel that was opened may take to contain anything. */
const fillMsMax = 1000;

/** Expands what a rule names and takes its snapshot; null if it is not there. `again`: it was taken before, and lacked something. */
export async function expand(drive: Drive, rule: RecipeExpand, turn: Locator, again: boolean): Promise<string | null> {
  if (rule.each === undefined)
    return expandOne(drive, rule, turn, again && rule.close === undefined ? "if absent" : "always");
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
    const html = clicked === true ? await expandOne(drive, rule, turn, "clicked") : null;
    if (html !== null) parts.add(html);
  }
  if (count > 0) drive.tell({ step: `${name}.each`, detail: `${count} clicked, ${parts.size} different panels taken` });
  return parts.size === 0 ? null : [...parts].join("\n");
}

const repeatsMax = 50;

/** `if absent`: the steps are not repeated for a panel that is open, which they might close. */
async function expandOne(
  drive: Drive,
  rule: RecipeExpand,
  turn: Locator,
  steps: "always" | "if absent" | "clicked",
): Promise<string | null> {
  const name = `expand.${rule.name}`;
  const near = async () => {
    const within = await firstPresent(drive, `${name}.capture`, rule.capture, turn);
    return within ?? (await firstPresent(drive, `${name}.capture`, rule.capture));
  };
  const open = steps === "if absent" ? await near() : null;
  // The answer is complete, so what is not there is not coming: an absent panel must not cost time.
  const { ok, acted } =
    open === null
      ? await runSteps(drive, name, rule.steps, { near: turn, optionalSeconds: 0 })
      : { ok: true, acted: false };
  if (!ok) return null;
  const opened = acted || steps === "clicked";
  const found = open ?? (await waitFor(drive, opened ? 5000 : 0, near));
  if (found === null) return null;
  const html = await panelHtml(drive, rule, found.last(), opened ? fillMsMax : 0);
  await runSteps(drive, `${name}.close`, rule.close, { near: turn, optionalSeconds: 0 });
  return html;
}

/** The HTML of a panel that is marked as taken, and whether there is anything to read in it. */
const takePanel = inPage(
  { noteLooks, htmlOfElements, markPanels },
  `const [elements, { texts, ...limits }] = input;
   markPanels(elements, texts);
   noteLooks(elements);
   const isEmpty = elements.every((element) => element.textContent.trim() === "" && element.shadowRoot === null);
   return { isEmpty, parts: htmlOfElements(elements, limits) };`,
);

async function panelHtml(drive: Drive, rule: RecipeExpand, panel: Locator, fillMs: number): Promise<string> {
  const limits = { texts: selectors(drive.recipe.turn.text), charsMax: partBytesMax, key: null };
  let html = "";
  const isFilled = async () => {
    const { isEmpty, parts } = (await panel.evaluateAll(takePanel, limits)) as Record<"isEmpty" | "parts", unknown>;
    html = partsOf(parts).at(-1)?.html ?? "";
    return isEmpty === true ? null : true;
  };
  await waitFor(drive, fillMs, isFilled);
  return boundedPart(rule.scroll === undefined ? html : ((await scrolled(drive, rule, panel, fillMs)) ?? html)).html;
}

const scrollsMax = 500;

const takeItems = inPage({ noteLooks, htmlOfElements }, "noteLooks(input[0]); return htmlOfElements(...input);");

const toTop = inPage({ rendered, scrollToTop }, "return scrollToTop(...input);");

const onward = inPage({ rendered, scrollOn }, "return scrollOn(...input);");

/** A list that contains only its visible items: scrolled from top to end, taking every item once. Null: there is no list. */
async function scrolled(drive: Drive, rule: RecipeExpand, within: Locator, fillMs: number): Promise<string | null> {
  const { scroll } = rule;
  if (scroll === undefined) return null;
  const name = `expand.${rule.name}.scroll`;
  const found =
    (await firstPresent(drive, `${name}.area`, scroll.area, within)) ??
    (await firstPresent(drive, `${name}.area`, scroll.area));
  if (found === null) return null;
  const area = found.last();
  const items = new Map<string, string>();
  let length = 0;
  await area.evaluate(toTop);
  const shown = () => firstPresent(drive, `${name}.each`, scroll.each, area);
  let each = await waitFor(drive, fillMs, shown);
  for (let scrolls = 0; scrolls < scrollsMax && length < partBytesMax / 4; scrolls++) {
    const limits = { charsMax: partBytesMax, key: scroll.key ?? null };
    for (const { html, key } of each === null ? [] : partsOf(await each.evaluateAll(takeItems, limits))) {
      if (html === "" || items.has(key ?? html)) continue;
      items.set(key ?? html, html);
      length += html.length;
    }
    if ((await area.evaluate(onward)) !== true) break;
    // Gives the list time to load more.
    await drive.page.waitForTimeout(100);
    each = await shown();
  }
  return [...items.values()].join("\n");
}
