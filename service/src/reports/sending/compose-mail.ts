/** What reports and alerts say to people: a mail for one recipient, or a message to a channel. */
import type { AlertRaised, ReportReady } from "@querent/contract";
import type { Queryable } from "../../db/index.ts";
import type { ComposeMail, ComposeNotice, MailToSend } from "../../webhooks/index.ts";
import { alertMail, alertNotice } from "../alerts/alert-words.ts";
import { composed, type Paragraph, type SubscribedLetter } from "../../mail/index.ts";
import { projectOfPanel } from "../../panels/definitions/panels.ts";
import { readLooks } from "../../projects/index.ts";
import { languages } from "../languages/languages.ts";
import { readPdf } from "./sent-reports.ts";

const pdfType = "application/pdf";

export function mailComposer(database: Queryable): ComposeMail {
  // Both were written by `sendAddressed`, from what the contract says.
  return async (mail) =>
    mail.type === "alert.raised"
      ? addressed(mail, alertMail(mail.data as AlertRaised, mail.recipient.email))
      : reportMail(database, mail, mail.data as ReportReady);
}

/** What is told in channels. */
export const composeNotice: ComposeNotice = ({ type, createdAt, data }) => {
  if (type === "alert.raised") return alertNotice(data as AlertRaised, createdAt);
  if (type === "report.ready") return reportNotice(data as ReportReady, createdAt);
  return null;
};

const addressed = ({ recipient, deliveryId: id, createdAt: date }: MailToSend, letter: SubscribedLetter) => ({
  ...{ to: recipient.email, id, date, unsubscribe: letter.unsubscribeUrl },
  ...composed(id, letter),
});

async function reportMail(database: Queryable, mail: MailToSend, ready: ReportReady) {
  if (ready.mail === undefined) return null;
  const { attached, unsubscribeUrl } = ready.mail;
  const pdf = attached ? await readPdf(database, mail.accountId, ready.reportId) : null;
  if (attached && pdf === null) return null;
  const projectId = (await projectOfPanel(database, mail.accountId, ready.panelId)) ?? mail.accountId;
  const looks = await readLooks(database, { accountId: mail.accountId, projectId });
  const letter = { looks, ...write(ready, ready.mail, mail.recipient.email), language: ready.language, unsubscribeUrl };
  const attachments = pdf === null ? [] : [{ name: fileName(ready), type: pdfType, bytes: pdf }];
  const message = addressed(mail, letter);
  return { ...message, attachments: [...message.attachments, ...attachments] };
}

function reportNotice(ready: ReportReady, at: Date): ReturnType<ComposeNotice> {
  const say = languages[ready.language].mail;
  const { reportId, panelName, clientName, window, shareUrl, answers, grade, figures, moreFigures } = ready;
  const range = say.range(new Date(window.from), new Date(Date.parse(window.to) - 1));
  return {
    title: say.subject(panelName, range),
    paragraphs: [
      say.what(panelName, clientName, range),
      say.basis(answers, say.grades[grade]),
      { list: [...figures.map((figure) => say.figure(figure)), ...(moreFigures === 0 ? [] : [say.more(moreFigures)])] },
      ...changeLines(ready),
    ],
    links: shareUrl === null ? [] : [{ words: say.open, url: shareUrl }],
    more: say.moreLines,
    at,
    incident: {
      ...{ key: `querent report ${reportId}`, severity: "info", source: panelName, isOver: false },
    },
  };
}

/** What has changed in the report's window. */
function changeLines({ language, changes, moreChanges = 0 }: ReportReady): readonly (string | { list: string[] })[] {
  const say = languages[language].mail;
  if (changes === undefined) return [];
  if (changes.length === 0) return [say.unchanged];
  return [
    say.changed,
    {
      list: [
        ...changes.map((change) => say.change(change)),
        ...(moreChanges === 0 ? [] : [say.moreChanges(moreChanges)]),
      ],
    },
  ];
}

function write(
  ready: ReportReady,
  { attached, unsubscribeUrl, addedAgainBy, accountName }: NonNullable<ReportReady["mail"]>,
  email: string,
): { subject: string; paragraphs: readonly Paragraph[] } {
  const say = languages[ready.language].mail;
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
      ...changeLines(ready),
      ...(shareUrl === null ? [] : [{ words: say.open, url: shareUrl }]),
      ...(shareExpiresAt === null ? [] : [say.works(say.day(new Date(shareExpiresAt)))]),
      ...(attached ? [say.attached] : []),
      say.why(email, accountName),
      { words: say.unsubscribe, url: unsubscribeUrl },
    ],
  };
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
