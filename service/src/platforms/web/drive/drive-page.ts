/** One question on one page, from its URL to its snapshots. Returns snapshots in any case, with the reason why it stopped. */
import type { BrowserContext, Locator, Page } from "playwright-core";
import type { PageEvidenceKind } from "@querent/contract";
import { askQuestion } from "./ask-question.ts";
import { awaitAnswer, checkShownError } from "./await-answer.ts";
import type { PageSnapshots, Match } from "../page/snapshots.ts";
import { timeIsUp, type Drive, type DriveEvent } from "../page/drive-context.ts";
import { extractAnswer, placesOf, type Extracted } from "../extract/extract-answer.ts";
import { recordTraffic } from "../archive/index.ts";
import type { LoadedRecipe } from "../recipe/load-recipe.ts";
import { pageHtml } from "../page/page-html.ts";
import { Stopped } from "../recipe/stopped.ts";
import { nothingTaken, takeEvidence, type PageTaken } from "./take-evidence.ts";
import { expand } from "./take-panels.ts";
import { draftsBeside, turnHtml } from "../page/take-snapshots.ts";
import { runSteps } from "./run-steps.ts";
import { watchClipboard, type Clipboard } from "../page/clipboard.ts";
import { entryAddress, isAskedByAddress } from "../recipe/recipe.ts";
import { late, within } from "../../../kernel/within.ts";
import { watchNetwork, type AnswerTraffic } from "../page/watch-network.ts";

interface DriveInput {
  readonly loaded: LoadedRecipe;
  readonly question: { readonly text: string; readonly deepAnalysis: boolean };
  readonly context: BrowserContext;
  readonly refused: ReadonlyMap<string, string>;
  /** The deadline, on the clock of `performance.now()`. */
  readonly deadline: number;
  readonly tell?: (event: DriveEvent) => void;
  /** What is kept as evidence besides the snapshots. */
  readonly evidence?: readonly PageEvidenceKind[];
  /** Work on the page once the answer is complete: a share URL, a screenshot. */
  readonly afterwards?: (drive: Drive, turn: Locator, clipboard: Clipboard | null) => Promise<void>;
}

export interface Driven extends PageTaken {
  readonly snapshots: PageSnapshots;
  readonly stopped: Stopped | null;
  /** What was read from the snapshots; null without a turn. */
  readonly extracted: Extracted | null;
}

/** After the answer is complete, missing items of a check may take this long to appear. */
const settleSeconds = 10;

export async function drivePage(input: DriveInput): Promise<Driven> {
  const { loaded, context, deadline, question } = input;
  const startedAt = new Date();
  const matched = new Map<string, Match>();
  const page = await context.newPage();
  const drive: Drive = {
    ...newDrive(loaded.recipe, page, question.text),
    matched,
    deadline,
    tell: input.tell ?? (() => undefined),
  };
  // Other pages that the page opens are ignored.
  context.on("page", (other) => void (other === page ? undefined : other.close().catch(() => undefined)));
  const traffic = await watchNetwork(page, loaded.recipe);
  const { evidence = [] } = input;
  const recorder = evidence.includes("archive") ? await recordTraffic(page) : null;
  const clipboard = await watchClipboard(context, loaded.recipe);

  let seen: Seen = { turn: null, expanded: {}, cut: [], whole: null, extracted: null };
  let observedAt: Date | null = null;
  let stopped: Stopped | null = null;
  let none = false;
  let taken = nothingTaken;
  const work = async () => {
    if (isAskedByAddress(loaded.recipe)) traffic.arm();
    await openPage(drive, input.refused);
    await askQuestion(drive, question, traffic);
    const answer = await awaitAnswer(drive, traffic);
    const turn = answer === "streamed" ? null : answer;
    observedAt = new Date();
    none = answer === null;
    if (answer === "streamed") {
      drive.tell({
        step: "turn.response",
        detail: "the answer is in the response, and no turn of it was found on the page",
      });
      const [response, others] = await Promise.all([answerResponse(traffic), traffic.others()]);
      seen = { ...seen, response, others };
    } else if (turn !== null) {
      const at = observedAt;
      const read = async () => {
        const [response, others] = await Promise.all([answerResponse(traffic), traffic.others()]);
        const copied = clipboard === null ? null : await copyAnswer(drive, clipboard, turn);
        const alternatives = await draftsBeside(drive, turn);
        if (alternatives.length > 0)
          drive.tell({ step: "alternatives", detail: `${alternatives.length} other drafts of the answer` });
        return settle(input, drive, turn, { observedAt: at, startedAt, response, others, copied, alternatives });
      };
      [seen] = await Promise.all([read(), checkShownError(drive, turn)]);
      // What follows changes the page.
      await input.afterwards?.(drive, turn, clipboard);
    } else drive.tell({ step: "complete.none", detail: "the page has no answer to this question" });
    const whole = seen.whole ?? (await pageHtml(drive));
    seen = { ...seen, whole };
    taken = await takeEvidence(drive, evidence, { recorder, turn, turnHtml: seen.turn, whole, at: observedAt });
  };
  try {
    await untilDeadline(drive, work());
  } catch (error) {
    stopped = stoppedFor(error, drive);
    const cause = stopped.cause instanceof Error ? ` (${stopped.cause.message.split("\n")[0]})` : "";
    drive.tell({ step: "stopped", detail: `${stopped.code}: ${stopped.message}${cause}` });
  }
  const whole = seen.whole ?? (await lastLook(pageHtml(drive)));
  const response = seen.response ?? (await lastLook(answerResponse(traffic)));
  return {
    stopped,
    extracted: seen.extracted,
    ...taken,
    snapshots: {
      ...header(input, startedAt),
      observedAt: (observedAt ?? new Date()).toISOString(),
      url: page.url(),
      title: whole?.title ?? "",
      turn: seen.turn,
      page: whole?.html ?? null,
      expanded: seen.expanded,
      response,
      ...(seen.others === undefined ? {} : { others: seen.others }),
      copied: seen.copied ?? null,
      ...alternativesOf(seen),
      ...(none ? { none } : {}),
      matched: Object.fromEntries(matched),
      refused: Object.fromEntries(input.refused),
      stoppedFor: stopped === null ? null : `${stopped.code}: ${stopped.message}`,
      cut: [...seen.cut, ...(whole?.isCut === true ? ["page"] : [])],
    },
  };
}

/** A page with a script that never ends answers nothing: then the wait ends soon after the deadline. */
async function untilDeadline(drive: Drive, work: Promise<void>): Promise<void> {
  if ((await within(work, Math.max(0, drive.deadline - performance.now()) + 500)) === late) throw timeIsUp(drive);
}

async function lastLook<Value>(work: Promise<Value>): Promise<Value | null> {
  const seen = await within(work, 1500);
  return seen === late ? null : seen;
}

interface Seen {
  readonly turn: string | null;
  readonly expanded: Readonly<Record<string, string>>;
  readonly cut: readonly string[];
  /** The page with this turn. */
  readonly whole: Awaited<ReturnType<typeof pageHtml>>;
  readonly extracted: Extracted | null;
  readonly response?: PageSnapshots["response"];
  readonly copied?: string | null;
  readonly others?: PageSnapshots["others"];
  readonly alternatives?: PageSnapshots["alternatives"];
}

const alternativesOf = ({ alternatives = [] }: Pick<Seen, "alternatives">) =>
  alternatives.length === 0 ? {} : { alternatives };

const answerResponse = (traffic: AnswerTraffic) => traffic.response().catch(() => null);

/** What the page's own button copies; null without one, or if it copies nothing. */
async function copyAnswer(drive: Drive, clipboard: Clipboard, turn: Locator): Promise<string | null> {
  const { copy } = drive.recipe.turn;
  if (copy === undefined) return null;
  clipboard.clear();
  const { acted } = await runSteps(drive, "turn.copy", [{ click: copy, optional: true }], {
    near: turn,
    optionalSeconds: 0,
  });
  return acted ? clipboard.read(drive) : null;
}

function header({ loaded, question }: DriveInput, startedAt: Date) {
  const { recipe, sha256 } = loaded;
  return {
    format: "querent.captures/1" as const,
    recipe: { name: recipe.name, version: recipe.version, sha256 },
    question: question.text,
    deepAnalysis: question.deepAnalysis,
    startedAt: startedAt.toISOString(),
  };
}

/** The state of a drive before its page is opened. */
export function newDrive(recipe: LoadedRecipe["recipe"], page: Page, question: string) {
  return { recipe, page, question, root: page, entryStatus: null, admittedBy: 0, withoutLists: null, lacking: null };
}

/** How long a page that answers 403 may take to check the visitor by itself. */
const admissionMs = 15_000;

/** Opens the recipe's page, or states why it cannot. */
export async function openPage(drive: Drive, refused: ReadonlyMap<string, string>): Promise<void> {
  const entry = entryAddress(drive.recipe, drive.question);
  drive.tell({ step: "entry", detail: entry });
  const timeout = Math.max(1, Math.min(45_000, drive.deadline - performance.now()));
  const host = new URL(entry).hostname;
  const answer = await drive.page.goto(entry, { waitUntil: "domcontentloaded", timeout }).catch((error: unknown) => {
    if (performance.now() >= drive.deadline) throw timeIsUp(drive);
    if (isGone(error)) throw error;
    return null;
  });
  const why = [...refused].find(([where]) => where.startsWith(`${host}:`))?.[1];
  if (why !== undefined && (answer === null || answer.status() === 403)) {
    throw new Stopped(
      "platform_not_configured",
      `The page's host may not be reached (${why.replace(/\.$/, "")}). Its address ranges are the operator's to allow, in QUERENT_BROWSER_EGRESS_ALLOW.`,
    );
  }
  if (answer === null) throw new Stopped("platform_unavailable", "The page could not be opened.");
  drive.entryStatus = answer.status();
  // What blocks it is seen when its composer is looked for, or when it lets the visitor in.
  if (answer.status() !== 403) return;
  // Some pages first check the visitor with a script, and open then. Nothing is done about the check but to wait.
  drive.tell({ step: "entry", detail: "refused with 403; waiting whether it lets the visitor in" });
  drive.admittedBy = Math.min(drive.deadline, performance.now() + admissionMs);
  drive.page.on("response", (response) => {
    if (!response.request().isNavigationRequest()) return;
    if (response.frame() === drive.page.mainFrame()) drive.entryStatus = response.status();
  });
}

/** Takes the snapshots; if the page names more than was read, waits and takes again what lacks it. */
async function settle(
  input: DriveInput,
  drive: Drive,
  turn: Locator,
  known: Pick<Seen, "response" | "others" | "copied" | "alternatives"> & {
    readonly observedAt: Date;
    readonly startedAt: Date;
  },
): Promise<Seen> {
  const { recipe } = drive;
  const waitMs = Math.max(0, ...(recipe.checks ?? []).map((check) => (check.settleSeconds ?? settleSeconds) * 1000));
  const until = Math.min(drive.deadline - 1000, performance.now() + waitMs);
  let expanded: Readonly<Record<string, string>> = {};
  let lacking: ReadonlySet<string> | null = null;
  for (let pauseMs = settleMsMin; ; pauseMs = Math.min(settleMsMax, 2 * pauseMs)) {
    expanded = { ...expanded, ...(await takePanels(drive, turn, lacking)) };
    const [taken, whole] = await Promise.all([turnHtml(drive, turn), pageHtml(drive)]);
    const parts = {
      turn: taken.html,
      expanded,
      cut: taken.isCut ? ["turn"] : [],
      response: known.response ?? null,
      others: known.others ?? {},
      copied: known.copied ?? null,
      ...alternativesOf(known),
    };
    const extracted = extractAnswer(recipe, {
      ...header(input, known.startedAt),
      observedAt: known.observedAt.toISOString(),
      url: drive.page.url(),
      title: "",
      page: whole?.html ?? null,
      matched: {},
      refused: {},
      stoppedFor: null,
      ...parts,
    });
    const seen = { ...parts, whole, extracted };
    for (const [what, count] of Object.entries(extracted.counts))
      if (count > 0) drive.tell({ step: `extract.${what}`, detail: `${count} read` });
    const missing = extracted.failedChecks;
    if (missing.length === 0 || performance.now() >= until) return seen;
    for (const { of, expected, read: got } of missing)
      drive.tell({ step: "check", detail: `the page tells of ${expected} ${of}, ${got} were read` });
    lacking = new Set(missing.flatMap(({ of }) => placesOf(recipe, of)));
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
}

const settleMsMin = 100;
const settleMsMax = 500;

/** `lacking`: the names of the panels that are taken again; null: all are taken for the first time. */
async function takePanels(
  drive: Drive,
  turn: Locator,
  lacking: ReadonlySet<string> | null,
): Promise<Record<string, string>> {
  const expanded: Record<string, string> = {};
  for (const rule of drive.recipe.expand ?? []) {
    if (lacking?.has(rule.name) === false) continue;
    const html = await expand(drive, rule, turn, lacking !== null);
    if (html !== null) expanded[rule.name] = html;
  }
  return expanded;
}

/** Playwright's message if the page does not behave as expected; the end of a browser is not such a case. */
function stoppedFor(error: unknown, drive: Drive): Stopped {
  if (error instanceof Stopped) return error;
  if (isGone(error) || drive.page.isClosed()) throw error;
  if (performance.now() >= drive.deadline) return timeIsUp(drive);
  return new Stopped("platform_bad_response", "The page did not behave as the recipe expects.", { cause: error });
}

function isGone(error: unknown): boolean {
  return error instanceof Error && /has been closed|crashed|disconnected|browser is gone/i.test(error.message);
}
