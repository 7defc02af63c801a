/** Tries a recipe step by step and keeps everything that was seen, for `querentd recipe`. */
import type { BrowserPool } from "../../browser/index.ts";
import type { PlatformAnswer } from "../platform.ts";
import { readSnapshots, type PageSnapshots } from "./page/snapshots.ts";
import { firstVisible, type DriveEvent, type Drive } from "./page/drive-context.ts";
import { drivePage, newDrive, openPage } from "./drive/drive-page.ts";
import { extractAnswer } from "./extract/extract-answer.ts";
import type { LoadedRecipe } from "./recipe/load-recipe.ts";
import { picture, shareAddress } from "./drive/take-evidence.ts";
import { contextNeeds, signInNeeds } from "./drive/context-needs.ts";
import type { BrowserContext } from "playwright-core";
import { findComposer } from "./drive/ask-question.ts";
import { checkBlockers } from "./drive/blockers.ts";
import { asksToSignIn } from "./recipe/record-recipe.ts";
import { Stopped } from "./recipe/stopped.ts";

export interface Trial {
  readonly snapshots: PageSnapshots;
  /** The answer of the page; null if it was not complete. */
  readonly answer: PlatformAnswer | null;
  readonly failure: { readonly code: string; readonly message: string } | null;
  readonly counts: Readonly<Record<string, number>>;
  readonly failedChecks: readonly { readonly of: string; readonly expected: number; readonly read: number }[];
  /** The selector of each list that matched, on the page and in its snapshots. */
  readonly matched: PageSnapshots["matched"];
  /** Places in the recipe that answers need, and for which nothing matched. */
  readonly unmatched: readonly string[];
  /** What stands in the answer with words in it, and is not in its text. */
  readonly leftOut: readonly { readonly element: string; readonly text: string }[];
  /** Whether the page shows another text than the response has. */
  readonly differs: boolean;
  readonly shareUrl: string | null;
  readonly screenshot: Buffer | null;
}

export interface TrialInput {
  readonly pool: BrowserPool;
  readonly loaded: LoadedRecipe;
  readonly question: string;
  readonly deepAnalysis: boolean;
  readonly timeoutMs: number;
  readonly share: boolean;
  readonly screenshot: boolean;
  readonly signal: AbortSignal;
  readonly tell: (event: DriveEvent) => void;
}

export async function tryRecipe(input: TrialInput): Promise<Trial> {
  const { pool, loaded, question, deepAnalysis, signal, tell } = input;
  let shareUrl: string | null = null;
  let screenshot: Buffer | null = null;
  const { snapshots, stopped } = await pool.withContext(signal, contextNeeds(loaded), ({ context, refused }) =>
    drivePage({
      loaded,
      question: { text: question, deepAnalysis },
      context,
      refused,
      deadline: performance.now() + input.timeoutMs,
      tell,
      afterwards: async (drive, turn, clipboard) => {
        if (input.share) shareUrl = await shareAddress(drive, clipboard);
        if (input.screenshot) screenshot = (await picture(drive, turn)).png;
      },
    }),
  );
  if (stopped !== null) {
    const { code, message, lacking } = stopped;
    return {
      snapshots,
      answer: null,
      failure: { code, message },
      counts: {},
      failedChecks: [],
      matched: snapshots.matched,
      unmatched: lacking === null ? [] : [lacking],
      leftOut: [],
      differs: false,
      shareUrl,
      screenshot,
    };
  }
  return { snapshots, ...replay(loaded, snapshots), shareUrl, screenshot };
}

/** What a recipe reads from snapshots, without a browser. */
export function replay(
  loaded: LoadedRecipe,
  snapshots: PageSnapshots,
): Omit<Trial, "snapshots" | "shareUrl" | "screenshot"> {
  const { answer, text, counts, failedChecks, matched, ...told } = extractAnswer(loaded.recipe, snapshots);
  const isEmpty = snapshots.none !== true && text.trim() === "" && answer.parts.length === 0;
  return {
    answer,
    failure: isEmpty
      ? { code: "platform_bad_response", message: "The page answered, and no text could be read from its answer." }
      : null,
    counts,
    failedChecks,
    matched: { ...snapshots.matched, ...matched },
    unmatched: told.unmatched,
    leftOut: told.leftOut,
    differs: told.differs,
  };
}

/** Parses snapshots from a file; null if it contains none. */
export function parseSnapshots(text: string): PageSnapshots | null {
  return readSnapshots({ mediaType: "application/vnd.querent.captures+json", body: text });
}

/** Opens a recipe's page, asks nothing, and reports what matches. */
export async function tryPage(input: Pick<TrialInput, "pool" | "loaded" | "signal" | "tell">): Promise<PageCheck> {
  const { pool, loaded, signal, tell } = input;
  return pool.withContext(signal, contextNeeds(loaded), ({ context, refused }) =>
    checkPage({ loaded, context, refused, tell }),
  );
}

/** Opens a recipe's page for a person to sign in, and saves the session when they confirm. */
export async function saveSession(
  input: Pick<TrialInput, "pool" | "loaded" | "signal"> & { readonly show: (context: BrowserContext) => void },
  done: () => Promise<void>,
): Promise<unknown> {
  const { pool, loaded, signal, show } = input;
  return pool.withContext(signal, signInNeeds(loaded), async ({ context }) => {
    show(context);
    const page = await context.newPage();
    await page.goto(loaded.recipe.entry);
    await done();
    return context.storageState({ indexedDB: true });
  });
}

interface PageCheck {
  readonly url: string;
  readonly title: string;
  /** Why the page cannot be asked; null if the composer is there, and nothing covers it. */
  readonly failure: { readonly code: string; readonly message: string } | null;
  readonly refused: Readonly<Record<string, string>>;
}

async function checkPage(input: {
  loaded: LoadedRecipe;
  context: BrowserContext;
  refused: ReadonlyMap<string, string>;
  tell: (event: DriveEvent) => void;
}): Promise<PageCheck> {
  const { recipe } = input.loaded;
  const page = await input.context.newPage();
  const deadline = performance.now() + 90_000;
  const drive: Drive = { ...newDrive(recipe, page, ""), matched: new Map(), deadline, tell: input.tell };
  let failure: PageCheck["failure"] = null;
  try {
    await openPage(drive, input.refused);
    if (recipe.composer === undefined) await checkBlockers(drive, () => drive.entryStatus);
    else {
      await findComposer(drive, recipe.composer);
      const { submit } = recipe.composer;
      if ("click" in submit) await firstVisible(drive, "composer.submit", submit.click);
    }
  } catch (error) {
    if (!(error instanceof Stopped)) throw error;
    failure = { code: error.code, message: error.message };
  }
  return { url: page.url(), title: await page.title(), failure, refused: Object.fromEntries(input.refused) };
}

/** The longest that the text may change after the end that the recipe saw. */
const watchMs = 4_000;

/**
 * Asks the page of a recorded recipe another question, in the context in which it was recorded. Returns what is wrong with the recipe, in
 * sentences; nothing if its answer is the page's.
 */
export async function checkRecorded({
  context,
  refused,
  loaded,
  question,
  recordedAnswer,
  timeoutMs,
  tell,
}: Pick<Parameters<typeof drivePage>[0], "context" | "refused"> &
  Pick<TrialInput, "loaded" | "question" | "timeoutMs" | "tell"> & {
    /** The answer that was pointed at, to another question. */
    readonly recordedAnswer: string;
  }): Promise<string[]> {
  let [atEnd, later] = ["", ""];
  const { snapshots, stopped } = await drivePage({
    loaded,
    question: { text: question, deepAnalysis: false },
    context,
    refused,
    deadline: performance.now() + timeoutMs,
    tell,
    afterwards: async ({ page }, turn) => {
      const read = async () => wordsOf((await turn?.innerText()) ?? "");
      atEnd = await read();
      tell({ step: "check", detail: "whether the answer goes on" });
      await page.waitForTimeout(watchMs);
      later = await read();
    },
  });
  if (stopped !== null) {
    const page = context.pages().at(-1);
    const isOut = page !== undefined && (await asksToSignIn(page));
    return [
      `It did not get an answer: ${stopped.message}`,
      ...(isOut ? ["The page asks to sign in: sign in before you point at its parts."] : []),
    ];
  }
  const { failure, unmatched, answer } = replay(loaded, snapshots);
  if (failure !== null) return [failure.message];
  const text = wordsOf(answer?.parts.map((part) => (part.type === "markdown" ? part.markdown : "")).join(" ") ?? "");
  const recorded = wordsOf(recordedAnswer);
  return [
    ...unmatched.map((place) => `Nothing on the page matches ${place}.`),
    ...(recorded.length > 40 && text.includes(recorded) && !later.includes(recorded)
      ? ["Its answer has the answer to the question before."]
      : []),
    ...(later.length > atEnd.length
      ? ["The answer went on after what was taken for its end: point at something that only appears at the end."]
      : []),
  ];
}

/** What two readings of a text have in common, whatever their form. */
const wordsOf = (text: string): string => text.replaceAll(/[^\p{L}\p{N}]+/gu, " ").trim();
