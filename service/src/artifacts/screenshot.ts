import { readFile } from "node:fs/promises";
import type { BrowserContext, BrowserContextOptions, Page, Route } from "playwright-core";
import type { Requester } from "../browser/index.ts";

/** Provides a browser context without network access for the duration of the work. */
export interface Contexts {
  withContext<Result>(
    signal: AbortSignal,
    needs: {
      readonly reach: "nothing";
      readonly requester?: Requester;
      readonly context: Pick<BrowserContextOptions, "viewport" | "deviceScaleFactor" | "javaScriptEnabled">;
    },
    work: (guarded: { readonly context: BrowserContext }) => Promise<Result>,
  ): Promise<Result>;
}

/** CSS pixels. Multiplied by the scale, the height stays below the 16,384 pixels that browsers can render in one piece. */
const width = 980;
const heightMax = 10_000;
const scale = 1.5;
/** The timeout of each step in the browser. A machine that does much else draws slowly, and the run's own limit ends it anyway. */
const stepMs = 60_000;

/** A host that does not exist: we answer the page's requests to it, and no others. */
export const pageUrl = "http://page.invalid/s/page";

/**
 * Takes a screenshot of an answer page, up to a maximum height. The page gets our fonts and nothing else: the context has no
 * network access, and every request is answered here.
 */
export function screenshotter(
  contexts: Contexts,
  fontPath: (name: string) => string | null,
): (html: string, signal: AbortSignal, requester?: Requester) => Promise<Uint8Array> {
  const context = { viewport: { width, height: 800 }, deviceScaleFactor: scale, javaScriptEnabled: false };
  return (html, signal, requester) =>
    contexts.withContext(signal, { reach: "nothing", context, ...(requester && { requester }) }, async (guarded) => {
      await guarded.context.route("**/*", (route) => answer(route, html, fontPath));
      const page = await guarded.context.newPage();
      page.setDefaultTimeout(stepMs);
      await page.goto(pageUrl, { waitUntil: "load", timeout: stepMs });
      const height = await fit(page);
      await page.setViewportSize({ width, height });
      return page.screenshot({ type: "png", timeout: stepMs, animations: "disabled", caret: "hide" });
    });
}

/** Answers what a page of ours asks for: itself, and our fonts. */
export async function answer(route: Route, html: string, fontPath: (name: string) => string | null): Promise<void> {
  const url = route.request().url();
  if (url === pageUrl) return route.fulfill({ contentType: "text/html; charset=utf-8", body: html });
  const name = /^http:\/\/page\.invalid\/fonts\/([\w.-]+)$/.exec(url)?.[1];
  const path = name === undefined ? null : fontPath(name);
  if (path === null) return route.abort("blockedbyclient");
  return route.fulfill({ contentType: "font/woff2", body: await readFile(path) });
}

/** Waits for the fonts, and returns the height of the screenshot. */
async function fit(page: Page): Promise<number> {
  return Number(await page.evaluate(fitPage));
}

/**
 * Runs in the browser: the page's own scripts are disabled but this one is not, and styles set from here are allowed by its
 * policy. If the page is truncated, the screenshot says so.
 */
const fitPage = `(async () => {
  await document.fonts.ready;
  const height = Math.ceil(document.documentElement.getBoundingClientRect().height);
  const limit = ${heightMax};
  if (height <= limit) return height;
  const end = document.createElement("p");
  end.textContent = "The picture ends here. The answer goes on: the record has all of it.";
  Object.assign(end.style, {
    position: "absolute", top: limit - 150 + "px", left: 0, right: 0, height: "150px", margin: 0, padding: "95px 0 0",
    textAlign: "center", fontSize: "14px", fontWeight: 600, color: "#5b6470",
    background: "linear-gradient(#f3f4f600, #f3f4f6 60%)",
  });
  document.body.append(end);
  Object.assign(document.documentElement.style, { height: limit + "px", overflow: "hidden" });
  return limit;
})()`;
