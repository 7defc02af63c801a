import { Stopped } from "./stopped.ts";
import type { Recipe } from "./recipe.ts";

const place = "{question}";
/** What servers commonly accept. */
const addressCharsMax = 8000;

/** Whether the page is asked by its address, and not in a composer. */
export function isAskedByAddress({ entry }: Pick<Recipe, "entry">): boolean {
  return entry.includes(place);
}

/** The address to open. A question in it is encoded, so it cannot change any other part of the address. */
export function entryAddress({ entry }: Pick<Recipe, "entry">, question: string): string {
  if (!entry.includes(place)) return entry;
  const address = entry.replaceAll(place, encodeURIComponent(question.toWellFormed()));
  if (address.length <= addressCharsMax) return address;
  throw new Stopped(
    "platform_refused",
    `The question is too long for this page, which takes it in its address: encoded, the address has ${address.length} characters, and at most ${addressCharsMax} are sent.`,
  );
}

/** Where a question may stand: in the query or the fragment. Elsewhere `..` would lead to another page. */
export function entryFault(entry: string): string | null {
  const url = URL.parse(entry.replaceAll(place, "question"));
  if (url === null) return "Expected an absolute http or https address.";
  const before = entry.search(/[?#]/);
  const at = entry.indexOf(place);
  return at >= 0 && (before < 0 || at < before) ? `${place} may stand only after \`?\` or \`#\`.` : null;
}
