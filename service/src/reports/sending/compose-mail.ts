/** The mail of a report: what it found in a few sentences, the link, the PDF, and how to unsubscribe. */
import type { ReportReady } from "@querent/contract";
import { toHtml } from "hast-util-to-html";
import type { Queryable } from "../../db/index.ts";
import { h, type Child } from "../../kernel/element.ts";
import type { ComposeMail } from "../../webhooks/index.ts";
import { mailWords } from "./mail-words.ts";
import { readPdf } from "./sent-reports.ts";

const pdfType = "application/pdf";

export function mailComposer(database: Queryable): ComposeMail {
  return async ({ accountId, deliveryId, recipient, createdAt, data }) => {
    // Written by `sendAddressed`, from what the contract says.
    const ready = data as ReportReady;
    const { mail } = ready;
    if (mail === undefined) return null;
    const pdf = mail.attached ? await readPdf(database, accountId, ready.reportId) : null;
    if (mail.attached && pdf === null) return null;
    const { subject, paragraphs } = write(ready, mail, recipient.email);
    return {
      ...{ to: recipient.email, id: deliveryId, date: createdAt, subject },
      text: `${paragraphs.map(plain).join("\n\n")}\n`,
      html: page(ready.language, subject, paragraphs),
      attachments: pdf === null ? [] : [{ name: fileName(ready), type: pdfType, bytes: pdf }],
      unsubscribe: mail.unsubscribeUrl,
    };
  };
}

/** A paragraph of the mail: words, or words with a link. */
type Paragraph = string | { readonly words: string; readonly url: string } | { readonly list: readonly string[] };

function write(
  ready: ReportReady,
  { attached, unsubscribeUrl, addedAgainBy, accountName }: NonNullable<ReportReady["mail"]>,
  email: string,
): { subject: string; paragraphs: readonly Paragraph[] } {
  const say = mailWords[ready.language];
  const { panelName, clientName, window, shareUrl, shareExpiresAt, answers, grade, figures, moreFigures } = ready;
  const range = say.range(new Date(window.from), new Date(Date.parse(window.to) - 1));
  return {
    subject: say.subject(panelName, range),
    paragraphs: [
      ...(addedAgainBy === null ? [] : [say.addedAgain(addedAgainBy)]),
      say.what(panelName, clientName, range),
      say.basis(answers, say.grades[grade]),
      ...(figures.length === 0
        ? []
        : [
            {
              list: [
                ...figures.map((figure) => say.figure(figure)),
                ...(moreFigures === 0 ? [] : [say.more(moreFigures)]),
              ],
            },
          ]),
      ...(shareUrl === null ? [] : [{ words: say.open, url: shareUrl }]),
      ...(shareExpiresAt === null ? [] : [say.works(say.day(new Date(shareExpiresAt)))]),
      ...(attached ? [say.attached] : []),
      say.why(email, accountName),
      { words: say.unsubscribe, url: unsubscribeUrl },
    ],
  };
}

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

/** Letters, digits and hyphens of any script, so that it is a name in every file system. */
function fileName({ panelName, window }: ReportReady): string {
  const name = panelName
    .normalize("NFC")
    .replace(/[^\p{L}\p{N}]+/gu, "-")
    .replace(/^-+|-+$/g, "")
    .slice(0, 60);
  return `${name === "" ? "report" : name}-${window.to.slice(0, 10)}.pdf`;
}
