/** What alerts say, in messages to channels and in mails. */
import type { AlertFinding, AlertRaised, ReportLanguage } from "@querent/contract";
import { languages } from "../languages/languages.ts";
import type { FindingData } from "./findings.ts";
import type { Notice } from "../../webhooks/index.ts";
import type { SubscribedLetter } from "../../mail/index.ts";

/** What is written of a finding. `panel`: the name of its panel; null: it has none, or the panel was deleted. */
export function findingText(data: FindingData, panel: string | null, language: ReportLanguage): string {
  const say = languages[language].alerts;
  const of = panel ?? say.deletedPanel;
  switch (data.of) {
    case "change":
      return data.isGone ? say.sourceGone(data, of) : say.change(data, of);
    case "instrument":
      return say.instrument(data, of);
    case "condition": {
      // Details of conditions are written in English where they are found.
      const sentence = say.conditions[data.code];
      return say.condition(sentence, data.about, language === "en" ? data.detail : "");
    }
  }
}

export const severityOf = (data: FindingData): AlertFinding["severity"] =>
  data.of === "condition" ? data.severity : "info";

/** An alert that is told: as a message to a channel, and as a mail. */
export function alertNotice(raised: AlertRaised, at: Date): Notice {
  const { alertId, findings, language, accountName, url, state } = raised;
  const say = languages[language].alerts;
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

export function alertMail(raised: AlertRaised, email: string): SubscribedLetter {
  const { alertName, language, accountName, url, mail } = raised;
  const say = languages[language].alerts;
  const words = languages[language].mail;
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
  const say = languages[language].alerts;
  const [first] = findings;
  const count = findings.length + moreFindings;
  if (first === undefined || count > 1) return say.many(alertName, count);
  return say.one(alertName, state === "over" ? say.over(first.text) : first.text);
}

function linesOf({ findings, moreFindings, language }: AlertRaised) {
  const say = languages[language].alerts;
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
