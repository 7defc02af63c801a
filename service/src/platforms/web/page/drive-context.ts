import type { FrameLocator, Locator, Page } from "playwright-core";
import type { Match } from "./snapshots.ts";
import { showEnd } from "./page-script.mjs";
import { selectors, type Recipe } from "../recipe/recipe.ts";
import { Stopped } from "../recipe/stopped.ts";

export type DriveEvent = { readonly step: string; readonly detail: string };

/** The state that all parts of the driver share: the page, the recipe, what matched so far, and the deadline. */
export interface Drive {
  readonly recipe: Recipe;
  /** Empty if none is asked. */
  readonly question: string;
  readonly page: Page;
  /** The status of the page itself; null before it was opened. */
  entryStatus: number | null;
  /** Until then, a page that refused access may let the visitor in by itself. */
  admittedBy: number;
  /** Where selectors are searched: the page, or the recipe's frame in it, once it exists. */
  root: Page | FrameLocator;
  readonly matched: Map<string, Match>;
  /** The state of the answer in which no list was found that shows its visible items only; null: none was looked for. */
  withoutLists: string | null;
  /** The place in the recipe of the condition for a complete answer that was not met at the last look; null: none is known. */
  lacking: string | null;
  readonly deadline: number;
  readonly tell: (event: DriveEvent) => void;
}

type Scope = Pick<Page, "locator"> | Pick<Locator, "locator">;

/** Enters the recipe's frame. False: it does not exist yet. */
export async function enterFrame(drive: Drive): Promise<boolean> {
  const { frame: list } = drive.recipe;
  if (list === undefined || drive.root !== drive.page) return true;
  const found = await firstOf(drive, "frame", list, (selector) => framesOf(drive.page, selector));
  if (found === null) return false;
  const frame = found.last();
  // Its composer is at its lower end, and often fixed there, and a fixed element cannot be scrolled to from inside the frame.
  await frame.evaluate(showEnd, undefined, { timeout: 2000 }).catch(() => undefined);
  drive.root = frame.contentFrame();
  return true;
}

/** The frames for a selector; each ` >>> ` enters a nested one. */
function framesOf(page: Page, selector: string): Locator {
  const [first = selector, ...further] = selector.split(" >>> ");
  const visible = (scope: Scope, part: string) => scope.locator(part).filter({ visible: true });
  return further.reduce((outer, part) => visible(outer.last().contentFrame(), part), visible(page, first));
}

/** The frame first, then the page around it: for what may be in either. */
export function scopes({ root, page }: Drive): readonly (Page | FrameLocator)[] {
  return root === page ? [page] : [root, page];
}

/** The first selector of a list that matches something visible, reported under `name` if that is not null; null if none does. */
export async function firstVisible(
  drive: Drive,
  name: string | null,
  list: string | readonly string[] | undefined,
  scope: Scope = drive.root,
): Promise<Locator | null> {
  return firstOf(drive, name, list, (selector) => scope.locator(selector).filter({ visible: true }));
}

/**
 * The same, also for an element without a box of its own whose contents are visible, such as a panel of which everything is
 * positioned elsewhere.
 */
export async function firstShown(
  drive: Drive,
  name: string,
  list: string | readonly string[] | undefined,
  scope: Scope = drive.root,
): Promise<Locator | null> {
  return firstOf(drive, name, list, (selector) => {
    const all = scope.locator(selector);
    return all.filter({ visible: true }).or(all.filter({ has: drive.root.locator("*:visible") }));
  });
}

/**
 * True if an element of any of the selectors is visible: one query of the page for all of them. Elements that are checked every
 * time, and usually absent, are queried this way first.
 */
export async function anyVisible(
  drive: Drive,
  lists: readonly (string | readonly string[] | undefined)[],
  within: readonly Scope[] = [drive.root],
): Promise<boolean> {
  const all = lists.flatMap((list) => selectors(list)).join(", ");
  if (all === "") return false;
  for (const scope of within) {
    if ((await scope.locator(all).filter({ visible: true }).count()) > 0) return true;
  }
  return false;
}

/** The same for elements that exist, visible or not. */
export async function firstPresent(
  drive: Drive,
  name: string,
  list: string | readonly string[] | undefined,
  scope: Scope = drive.root,
): Promise<Locator | null> {
  return firstOf(drive, name, list, (selector) => scope.locator(selector));
}

async function firstOf(
  drive: Drive,
  name: string | null,
  list: string | readonly string[] | undefined,
  locate: (selector: string) => Locator,
): Promise<Locator | null> {
  const all = selectors(list);
  for (const [at, selector] of all.entries()) {
    const located = locate(selector);
    const count = await located.count();
    if (count === 0) continue;
    if (name !== null && drive.matched.get(name)?.selector !== selector) {
      drive.matched.set(name, { selector, at, of: all.length, count });
      const which = all.length > 1 ? ` (${at + 1} of ${all.length})` : "";
      drive.tell({ step: name, detail: `matched ${selector}${which}${count > 1 ? `, ${count} times` : ""}` });
    }
    return located;
  }
  return null;
}

/**
 * Polls until there is a value, for at most `atMostMs` and never past the drive's deadline; null at the time limit. Often at
 * first, since most of what is waited for comes at once.
 */
export async function waitFor<Value>(
  drive: Drive,
  atMostMs: number,
  ask: () => Promise<Value | null>,
): Promise<Value | null> {
  let everyMs = pollMsMin;
  const until = Math.min(drive.deadline, performance.now() + atMostMs);
  for (;;) {
    const value = await ask().catch((error: unknown) => {
      if (isReplaced(error)) return null;
      throw error;
    });
    if (value !== null) return value;
    if (performance.now() >= drive.deadline) throw timeIsUp(drive);
    if (performance.now() >= until) return null;
    await new Promise((resolve) => setTimeout(resolve, everyMs));
    everyMs = Math.min(pollMsMax, 1.4 * everyMs);
  }
}

/** The page was loaded anew while it was asked, or another one in its place: it can be asked again. */
export const isReplaced = (error: unknown): boolean =>
  error instanceof Error &&
  /execution context was destroyed|cannot find context|frame (was|got) detached/i.test(error.message);

const pollMsMin = 15;
const pollMsMax = 100;

export function timeIsUp({ lacking }: Drive): Stopped {
  const missing = lacking === null ? "" : ` Still missing was what the recipe's ${lacking} names.`;
  return new Stopped("platform_timeout", `The answer was not whole when the time was up.${missing}`, { lacking });
}
