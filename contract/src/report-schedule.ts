import { Type, type Static } from "typebox";
import { mailAddress, MailReadiness } from "./mail.ts";
import { NamedChannel } from "./channel-kinds.ts";
import { measureIds } from "./figure.ts";
import { observationKinds } from "./observation.ts";
import { reportGrades, reportLanguages } from "./report.ts";
import { Closed, Nullable, OptionalOrNull, StorableText, Timestamp, Uuid } from "./scalars.ts";

export const reportTimes = ["run", "week", "month"] as const;
export const reportContents = ["link", "pdf", "link_and_pdf"] as const;
export const sentReportStates = ["preparing", "sent", "failed", "nothing_to_report"] as const;
/** The most recipients of a schedule. */
export const reportRecipientsMax = 50;
/** The most schedules of a panel. */
export const reportSchedulesMax = 10;
/** The most mails of an account within 24 hours: so many people do not read the reports of one account. */
export const mailsPerDayMax = 1000;
/** How many days the PDF of a report is kept, for redeliveries. */
export const sentPdfDays = 30;

const every = Type.Enum([...reportTimes], {
  description: "`run`: after each run of the panel that has ended. `week`, `month`: at a time.",
});
const weekday = Type.Integer({ minimum: 1, maximum: 7, description: "Of `week`: 1 is Monday. Default: 1." });
const dayOfMonth = Type.Integer({
  minimum: 1,
  maximum: 28,
  description: "Of `month`: a day that every month has. Default: 1.",
});
const time = Type.String({
  pattern: "^([01][0-9]|2[0-3]):[0-5][0-9]$",
  description: "Of `week` and `month`: hours and minutes. Default: `08:00`.",
});
const timeZone = StorableText({
  minLength: 1,
  maxLength: 64,
  description: "Of `time`: a name of the IANA database, such as `Europe/Berlin`. Default: `UTC`.",
});
const contents = Type.Enum([...reportContents], {
  description:
    "`link`: a link that opens the report's page, as it is then, without a token. `pdf`: the report is attached. Default: `link_and_pdf`.",
});
const language = Type.Enum([...reportLanguages], {
  description: "The language of the mail and the report. Default: `en`.",
});
const paper = Type.Enum(["a4", "letter"], { description: "The paper of the PDF. Default: `a4`." });
const clientName = StorableText({
  minLength: 1,
  maxLength: 100,
  description: "For whom it is: stands in the mail, and at the top of each page of the PDF.",
});
const linkDays = Type.Integer({ minimum: 1, maximum: 366, description: "How many days a link works. Default: 30." });
const paused = Type.Boolean({ description: "True: nothing is sent until it is set to false. Default: false." });

/** Who gets the reports of a panel, when, and as what. */
export const ReportScheduleRequest = Closed(
  {
    every,
    weekday: OptionalOrNull(weekday),
    dayOfMonth: OptionalOrNull(dayOfMonth),
    time: OptionalOrNull(time),
    timeZone: OptionalOrNull(timeZone),
    contents: OptionalOrNull(contents),
    language: OptionalOrNull(language),
    paper: OptionalOrNull(paper),
    clientName: OptionalOrNull(clientName),
    linkDays: OptionalOrNull(linkDays),
    recipients: Type.Array(mailAddress, {
      maxItems: reportRecipientsMax,
      description: "Each gets a mail alone. May be empty if there are `channels`.",
    }),
    channels: OptionalOrNull(
      Type.Array(Uuid, {
        maxItems: reportRecipientsMax,
        uniqueItems: true,
        description:
          "Channels that get a message with the link and what has changed, whatever `contents` says of mails. None of PagerDuty.",
      }),
    ),
    contactAgain: OptionalOrNull(
      Type.Array(mailAddress, {
        maxItems: reportRecipientsMax,
        description:
          "Recipients who have unsubscribed, and have asked to get reports again. Their next mail says that they were added again, and by whom. Others who have unsubscribed get nothing.",
      }),
    ),
    paused: OptionalOrNull(paused),
  },
  {
    examples: [
      {
        every: "week",
        weekday: 1,
        time: "08:00",
        timeZone: "Europe/Berlin",
        contents: "link_and_pdf",
        clientName: "Example GmbH",
        recipients: ["ana@client.example"],
      },
    ],
  },
);
export type ReportScheduleRequest = Static<typeof ReportScheduleRequest>;

const settings = {
  every,
  weekday: Nullable(weekday, { description: "Null unless `every` is `week`." }),
  dayOfMonth: Nullable(dayOfMonth, { description: "Null unless `every` is `month`." }),
  time: Nullable(time, { description: "Null if `every` is `run`." }),
  timeZone: Nullable(timeZone, { description: "Null if `every` is `run`." }),
  contents,
  language,
  paper,
  clientName: Nullable(clientName),
  linkDays,
  paused,
};
export const ReportScheduleSettings = Type.Object(settings);
export type ReportScheduleSettings = Static<typeof ReportScheduleSettings>;

export const ReportSchedule = Type.Object({
  scheduleId: Uuid,
  panelId: Uuid,
  ...settings,
  recipients: Type.Array(
    Type.Object({
      email: Type.String(),
      unsubscribedAt: Nullable(Timestamp, { description: "Since then, no mail goes there. Null: it does." }),
    }),
  ),
  channels: Type.Array(NamedChannel, { description: "Without those that were deleted." }),
  nextAt: Nullable(Timestamp, { description: "Null: after the next run, or not at all." }),
  createdAt: Timestamp,
  updatedAt: Timestamp,
});
export type ReportSchedule = Static<typeof ReportSchedule>;

export const ReportSchedules = Type.Object({
  schedules: Type.Array(ReportSchedule, { description: "Oldest first." }),
  mail: MailReadiness,
});
export type ReportSchedules = Static<typeof ReportSchedules>;

export const SentReport = Type.Object({
  reportId: Uuid,
  panelId: Uuid,
  scheduleId: Uuid,
  reason: Type.Enum(["run", "time", "request"], { description: "`run`: a run has ended. `time`: its time has come." }),
  state: Type.Enum([...sentReportStates], {
    description:
      "`preparing`: it is made, or waits for its turn. `sent`: handed over to the deliveries. `nothing_to_report`: the panel has no answers in the window, so nothing was sent.",
  }),
  problem: Nullable(Type.String(), { description: "Why it failed, or is tried again. For people." }),
  window: Nullable(Type.Object({ from: Timestamp, to: Timestamp })),
  shareUrl: Nullable(Type.String(), { description: "Null: it has no link, or the link has expired or was revoked." }),
  pdfBytes: Nullable(Type.Integer({ minimum: 0 }), {
    description: `Null: it has no PDF, or is older than ${sentPdfDays} days.`,
  }),
  recipients: Type.Array(
    Type.Object({
      email: Type.String(),
      state: Type.Enum(["pending", "delivered", "failed", "unsubscribed", "unknown"], {
        description:
          "`delivered`: the mail server has taken it. `unsubscribed`: nothing was sent, because the recipient had unsubscribed. `unknown`: its delivery has ended, and is no longer stored.",
      }),
      deliveryId: Nullable(Uuid, {
        description: "Its delivery, with every attempt, as long as deliveries are stored.",
      }),
      problem: Nullable(Type.String(), { description: "What the last attempt met, if it failed. For people." }),
    }),
  ),
  channels: Type.Array(
    Type.Object({
      channelId: Uuid,
      name: Type.String({ description: "As it was then." }),
      state: Type.Enum(["pending", "delivered", "failed", "unknown"], {
        description: "`unknown`: its delivery has ended, and is no longer stored.",
      }),
      deliveryId: Nullable(Uuid),
      problem: Nullable(Type.String(), { description: "What the last attempt met, if it failed. For people." }),
    }),
  ),
  createdAt: Timestamp,
  finishedAt: Nullable(Timestamp),
});
export type SentReport = Static<typeof SentReport>;
export const SentReports = Type.Object({
  reports: Type.Array(SentReport, { description: "Newest first, at most 50." }),
});
export type SentReports = Static<typeof SentReports>;

/** Carried by the event of a report that is ready. */
export const ReportReady = Type.Object({
  reportId: Uuid,
  panelId: Uuid,
  panelName: Type.String(),
  scheduleId: Uuid,
  window: Type.Object({ from: Timestamp, to: Timestamp }),
  language,
  shareUrl: Nullable(Type.String(), {
    description: "A link that opens the report without a token. Null: it has none.",
  }),
  shareExpiresAt: Nullable(Timestamp),
  answers: Type.Integer({ minimum: 0 }),
  grade: Type.Enum([...reportGrades]),
  figures: Type.Array(
    Type.Object({
      name: Type.String({ description: "An own brand of the panel." }),
      platformCode: Type.String(),
      kind: Type.Enum([...observationKinds]),
      locale: Type.String({ description: "Empty if the panel has none." }),
      persona: Type.String({ description: "Empty if the panel has none." }),
      models: Type.Array(Type.String(), {
        description:
          "The model versions of its answers: those of one instrument, which may not be that of the whole window.",
      }),
      answers: Type.Integer({ minimum: 0, description: "The answers from which it was made." }),
      window: Type.Object(
        { from: Nullable(Timestamp), to: Nullable(Timestamp) },
        { description: "That of its answers." },
      ),
      presence: Nullable(Type.Number({ minimum: 0, maximum: 1 }), {
        description: "The share of answers that name it. Null: it could not be computed.",
      }),
      interval: Nullable(Type.Object({ low: Type.Number(), high: Type.Number() })),
    }),
    { description: "At most 10." },
  ),
  moreFigures: Type.Integer({ minimum: 0, description: "How many more there are in the report." }),
  clientName: Nullable(clientName),
  changes: Type.Optional(
    Type.Array(
      Type.Object({
        name: Type.String({ description: "Of the entity, or the site." }),
        measure: Type.Enum([...measureIds]),
        platformCode: Type.String(),
        direction: Type.Enum(["up", "down"]),
        before: Nullable(Type.Number()),
        after: Nullable(Type.Number()),
        since: Type.String({ format: "date" }),
      }),
      { description: "What has changed in the window, newest first, at most 10. Earlier versions wrote none." },
    ),
  ),
  moreChanges: Type.Optional(Type.Integer({ minimum: 0, description: "How many more there are in the report." })),
  mail: Type.Optional(
    Type.Object(
      {
        attached: Type.Boolean({ description: "The report is attached as a PDF." }),
        unsubscribeUrl: Type.String(),
        addedAgainBy: Nullable(Type.String(), {
          description: "Who has added the recipient again, and says that the recipient has asked for it.",
        }),
        accountName: Type.String({ description: "Whose reports they are." }),
      },
      { description: "Of a delivery that is a mail, what it needs beside the rest." },
    ),
  ),
});
export type ReportReady = Static<typeof ReportReady>;
