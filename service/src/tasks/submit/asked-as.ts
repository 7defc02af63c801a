/** Reads the options that say from where, as whom and with what a question is asked, in their canonical form. */
import {
  askedAsMembers,
  optionDefaults,
  questionOptions,
  quoteWarnings,
  type AskedAs,
  type ProblemItem,
  type QuoteWarning,
  type SubmittedOptions,
} from "@querent/contract";
import { domainName } from "../../kernel/formats.ts";
import { unsupportedOptions, type OptionSupport } from "../../platforms/index.ts";

export interface ReadAskedAs {
  readonly askedAs: AskedAs;
  readonly errors: readonly ProblemItem[];
  readonly warnings: readonly QuoteWarning[];
}

/** `at` is the pointer of the options. Without a platform, only the values themselves are checked. */
export function readAskedAs(
  given: SubmittedOptions,
  support: OptionSupport | null,
  { at, now }: { readonly at: string; readonly now: Date },
): ReadAskedAs {
  const askedAs = canonical(given);
  const errors = [...faultsOf(given, at), ...futureFaults(askedAs, at, now)];
  const unsupported = support === null ? [] : unsupportedOptions(support, askedAs);
  const isIgnored = askedAs.onUnsupported === "ignore";
  for (const { member, detail } of isIgnored ? [] : unsupported) {
    const advice = 'Omit it, or send `onUnsupported: "ignore"` to ask without it.';
    errors.push({ pointer: `${at}/${member}`, code: "option_unsupported", detail: `${detail} ${advice}` });
  }
  const warnings = (isIgnored ? unsupported : []).map(({ member, detail }): QuoteWarning => ({
    pointer: `${at}/${member}`,
    code: "option_ignored",
    detail: `${detail} ${quoteWarnings.option_ignored}`,
  }));
  return { askedAs, errors, warnings };
}

/** Members without a value are left out. `onUnsupported` has a meaning only beside another member. */
function canonical(given: SubmittedOptions): AskedAs {
  const entries = askedAsMembers.map((member) => [member, canonicalValue(questionOptions[member], given[member])]);
  const asked: AskedAs = withoutEmpty(Object.fromEntries(entries) as AskedAs);
  return Object.keys(asked).length === 0
    ? asked
    : { ...asked, onUnsupported: given.onUnsupported ?? optionDefaults.onUnsupported };
}

function canonicalValue(member: object, value: unknown) {
  if (value === null || value === undefined) return undefined;
  const { schema, parts }: { readonly schema?: Schema; readonly parts?: Readonly<Record<string, Schema>> } = member;
  if (schema !== undefined) return inForm(schema, value);
  const given = value as Readonly<Record<string, unknown>>;
  return withoutEmpty(
    Object.fromEntries(Object.entries(parts ?? {}).map(([part, form]) => [part, inForm(form, given[part])])),
  );
}

interface Schema {
  readonly format?: string;
  readonly items?: Schema;
}

/** One spelling of each value, by the format of its schema. */
const canonicalForms: Readonly<Record<string, (text: string) => string | null>> = {
  "country-code": (code) => code.toUpperCase(),
  "language-tag": (tag) => Intl.getCanonicalLocales(tag)[0] ?? null,
  "domain-name": domainName,
};

function inForm({ format = "", items = {} }: Schema, value: unknown): unknown {
  if (Array.isArray(value)) return [...new Set(value.flatMap((item) => inForm(items, item) ?? []))];
  const form = canonicalForms[format];
  return typeof value === "string" && form !== undefined ? (form(value) ?? undefined) : value;
}

const domainList = (given: readonly string[] | null | undefined) => [
  ...new Set((given ?? []).flatMap((name) => domainName(name) ?? [])),
];

/** The members that have a value, an object or a list that is not empty. */
function withoutEmpty<Members extends object>(
  members: Members,
): { [Name in keyof Members]?: NonNullable<Members[Name]> } {
  const kept = Object.entries(members).filter(([, value]: [string, unknown]) =>
    typeof value === "object" && value !== null ? Object.keys(value).length > 0 : value !== null && value !== undefined,
  );
  return Object.fromEntries(kept) as { [Name in keyof Members]?: NonNullable<Members[Name]> };
}

function faultsOf({ location, domains }: SubmittedOptions, at: string): ProblemItem[] {
  const faults: ProblemItem[] = [];
  const { latitude = null, longitude = null } = location ?? {};
  if ((latitude === null) !== (longitude === null)) {
    const missing = latitude === null ? "latitude" : "longitude";
    faults.push({
      pointer: `${at}/location/${missing}`,
      code: "required",
      detail: "`latitude` and `longitude` are given together.",
    });
  }
  const denied = new Set(domainList(domains?.deny));
  const both = domainList(domains?.allow).find((name) => denied.has(name));
  if (both !== undefined) {
    faults.push({
      pointer: `${at}/domains`,
      code: "not_allowed",
      detail: `${both} is both in \`allow\` and in \`deny\`.`,
    });
  }
  return faults;
}

const dayAheadMs = 14 * 60 * 60 * 1000;

/** The day of the earliest time zone counts. */
function futureFaults({ since }: AskedAs, at: string, now: Date): ProblemItem[] {
  const latest = new Date(now.getTime() + dayAheadMs).toISOString().slice(0, 10);
  if (since === undefined || since <= latest) return [];
  return [{ pointer: `${at}/since`, code: "not_allowed", detail: "The date is in the future." }];
}

/** What is stored of the options: null if no such option was requested. */
export function storedAskedAs(options: AskedAs): string | null {
  const members = [...askedAsMembers, "onUnsupported"] as const;
  const kept = members.flatMap((member) => (options[member] === undefined ? [] : [[member, options[member]] as const]));
  return kept.length === 0 ? null : JSON.stringify(Object.fromEntries(kept));
}
