import {
  type AskedAs,
  optionDefaults,
  questionLengthMax,
  quoteWarnings,
  SubmissionItem,
  type ProblemItem,
  type QuoteWarning,
  type TaskOptions,
} from "@querent/contract";
import { ProblemError } from "../../api/problem-error.ts";
import { compileCheck, problemItemsMax } from "../../kernel/validate.ts";
import { priceOf } from "../../points/index.ts";
import { readAskedAs } from "./asked-as.ts";
import { whyOutputRefused, whyRefused, type PlatformCatalogue, type PlatformTerms } from "./catalogue.ts";

/** A submission item that can be accepted: complete, priced, and known to be storable. */
export interface AcceptableItem {
  readonly question: string;
  readonly platform: string;
  readonly options: TaskOptions;
  readonly webhookUrl: string | null;
  readonly clientReference: string | null;
  readonly tags: readonly string[];
  readonly notBefore: string | null;
  readonly startBefore: string | null;
  readonly runTimeoutSeconds: number;
  readonly priority: number;
  readonly pricePoints: number;
}

export interface ItemRules {
  readonly platforms: PlatformCatalogue;
  readonly itemsMax: number;
  /** Returns why notifications cannot be sent to this address, or null. */
  readonly refuseWebhookUrl: (url: string) => string | null;
  /** Whether a worker has a working browser: without one, options that need a browser are refused. */
  readonly browserUsable: boolean;
  /** By the database's clock. */
  readonly now: Date;
}

export type ItemVerdict =
  | { readonly item: AcceptableItem; readonly warnings: readonly QuoteWarning[] }
  | { readonly errors: ProblemItem[] };

const checkItem = compileCheck(SubmissionItem);
/** An item has eleven members; one with many more gets a single error instead of one for each. */
const membersMax = 32;

/** Returns the whole list, or throws an error that names every invalid item (the first 100 positions). */
export function readItems(body: unknown, rules: ItemRules): AcceptableItem[] {
  const list = readList(body, rules);
  const items: AcceptableItem[] = [];
  const errors: ProblemItem[] = [];
  for (const [index, element] of list.entries()) {
    const verdict = readItem(element, index, rules);
    if ("item" in verdict) items.push(verdict.item);
    else errors.push(...verdict.errors);
    if (errors.length >= problemItemsMax) break;
  }
  if (errors.length > 0) throw refusal(errors);
  return items;
}

/** The elements of a submission's body, not validated yet. */
export function readList(body: unknown, rules: Pick<ItemRules, "itemsMax">): unknown[] {
  if (!Array.isArray(body)) {
    throw refusal([
      { pointer: "", code: "wrong_type", detail: "The body is a JSON array of items, also for one question." },
    ]);
  }
  if (body.length === 0) throw refusal([{ pointer: "", code: "too_few", detail: "At least 1 element." }]);
  if (body.length > rules.itemsMax) {
    throw refusal([
      { pointer: "", code: "too_many", detail: `At most ${rules.itemsMax} elements; this body has ${body.length}.` },
    ]);
  }
  return body;
}

/** Validates one element of the list. */
export function readItem(element: unknown, index: number, rules: ItemRules): ItemVerdict {
  const at = `/${index}`;
  if (typeof element === "object" && element !== null && Object.keys(element).length > membersMax) {
    return { errors: [{ pointer: at, code: "too_many", detail: `The item has more than ${membersMax} members.` }] };
  }
  const errors = checkItem(element, at);
  if (errors.length > 0) return { errors };

  const item = element as SubmissionItem;
  const length = codePoints(item.question.trim());
  if (length === 0) errors.push({ pointer: `${at}/question`, code: "too_short", detail: "The question is blank." });
  if (length > questionLengthMax) {
    errors.push({
      pointer: `${at}/question`,
      code: "too_long",
      detail: `At most ${questionLengthMax} characters; this one has ${length}.`,
    });
  }
  const platform = rules.platforms.get(item.platformCode);
  if (platform === undefined) {
    errors.push({
      pointer: `${at}/platformCode`,
      code: "unknown_platform",
      detail: `There is no such platform. Known: ${[...rules.platforms.keys()].join(", ")}.`,
    });
  } else {
    const why = whyRefused(platform, rules.browserUsable);
    if (why !== null) errors.push({ pointer: `${at}/platformCode`, ...why });
    const whyNot = whyOutputRefused(platform, item.options?.output ?? "answer", rules.browserUsable);
    if (whyNot !== null) errors.push({ pointer: `${at}/options/output`, ...whyNot });
  }
  const { now } = rules;
  const asked = readAskedAs(item.options ?? {}, platform?.options ?? null, { at: `${at}/options`, now });
  errors.push(...asked.errors);
  const webhookUrl = item.webhookUrl ?? null;
  const refused = webhookUrl === null ? null : rules.refuseWebhookUrl(webhookUrl);
  if (refused !== null) errors.push({ pointer: `${at}/webhookUrl`, code: "address_not_allowed", detail: refused });
  if (item.startBefore !== undefined && item.startBefore !== null && Date.parse(item.startBefore) <= now.getTime()) {
    errors.push({
      pointer: `${at}/startBefore`,
      code: "not_allowed",
      detail: "It has passed, so the task could only fail. It has to be in the future.",
    });
  }
  if (errors.length > 0 || platform === undefined) return { errors };
  return {
    item: complete(item, platform, asked.askedAs),
    warnings: [...warningsOf(item, platform, at), ...asked.warnings],
  };
}

/** Warns about options that the specification allows for every platform, but that this one ignores. */
function warningsOf({ options }: SubmissionItem, platform: PlatformTerms, at: string): QuoteWarning[] {
  const warn = (member: string, code: keyof typeof quoteWarnings): QuoteWarning[] => [
    { pointer: `${at}/options/${member}`, code, detail: quoteWarnings[code] },
  ];
  const { output, resultFormat } = options ?? {};
  return [
    ...(platform.kind === "web" && (output ?? "answer") !== "answer" ? warn("output", "output_without_effect") : []),
    ...(platform.kind !== "web" && !platform.pageHtml && (resultFormat ?? "json") !== "json"
      ? warn("resultFormat", "result_format_without_effect")
      : []),
  ];
}

function complete(item: SubmissionItem, platform: PlatformTerms, askedAs: AskedAs): AcceptableItem {
  const webType = platform.kind === "web";
  const given = item.options ?? {};
  const options: TaskOptions = {
    deepAnalysis: given.deepAnalysis ?? optionDefaults.deepAnalysis,
    // Web-type platforms return the standard answer whatever was requested (interface 2.4).
    output: webType ? "answer" : (given.output ?? optionDefaults.output),
    resultFormat: given.resultFormat ?? optionDefaults.resultFormat,
    ...askedAs,
  };
  return {
    question: item.question,
    platform: platform.code,
    options,
    webhookUrl: item.webhookUrl ?? null,
    clientReference: item.clientReference ?? null,
    tags: item.tags ?? [],
    notBefore: item.notBefore ?? null,
    startBefore: item.startBefore ?? null,
    runTimeoutSeconds: item.runTimeoutSeconds ?? platform.runTimeoutSeconds,
    priority: item.priority ?? 5,
    pricePoints: priceOf(platform.price, options, webType),
  };
}

function refusal(errors: readonly ProblemItem[]): ProblemError {
  const shown = errors.slice(0, problemItemsMax);
  const places =
    shown.length === 1
      ? "1 place is"
      : `${shown.length}${errors.length >= problemItemsMax ? " or more" : ""} places are`;
  return new ProblemError("validation_failed", `${places} not valid. Nothing was accepted.`, { errors: shown });
}

/** Length in Unicode code points, without building a list of them. */
function codePoints(text: string): number {
  let pairs = 0;
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (unit >= 0xd800 && unit <= 0xdbff) pairs++;
  }
  return text.length - pairs;
}
