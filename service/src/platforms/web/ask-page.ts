/**
 * Asks a page, and reads what it answered. Loaded when the first page is asked: the libraries that read pages are a sixth of what
 * a start of the service would load otherwise.
 */
import type { PageEvidenceKind } from "@querent/contract";
import { BrowserLostError, BrowserMissingError } from "../../browser/index.ts";
import { effectiveOptions, supportedOptions, type OptionSupport } from "../option-support.ts";
import type { AskContext, Outcome, PlatformQuestion, RawAnswer } from "../platform.ts";
import { contextNeeds } from "./drive/context-needs.ts";
import { drivePage, type Driven } from "./drive/drive-page.ts";
import { driveReport } from "./drive/drive-report.ts";
import { extractAnswer, type Extracted } from "./extract/extract-answer.ts";
import { readSessionText, type SessionRun } from "./drive/page-sessions.ts";
import { loadExampleRecipe } from "./recipe/load-recipe.ts";
import type { Recipe } from "./recipe/recipe.ts";
import { evidenceFiles, snapshotFiles, archiveOf } from "./drive/take-evidence.ts";
import { readSnapshots, toRaw, type PageSnapshots, type Taken } from "./page/snapshots.ts";
import { isStandIn } from "./stand-in.ts";
import type { Stopped } from "./recipe/stopped.ts";
import type { WebPlatformDeps } from "./web-platform.ts";

/** How long before the engine's time limit the driver ends, so that there is time to store the snapshots. */
const reserveMs = 3_000;

/** Asks the page once, with a stored session or the recipe's file. */
export async function askPage(
  {
    loaded,
    pool,
    serve,
    freeWithoutAnswer = false,
    evidence = [],
    onDriven,
    onReport,
    onEvidenceMissing,
  }: WebPlatformDeps,
  support: OptionSupport,
  question: PlatformQuestion,
  { signal, runBudgetMs, requester }: AskContext & { readonly runBudgetMs: number },
  session: object | null,
): Promise<SessionRun> {
  let driven: Driven;
  let text: string | null = null;
  try {
    const asked = supportedOptions(support, question.options);
    const needs = {
      ...contextNeeds(loaded, asked, session),
      ...(serve && {
        reach: { hosts: [], served: { host: new URL(loaded.recipe.entry).hostname, port: await serve() } },
      }),
      ...(requester && { requester }),
    };
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
  const noAds =
    outcome.answer.ads?.length === 0 ? noAdsReason(loaded.recipe, effective.country?.value, session !== null) : null;
  const answer = {
    ...outcome.answer,
    ...(Object.keys(effective).length === 0 ? {} : { effective }),
    region: effective.country?.value ?? outcome.answer.region,
    ...(noAds === null ? {} : { noAds }),
  };
  const free = freeWithoutAnswer && snapshots.none === true ? { free: true } : {};
  return { outcome: { ...outcome, answer, ...free }, stopped, text };
}

/** Why a page shows no advertisements, as far as the recipe tells. */
function noAdsReason({ adsShown }: Recipe, country: unknown, isSignedIn: boolean) {
  if (adsShown?.visitors !== undefined && (adsShown.visitors === "signed_in") !== isSignedIn)
    return "signed_in_state" as const;
  const isElsewhere = typeof country === "string" && adsShown?.countries?.includes(country.toUpperCase()) === false;
  return isElsewhere ? ("country_without_ads" as const) : null;
}

/** Reads the answer of a page again from what was stored of it. */
export function rereadPage(recipe: Recipe, raw: RawAnswer): Outcome {
  const snapshots = readSnapshots(raw);
  return snapshots === null
    ? {
        kind: "permanent",
        code: "platform_bad_response",
        stage: "parse",
        message: "What was stored is not what a web page's answer is read from.",
        platformStatus: null,
      }
    : // A stand-in may have answered before the platform was set up.
      answered(extractAnswer(isStandIn(snapshots.url) ? loadExampleRecipe().recipe : recipe, snapshots), snapshots);
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
    answer: isStandIn(snapshots.url) ? { ...answer, byStandIn: true } : answer,
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
