/** A platform that answers over a model API: one adapter for all vendors, which asks the platform's upstreams in order. */
import { setImmediate as nextTurn } from "node:timers/promises";
import type { Clock } from "../../kernel/clock.ts";
import { sumOfConsumption, type Consumption } from "../../kernel/consumption.ts";
import { commonSupport, effectiveOptions, supportedOptions, type OptionSupport } from "../option-support.ts";
import { type Outcome, type Platform, type PlatformQuestion, type RawAnswer, type ReturnedField } from "../platform.ts";
import { systemText } from "../system-text.ts";
import { setUps, type SetUp } from "../set-up.ts";
import { consumptionIn, outcomeOf, outcomeSteps } from "./read/outcome-of.ts";
import { completeRequest } from "./requests/complete-request.ts";
import { exchange, bodyBytesMax, outcomeOfBreak, type Step } from "./requests/exchange.ts";
import type { ModelQuestion, Upstream } from "./vendor.ts";
import { supportOf, upstreamSupport, vendorOf } from "./requests/upstream-support.ts";
import { UpstreamPace } from "./requests/upstream-pace.ts";

export interface ApiPlatformOptions {
  readonly code: string;
  readonly name: string;
  /** Asked in order; the next one if one cannot answer. At least one. */
  readonly upstreams: readonly Upstream[];
  /** The fields it can return; null: those of its vendors. */
  readonly returns: readonly ReturnedField[] | null;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly clock: Clock;
  /** Called with each request and its response, without keys. */
  readonly onStep?: ((step: ApiStep) => void) | undefined;
  /** An upstream gave no answer: logged, since a fallback may hide it. */
  readonly onUpstreamFailed?: ((failure: UpstreamFailure) => void) | undefined;
}

export interface UpstreamFailure {
  readonly platform: string;
  readonly endpoint: string;
  readonly code: string;
  readonly message: string;
  readonly platformStatus: number | null;
}

/** One request and how it ended. */
export interface ApiStep extends Step {
  readonly api: string;
  readonly endpoint: string;
}

export interface ApiPlatform extends Platform {
  reread(...given: Parameters<NonNullable<Platform["reread"]>>): Outcome;
}

export function apiPlatform(options: ApiPlatformOptions): ApiPlatform {
  const { code, name, upstreams, environment } = options;
  const paced = upstreams.map((upstream) => ({ upstream, pace: new UpstreamPace() }));
  return {
    code,
    name,
    kind: "api",
    returns: returnsOf(options),
    outputs: ["answer"],
    resultFormats: ["json"],
    options: commonSupport(upstreams.map(upstreamSupport)),
    get missing() {
      return missingKey(upstreams, environment);
    },
    setUp: keySetUp(upstreams),

    async ask(question, { signal, onModelCall }) {
      let first: Outcome | null = null;
      /** By each upstream that was asked. */
      const consumed: Consumption[] = [];
      const usable = paced.flatMap(({ upstream, pace }) => {
        const key = keyOf(upstream, environment);
        return key !== null && isAsked(upstream, upstreams, question) ? [{ upstream, pace, key }] : [];
      });
      for (const { upstream, pace, key } of usable) {
        if (signal.aborted) return { kind: "canceled" };
        const retryAfterMs = await pace.questionTurn({ hasFallback: usable.length > 1, signal });
        if (signal.aborted) return { kind: "canceled" };
        if (retryAfterMs > 0) {
          first = moreHopeful(first, { kind: "throttled", retryAfterMs, platformStatus: null });
          continue;
        }
        const { api: vendor, url } = upstream;
        const model = modelOf(upstream, question);
        const onOutcome = onModelCall?.({ vendor, model, url, text: question.text });
        const outcome = await askUpstream(options, { upstream, key, pace }, question, signal);
        onOutcome?.(outcome);
        if (outcome.kind === "throttled") pace.throttled(outcome.retryAfterMs);
        else if (outcome.kind !== "canceled") pace.answered();
        if ("consumption" in outcome && outcome.consumption) consumed.push(outcome.consumption);
        if (endsIt(outcome)) return withAllConsumed(outcome, consumed);
        options.onUpstreamFailed?.({ platform: code, endpoint: upstream.url, ...failureOf(outcome) });
        first = moreHopeful(first, outcome);
      }
      return first === null
        ? notConfigured(missingKey(upstreams, environment) ?? "There is no upstream.")
        : withAllConsumed(first, consumed);
    },

    reread(raw, _question, observedAt) {
      const { api, endpoint } = readMediaType(raw.mediaType);
      const vendor = vendorOf(api ?? upstreams[0]?.api ?? "");
      return outcomeOf({ raw, status: 200, headers: {}, observedAt, endpoint }, vendor.extras);
    },
  };
}

async function askUpstream(
  { onStep, clock }: ApiPlatformOptions,
  { upstream, key, pace }: { upstream: Upstream; key: string; pace: UpstreamPace },
  question: PlatformQuestion,
  signal: AbortSignal,
): Promise<Outcome> {
  const vendor = vendorOf(upstream.api);
  const { asked, support } = modelQuestion(upstream, question, clock.now());
  const { end, body, steps } = await exchange(completeRequest(vendor, asked, key), {
    secrets: key === "" ? [] : [key],
    followUp: vendor.followUp?.(asked) ?? null,
    cancelUrl: vendor.cancelUrl?.(asked) ?? null,
    timeoutMs: upstream.timeoutSeconds * 1000,
    bodyBytesMax,
    pace,
    clock,
    signal,
  });
  for (const step of steps) onStep?.({ ...step, api: upstream.api, endpoint: upstream.url });
  if (signal.aborted) return { kind: "canceled" };
  if (end.kind !== "received") return withConsumption(outcomeOfBreak(end), consumptionIn(body, vendor.extras));
  const { status, headers } = end;
  const mediaType = writeMediaType(headers["content-type"], { api: upstream.api, endpoint: upstream.url });
  // The last one of several turns has the error; all of them together are the answer.
  const raw: RawAnswer = { mediaType, body: status === 200 ? body : end.body };
  const received = { raw, status, headers, observedAt: clock.now(), endpoint: upstream.url };
  const outcome = await inTurns(outcomeSteps(received, vendor.extras));
  if (status !== 200) return withConsumption(outcome, consumptionIn(body, vendor.extras));
  const effective = effectiveOptions(support, question.options);
  if (outcome.kind !== "answered" || Object.keys(effective).length === 0) return outcome;
  return { ...outcome, answer: { ...outcome.answer, effective } };
}

/**
 * Lets the process do something else now and then: a long answer with many citations takes seconds. Most answers are read at once,
 * so that of many that arrive together, each is let go before the next one is read.
 */
async function inTurns<Result>(steps: Iterator<void, Result>): Promise<Result> {
  for (let turnEnd = performance.now() + turnMs; ;) {
    const step = steps.next();
    if (step.done === true) return step.value;
    if (performance.now() < turnEnd) continue;
    await nextTurn();
    turnEnd = performance.now() + turnMs;
  }
}
const turnMs = 50;

/** The question for one upstream, and how it supports the question's options. */
function modelQuestion(
  upstream: Upstream,
  question: PlatformQuestion,
  now: Date,
): { readonly asked: ModelQuestion; readonly support: OptionSupport } {
  const deep = question.options.deepAnalysis;
  const model = modelOf(upstream, question);
  const support = supportOf(upstream, model, deep);
  const options = supportedOptions(support, question.options);
  const effort = deep ? upstream.thinking.deep : upstream.thinking.normal;
  const system = systemText(support.how, options);
  return { asked: { upstream, text: question.text, deep, model, effort, system, asked: options, now }, support };
}

/** Upstreams without the requested model are left out. If none has it, it is ignored: otherwise nothing had been asked. */
function isAsked({ models }: Upstream, all: readonly Upstream[], { options: { model } }: PlatformQuestion): boolean {
  return model === undefined || models.includes(model) || !all.some((other) => other.models.includes(model));
}

function modelOf({ models, model, deepModel }: Upstream, { options }: PlatformQuestion): string {
  if (options.model !== undefined && models.includes(options.model)) return options.model;
  return options.deepAnalysis ? deepModel : model;
}

/** The one of the outcomes of two upstreams that the platform reports: the earlier, unless the later may pass, or passes sooner. */
function moreHopeful(first: Outcome | null, later: Outcome): Outcome {
  if (first === null || (first.kind === "permanent" && later.kind !== "permanent")) return later;
  const isSooner = first.kind === "throttled" && later.kind === "throttled" && later.retryAfterMs < first.retryAfterMs;
  return isSooner ? later : first;
}

function notConfigured(message: string): Outcome {
  return { kind: "permanent", code: "platform_not_configured", stage: "platform", message, platformStatus: null };
}

/** The outcome of one upstream, with what the others consumed as well. */
function withAllConsumed(outcome: Outcome, consumed: readonly Consumption[]): Outcome {
  const own = "consumption" in outcome ? outcome.consumption : null;
  return consumed.every((each) => each === own) ? outcome : withConsumption(outcome, sumOfConsumption(consumed));
}

function withConsumption(outcome: Outcome, consumption: Consumption | null): Outcome {
  if (outcome.kind === "canceled" || outcome.kind === "lost" || consumption === null) return outcome;
  return { ...outcome, consumption };
}

/** An answer, or a refusal, which another upstream of the same platform would only repeat. */
function endsIt(outcome: Outcome): boolean {
  return (
    outcome.kind === "answered" ||
    outcome.kind === "canceled" ||
    (outcome.kind === "permanent" && outcome.code === "platform_refused")
  );
}

function failureOf(outcome: Outcome): Pick<UpstreamFailure, "code" | "message" | "platformStatus"> {
  if ("code" in outcome) {
    return { code: outcome.code, message: outcome.message, platformStatus: outcome.platformStatus };
  }
  const throttled = outcome.kind === "throttled" ? outcome : { retryAfterMs: 0, platformStatus: null };
  return {
    code: "platform_rate_limited",
    message: `It asks to wait for ${throttled.retryAfterMs} ms.`,
    platformStatus: throttled.platformStatus,
  };
}

/** The key, `""` if none is needed, null if it is missing. */
export function keyOf({ keyVariable }: Upstream, environment: ApiPlatformOptions["environment"]): string | null {
  if (keyVariable === null) return "";
  const key = environment[keyVariable]?.trim() ?? "";
  return key === "" ? null : key;
}

function missingKey(upstreams: readonly Upstream[], environment: ApiPlatformOptions["environment"]): string | null {
  if (upstreams.some((upstream) => keyOf(upstream, environment) !== null)) return null;
  return keySetUp(upstreams).reason;
}

function keySetUp(upstreams: readonly Upstream[]): SetUp {
  return setUps.key([...new Set(upstreams.flatMap(({ keyVariable }) => keyVariable ?? []))]);
}

function returnsOf({ returns, upstreams }: ApiPlatformOptions): Record<ReturnedField, boolean> {
  const given = new Set<ReturnedField>(
    returns ??
      upstreams.flatMap((upstream) => {
        const vendor = vendorOf(upstream.api);
        return vendor.returns.filter((field) => upstream.search || !vendor.whenSearching.includes(field));
      }),
  );
  const fields = ["sources", "products", "videos", "media", "reasoningProcess", "searchProcess", "pageHtml"] as const;
  const of = Object.fromEntries(fields.map((field) => [field, given.has(field)]));
  return of as Record<ReturnedField, boolean>;
}

/**
 * The parameters of a stored body's media type name the vendor whose format it has and the endpoint that sent it, which parsing
 * it again needs and the body does not contain.
 */

interface Origin {
  readonly api: string;
  readonly endpoint: string;
}

function writeMediaType(contentType: string | undefined, { api, endpoint }: Origin): string {
  const essence =
    /^[\w.+-]{1,64}\/[\w.+-]{1,64}/u.exec(contentType?.trim() ?? "")?.[0].toLowerCase() ?? "application/json";
  return `${essence}; api=${api}; endpoint="${endpoint.replace(/["\\\s]/gu, encodeURIComponent)}"`;
}

function readMediaType(mediaType: string): { readonly api: string | null; readonly endpoint: string | null } {
  return {
    api: /; api=([\w-]+)/u.exec(mediaType)?.[1] ?? null,
    endpoint: /; endpoint="([^"]*)"/u.exec(mediaType)?.[1] ?? null,
  };
}
