/** An alert that is told: as a message to a channel, and as a mail. */
import type { AlertFinding, AlertRaised } from "@querent/contract";
import type { Notice } from "../../webhooks/index.ts";
import type { Letter } from "../sending/letter.ts";
import { mailWords } from "../sending/mail-words.ts";
import { alertWords } from "./alert-words.ts";

export function alertNotice(raised: AlertRaised, at: Date): Notice {
  const { alertId, findings, language, accountName, url, state } = raised;
  const say = alertWords[language];
  const [first] = findings;
  return {
    title: titleOf(raised),
    paragraphs: [...linesOf(raised), say.from(accountName)],
    links: url === null ? [] : [{ words: say.open, url }],
    more: say.moreLines,
    at: first === undefined ? at : new Date(first.foundAt),
    incident: {
      // The same for the beginning and the end of a condition.
      key: `querent ${alertId} ${first?.subject ?? ""}`,
      severity: worst(findings),
      isOver: state === "over",
      source: accountName,
    },
  };
}

export function alertMail(raised: AlertRaised, email: string): Letter {
  const { alertName, language, accountName, url, mail } = raised;
  const say = alertWords[language];
  const words = mailWords[language];
  const unsubscribeUrl = mail?.unsubscribeUrl ?? "";
  const again = mail?.addedAgainBy ?? null;
  return {
    language,
    subject: titleOf(raised),
    unsubscribeUrl,
    paragraphs: [
      ...(again === null ? [] : [words.addedAgain(again)]),
      ...linesOf(raised),
      ...(url === null ? [] : [{ words: say.open, url }]),
      say.why(email, accountName, alertName),
      { words: words.unsubscribe, url: unsubscribeUrl },
    ],
  };
}

function titleOf({ alertName, findings, moreFindings, language, state }: AlertRaised): string {
  const say = alertWords[language];
  const [first] = findings;
  const count = findings.length + moreFindings;
  if (first === undefined || count > 1) return say.many(alertName, count);
  return say.one(alertName, state === "over" ? say.over(first.text) : first.text);
}

function linesOf({ findings, moreFindings, language }: AlertRaised) {
  const say = alertWords[language];
  const list = findings.map(({ text, overAt }) =>
    overAt === null ? text : say.overSince(text, overAt.slice(0, 16).replace("T", " ")),
  );
  return [{ list: [...list, ...(moreFindings === 0 ? [] : [say.more(moreFindings)])] }];
}

function worst(findings: readonly AlertFinding[]): AlertFinding["severity"] {
  const severities = new Set(findings.map(({ severity }) => severity));
  if (severities.has("error")) return "error";
  return severities.has("warning") ? "warning" : "info";
}
