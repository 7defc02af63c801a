/** The `key=value` words of a question that control the simulator. Other words with `=` are ignored. */
import { failureCodes, knownMediaTypes, type FailureCode } from "@querent/contract";
import type { PlatformAnswer, ReturnedField } from "../platform.ts";
import { brandParsers, howBrandsWritten, noBrandDirectives, type BrandDirectives } from "./brand-directives.ts";

const durationMsMax = 30 * 60 * 1_000;
/** The maximum of an answer that is stored. */
export const sizeBytesMax = 1024 * 1024;
const sourcesMax = 1_000;
const cardsMax = 200;
const adsMax = 50;
const failAttemptsMax = 1_000;

export interface Directives {
  readonly delayMs: number;
  readonly throttleMs: number | null;
  readonly fail: FailDirective | null;
  readonly sizeBytes: number | null;
  /** `product`, `video` or a media type. */
  readonly cards: readonly string[];
  readonly deeplink: boolean;
  readonly sources: number;
  /** The number of advertisements beside the answer, or why there are none. */
  readonly ads: number | NoAds;
  readonly empty: boolean;
  readonly html: boolean;
  /** Fields that the first parsing of the answer leaves out. */
  readonly unread: readonly ReturnedField[];
  /** What the answer is drawn from; null if it repeats the question. */
  readonly drawn: BrandDirectives | null;
}

/** `not_exposed`: it is not known whether there are any. */
type NoAds = "not_exposed" | NonNullable<PlatformAnswer["noAds"]>;

interface FailDirective {
  readonly code: FailureCode;
  /** The number of attempts that fail; null: all of them. */
  readonly attempts: number | null;
}

export const noDirectives: Directives = {
  delayMs: 0,
  throttleMs: null,
  fail: null,
  sizeBytes: null,
  cards: [],
  deeplink: false,
  sources: 0,
  ads: 0,
  empty: false,
  html: false,
  unread: [],
  drawn: null,
};

/** An invalid directive. The message names it and its syntax. */
export interface Malformed {
  readonly malformed: string;
}

type Directive = keyof typeof howWritten | keyof typeof howBrandsWritten;

export function readDirectives(question: string): Directives | Malformed {
  if (!question.includes("=")) return noDirectives;
  const given = new Map<Directive, string>();
  for (const [, key, value] of question.matchAll(directiveWord)) {
    // The pattern matches exactly these keys.
    const directive = key as Directive;
    const word = value ?? "";
    if (given.has(directive)) return { malformed: `The directive "${directive}" is given twice.` };
    given.set(directive, word.replace(/[.,;:!?)\]}"'。，；：！？）」』]+$/u, ""));
  }
  let directives = noDirectives;
  for (const [directive, value] of given) {
    const changed = withDirective(directives, directive, value);
    if (changed === null) {
      const how = { ...howWritten, ...howBrandsWritten }[directive];
      return { malformed: `The directive "${directive}=${shown(value)}" is invalid: ${how}` };
    }
    directives = changed;
  }
  // Deep links need a product.
  return directives.deeplink && !directives.cards.includes("product")
    ? { ...directives, cards: ["product", ...directives.cards].slice(0, cardsMax) }
    : directives;
}

function withDirective(before: Directives, directive: Directive, value: string): Directives | null {
  if (directive in brandParsers) {
    // The keys of `brandParsers`.
    const drawn = brandParsers[directive as keyof typeof brandParsers](value);
    return drawn === null ? null : { ...before, drawn: { ...(before.drawn ?? noBrandDirectives), ...drawn } };
  }
  // All others.
  const parsed = parsers[directive as keyof typeof howWritten](value);
  return parsed === null ? null : { ...before, ...parsed };
}

/** A word starts after white space or an opening bracket or quotation mark, and runs to the next white space. */
const directiveWord =
  /(?<=^|[\s("'[{（「『])(delay|throttle|fail|size|cards|deeplink|sources|ads|empty|html|unread|brands|cites|advertisers|products|change|model|correlation|seed)=(\S*)/gu;

type Parse = (value: string) => Partial<Directives> | null;
type Parsers = Readonly<Record<keyof typeof howWritten, Parse>>;

const returnedFields: readonly ReturnedField[] = [
  "sources",
  "products",
  "videos",
  "media",
  "reasoningProcess",
  "searchProcess",
  "pageHtml",
];

const noAdsReasons: readonly NoAds[] = ["not_exposed", "parse_failed", "signed_in_state", "country_without_ads"];

const howWritten = {
  delay: "write a time of up to 30 minutes, such as delay=2s, delay=500ms or delay=1m.",
  throttle: "write a time of up to 30 minutes, such as throttle=3s or throttle=500ms.",
  fail: `write a failure code, such as fail=platform_unavailable, or fail=platform_unavailable@2 for the first 2 attempts only. Codes: ${failureCodes.join(", ")}.`,
  size: `write a number of bytes from 1 to ${sizeBytesMax}, such as size=300000.`,
  cards: `write up to ${cardsMax} kinds with commas between, such as cards=product,video,image. Kinds: ${["product", "video", ...knownMediaTypes].join(", ")}.`,
  deeplink: "write deeplink=1 or deeplink=0.",
  sources: `write a number from 0 to ${sourcesMax}, such as sources=20.`,
  ads: `write a number from 0 to ${adsMax}, such as ads=2, or why there are none: ads=not_exposed. Reasons: ${noAdsReasons.join(", ")}.`,
  empty: "write empty=1 or empty=0.",
  html: "write html=1 or html=0.",
  unread: `write fields with commas between, such as unread=sources,products. Fields: ${returnedFields.join(", ")}.`,
} as const;

const parsers: Parsers = {
  delay: (value) => mapped(duration(value), (delayMs) => ({ delayMs })),
  throttle: (value) => mapped(duration(value), (throttleMs) => ({ throttleMs })),
  fail: (value) => mapped(failure(value), (fail) => ({ fail })),
  size: (value) => mapped(wholeNumber(value, 1, sizeBytesMax), (sizeBytes) => ({ sizeBytes })),
  cards: (value) => mapped(cardKinds(value), (cards) => ({ cards })),
  deeplink: (value) => mapped(flag(value), (deeplink) => ({ deeplink })),
  sources: (value) => mapped(wholeNumber(value, 0, sourcesMax), (sources) => ({ sources })),
  ads: (value) =>
    mapped(noAdsReasons.find((reason) => reason === value) ?? wholeNumber(value, 0, adsMax), (ads) => ({ ads })),
  empty: (value) => mapped(flag(value), (empty) => ({ empty })),
  html: (value) => mapped(flag(value), (html) => ({ html })),
  unread: (value) => mapped(fields(value), (unread) => ({ unread })),
};

const unitMs = new Map([
  ["ms", 1],
  ["s", 1_000],
  ["m", 60_000],
]);

function duration(value: string): number | null {
  const [, amount, unit] = /^(\d{1,9}(?:\.\d{1,3})?)(ms|s|m)$/u.exec(value) ?? [];
  const durationMs = Math.round(Number(amount) * (unitMs.get(unit ?? "") ?? Number.NaN));
  return durationMs <= durationMsMax ? durationMs : null;
}

function failure(value: string): FailDirective | null {
  const [, word, attempts] = /^([a-z_]+)(?:@(\d+))?$/u.exec(value) ?? [];
  const code = failureCodes.find((known) => known === word);
  if (code === undefined) return null;
  if (attempts === undefined) return { code, attempts: null };
  return mapped(wholeNumber(attempts, 1, failAttemptsMax), (count) => ({ code, attempts: count }));
}

function cardKinds(value: string): readonly string[] | null {
  const kinds = value.split(",", cardsMax + 1);
  const known = (kind: string): boolean =>
    kind === "product" || kind === "video" || knownMediaTypes.some((mediaType) => mediaType === kind);
  return kinds.length <= cardsMax && kinds.every(known) ? kinds : null;
}

function fields(value: string): readonly ReturnedField[] | null {
  const words = value.split(",", returnedFields.length + 1);
  const known = returnedFields.filter((field) => words.includes(field));
  return known.length === words.length ? known : null;
}

function wholeNumber(value: string, min: number, max: number): number | null {
  if (!/^\d{1,9}$/u.test(value)) return null;
  const number = Number(value);
  return number >= min && number <= max ? number : null;
}

const flag = (value: string): boolean | null => (value === "1" ? true : value === "0" ? false : null);

function mapped<T, U>(value: T | null, map: (value: T) => U): U | null {
  return value === null ? null : map(value);
}

const shownCharsMax = 80;
const shown = (value: string): string =>
  value.length > shownCharsMax ? `${value.slice(0, shownCharsMax).toWellFormed()}…` : value;
