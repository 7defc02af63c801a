/** A mail in words, as plain text and as a page. */
import type { ReportLooks } from "@querent/contract";
import { toHtml } from "hast-util-to-html";
import { h, type Child } from "../kernel/element.ts";
import type { Message } from "./mailer.ts";

export interface Letter {
  readonly language: string;
  readonly subject: string;
  readonly paragraphs: readonly Paragraph[];
  /** By whose name, logo and colour it is known. */
  readonly looks?: ReportLooks;
}

/** One of several, which its recipient can stop. */
export interface SubscribedLetter extends Letter {
  readonly unsubscribeUrl: string;
}

/** What a message says, in both forms, with the logo that it shows. `id` is that of the message. */
export function composed(id: string, letter: Letter): Pick<Message, "subject" | "text" | "html" | "attachments"> {
  const { subject, paragraphs, looks } = letter;
  const logo = looks?.logo ?? null;
  return {
    subject,
    text: `${paragraphs.map(plain).join("\n\n")}\n`,
    html: page(letter, logoCid(id)),
    attachments:
      logo === null
        ? []
        : [
            {
              ...{ name: `logo.${logo.type.slice("image/".length)}`, type: logo.type, cid: logoCid(id) },
              bytes: Buffer.from(logo.data, "base64"),
            },
          ],
  };
}

/** Mail programs show a picture that comes with the mail, and none that would have to be loaded. */
const logoCid = (id: string) => `logo-${id}@querent`;

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

function page({ language, subject: title, paragraphs, looks }: Letter, cid: string): string {
  const element = (paragraph: Paragraph): Child => {
    if (typeof paragraph === "string") return h("p", {}, paragraph);
    if ("list" in paragraph) return h("ul", {}, ...paragraph.list.map((item) => h("li", {}, item)));
    return h("p", {}, h("a", { href: paragraph.url }, paragraph.words));
  };
  const head = h("head", {}, h("meta", { charSet: "utf-8" }), h("title", {}, title));
  const style = "font-family:system-ui,sans-serif;font-size:16px;line-height:1.5;max-width:36em";
  const body = h("body", {}, h("div", { style, dir: "auto" }, heading(looks, cid), ...paragraphs.map(element)));
  return `<!doctype html>\n${toHtml(h("html", { lang: language }, head, body))}\n`;
}

/** Mail programs read no style sheets, so each element has its own. */
function heading(looks: ReportLooks | undefined, cid: string): Child {
  if (looks === undefined) return null;
  const { name, color, logo } = looks;
  if (name === null && color === null && logo === null) return null;
  const height = Math.min(48, logo?.height ?? 0);
  return h(
    "div",
    { style: `border-top:4px solid ${color ?? "#d9dde3"};padding:12px 0;margin-bottom:8px;font-weight:600` },
    logo === null
      ? null
      : h("img", {
          ...{
            src: `cid:${cid}`,
            alt: "",
            height,
            width: Math.max(1, Math.round((logo.width * height) / logo.height)),
          },
          style: "vertical-align:middle;margin-inline-end:12px;background:#fff",
        }),
    name === null ? null : h("span", {}, name),
  );
}
