/**
 * A submission in canonical form, the same for all texts with the same meaning: members in one order, numbers and characters
 * written in one way (RFC 8785), no white space, and no members with default values.
 *
 * **Frozen: stored fingerprints depend on it.** A change would reject repeats of submissions that were accepted before it, so the
 * default of a member is added together with the member, or never. Languages are compared as sent: their canonical form
 * depends on the version of Unicode's data.
 */
import { nestedOptions, optionDefaults } from "@querent/contract";
import canonicalize from "canonicalize";

/** The defaults of these members. A task is the same with and without them. */
const itemDefaults: Readonly<Record<string, unknown>> = { priority: 5 };

/** More than any accepted submission contains. */
const itemsMax = 100_000;
const membersMax = 32;
const nestedItemsMax = 1_000;

/** The submission in canonical form; null if the body does not have the form of one, so that it was never accepted. */
export function canonicalSubmission(body: unknown): string | null {
  if (!Array.isArray(body) || body.length > itemsMax) return null;
  const items: unknown[] = [];
  for (const element of body) {
    const item = canonicalItem(element);
    if (item === null) return null;
    items.push(item);
  }
  return canonicalize(items) ?? null;
}

function canonicalItem(element: unknown): Record<string, unknown> | null {
  if (!isRecord(element) || !hasPlainNames(element)) return null;
  const { options, tags, ...members } = element;
  if (!Object.values(members).every(isScalar)) return null;
  const item = withoutDefaults(members, itemDefaults);
  if (isRecord(options)) {
    const flat = flatOptions(options);
    if (flat === null) return null;
    const kept = withoutDefaults(flat, optionDefaults);
    if (Object.keys(kept).length > 0) item["options"] = kept;
  } else if (options !== undefined && options !== null) return null;
  if (Array.isArray(tags)) {
    if (tags.length > membersMax || !tags.every(isScalar)) return null;
    if (tags.length > 0) item["tags"] = tags;
  } else if (tags !== undefined && tags !== null) return null;
  return item;
}

/** The options, with nested objects without empty members, and the country in upper case. Null: not the form of options. */
function flatOptions(options: Readonly<Record<string, unknown>>): Record<string, unknown> | null {
  if (!hasPlainNames(options)) return null;
  const flat: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(options)) {
    if (isScalar(value)) {
      flat[name] = name === "country" && typeof value === "string" ? value.toUpperCase() : value;
      continue;
    }
    if (!nestedOptions.includes(name) || !isRecord(value) || !hasPlainNames(value)) return null;
    if (!Object.values(value).every((member) => isScalar(member) || isListOfScalars(member))) return null;
    const kept = Object.entries(value).filter(
      ([, member]) => member !== null && !(Array.isArray(member) && member.length === 0),
    );
    if (kept.length > 0) flat[name] = Object.fromEntries(kept);
  }
  return flat;
}

const isListOfScalars = (value: unknown) =>
  Array.isArray(value) && value.length <= nestedItemsMax && value.every(isScalar);

function withoutDefaults(
  members: Readonly<Record<string, unknown>>,
  defaults: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(members).filter(
      ([name, value]) => value !== null && !(Object.hasOwn(defaults, name) && defaults[name] === value),
    ),
  );
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);
const hasPlainNames = (record: object) => {
  const names = Object.keys(record);
  return names.length <= membersMax && names.every((name) => name.isWellFormed());
};
function isScalar(value: unknown): boolean {
  if (typeof value === "string") return value.isWellFormed();
  if (typeof value === "number") return Number.isFinite(value);
  return typeof value !== "object" || value === null;
}
