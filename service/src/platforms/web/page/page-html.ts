import type { Locator } from "playwright-core";
import type { Drive } from "./drive-context.ts";
import { inPage } from "./in-page.ts";
import { documentParts, noteStyles } from "./page-document.mjs";
import { boundedPart, partBytesMax } from "./snapshots.ts";

export interface PageHtml {
  readonly html: string;
  readonly title: string;
  readonly isCut: boolean;
}

/**
 * The whole page in its current state, as HTML that looks the same when it is opened by itself, with the assistant's frame at its
 * beginning; null if it can no longer be read.
 */
export async function pageHtml(drive: Drive): Promise<PageHtml | null> {
  try {
    const page = await partsOf(drive.page.locator("html"));
    if (page === null) return null;
    const { title } = page;
    if (drive.root === drive.page) return { title, ...boundedPart(page.html) };
    const frame = await partsOf(drive.root.locator("html"));
    const within = `<section><template shadowrootmode="open">${frame?.styles ?? ""}${frame?.body ?? ""}</template></section>`;
    // At the beginning, since what is too long is truncated at its end, and the answer is in the frame.
    return { title, ...boundedPart(page.html.replace(/<body\b[^>]*>/, (body) => `${body}\n${within}\n`)) };
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

async function partsOf(html: Locator): Promise<Record<"html" | "styles" | "body" | "title", string> | null> {
  const read: unknown = await html.evaluateAll(takeDocument, { styleCharsMax, charsMax: partBytesMax });
  const [parts] = Array.isArray(read) ? (read as Partial<Record<"html" | "styles" | "body" | "title", unknown>>[]) : [];
  const text = (value: unknown) => (typeof value === "string" ? value : "");
  return parts === undefined
    ? null
    : { html: text(parts.html), styles: text(parts.styles), body: text(parts.body), title: text(parts.title) };
}
