/** What ends a task, and what only covers the page. Checked before the question is sent, and each time the answer is read. */
import type { Locator, Page } from "playwright-core";
import { firstMatch } from "../recipe/expression.ts";
import { anyVisible, firstVisible, scopes, type Drive } from "../page/drive-context.ts";
import { selectors, type RecipeBlocker } from "../recipe/recipe.ts";
import { Stopped } from "../recipe/stopped.ts";
import { markConversation, wordsOf } from "../page/turn-script.mjs";

type Status = () => number | null;

/** Throws if a blocker applies. `status` returns the status of the response, if one was received. */
export async function checkBlockers(drive: Drive, status: Status = () => null): Promise<void> {
  await checkStatus(drive, status());
  await checkSeen(drive, status, await anyVisible(drive, blockersBySight(drive), scopes(drive)));
}

/**
 * Throws if a blocker applies, and closes what covers the page; true if there was something. One query of the page, if there is
 * neither.
 */
export async function clearTheWay(drive: Drive, status: Status): Promise<boolean> {
  await checkStatus(drive, status());
  const seen = await anyVisible(drive, [...blockersBySight(drive), ...coverings(drive)], scopes(drive));
  await checkSeen(drive, status, seen);
  return seen && (await dismiss(drive));
}

const blockersBySight = ({ recipe }: Drive) =>
  (recipe.blockers ?? []).flatMap(({ visible, status }) => (status === undefined ? [visible] : []));

const coverings = ({ recipe }: Drive) => (recipe.dismiss ?? []).flatMap(({ visible, click }) => [visible, click]);

/** `seen`: whether anything is visible that could be a blocker. */
async function checkSeen(drive: Drive, status: Status, seen: boolean): Promise<void> {
  for (const blocker of drive.recipe.blockers ?? []) {
    if (blocker.visible !== undefined && !seen) continue;
    if (blocker.status !== undefined || isExcepted(blocker, status())) continue;
    const found = await applies(drive, blocker, null);
    if (found === null) continue;
    // A status is more reliable than a banner, and may have been received in the meantime.
    await checkStatus(drive, status());
    if (isExcepted(blocker, status())) continue;
    throw stoppedBy(drive, blocker, status(), found.words);
  }
}

const isExcepted = ({ exceptStatus }: RecipeBlocker, status: number | null) =>
  status !== null && exceptStatus?.includes(status) === true;

function stoppedBy(drive: Drive, blocker: RecipeBlocker, status: number | null, words: string): Stopped {
  drive.tell({ step: "blocker", detail: words === "" ? blocker.name : `${blocker.name}: ${words}` });
  const message = blocker.message ?? `The page stopped at: ${blocker.name}.`;
  return new Stopped(blocker.failure, words === "" ? message : `${message} The page says: "${words}"`, {
    status,
    ...(blocker.retryable === undefined ? {} : { retryable: blocker.retryable }),
    ...(blocker.retryAfterSeconds === undefined ? {} : { retryAfterMs: blocker.retryAfterSeconds * 1000 }),
  });
}

/** What the page says where the blocker applies; null if it does not apply. */
async function applies(drive: Drive, blocker: RecipeBlocker, status: number | null): Promise<{ words: string } | null> {
  if (blocker.status !== undefined && (status === null || !blocker.status.includes(status))) return null;
  if (blocker.url !== undefined && firstMatch(blocker.url, "u", drive.page.url()) === null) return null;
  if (blocker.visible === undefined && blocker.text === undefined) return { words: "" };
  for (const scope of scopes(drive)) {
    // A blocker whose text is not there has not matched.
    const found = await firstVisible(drive, null, blocker.visible ?? "body", scope);
    if (found === null) continue;
    // Marked only where it matters, because a page is looked at three times a second.
    if (blocker.in !== "turn" && (await wordsWhere(drive, blocker, found)) === null) continue;
    await markTurns(drive, scope);
    const words = await wordsWhere(drive, blocker, found);
    if (words === null) continue;
    await firstVisible(drive, `blockers.${blocker.name}`, blocker.visible ?? "body", scope);
    return { words };
  }
  return null;
}

/** The words of the first element to which the blocker applies. */
async function wordsWhere(drive: Drive, blocker: RecipeBlocker, found: Locator): Promise<string | null> {
  const where = blocker.in ?? "outside";
  const how = { question: drive.question, where, menus: blocker.text === undefined || where === "page" };
  const read: unknown = await found.evaluateAll(wordsOf, how);
  for (const text of Array.isArray(read) ? (read as unknown[]) : []) {
    if (typeof text !== "string") continue;
    const at = blocker.text === undefined ? 0 : (firstMatch(blocker.text, "iu", text)?.index ?? -1);
    if (at >= 0) return quoteAt(text, at);
  }
  return null;
}

const quotedCharsMax = 200;

/** The line of a text at an index, or the part of it around the index. */
function quoteAt(text: string, at: number): string {
  const trimmed = at + (/^\s*/.exec(text.slice(at))?.[0].length ?? 0);
  const start = Math.max(text.lastIndexOf("\n", trimmed - 1) + 1, trimmed - quotedCharsMax / 2);
  const line = (text.slice(start, start + 4 * quotedCharsMax).split("\n", 1)[0] ?? "").replaceAll(/\s+/g, " ").trim();
  return line.length > quotedCharsMax ? `${line.slice(0, quotedCharsMax - 1).toWellFormed()}…` : line;
}

/** Marks the conversation, so that what is said in it is not taken for what the page says. */
async function markTurns(drive: Drive, scope: Pick<Page, "locator">): Promise<void> {
  const { turn, composer } = drive.recipe;
  for (const list of [turn.each, turn.question, composer?.input])
    for (const selector of selectors(list)) await scope.locator(selector).evaluateAll(markConversation);
}

/** The blockers that name the status; otherwise what the status means by itself. */
async function checkStatus(drive: Drive, status: number | null): Promise<void> {
  if (status === null) return;
  for (const blocker of drive.recipe.blockers ?? []) {
    if (blocker.status === undefined) continue;
    const found = await applies(drive, blocker, status);
    if (found !== null) throw stoppedBy(drive, blocker, status, found.words);
  }
  if (status < 400) return;
  // A page that asks for a human often does so with a status that would mean something else.
  for (const blocker of drive.recipe.blockers ?? []) {
    if (blocker.failure !== "platform_human_check" || blocker.status !== undefined || isExcepted(blocker, status))
      continue;
    const found = await applies(drive, blocker, null);
    if (found !== null) throw stoppedBy(drive, blocker, status, found.words);
  }
  const [code, what] =
    status === 429
      ? (["platform_rate_limited", "limits requests"] as const)
      : status === 401 || status === 403
        ? (["platform_auth", "refused access"] as const)
        : (["platform_unavailable", "failed"] as const);
  throw new Stopped(code, `The page's server ${what} (${status}).`, { status });
}

/** Closes what covers the page. True if there was something. */
export async function dismiss(drive: Drive): Promise<boolean> {
  const rules = drive.recipe.dismiss ?? [];
  if (!(await anyVisible(drive, coverings(drive), scopes(drive)))) return false;
  let dismissed = false;
  const around = scopes(drive).flatMap((scope) =>
    [...rules.entries()].map(([index, rule]) => ({ scope, index, rule })),
  );
  for (const { scope, index, rule } of around) {
    const name = `dismiss.${index}`;
    if (rule.visible !== undefined && (await firstVisible(drive, `${name}.visible`, rule.visible, scope)) === null)
      continue;
    if (rule.click !== undefined) {
      const button = await firstVisible(drive, `${name}.click`, rule.click, scope);
      if (button === null) continue;
      // It may be closing by itself at this moment.
      await button
        .first()
        .click({ timeout: 2000 })
        .catch(() => undefined);
      dismissed = true;
    }
    if (rule.press !== undefined && rule.visible !== undefined) {
      await drive.page.keyboard.press(rule.press);
      dismissed = true;
    }
  }
  return dismissed;
}
