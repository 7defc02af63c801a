/** A mail in words, as plain text and as a page. */
import { toHtml } from "hast-util-to-html";
import { h, type Child } from "../kernel/element.ts";

export interface Letter {
  readonly language: string;
  readonly subject: string;
  readonly paragraphs: readonly Paragraph[];
}

/** One of several, which its recipient can stop. */
export interface SubscribedLetter extends Letter {
  readonly unsubscribeUrl: string;
}

/** What a message says, in both forms. */
export const composed = ({ language, subject, paragraphs }: Letter) => ({
  subject,
  text: `${paragraphs.map(plain).join("\n\n")}\n`,
  html: page(language, subject, paragraphs),
});

/** A paragraph of the mail: words, or words with a link. */
export type Paragraph =
  | string
  | { readonly words: string; readonly url: string }
  | { readonly list: readonly string[] };

function plain(paragraph: Paragraph): string {
  if (typeof paragraph === "string") return oneLine(paragraph);
  if ("list" in paragraph) return paragraph.list.map((item) => `- ${oneLine(item)}`).join("\n");
  return `${oneLine(paragraph.words)}: ${paragraph.url}`;
}

const oneLine = (text: string) => text.replace(/[\p{Cc}\u2028\u2029]+/gu, " ");

function page(language: string, title: string, paragraphs: readonly Paragraph[]): string {
  const element = (paragraph: Paragraph): Child => {
    if (typeof paragraph === "string") return h("p", {}, paragraph);
    if ("list" in paragraph) return h("ul", {}, ...paragraph.list.map((item) => h("li", {}, item)));
    return h("p", {}, h("a", { href: paragraph.url }, paragraph.words));
  };
  const head = h("head", {}, h("meta", { charSet: "utf-8" }), h("title", {}, title));
  const style = "font-family:system-ui,sans-serif;font-size:16px;line-height:1.5;max-width:36em";
  const body = h("body", {}, h("div", { style, dir: "auto" }, ...paragraphs.map(element)));
  return `<!doctype html>\n${toHtml(h("html", { lang: language }, head, body))}\n`;
}
