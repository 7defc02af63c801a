/** Small pages for people who come by a link: without scripts, and without anything from elsewhere. */
import { reportLanguages, type ReportLanguage } from "@querent/contract";
import { toHtml } from "hast-util-to-html";
import { h, type Child } from "../kernel/element.ts";

/** A form of such a page posts to itself, and nothing else of it can do anything. */
export const smallPageHeaders = {
  "content-type": "text/html; charset=utf-8",
  "cache-control": "private, no-store",
  "content-security-policy":
    "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
  "cross-origin-opener-policy": "same-origin",
  "referrer-policy": "no-referrer",
  "x-robots-tag": "noindex, nofollow, noarchive",
} as const;

/** The language of a reader, by `Accept-Language`: the first that there is of those that are wanted most. */
export function readerLanguage(accepted: string | undefined): ReportLanguage {
  const wanted = (accepted ?? "")
    .slice(0, 1000)
    .split(",")
    .flatMap((part) => {
      const [, tag, quality] = /^\s*([a-z]{2,3})(?:-[a-z0-9-]+)?\s*(?:;\s*q=([\d.]{1,5}))?\s*$/i.exec(part) ?? [];
      return tag === undefined ? [] : [{ tag: tag.toLowerCase(), quality: Number(quality ?? 1) }];
    })
    .toSorted((one, other) => other.quality - one.quality);
  for (const { tag, quality } of wanted) {
    const found = reportLanguages.find((language) => language.split("-")[0] === tag);
    if (found !== undefined && quality > 0) return found;
  }
  return "en";
}

const style =
  "body{margin:0;display:grid;place-content:center;min-height:100vh;font:17px/1.6 system-ui,sans-serif;color:#1d2127;background:#f3f4f6}main{padding:2rem;max-width:30rem;overflow-wrap:anywhere}h1{font-size:1.3rem;margin:0 0 .5rem}p{margin:0 0 1rem;color:#4b5360}label{display:block;margin:0 0 .3rem}input{font:inherit;box-sizing:border-box;width:100%;padding:.5rem .7rem;margin:0 0 1rem;color:inherit;background:#fff;border:1px solid #767f8c;border-radius:.4rem}.wrong{color:#a3261b}button{font:inherit;padding:.5rem 1.2rem;border:0;border-radius:.4rem;color:#fff;background:#1f5fd0;cursor:pointer}input:focus-visible,button:focus-visible{outline:3px solid #1d2127;outline-offset:2px}@media(prefers-color-scheme:dark){body{color:#e8eaee;background:#15181d}p{color:#aab2bf}input{background:#1d2128}.wrong{color:#ff9d92}input:focus-visible,button:focus-visible{outline-color:#e8eaee}}";

export function smallPage(language: ReportLanguage, title: string, ...content: readonly Child[]): string {
  const head = h(
    "head",
    {},
    h("meta", { charSet: "utf-8" }),
    h("meta", { name: "viewport", content: "width=device-width, initial-scale=1" }),
    h("meta", { name: "robots", content: "noindex" }),
    h("meta", { name: "color-scheme", content: "light dark" }),
    h("title", {}, title),
    h("style", {}, style),
  );
  const body = h("body", {}, h("main", {}, h("h1", {}, title), ...content));
  return `<!doctype html>\n${toHtml(h("html", { lang: language }, head, body))}\n`;
}
