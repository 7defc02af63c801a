import { existsSync } from "node:fs";
import type { BrowserContextOptions } from "playwright-core";
import { BrowserLostError, BrowserMissingError, type BrowserPool } from "../../browser/index.ts";
import type { AskedAs, PageEvidenceKind } from "@querent/contract";
import { timeZoneOf } from "../../kernel/countries.ts";
import { effectiveOptions, optionSupport, supportedOptions, type OptionSupport } from "../option-support.ts";
import type { AskContext, Outcome, Platform, Question } from "../platform.ts";
import { evidenceFiles, snapshotFiles } from "./snapshot-files.ts";
import { readSnapshots, toRaw, type PageSnapshots } from "./snapshots.ts";
import { drivePage, type Driven } from "./drive-page.ts";
import { driveReport, type DriveReport } from "./drive-report.ts";
import { extractAnswer, returnsOf, type Extracted } from "./extract-answer.ts";
import type { LoadedRecipe } from "./load-recipe.ts";
import { askWithSession, readSessionText, type PageSessions, type SessionRun } from "./page-sessions.ts";
import type { Recipe } from "./recipe.ts";
import { sessionFileCheck } from "./session-file.ts";
import type { Stopped } from "./stopped.ts";
import { archiveOf } from "./take-evidence.ts";
import type { Taken } from "./taken.ts";

export interface WebPlatformDeps {
  readonly code: string;
  readonly loaded: LoadedRecipe;
  readonly pool: Pick<BrowserPool, "withContext">;
  /** The countries from which its page can be visited. */
  readonly countries?: readonly string[];
  /** What is missing besides the session; null: nothing. */
  readonly missing: string | null;
  /** The stored sessions that it is asked with. Without: the session's file, which is only read. */
  readonly sessions?: PageSessions;
  /** Whether a question to which the page has no answer is free. */
  readonly freeWithoutAnswer?: boolean;
  /** What is kept as evidence besides the page's HTML. */
  readonly evidence?: readonly PageEvidenceKind[];
  /** Called after every drive with the snapshots, and whether the answer was complete. */
  readonly onDriven?: (driven: PageSnapshots, question: Question, failed: boolean) => void;
  /** Called for each file of the evidence that an answer lacks. */
  readonly onEvidenceMissing?: (missing: MissingEvidence, question: Question) => void;
  /** Called with the report of a drive about its recipe. */
  readonly onReport?: (report: DriveReport) => void;
}

export interface MissingEvidence {
  readonly kind: PageEvidenceKind;
  readonly why: string;
  readonly cause: unknown;
}

/** How long before the engine's time limit the driver ends, so that there is time to store the snapshots. */
const reserveMs = 3_000;
const runMsDefault = 300_000;

/** An assistant's web page, operated and read according to a recipe. */
export function webPlatform(deps: WebPlatformDeps): Platform {
  const { code, loaded, countries = [], missing, sessions } = deps;
  const { recipe } = loaded;
  const support = pageSupport(countries);
  const sessionFault = loaded.storageState === null ? () => null : sessionFileCheck(loaded.storageState);
  return {
    code,
    name: recipe.name,
    kind: "web",
    recipeDigest: loaded.sha256,
    returns: returnsOf(recipe),
    recipe: recipeStatus(recipe),
    outputs: ["answer"],
    resultFormats: ["json", "html", "all"],
    options: support,
    get missing() {
      if (missing !== null) return missing;
      const stored = sessions?.missing();
      return stored === undefined ? sessionFault() : stored;
    },

    async ask(question, context) {
      if (sessions === undefined) return (await askPage(deps, support, question, context, null)).outcome;
      const { signal, requester, runBudgetMs: runMs = runMsDefault } = context;
      return askWithSession(sessions, { signal, runMs, ...(requester && { requester }) }, (state) =>
        askPage(deps, support, question, context, state),
      );
    },

    reread(raw, _question, _observedAt) {
      const snapshots = readSnapshots(raw);
      return snapshots === null
        ? {
            kind: "permanent",
            code: "platform_bad_response",
            stage: "parse",
            message: "What was stored is not what a web page's answer is read from.",
            platformStatus: null,
          }
        : answered(extractAnswer(recipe, snapshots), snapshots);
    },
  };
}

/** Asks the page once, with a stored session or the recipe's file. */
async function askPage(
  { loaded, pool, freeWithoutAnswer = false, evidence = [], onDriven, onReport, onEvidenceMissing }: WebPlatformDeps,
  support: OptionSupport,
  question: Question,
  { signal, runBudgetMs = runMsDefault, requester }: AskContext,
  session: object | null,
): Promise<SessionRun> {
  let driven: Driven;
  let text: string | null = null;
  try {
    const asked = supportedOptions(support, question.options);
    const needs = { ...contextNeeds(loaded, asked, session), ...(requester && { requester }) };
    driven = await pool.withContext(signal, needs, async ({ context, refused }) => {
      const done = await drivePage({
        loaded,
        question: { text: question.text, deepAnalysis: question.options.deepAnalysis },
        context,
        refused,
        evidence,
        // Counted from now, since waiting for the browser is not run time.
        deadline: performance.now() + Math.max(1000, runBudgetMs - reserveMs),
      });
      if (session !== null && done.stopped === null) text = await readSessionText(context);
      return done;
    });
  } catch (error) {
    if (signal.aborted) return { outcome: { kind: "canceled" }, stopped: null, text: null };
    // Without a browser nothing was asked: this node, or another one, may have one next time.
    if (error instanceof BrowserLostError || error instanceof BrowserMissingError)
      return { outcome: { kind: "lost", message: error.message }, stopped: null, text: null };
    throw error;
  }
  const { snapshots, stopped, picture, recording } = driven;
  onDriven?.(snapshots, question, stopped !== null);
  const tell = (extracted: Extracted | null) => {
    const report = driveReport(loaded, driven, extracted);
    if (report !== null) onReport?.(report);
  };
  if (stopped !== null) {
    tell(null);
    return { outcome: ended(stopped), stopped, text: null };
  }
  const extracted = driven.extracted ?? extractAnswer(loaded.recipe, snapshots);
  tell(extracted);
  const archive = recording === null ? null : await archiveOf(recording);
  const taken = { ...(picture && { picture }), ...(archive && { archive }) };
  const outcome = answered(extracted, snapshots, taken);
  if (outcome.kind !== "answered") return { outcome, stopped, text: null };
  for (const [kind, one] of [
    ["picture", picture],
    ["archive", archive],
  ] as const)
    if (one !== null && "missing" in one) onEvidenceMissing?.({ kind, why: one.missing, cause: one.cause }, question);
  const effective = effectiveOptions(support, question.options);
  const answer = {
    ...outcome.answer,
    ...(Object.keys(effective).length === 0 ? {} : { effective }),
    region: effective.country?.value ?? outcome.answer.region,
  };
  const free = freeWithoutAnswer && snapshots.none === true ? { free: true } : {};
  return { outcome: { ...outcome, answer, ...free }, stopped, text };
}

/** How far the recipe is known to match the page. */
function recipeStatus({ verified, checked }: Recipe): NonNullable<Platform["recipe"]> {
  if (checked === undefined) return { status: verified ? "checked_live" : "unchecked", checkedOn: null };
  return { status: checked.how === "live" ? "checked_live" : "from_source", checkedOn: checked.on };
}

/**
 * A page is told a language, a time zone and a position. From which country it is visited, it sees by itself: that is supported
 * only where the operator has a proxy.
 */
function pageSupport(countries: readonly string[]) {
  return optionSupport(
    {
      language: "native",
      location: "native",
      ...(countries.length === 0 ? {} : { country: "native" }),
    },
    { country: [...countries], location: ["latitude", "longitude"] },
  );
}

/** The context for a recipe's page: its session (by default the recipe's file), hosts and appearance, and where its visitor is. */
export function contextNeeds(
  { recipe, storageState }: LoadedRecipe,
  { country, language, location }: AskedAs = {},
  session: object | null = null,
): Parameters<BrowserPool["withContext"]>[1] {
  const { browser } = recipe;
  const locale = language ?? browser?.locale;
  const timezone = (country === undefined ? null : timeZoneOf(country)) ?? browser?.timezone;
  const { latitude, longitude } = location ?? {};
  return {
    reach: { hosts: [new URL(recipe.entry).hostname, ...(recipe.reach ?? [])] },
    ...(country === undefined ? {} : { country }),
    context: {
      ...sessionOf(session, storageState),
      ...(locale === undefined ? {} : { locale }),
      ...(timezone === undefined ? {} : { timezoneId: timezone }),
      ...(latitude === undefined || longitude === undefined ? {} : { geolocation: { latitude, longitude } }),
      ...(browser?.viewport === undefined ? {} : { viewport: browser.viewport }),
    },
  };
}

/** The context in which a person signs in, which uses other hosts than asking. */
export function signInNeeds(
  loaded: LoadedRecipe,
  session: object | null = null,
  country: string | null = null,
): ReturnType<typeof contextNeeds> {
  return { ...contextNeeds(loaded, country === null ? {} : { country }, session), reach: { hosts: ["*"] } };
}

type StorageState = NonNullable<BrowserContextOptions["storageState"]>;

function sessionOf(session: object | null, file: string | null): { storageState?: StorageState } {
  // The browser checks the members of a stored session, and refuses what it does not know.
  if (session !== null) return { storageState: session as StorageState };
  return file === null || !existsSync(file) ? {} : { storageState: file };
}

function answered(
  { answer, text }: Extracted,
  snapshots: PageSnapshots,
  taken: Readonly<Partial<Record<PageEvidenceKind, Taken<Buffer>>>> = {},
): Outcome {
  const isEmpty = snapshots.none !== true && text.trim() === "" && answer.parts.length === 0;
  if (isEmpty) {
    return {
      kind: "permanent",
      code: "platform_bad_response",
      stage: "parse",
      message: "The page answered, and no text could be read from its answer.",
      platformStatus: null,
    };
  }
  const { files, evidence } = evidenceFiles(taken);
  return {
    kind: "answered",
    answer,
    raw: toRaw(snapshots),
    consumption: null,
    captures: [...snapshotFiles(snapshots), ...files],
    ...(evidence.length === 0 ? {} : { evidence }),
  };
}

function ended({ code, message, retryable, status, retryAfterMs }: Stopped): Outcome {
  if (retryAfterMs !== null) return { kind: "throttled", retryAfterMs, platformStatus: status };
  return { kind: retryable ? "retryable" : "permanent", code, stage: "platform", message, platformStatus: status };
}
