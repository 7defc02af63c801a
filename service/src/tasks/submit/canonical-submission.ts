/**
 * A submission in canonical form, the same for all texts with the same meaning: members in one order, numbers and characters
 * written in one way (RFC 8785), no white space, and no members with default values.
 *
 * **Frozen: stored fingerprints depend on it.** A change would reject repeats of submissions that were accepted before it, so a
 * new member with a default is not added here.
 */
import canonicalize from "canonicalize";

/** The defaults of these members. A task is the same with and without them. */
const itemDefaults: Readonly<Record<string, unknown>> = { priority: 5 };
const optionDefaults: Readonly<Record<string, unknown>> = {
  deepAnalysis: false,
  output: "answer",
  resultFormat: "json",
};

/** More than any accepted submission contains. */
const itemsMax = 100_000;
const membersMax = 32;

/** Null: the body does not have the form of a submission; no such body was ever accepted. */
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
    if (!hasPlainNames(options) || !Object.values(options).every(isScalar)) return null;
    const kept = withoutDefaults(options, optionDefaults);
    if (Object.keys(kept).length > 0) item["options"] = kept;
  } else if (options !== undefined && options !== null) return null;
  if (Array.isArray(tags)) {
    if (tags.length > membersMax || !tags.every(isScalar)) return null;
    if (tags.length > 0) item["tags"] = tags;
  } else if (tags !== undefined && tags !== null) return null;
  return item;
}

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
