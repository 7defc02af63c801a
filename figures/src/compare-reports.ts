/** Another version may add the same numbers in another order, which changes their last digits. */
const tolerance = 1e-9;

/** The first place where two JSON values differ, as a JSON Pointer; null if they are equal, numbers to nine digits. */
export function firstDifference(one: unknown, other: unknown, pointer = ""): string | null {
  if (Object.is(one, other) || areClose(one, other)) return null;
  if (Array.isArray(one) && Array.isArray(other)) {
    for (let index = 0; index < Math.max(one.length, other.length); index++) {
      if (index >= one.length || index >= other.length) return `${pointer}/${index}`;
      const found = firstDifference(one[index], other[index], `${pointer}/${index}`);
      if (found !== null) return found;
    }
    return null;
  }
  if (!isRecord(one) || !isRecord(other)) return pointer;
  for (const name of new Set([...Object.keys(one), ...Object.keys(other)])) {
    const path = `${pointer}/${name.replaceAll("~", "~0").replaceAll("/", "~1")}`;
    if (!Object.hasOwn(one, name) || !Object.hasOwn(other, name)) return path;
    const found = firstDifference(one[name], other[name], path);
    if (found !== null) return found;
  }
  return null;
}

const areClose = (one: unknown, other: unknown) =>
  typeof one === "number" &&
  typeof other === "number" &&
  Math.abs(one - other) <= tolerance * Math.max(Math.abs(one), Math.abs(other), tolerance);

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);
