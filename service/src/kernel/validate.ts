import { Ajv2020, type ErrorObject, type ValidateFunction } from "ajv/dist/2020.js";
import type { ItemProblemCode, ProblemItem } from "@querent/contract";
import type { TSchema } from "typebox";
import { didYouMean } from "./did-you-mean.ts";
import { formats } from "./formats.ts";

/** The maximum of errors shown in a response. */
export const problemItemsMax = 100;

// Nothing is coerced, filled in or removed: the client's input is validated as it is. Optimized, the code of a schema takes twice as long to
// make, and validates no faster.
const options = {
  code: { optimize: false },
  strict: false,
  coerceTypes: false,
  removeAdditional: false,
  useDefaults: false,
  verbose: true,
} as const;
/** Stops at the first error. */
const quick = new Ajv2020(options);
/** Finds all errors. Without a bound on the input, 16 MiB of `1,1,1` would create eight million error objects. */
const thorough = new Ajv2020({ ...options, allErrors: true });
const thoroughNodesMax = 1_000;
for (const [name, validate] of Object.entries(formats)) {
  quick.addFormat(name, validate);
  thorough.addFormat(name, validate);
}

/** Validates a value against a schema of the contract; errors have pointers below `at`. */
export type Check = (value: unknown, at?: string) => ProblemItem[];

/**
 * Creates a check. It is compiled for the first value, and the one that finds every error for the first invalid value:
 * compiling the checks of all operations at the start would take 0.15 s of processor time.
 */
export function compileCheck(
  schema: TSchema,
  options: { pointer?: (path: string) => string; noun?: string } = {},
): Check {
  let findFirst: ValidateFunction | undefined;
  let findAll: ValidateFunction | undefined;
  return (value, at = "") => {
    const isValid = (findFirst ??= quick.compile(schema));
    if (isValid(value)) return [];
    const validate = isSmall(value) ? (findAll ??= thorough.compile(schema)) : isValid;
    validate(value);
    return explain(validate.errors ?? [], at, options.noun ?? "member").map((item) => ({
      ...item,
      pointer: options.pointer === undefined ? item.pointer : options.pointer(item.pointer),
    }));
  };
}

function isSmall(value: unknown): boolean {
  const left = [value];
  for (let seen = 0; left.length > 0; seen++) {
    const next = left.pop();
    if (typeof next !== "object" || next === null) continue;
    const below = Object.values(next);
    if (seen + left.length + below.length > thoroughNodesMax) return false;
    left.push(...below);
  }
  return true;
}

/** One entry per position. A union fails in each of its branches: only the branch that comes closest is reported. */
function explain(errors: readonly ErrorObject[], at: string, noun: string): ProblemItem[] {
  const unions = new Set(errors.filter((error) => error.keyword === "anyOf").map((error) => error.instancePath));
  const items = new Map<string, ProblemItem>();
  for (const error of errors) {
    if (items.size >= problemItemsMax) break;
    if (
      error.keyword === "anyOf" ||
      (unions.has(error.instancePath) && error.keyword === "type" && error.params["type"] === "null")
    )
      continue;
    const item = explainOne(error, at, noun);
    if (!items.has(item.pointer)) items.set(item.pointer, item);
  }
  return [...items.values()];
}

function explainOne(error: ErrorObject, at: string, noun: string): ProblemItem {
  const { keyword, params } = error;
  const pointer = at + error.instancePath;
  const say = (code: ItemProblemCode, detail: string, below = ""): ProblemItem => ({
    pointer: pointer + below,
    code,
    detail,
  });
  switch (keyword) {
    case "required":
      return say(
        "required",
        `\`${params["missingProperty"]}\` is required.`,
        `/${escapePointer(String(params["missingProperty"]))}`,
      );
    case "additionalProperties": {
      const name = String(params["additionalProperty"]);
      return say("unknown_field", unknownField(name, error, noun), `/${escapePointer(shorten(name))}`);
    }
    case "type":
      return say("wrong_type", `Expected ${[params["type"]].flat().join(" or ")}, got ${typeName(error.data)}.`);
    case "enum":
      return say(
        "not_allowed",
        `Allowed: ${(params["allowedValues"] as unknown[]).map((value) => JSON.stringify(value)).join(", ")}.`,
      );
    case "const":
      return say("not_allowed", `Allowed: ${JSON.stringify(params["allowedValue"])}.`);
    case "minLength":
      return say("too_short", `At least ${count(params["limit"], "character")}.`);
    case "maxLength":
      return say("too_long", `At most ${count(params["limit"], "character")}.`);
    case "minItems":
      return say("too_few", `At least ${count(params["limit"], "element")}.`);
    case "maxItems":
      return say("too_many", `At most ${count(params["limit"], "element")}.`);
    case "minimum":
    case "maximum":
      return say("out_of_range", `The number must be ${params["comparison"]} ${params["limit"]}.`);
    case "format":
      return explainFormat(String(params["format"]), say);
    default:
      return say("malformed", `The value ${error.message ?? "is not valid"}.`);
  }
}

function explainFormat(format: string, say: (code: ItemProblemCode, detail: string) => ProblemItem): ProblemItem {
  switch (format) {
    case "storable-text":
      return say("unstorable_text", "The text holds U+0000 or a lone surrogate. Remove it.");
    case "https-url":
      return say(
        "malformed",
        "Expected an absolute `https:` address with a host, such as `https://example.com/hook`, without user name or password in it.",
      );
    case "utc-date-time":
      return say("malformed", "Expected ISO 8601 in UTC, ending in `Z`, such as `2026-11-01T09:30:00Z`.");
    case "uuid":
      return say("malformed", "Expected a UUID.");
    case "country-code":
      return say("malformed", "Expected the two letters of a country by ISO 3166-1, such as `DE`.");
    case "language-tag":
      return say("malformed", "Expected a language as a BCP 47 tag, such as `de` or `pt-BR`.");
    case "domain-name":
      return say("malformed", "Expected a domain name such as `example.com`, without scheme, port or path.");
    case "date":
      return say("malformed", "Expected a date that exists, such as `2026-11-01`.");
    case "plain-text":
      return say("malformed", "The text contains control characters. Line breaks and tabs are allowed.");
    default:
      return say("malformed", `Expected the form \`${format}\`.`);
  }
}

function unknownField(name: string, error: ErrorObject, noun: string): string {
  const known = Object.keys((error.parentSchema as { properties?: object }).properties ?? {});
  if (name.length > 64) return `There is no such ${noun} here.`;
  return `There is no ${noun} \`${name.toWellFormed()}\` here.${didYouMean(name, known)}`;
}

function typeName(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  return typeof value;
}

const count = (limit: unknown, noun: string) => `${String(limit)} ${noun}${limit === 1 ? "" : "s"}`;
const shorten = (name: string) => (name.length > 64 ? `${name.slice(0, 64)}…` : name).toWellFormed();
const escapePointer = (name: string) => name.replaceAll("~", "~0").replaceAll("/", "~1");
