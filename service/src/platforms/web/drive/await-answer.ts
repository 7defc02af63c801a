/**
 * Determines when an answer is complete. No single sign is sufficient: pages stall in the middle, requests end before their
 * text is rendered, end markers appear before the first word. So all of these must hold at once: nothing indicates that the
 * page is busy; the last turn's text has not changed for a while and several checks; and the recipe's proof is present.
 */
import type { Locator } from "playwright-core";
import { anyVisible, firstPresent, firstVisible, isReplaced, timeIsUp, type Drive } from "../page/drive-context.ts";
import { clearTheWay } from "./blockers.ts";
import { newTurn, shownError } from "../page/page-script.mjs";
import { selectors } from "../recipe/recipe-parts.ts";
import { Stopped } from "../recipe/stopped.ts";
import { droppedBy, noteWithoutLists } from "../page/take-snapshots.ts";
import type { AnswerTraffic } from "../page/watch-network.ts";

const lookEveryMs = 300;
const quietMsMin = 1200;
const looksMin = 3;
const brokenMsMax = 5000;
/** How long an answer that has come may stay unseen on the page, which does not load itself anew meanwhile. */
const unseenMsMax = 10_000;

/** Returns the last turn once it is complete, or null if the page has no answer; throws if neither comes. */
export async function awaitAnswer(drive: Drive, traffic: AnswerTraffic): Promise<Locator | null> {
  const { complete } = drive.recipe;
  const quietMs = Math.max(quietMsMin, (complete.quietSeconds ?? 0) * 1000);
  const startBy = performance.now() + (complete.startSeconds ?? 60) * 1000;
  let text = "";
  let since = performance.now();
  let looks = 0;
  let brokenSince: number | null = null;
  let seenTurn = false;
  let endedSince: number | null = null;
  let noneSince: number | null = null;
  drive.page.on("domcontentloaded", () => (endedSince = null));
  for (;;) {
    if (performance.now() >= drive.deadline) throw timeIsUp(drive);
    const { turn, busy } = await look(drive, traffic);
    if (busy && !drive.matched.has("complete.busy")) await firstVisible(drive, "complete.busy", complete.busy);
    const now = performance.now();
    seenTurn ||= turn !== null;
    const isNone = (turn?.text ?? "").trim() === "" && !busy && (await anyVisible(drive, [complete.none?.visible]));
    noneSince = isNone ? (noneSince ?? now) : null;
    if (noneSince !== null && now - noneSince >= (complete.none?.afterSeconds ?? 3) * 1000) {
      drive.lacking = null;
      return null;
    }
    endedSince = isOver(traffic) ? (endedSince ?? now) : null;
    // The answer has long come, so it is on the page, and the recipe does not find it.
    if (!seenTurn && !busy && endedSince !== null && now - endedSince > unseenMsMax) {
      throw new Stopped("platform_bad_response", "The answer came, and no new turn of it was found on the page.", {
        lacking: "turn.each",
      });
    }
    if (turn === null || busy || turn.text !== text || turn.text.trim() === "") {
      if (turn !== null && turn.text !== text) drive.tell({ step: "answer", detail: `${turn.text.length} characters` });
      text = turn?.text ?? "";
      since = now;
      looks = 0;
      drive.lacking = seenTurn ? null : lackingTurn(traffic);
    } else {
      looks++;
      if (
        looks >= looksMin &&
        now - since >= quietMs * (traffic.state === "let go" && complete.done === undefined ? 2 : 1)
      ) {
        drive.lacking = await lackingProof(drive, traffic, turn.locator);
        if (drive.lacking === null) return turn.locator;
        if (now - since > brokenMsMax) await checkShownError(drive, turn.locator);
      }
    }
    if (text.trim() === "" && now > startBy) {
      throw new Stopped("platform_timeout", "The page did not begin to answer.", {
        lacking: drive.matched.has("turn.each") && !isOver(traffic) ? null : "turn.each",
      });
    }
    // A page may reconnect by itself after a broken connection; one that is broken for longer stays so.
    brokenSince = traffic.state === "broken" ? (brokenSince ?? now) : null;
    if (brokenSince !== null && now - brokenSince > brokenMsMax && now - since > brokenMsMax) {
      throw new Stopped("platform_unavailable", "The connection broke while the answer came.");
    }
    // The answer will probably be complete at the next look, unless it changes: what reading it needs is prepared meanwhile.
    const isNearlyQuiet = turn !== null && looks >= looksMin - 1 && performance.now() - since >= quietMs - lookEveryMs;
    // The next look is when the answer has been quiet for long enough, and not up to a whole interval later.
    const quietInMs = since + quietMs - performance.now();
    const nextLookMs =
      looks >= looksMin - 1 && quietInMs > 0 ? Math.min(lookEveryMs, Math.ceil(quietInMs)) : lookEveryMs;
    await Promise.all([
      new Promise((resolve) => setTimeout(resolve, nextLookMs)),
      isNearlyQuiet ? noteWithoutLists(drive, turn.locator) : null,
    ]);
  }
}

const isOver = ({ state }: AnswerTraffic) => state === "ended" || state === "let go";

/** The page was answering, and nothing of it was found. */
const lackingTurn = (traffic: AnswerTraffic) => (isOver(traffic) ? "turn.each" : null);

/** The place in the recipe of the proof that is missing; null if the answer is complete. */
async function lackingProof(drive: Drive, traffic: AnswerTraffic, turn: Locator): Promise<string | null> {
  const { complete, network } = drive.recipe;
  if (network !== undefined && !isOver(traffic)) return "network.answer";
  if (complete.done === undefined) return null;
  return (await firstVisible(drive, "complete.done", complete.done, turn)) === null ? "complete.done" : null;
}

interface Look {
  readonly turn: { readonly locator: Locator; readonly text: string } | null;
  readonly busy: boolean;
}

async function look(drive: Drive, traffic: AnswerTraffic): Promise<Look> {
  try {
    const [turn, busy] = await Promise.all([
      lastNewTurn(drive),
      anyVisible(drive, [drive.recipe.complete.busy]),
      clearTheWay(drive, () => traffic.status),
    ]);
    return { turn, busy };
  } catch (error) {
    // Some pages load themselves anew, or continue at the conversation's own address.
    if (isReplaced(error)) return { turn: null, busy: true };
    throw error;
  }
}

async function lastNewTurn(drive: Drive): Promise<Look["turn"]> {
  const dropped = droppedBy(drive);
  // Once the first selector of the list has matched, it is tried alone before the others. A later one may have matched only because the page
  // was not complete yet.
  const known = drive.matched.get("turn.each");
  const before = known?.at === 0 ? drive.root.locator(known.selector) : null;
  const found = before === null ? null : readTurn(await before.evaluateAll(newTurn, dropped));
  if (before !== null && found !== null)
    return found.old ? null : { locator: before.nth(found.index), text: found.text };
  const turns = await firstPresent(drive, "turn.each", drive.recipe.turn.each);
  const first = turns === null ? null : readTurn(await turns.evaluateAll(newTurn, dropped));
  if (turns === null || first === null || first.old) return null;
  return { locator: turns.nth(first.index), text: first.text };
}

function readTurn(value: unknown): { index: number; text: string; old: boolean } | null {
  if (typeof value !== "object" || value === null) return null;
  const { index, text, old } = value as Record<string, unknown>;
  return typeof index === "number" && typeof text === "string" ? { index, text, old: old === true } : null;
}

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
