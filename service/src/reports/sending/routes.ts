import { api, type MailSettings, type MailTest } from "@querent/contract";
import { negotiate } from "../../api/negotiate.ts";
import { ProblemError } from "../../api/problem-error.ts";
import { route, type Caller, type Route, type RouteReply } from "../../api/route.ts";
import { readPublicToken } from "../../artifacts/index.ts";
import type { Database } from "../../db/index.ts";
import { noteAudit, nothingToRecord } from "../../runtime/audited.ts";
import { findSubscription, unsubscribeRecipient } from "../../webhooks/index.ts";
import type { Addresses } from "./prepare-reports.ts";
import { hasPanel } from "../../panels/definitions/panels.ts";
import { createSchedule, deleteSchedule, listSchedules, readSchedule, replaceSchedule } from "./schedules.ts";
import { listSent, queueRequested, sentReportOf } from "./sent-reports.ts";
import { h, type Child } from "../../kernel/element.ts";
import { readerLanguage, smallPage, smallPageHeaders } from "../small-page.ts";
import { languages } from "../languages/languages.ts";
import type { MailWords } from "./mail-words.ts";

export interface SendingRoutesDeps {
  readonly database: Database;
  readonly addresses: () => Addresses | null;
  readonly addressKey: Buffer;
  readonly mail: {
    readonly settings: MailSettings;
    readonly test: (to: string, signal: AbortSignal) => Promise<MailTest>;
  };
}

const noSuchPanel = () => new ProblemError("not_found", "There is no such panel.");
const noSuchSchedule = () => new ProblemError("not_found", "There is no such schedule of reports.");

/** Who has done it, as recipients read it. */
export const nameOf = ({ person, name, accountName }: Caller) =>
  person !== null && name !== null ? name : accountName;

export function sendingRoutes(deps: SendingRoutesDeps): Route[] {
  return [...schedules(deps), ...unsubscribing(deps), ...mail(deps)];
}

function schedules({ database, addresses, mail: { settings } }: SendingRoutesDeps): Route[] {
  const { from, missing } = settings;
  return [
    route(api.listReportSchedules, async ({ caller: { accountId }, params }) => {
      const listed = await listSchedules(database, { accountId, panelId: params.panel_id });
      if (listed === null) throw noSuchPanel();
      return { status: 200, body: { schedules: listed, mail: { from, missing } } };
    }),

    route(api.createReportSchedule, async ({ caller, params, body }) => {
      const read = readSchedule(body);
      if (missing !== null && read.recipients.length > 0)
        throw new ProblemError("state_conflict", `${missing} Nothing was stored.`);
      const panel = { accountId: caller.accountId, panelId: params.panel_id };
      const schedule = await createSchedule(database, panel, read, nameOf(caller));
      if (schedule === null) throw noSuchPanel();
      return { status: 201, body: schedule };
    }),

    route(api.putReportSchedule, async ({ caller, params, body }) => {
      const of = { accountId: caller.accountId, panelId: params.panel_id, scheduleId: params.schedule_id };
      const schedule = await replaceSchedule(database, of, readSchedule(body), nameOf(caller));
      if (schedule === null) throw noSuchSchedule();
      return { status: 200, body: schedule };
    }),

    route(api.deleteReportSchedule, async ({ caller: { accountId }, params }) => {
      const of = { accountId, panelId: params.panel_id, scheduleId: params.schedule_id };
      if (!(await deleteSchedule(database, of))) throw noSuchSchedule();
      return { status: 204 };
    }),

    route(api.sendReport, async ({ caller: { accountId }, params }) => {
      const of = { accountId, panelId: params.panel_id, scheduleId: params.schedule_id };
      const queued = await queueRequested(database, of);
      if (queued === null) throw noSuchSchedule();
      if (queued === "busy")
        throw new ProblemError("state_conflict", "A report of this schedule is being prepared. Nothing more is sent.");
      return { status: 202, body: sentReportOf(queued) };
    }),

    route(api.listSentReports, async ({ caller: { accountId }, params }) => {
      const panel = { accountId, panelId: params.panel_id };
      if (!(await hasPanel(database, panel))) throw noSuchPanel();
      const urlOf = (shareId: string) => addresses()?.("report", shareId) ?? null;
      return { status: 200, body: { reports: await listSent(database, panel, urlOf) } };
    }),
  ];
}

function unsubscribing({ database, addressKey }: SendingRoutesDeps): Route[] {
  const reply = (status: number, body: string): RouteReply => ({ status, headers: smallPageHeaders, body });
  const nothing = (headers: Readonly<Record<string, string | undefined>>) => {
    if (negotiate(headers["accept"], ["application/problem+json", "text/html"]) === "text/html")
      return reply(404, nothingPage(headers["accept-language"]));
    throw new ProblemError("not_found", "There is nothing at this address.");
  };
  return [
    route(api.getUnsubscribePage, async ({ params, headers }) => {
      const language = headers["accept-language"];
      const id = readPublicToken(addressKey, "unsubscribe", params.token);
      const found = id === null ? null : await findSubscription(database, id);
      if (found === null) return nothing(headers);
      return reply(200, (found.unsubscribedAt === null ? askPage : donePage)(language, found.email));
    }),

    route(api.unsubscribe, async ({ params, headers }) => {
      const language = headers["accept-language"];
      const id = readPublicToken(addressKey, "unsubscribe", params.token);
      const before = id === null ? null : await findSubscription(database, id);
      if (id === null || before === null) {
        nothingToRecord();
        return nothing(headers);
      }
      if (before.unsubscribedAt !== null) nothingToRecord();
      noteAudit({
        ...{ accountId: before.accountId, actor: { kind: "system", id: null, name: null } },
        target: { type: "mail_recipient", id },
        after: { unsubscribed: true },
      });
      await database.transaction((tx) => unsubscribeRecipient(tx, id));
      return reply(200, donePage(language, before.email));
    }),
  ];
}

function mail({ mail: { settings, test } }: SendingRoutesDeps): Route[] {
  return [
    route(api.getMail, async () => ({ status: 200, body: settings })),
    route(api.testMail, async ({ body, signal }) => {
      // Another address is none of the installation's secrets, but the log of changes names nobody.
      noteAudit({ target: { type: "mail", id: "test" } });
      return { status: 200, body: await test(body.to, signal) };
    }),
  ];
}

type Language = string | undefined;

/** The first of the pages on which recipients of mail unsubscribe: without scripts, and without anything from elsewhere. */
const askPage = (accepted: Language, email: string): string =>
  pageOf(accepted, ({ page: say }) => [
    say.ask,
    h("p", {}, say.asked(email)),
    h("form", { method: "post" }, h("button", { type: "submit" }, say.button)),
  ]);

const donePage = (accepted: Language, email: string): string =>
  pageOf(accepted, ({ page: say }) => [say.done, h("p", {}, say.doneText(email))]);

const nothingPage = (accepted: Language): string =>
  pageOf(accepted, ({ page: say }) => [say.unknown, h("p", {}, say.unknownText)]);

function pageOf(accepted: Language, write: (words: MailWords) => readonly [string, ...Child[]]): string {
  const language = readerLanguage(accepted);
  return smallPage(language, ...write(languages[language].mail));
}
