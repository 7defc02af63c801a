/**
 * Determines when an answer is complete. No single sign is sufficient: pages stall in the middle, requests end before their
 * text is rendered, end markers appear before the first word. So all of these must hold at once: nothing indicates that the
 * page is busy; the last turn's text has not changed for a while and several checks; and the recipe's proof is present.
 */
import type { Locator } from "playwright-core";
import { anyVisible, firstPresent, firstVisible, isReplaced, timeIsUp, type Drive } from "../page/drive-context.ts";
import { clearTheWay } from "./blockers.ts";
import { newTurn, shownError } from "../page/page-script.mjs";
import { selectors } from "../recipe/recipe.ts";
import { load } from "cheerio/slim";
import { responseXml, responseText, wordsIn } from "../extract/read-response.ts";
import { firstMatch } from "../recipe/expression.ts";
import { Stopped } from "../recipe/stopped.ts";
import { droppedBy, noteWithoutLists } from "../page/take-snapshots.ts";
import type { AnswerTraffic } from "../page/watch-network.ts";

const lookEveryMs = 300;
const quietMsMin = 1200;
const looksMin = 3;
const brokenMsMax = 5000;
/** How long an answer that has come may stay unseen on the page, which does not load itself anew meanwhile. */
const unseenMsMax = 10_000;

/**
 * Returns the last turn once it is complete; null if the page has no answer; `streamed` if the response has the answer, and no turn of it
 * was found on the page. Throws if nothing comes.
 */
export async function awaitAnswer(drive: Drive, traffic: AnswerTraffic): Promise<Locator | null | "streamed"> {
  const { complete } = drive.recipe;
  const quietMs = Math.max(quietMsMin, (complete.quietSeconds ?? 0) * 1000);
  const startBy = performance.now() + (complete.startSeconds ?? 60) * 1000;
  let text = "";
  let since = performance.now();
  let looks = 0;
  let brokenSince: number | null = null;
  let seenTurn = false;
  let endedSince: number | null = null;
  /** The page writes more slowly than its answer comes. */
  let isTyped = false;
  let noneSince: number | null = null;
  let provenSince: number | null = null;
  const clicks = new Map<number, number>();
  let streamed: readonly string[] | null = null;
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
    if (!isOver(traffic)) streamed = null;
    endedSince = isOver(traffic) ? (endedSince ?? now) : null;
    // The answer has long come, so it is on the page, and the recipe does not find it.
    if (!seenTurn && !busy && endedSince !== null && now - endedSince > unseenMsMax) {
      if ((await streamedWords(drive, traffic)).length > 0) return "streamed";
      throw new Stopped("platform_bad_response", "The answer came, and no new turn of it was found on the page.", {
        lacking: "turn.each",
      });
    }
    if (turn === null || busy || turn.text !== text || turn.text.trim() === "") {
      if (turn !== null && turn.text !== text) drive.tell({ step: "answer", detail: `${turn.text.length} characters` });
      if (provenSince !== null) drive.tell({ step: "answer", detail: "changed after its end" });
      provenSince = null;
      // Such a page pauses between its last words, too, and shows no end.
      isTyped ||= endedSince !== null && now - endedSince > lookEveryMs;
      text = turn?.text ?? "";
      since = now;
      looks = 0;
      drive.lacking = seenTurn ? null : lackingTurn(traffic);
    } else {
      looks++;
      // What the response ends with is on the page, so there is nothing more to come.
      const isPainted =
        endedSince !== null &&
        complete.quietSeconds === undefined &&
        isShown((streamed ??= await streamedWords(drive, traffic)), text);
      const patience = (traffic.state === "let go" || isTyped) && complete.done === undefined ? 2 : 1;
      if (isPainted || (looks >= looksMin && now - since >= quietMs * patience)) {
        drive.lacking = await lackingProof(drive, traffic, turn.locator);
        if (drive.lacking === null && (await isContinued(drive, turn.locator, clicks))) {
          looks = 0;
          since = performance.now();
        } else if (drive.lacking === null) {
          provenSince ??= now;
          if (now - provenSince >= watchMs(drive, traffic)) return turn.locator;
        } else provenSince = null;
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

/** The words of the answer's response; none if the recipe does not read its text there. */
async function streamedWords({ recipe }: Drive, traffic: AnswerTraffic): Promise<readonly string[]> {
  const rule = recipe.turn.response;
  if (rule === undefined) return [];
  const name = rule.in ?? "response";
  const captured = name === "response" ? await traffic.response() : (await traffic.others())[name];
  const body = captured?.body ?? "";
  return body === "" ? [] : wordsIn(responseText(load(responseXml(body), { xml: true }, false), rule));
}

const tailWords = 12;

/** Whether the page shows the end of a text. */
function isShown(words: readonly string[], text: string): boolean {
  if (words.length === 0) return false;
  const shown = new Set(wordsIn(text));
  const part = [...words.slice(0, tailWords), ...words.slice(-tailWords)];
  return part.every((word) => shown.has(word));
}

const silentWatchMs = 3000;

/** How long an answer is watched after its end, because the page may replace it. */
function watchMs({ recipe: { complete, network } }: Drive, traffic: AnswerTraffic): number {
  if (complete.watchSeconds !== undefined) return complete.watchSeconds * 1000;
  return network === undefined && traffic.isSilent ? silentWatchMs : 0;
}

const continuationsMax = 10;

/** Whether an answer that ended before it was whole goes on, because it was told to. Throws if it does not. */
async function isContinued(drive: Drive, turn: Locator, clicks: Map<number, number>): Promise<boolean> {
  for (const [index, rule] of (drive.recipe.complete.incomplete ?? []).entries()) {
    const name = `complete.incomplete.${index}`;
    const found =
      rule.visible === undefined
        ? turn
        : ((await firstVisible(drive, name, rule.visible, turn)) ?? (await firstVisible(drive, name, rule.visible)));
    if (found === null) continue;
    const words = (
      await found
        .last()
        .innerText({ timeout: 2000 })
        .catch(() => "")
    )
      .replaceAll(/\s+/g, " ")
      .trim();
    if (rule.text !== undefined && firstMatch(rule.text, "iu", words) === null) continue;
    const said = rule.visible === undefined ? "" : ` The page says: "${words.slice(0, 300)}"`;
    const done = clicks.get(index) ?? 0;
    const button = rule.click === undefined ? null : await firstVisible(drive, `${name}.click`, rule.click);
    if (button !== null && done < (rule.times ?? continuationsMax)) {
      clicks.set(index, done + 1);
      drive.tell({ step: name, detail: `clicked${words === "" ? "" : `: ${words.slice(0, 100)}`}` });
      await button.last().click({ timeout: 10_000 });
      return true;
    }
    throw new Stopped(rule.failure ?? "platform_unavailable", `The answer ended before it was whole.${said}`);
  }
  return false;
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
