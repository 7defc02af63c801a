/** Takes the snapshot of a turn. */
import type { Locator } from "playwright-core";
import type { Drive } from "./drive-context.ts";
import { inPage } from "./in-page.ts";
import { findLists, noteLists, scrollLists } from "./page-lists.mjs";
import { noteLooks } from "./page-looks.mjs";
import { findDrafts, htmlOfElements, newTurn } from "./page-script.mjs";
import { rendered } from "./page-scroll.mjs";
import { selectors } from "../recipe/recipe.ts";
import { boundedPart, partBytesMax } from "./snapshots.ts";
import { Stopped } from "../recipe/stopped.ts";
import { load, type CheerioAPI } from "cheerio/slim";

const listStepsMax = 400;

const stillTriesMax = 20;

/** The HTML of a turn with what only the browser knows about it, and its state at this moment. */
const takeTurn = inPage(
  { noteLooks, htmlOfElements, newTurn },
  "const state = newTurn(input[0], input[1].dropped); noteLooks(input[0]); return { state, parts: htmlOfElements(...input) };",
);

const lookForLists = inPage({ rendered, findLists }, "return findLists(...input);");

const scrollAndRender = inPage({ rendered, scrollLists }, "return scrollLists(...input);");

const limits = { charsMax: partBytesMax, key: null };

/** What the recipe drops from the text may change, such as the age of an answer. */
export const droppedBy = ({ recipe }: Pick<Drive, "recipe">): readonly string[] => selectors(recipe.rewrite?.drop);

const stateOf = async (drive: Pick<Drive, "recipe">, turn: Locator) =>
  JSON.stringify(await turn.evaluateAll(newTurn, droppedBy(drive)));

/**
 * Notes that a turn has no list that shows its visible items only, which takes some scrolling to find out. Called while the turn is
 * watched anyway; it counts as long as the turn does not change.
 */
export async function noteWithoutLists(drive: Drive, turn: Locator): Promise<void> {
  const state = await stateOf(drive, turn).catch(() => null);
  if (state === null || drive.withoutLists === state) return;
  // A turn that is gone at this moment is looked at again.
  const areas = await turn.evaluate(lookForLists, undefined, { timeout: 2000 }).catch(() => null);
  drive.withoutLists = areas === 0 ? state : null;
}

/** The HTML of a turn that the page did not change meanwhile: some render the answer anew seconds after its end. */
export async function turnHtml(
  drive: Pick<Drive, "withoutLists" | "recipe">,
  turn: Locator,
): Promise<{ html: string; isCut: boolean }> {
  for (let tries = 1; ; tries++) {
    const { state, html } = await turnNow(drive, turn);
    if (drive.withoutLists === state) return boundedPart(html);
    const areas = Number(await turn.evaluate(lookForLists));
    const taken =
      areas === 0
        ? await turnNow(drive, turn)
        : { html: await wholeTurn(turn, areas), state: await stateOf(drive, turn) };
    if (taken.state === state || tries === stillTriesMax) return boundedPart(taken.html);
    await turn.page().waitForTimeout(250);
  }
}

const takeDrafts = inPage(
  { findDrafts, noteLooks, htmlOfElements },
  `const [turn, { rules, limits }] = input;
   const drafts = findDrafts(turn, rules);
   if (drafts === null) return [];
   const others = drafts.flatMap(({ node, isTaken }, at) => (isTaken ? [] : [{ node, position: at + 1 }]));
   noteLooks(others.map(({ node }) => node));
   const parts = htmlOfElements(others.map(({ node }) => node), limits);
   return parts.map(({ html }, at) => ({ html, key: String(others[at].position) }));`,
);

const draftsMax = 8;

/** The other drafts of the answer, with their positions among all of them. Marks those in the turn, so that they are not part of it. */
export async function draftsBeside(
  { recipe: { turn: rule, complete } }: Pick<Drive, "recipe">,
  turn: Locator,
): Promise<{ position: number; html: string }[]> {
  const rules = {
    drafts: selectors(rule.alternatives),
    turns: selectors(rule.each),
    texts: selectors(rule.text),
    done: selectors(complete.done),
    question: selectors(rule.question),
  };
  const read: unknown = await turn.evaluate(takeDrafts, { rules, limits: { ...limits, charsMax: partBytesMax / 4 } });
  return partsOf(read)
    .slice(0, draftsMax)
    .map(({ html, key }) => ({ position: Number(key), html }));
}

async function turnNow(drive: Pick<Drive, "recipe">, turn: Locator): Promise<{ html: string; state: string }> {
  const { state, parts } = (await turn.evaluateAll(takeTurn, { ...limits, dropped: droppedBy(drive) })) as Record<
    "state" | "parts",
    unknown
  >;
  return { state: JSON.stringify(state), html: lastOf(parts) };
}

/** The HTML of a turn, with all items of lists that contain the visible ones only. */
async function wholeTurn(turn: Locator, areas: number): Promise<string> {
  const snapshots: string[] = [];
  for (let area = 0, length = 0; area < areas; area++) {
    let moved = await turn.evaluate(scrollAndRender, { area, restart: true });
    for (let steps = 0; moved === true && steps < listStepsMax && length < 4 * partBytesMax; steps++) {
      const read: unknown = await turn.evaluateAll(takeWithLists, limits);
      for (const { html } of partsOf(read)) {
        snapshots.push(html);
        length += html.length;
      }
      moved = await turn.evaluate(scrollAndRender, { area, restart: false });
    }
  }
  return mergeLists(snapshots);
}

const takeWithLists = inPage(
  { noteLooks, noteLists, htmlOfElements },
  "noteLooks(input[0]); noteLists(); return htmlOfElements(...input);",
);

function lastOf(read: unknown): string {
  const last = partsOf(read).at(-1);
  if (last === undefined)
    throw new Stopped("platform_bad_response", "What was there a moment ago is gone from the page.");
  return last.html;
}

/** What `htmlOfElements` returned. */
export function partsOf(read: unknown): { html: string; key: string | null }[] {
  if (!Array.isArray(read)) return [];
  return read.map((each: { html?: unknown; key?: unknown }) => ({
    html: typeof each.html === "string" ? each.html : "",
    key: typeof each.key === "string" ? each.key : null,
  }));
}

/**
 * One HTML from snapshots of the same element, taken while it was scrolled from its beginning to its end: its lists contain every
 * item that was in any of them, in the order of appearance.
 */
function mergeLists(snapshots: readonly string[]): string {
  const lists = new Map<string, Map<string, string>>();
  const documents = snapshots.map((html) => load(html, null, false));
  for (const $ of documents)
    for (const list of outerLists($)) {
      const items = lists.get(list.number) ?? new Map<string, string>();
      lists.set(list.number, items);
      for (const { key, html } of list.items) {
        // An item can be a placeholder before it is complete.
        if ((items.get(key)?.length ?? -1) < html.length) items.set(key, html);
      }
    }
  const last = documents.at(-1);
  if (last === undefined) return "";
  for (const { number, element } of outerLists(last)) element.html([...(lists.get(number)?.values() ?? [])].join("\n"));
  return last.html();
}

function outerLists($: CheerioAPI) {
  return $("[data-querent-list]")
    .toArray()
    .map((node) => $(node))
    .filter((element) => element.parents("[data-querent-list]").length === 0)
    .map((element) => ({
      number: element.attr("data-querent-list") ?? "",
      element,
      items: element
        .children("[data-querent-item]")
        .toArray()
        .map((node) => ({
          key: $(node).attr("data-querent-item") ?? "",
          order: Number($(node).attr("data-querent-order")),
          html: $.html(node),
        }))
        .toSorted((a, b) => a.order - b.order),
    }));
}
