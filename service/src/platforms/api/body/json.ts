/** Reads parsed JSON of unknown shape: missing members, and those of another type, read as empty. */

export type JsonObject = Readonly<Record<string, unknown>>;

export function object(value: unknown): JsonObject {
  return isObject(value) ? value : {};
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** The objects of a list. */
export function objects(value: unknown): readonly JsonObject[] {
  return list(value).filter(isObject);
}

export function string(value: unknown): string {
  return typeof value === "string" ? value : "";
}

export function number(value: unknown): number | null {
  return typeof value === "number" && Number.isFinite(value) ? value : null;
}

/** The object that a text contains as JSON; empty if there is none. */
export function parsedObject(text: string): JsonObject {
  try {
    return object(JSON.parse(text));
  } catch {
    return {};
  }
}
