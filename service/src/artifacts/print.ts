/** Prints a page of ours as a PDF, in a browser without network access. */
import { cssText, withStyle } from "../kernel/element.ts";
import { answer, pageUrl, type Contexts } from "./screenshot.ts";
import type { Requester } from "../browser/index.ts";

/** What is on each sheet besides the page. */
export interface PrintedPage {
  readonly html: string;
  readonly paper: "a4" | "letter";
  /** At the top of each sheet: on the left and, if it is not empty, on the right. */
  readonly head: readonly [left: string, right: string];
  /** At the bottom, before the page number. */
  readonly foot: string;
}

/** The fonts of pages, from this service. */
export interface PrintFonts {
  readonly path: (name: string) => string | null;
  /** The `@font-face` rules for a text, with their files at `base`. */
  readonly faces: (text: string, base: string) => string;
  readonly stack: (language: string) => string;
}

const stepMs = 60_000;
const sizes = { a4: "A4", letter: "letter" } as const;

/** Tagged, so that screen readers read its headings and tables, and with an outline. Throws what `withContext` throws. */
export type Print = (page: PrintedPage, signal: AbortSignal, requester?: Requester) => Promise<Buffer>;

export function printer(contexts: Contexts, fonts: PrintFonts): Print {
  // The sheet's size decides the layout. The width of the window decides which rules for narrow screens hold.
  const context = { viewport: { width: 1100, height: 1400 }, deviceScaleFactor: 1, javaScriptEnabled: false };
  return (printed, signal, requester) => {
    const html = withStyle(printed.html, sheetStyle(printed, fonts), "http://page.invalid/fonts/");
    return contexts.withContext(
      signal,
      { reach: "nothing", context, ...(requester && { requester }) },
      async (guarded) => {
        await guarded.context.route("**/*", (route) => answer(route, html, fonts.path));
        const page = await guarded.context.newPage();
        page.setDefaultTimeout(stepMs);
        await page.goto(pageUrl, { waitUntil: "load", timeout: stepMs });
        await page.emulateMedia({ media: "print", colorScheme: "light" });
        // Evaluated by us: the page's own scripts are disabled.
        await page.evaluate("document.fonts.ready.then(() => undefined)");
        return page.pdf({ preferCSSPageSize: true, printBackground: true, tagged: true, outline: true });
      },
    );
  };
}

function sheetStyle({ html, paper, head: [left, right], foot }: PrintedPage, fonts: PrintFonts): string {
  const language = /<html lang="([\w-]*)"/.exec(html)?.[1] ?? "en";
  const stack = fonts.stack(language);
  const small = `font:8pt/1.3 ${stack};color:#444;vertical-align:middle`;
  const box = (place: string, content: string) => `@${place}{content:${content};${small}}`;
  return `${fonts.faces(html + left + right + foot, "/fonts/")}
html{font-family:${stack}}
@page{size:${sizes[paper]};margin:20mm 16mm 18mm;
${box("top-left", cssText(left))}${right === "" ? "" : box("top-right", cssText(right))}
${box("bottom-left", cssText(foot))}${box("bottom-right", 'counter(page) " / " counter(pages)')}}
`;
}
