/** Reports that are sent by themselves, the mail that carries them, and how its recipients end it. */
import { Type } from "typebox";
import { json, operation, usual, withBody, withStorage } from "./operation.ts";
import {
  mailsPerDayMax,
  reportRecipientsMax,
  ReportSchedule,
  ReportScheduleRequest,
  ReportSchedules,
  reportSchedulesMax,
  SentReport,
  SentReports,
} from "./report-schedule.ts";
import { MailSettings, MailTest, MailTestRequest } from "./mail.ts";
import { Closed, Uuid } from "./scalars.ts";

const tag = "Reports";
const params = Closed({ panel_id: Uuid });
const ofSchedule = Closed({ panel_id: Uuid, schedule_id: Uuid });
const body = { schema: ReportScheduleRequest, required: true, bytesMax: 64 * 1024 } as const;

export const listReportSchedules = operation({
  id: "listReportSchedules",
  method: "GET",
  path: "/v1/panels/{panel_id}/report/schedules",
  tag,
  summary: "List the schedules of a panel's reports",
  scope: "panels:read",
  params,
  replies: { 200: { description: "The schedules.", content: json(ReportSchedules) } },
  problems: [...usual, "not_found"],
});

export const createReportSchedule = operation({
  id: "createReportSchedule",
  method: "POST",
  path: "/v1/panels/{panel_id}/report/schedules",
  tag,
  summary: "Send a panel's reports on a schedule",
  description: `Sends the report of the default window by mail, each time. A panel has at most ${reportSchedulesMax} schedules, each with at most ${reportRecipientsMax} recipients; an account sends at most ${mailsPerDayMax.toLocaleString("en")} mails within 24 hours. A mail is a delivery like those of webhooks, with the same attempts, log and redelivery. Returns 409 as long as the operator has not set up mail.`,
  scope: "panels:write",
  free: true,
  stores: "free",
  params,
  body,
  replies: { 201: { description: "The schedule.", content: json(ReportSchedule) } },
  problems: [...usual, ...withBody, ...withStorage, "not_found", "state_conflict"],
});

export const putReportSchedule = operation({
  id: "putReportSchedule",
  method: "PUT",
  path: "/v1/panels/{panel_id}/report/schedules/{schedule_id}",
  tag,
  summary: "Replace a schedule of reports",
  description: "Reports that are being sent are not affected, other than to recipients who have unsubscribed.",
  scope: "panels:write",
  free: true,
  params: ofSchedule,
  body,
  replies: { 200: { description: "The schedule.", content: json(ReportSchedule) } },
  problems: [...usual, ...withBody, "not_found"],
});

export const deleteReportSchedule = operation({
  id: "deleteReportSchedule",
  method: "DELETE",
  path: "/v1/panels/{panel_id}/report/schedules/{schedule_id}",
  tag,
  summary: "Delete a schedule of reports",
  description: "Reports that are already on their way are still delivered, and stay in the list of what was sent.",
  scope: "panels:write",
  free: true,
  params: ofSchedule,
  replies: { 204: { description: "Nothing is sent by it any more." } },
  problems: [...usual, "not_found"],
});

export const sendReport = operation({
  id: "sendReport",
  method: "POST",
  path: "/v1/panels/{panel_id}/report/schedules/{schedule_id}/sending",
  tag,
  summary: "Send the report of a schedule now",
  description:
    "To all its recipients who have not unsubscribed, also while the schedule is paused. One at a time: returns 409 while one is being prepared. The request has no body.",
  scope: "panels:write",
  free: true,
  stores: "free",
  params: ofSchedule,
  replies: { 202: { description: "It is being prepared.", content: json(SentReport) } },
  problems: [...usual, ...withBody, ...withStorage, "not_found", "state_conflict"],
});

export const listSentReports = operation({
  id: "listSentReports",
  method: "GET",
  path: "/v1/panels/{panel_id}/report/sent",
  tag,
  summary: "List the reports that were sent",
  description: "With each recipient and what became of the mail.",
  scope: "panels:read",
  params,
  replies: { 200: { description: "The reports.", content: json(SentReports) } },
  problems: [...usual, "not_found"],
});

const token = Closed({ token: Type.String({ description: "The last part of the link in the mail." }) });
const openProblems = ["malformed_request", "not_found", "rate_limited", "internal", "unavailable"] as const;

export const getUnsubscribePage = operation({
  id: "getUnsubscribePage",
  method: "GET",
  path: "/unsubscribe/{token}",
  tag: "Pages",
  summary: "Ask whether to unsubscribe",
  description:
    "The target of the link in a mail, for people. Changes nothing, because programs that look for harmful mail open every link.",
  scope: null,
  open: true,
  params: token,
  replies: { 200: { description: "The page.", content: { "text/html": Type.String() } } },
  problems: openProblems,
});

export const unsubscribe = operation({
  id: "unsubscribe",
  method: "POST",
  path: "/unsubscribe/{token}",
  tag: "Pages",
  summary: "Unsubscribe from the reports of an account",
  description:
    "Sent by the page, and by mail programs (`List-Unsubscribe-Post` of RFC 8058), whatever the body is. No further mail of the account goes to the address, until somebody adds it again and says that the recipient has asked for it.",
  scope: null,
  open: true,
  params: token,
  body: { schema: Type.Unknown(), required: false, bytesMax: 16 * 1024, type: "*/*" },
  replies: { 200: { description: "The page.", content: { "text/html": Type.String() } } },
  problems: [...openProblems, "payload_too_large"],
});

export const getMail = operation({
  id: "getMail",
  method: "GET",
  path: "/v1/admin/mail",
  tag: "Operator",
  summary: "Read what mail is sent with",
  scope: "admin",
  replies: { 200: { description: "The settings, without the password.", content: json(MailSettings) } },
  problems: usual,
});

export const testMail = operation({
  id: "testMail",
  method: "POST",
  path: "/v1/admin/mail/test",
  tag: "Operator",
  summary: "Send a test mail",
  description:
    "From the process that answers, at once and without another attempt, and says what happened. Takes up to 30 seconds.",
  scope: "admin",
  free: "rate",
  body: { schema: MailTestRequest, required: true, bytesMax: 4096 },
  replies: { 200: { description: "What happened, whether it passed or not.", content: json(MailTest) } },
  problems: [...usual, ...withBody],
});
