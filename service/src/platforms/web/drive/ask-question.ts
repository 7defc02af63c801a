/** From an opened page to a question that was sent, and verified to be unchanged. */
import type { Locator } from "playwright-core";
import { enterFrame, firstPresent, firstVisible, waitFor, type Drive } from "../page/drive-context.ts";
import { checkBlockers, clearTheWay, dismiss } from "./blockers.ts";
import { heldText, isField, markOldTurns } from "../page/page-script.mjs";
import type { Recipe } from "../recipe/recipe.ts";
import { requireSteps, runSteps } from "./run-steps.ts";
import { Stopped } from "../recipe/stopped.ts";
import type { AnswerTraffic } from "../page/watch-network.ts";

type Composer = NonNullable<Recipe["composer"]>;

export async function askQuestion(
  drive: Drive,
  question: { readonly text: string; readonly deepAnalysis: boolean },
  traffic: AnswerTraffic,
): Promise<void> {
  const { composer, options } = drive.recipe;
  if (composer === undefined) return awaitAdmission(drive);
  const found = await findComposer(drive, composer);
  const isPrepared = await requireSteps(drive, "composer.before", composer.before);
  const { deepAnalysis } = options ?? {};
  const mode = question.deepAnalysis ? deepAnalysis?.on : deepAnalysis?.off;
  const isChosen = await requireSteps(drive, "options.deepAnalysis", mode);
  // What was done may have replaced it, or opened something over it.
  const input = isPrepared || isChosen ? await findComposer(drive, composer) : found;
  await Promise.all([noteOldTurns(drive), fill(drive, input, question.text, composer.fill)]);
  traffic.arm();
  await submit(drive, input, composer.submit);
}

async function noteOldTurns(drive: Drive): Promise<void> {
  const old = await firstPresent(drive, "turn.each", drive.recipe.turn.each);
  await old?.evaluateAll(markOldTurns);
}

/** A page that is asked by its address has been asked, unless it refused access and lets the visitor in only now. */
async function awaitAdmission(drive: Drive): Promise<void> {
  await waitFor(drive, Math.max(0, drive.admittedBy - performance.now()), async () =>
    isBeingAdmitted(drive) ? null : true,
  );
  await checkBlockers(drive, () => drive.entryStatus);
  await requireSteps(drive, "open", drive.recipe.open);
  if (drive.recipe.frame === undefined) return;
  const isIn = await waitFor(drive, 30_000, async () => ((await enterFrame(drive)) ? true : null));
  if (isIn === null) {
    throw new Stopped("platform_bad_response", "The page never showed the recipe's frame.", { lacking: "frame" });
  }
}

/** Waits for the composer, and closes what covers it. */
export async function findComposer(drive: Drive, composer: Composer): Promise<Locator> {
  const { open } = drive.recipe;
  let isOpen = open === undefined || drive.matched.has("composer.input");
  let lacking = "composer.input";
  const input = await waitFor(drive, (composer.timeoutSeconds ?? 30) * 1000, async () => {
    const clear = () => (isBeingAdmitted(drive) ? dismiss(drive) : clearTheWay(drive, () => drive.entryStatus));
    const cleared = isOpen ? null : await clear();
    isOpen ||= (await runSteps(drive, "open", open)).ok;
    const isIn = isOpen && (await enterFrame(drive));
    lacking = !isOpen ? "open" : isIn ? "composer.input" : "frame";
    const [dismissed, found] = await Promise.all([
      cleared ?? clear(),
      isIn ? firstVisible(drive, "composer.input", composer.input) : null,
    ]);
    // What is behind a dialog cannot be used yet.
    return dismissed ? null : found;
  });
  if (input === null) {
    await checkBlockers(drive, () => drive.entryStatus);
    throw new Stopped("platform_bad_response", "The page never showed what the recipe takes for its composer.", {
      lacking,
    });
  }
  return input.last();
}

/** The page refused access at first, and may still let the visitor in. */
function isBeingAdmitted({ entryStatus, admittedBy }: Drive): boolean {
  return entryStatus === 403 && performance.now() < admittedBy;
}

/** Enters the question, and reads it back: if the composer changed it, it would be another question. */
async function fill(drive: Drive, input: Locator, text: string, wanted: Composer["fill"] = "auto"): Promise<void> {
  const isNative = (await valueOf(input)) !== null;
  const isOneField = isNative || (await input.evaluate(isField)) === true;
  const ways = wanted === "auto" ? (isOneField ? ["set", "type"] : ["insert", "set", "type"]) : [wanted];
  for (const way of ways) {
    try {
      await put(drive, input, text, way);
    } catch {
      await dismiss(drive);
      continue;
    }
    const held = isNative ? await valueOf(input) : await input.evaluate(heldText, undefined, { timeout: 5000 });
    if (sameText(String(held), text)) {
      drive.tell({ step: "composer.fill", detail: way });
      return;
    }
  }
  throw new Stopped("platform_bad_response", "The page's composer did not take the question as it is.");
}

/** The value of an ordinary field; null for an editor. Needs no function in the page, which is still busy starting. */
async function valueOf(input: Locator): Promise<string | null> {
  return input.inputValue({ timeout: 5000 }).catch(() => null);
}

async function put(drive: Drive, input: Locator, text: string, way: string): Promise<void> {
  const { keyboard } = drive.page;
  if (way === "set") {
    await input.fill(text, { timeout: 5000 });
    return;
  }
  await input.click({ timeout: 5000 });
  await keyboard.press("ControlOrMeta+A");
  await keyboard.press("Delete");
  if (way === "insert") await keyboard.insertText(text);
  else {
    // A line break would send it; with Shift it only breaks the line.
    for (const [index, line] of text.split(/\r?\n/).entries()) {
      if (index > 0) await keyboard.press("Shift+Enter");
      await keyboard.type(line);
    }
  }
}

const sameText = (a: string, b: string) => a.replaceAll(/\s+/g, " ").trim() === b.replaceAll(/\s+/g, " ").trim();

async function submit(drive: Drive, input: Locator, how: Composer["submit"]): Promise<void> {
  if ("press" in how) {
    await input.press(how.press, { timeout: 5000 });
    return;
  }
  // A click takes two frames of the page. One that a busy machine does not draw in time is tried for twice as long.
  let timeout = 5000;
  const sent = await waitFor(drive, 30_000, async () => {
    const button = await firstVisible(drive, "composer.submit", how.click);
    if (button === null) return (await isTaken(input)) ? true : null;
    try {
      // Waits for it to be enabled and stable, and fails if something covers it.
      await button.last().click({ timeout });
      return true;
    } catch {
      timeout *= 2;
      // On a slow machine the click may have succeeded although its confirmation was late.
      if (await isTaken(input)) return true;
      await checkBlockers(drive);
      await dismiss(drive);
      return null;
    }
  });
  if (sent === null) {
    throw new Stopped("platform_bad_response", "The page's button to send could not be pressed.", {
      lacking: drive.matched.has("composer.submit") ? null : "composer.submit",
    });
  }
}

/** The page has accepted the question: its composer is empty, or gone. */
async function isTaken(input: Locator): Promise<boolean> {
  if ((await input.count()) === 0) return true;
  const held = await input.evaluate(heldText, undefined, { timeout: 2000 }).catch(() => null);
  return typeof held === "string" && held.trim() === "";
}
