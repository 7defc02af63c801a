import type { Locator } from "playwright-core";
import type { Drive } from "./drive-context.ts";
import { inPage } from "./in-page.ts";
import { documentParts, noteStyles } from "./page-document.mjs";
import { boundedPart, partBytesMax } from "./snapshots.ts";

/**
 * The whole page in its current state, as HTML that looks the same when it is opened by itself, with the assistant's frame at its
 * beginning; null if it can no longer be read.
 */
export async function pageHtml(drive: Drive): Promise<{ html: string; isCut: boolean } | null> {
  try {
    const page = await partsOf(drive.page.locator("html"));
    if (page === null) return null;
    if (drive.root === drive.page) return boundedPart(page.html);
    const frame = await partsOf(drive.root.locator("html"));
    const within = `<section><template shadowrootmode="open">${frame?.styles ?? ""}${frame?.body ?? ""}</template></section>`;
    // At the beginning, since what is too long is truncated at its end, and the answer is in the frame.
    return boundedPart(page.html.replace(/<body\b[^>]*>/, (body) => `${body}\n${within}\n`));
  } catch {
    return null;
  }
}

/** Styles leave room for what they style. */
const styleCharsMax = partBytesMax / 4;

const takeDocument = inPage(
  { noteStyles, documentParts },
  `const [elements, { styleCharsMax, ...limits }] = input;
   noteStyles(elements, { charsMax: styleCharsMax });
   return documentParts(elements, limits);`,
);

async function partsOf(html: Locator): Promise<{ html: string; styles: string; body: string } | null> {
  const read: unknown = await html.evaluateAll(takeDocument, { styleCharsMax, charsMax: partBytesMax });
  const [parts] = Array.isArray(read) ? (read as Partial<Record<"html" | "styles" | "body", unknown>>[]) : [];
  const text = (value: unknown) => (typeof value === "string" ? value : "");
  return parts === undefined ? null : { html: text(parts.html), styles: text(parts.styles), body: text(parts.body) };
}
