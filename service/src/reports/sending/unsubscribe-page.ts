/** The pages on which recipients of mail unsubscribe: without scripts, and without anything from elsewhere. */
import { toHtml } from "hast-util-to-html";
import { h, type Child } from "../../kernel/element.ts";
import { mailWords } from "./mail-words.ts";

type Language = string | undefined;

export const askPage = (accepted: Language, email: string): string =>
  pageOf(accepted, ({ page: say }) => [
    say.ask,
    h("p", {}, say.asked(email)),
    h("form", { method: "post" }, h("button", { type: "submit" }, say.button)),
  ]);

export const donePage = (accepted: Language, email: string): string =>
  pageOf(accepted, ({ page: say }) => [say.done, h("p", {}, say.doneText(email))]);

export const nothingPage = (accepted: Language): string =>
  pageOf(accepted, ({ page: say }) => [say.unknown, h("p", {}, say.unknownText)]);

const style =
  "body{margin:0;display:grid;place-content:center;min-height:100vh;font:17px/1.6 system-ui,sans-serif;color:#1d2127;background:#f3f4f6}main{padding:2rem;max-width:30rem;overflow-wrap:anywhere}h1{font-size:1.3rem;margin:0 0 .5rem}p{margin:0 0 1rem;color:#4b5360}button{font:inherit;padding:.5rem 1.2rem;border:0;border-radius:.4rem;color:#fff;background:#1f5fd0;cursor:pointer}button:focus-visible{outline:3px solid #1d2127;outline-offset:2px}@media(prefers-color-scheme:dark){body{color:#e8eaee;background:#15181d}p{color:#aab2bf}button:focus-visible{outline-color:#e8eaee}}";

function pageOf(accepted: Language, write: (words: (typeof mailWords)["en"]) => readonly [string, ...Child[]]): string {
  const language = /^\s*zh\b/i.test(accepted ?? "") ? "zh-CN" : "en";
  const [title, ...content] = write(mailWords[language]);
  const head = h(
    "head",
    {},
    h("meta", { charSet: "utf-8" }),
    h("meta", { name: "viewport", content: "width=device-width, initial-scale=1" }),
    h("meta", { name: "robots", content: "noindex" }),
    h("title", {}, title),
    h("style", {}, style),
  );
  const body = h("body", {}, h("main", {}, h("h1", {}, title), ...content));
  return `<!doctype html>\n${toHtml(h("html", { lang: language }, head, body))}\n`;
}
