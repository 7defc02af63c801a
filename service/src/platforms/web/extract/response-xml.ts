/**
 * The captured response of an answer as XML, so that the rules of `extract` read it with the same selectors as HTML. JSON, lines
 * of JSON and event streams of JSON: a member is an element of its name, a list repeats it, and a value is its text.
 */
const nodesMax = 200_000;
const depthMax = 100;

export function responseXml(body: string): string {
  const out: string[] = [];
  let nodes = 0;
  const write = (name: string, value: unknown, depth: number): void => {
    if (value === null || value === undefined || depth > depthMax) return;
    if (Array.isArray(value)) {
      for (const item of value) write(name, item, depth + 1);
      return;
    }
    if (++nodes > nodesMax) return;
    out.push(`<${name}>`);
    if (typeof value === "object") {
      for (const [key, member] of Object.entries(value)) write(elementName(key), member, depth + 1);
    } else if (typeof value === "string" || typeof value === "number" || typeof value === "boolean")
      out.push(escaped(String(value)));
    out.push(`</${name}>`);
  };
  for (const document of jsonOf(body)) write("message", document, 0);
  return out.join("");
}

/** Every JSON document of a body: the body itself, its lines, or the data of its events. */
function jsonOf(body: string): unknown[] {
  const whole = parsed(body);
  if (whole !== undefined) return [whole];
  return body.split(/\r?\n/).flatMap((line) => {
    const value = parsed(line.replace(/^data:\s*/, ""));
    return typeof value === "object" && value !== null ? [value] : [];
  });
}

function parsed(text: string): unknown {
  if (text.trim() === "") return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** A member's name as an element's name: `search_results`; other characters become `_`. */
const elementName = (key: string) => {
  const name = key.slice(0, 100).replaceAll(/[^A-Za-z0-9_-]/g, "_");
  return /^[A-Za-z_]/.test(name) ? name : `_${name}`;
};

const escaped = (text: string) =>
  text
    // XML cannot contain other control characters, in any notation.
    .replaceAll(/[^\P{Cc}\t\n\r]/gu, "")
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;");
