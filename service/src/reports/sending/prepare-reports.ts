/** Makes the reports that are due, and hands them to the deliveries: link, PDF, deliveries and event in one transaction. */
import { mailsPerDayMax, type ReportReady } from "@querent/contract";
import { ProblemError } from "../../api/problem-error.ts";
import { readsUntil, type Database } from "../../db/index.ts";
import type { Computer } from "../../computing/computer.ts";
import { PollLoop } from "../../runtime/poll-loop.ts";
import type { Service } from "../../runtime/service.ts";
import {
  announceEvent,
  channelUrl,
  countAddressed,
  readChannels,
  readRecipients,
  sendAddressed,
  toldOfAdding,
  type Recipient,
} from "../../webhooks/index.ts";
import { windowOf } from "../figures/requests.ts";
import { printed, readyToPrint, reportOf, sheetOf, type Printer } from "../report/make-report.ts";
import type { ReportSummary } from "../report/report-job.ts";
import { readFacts, type ReportDeps, type ReportInput, type ReportSources } from "../report/read-facts.ts";
import { insertShare } from "../report/shares.ts";
import {
  endReport,
  leaveReport,
  lockTaken,
  postponeReport,
  queueDue,
  takeReport,
  type TakenReport,
} from "./sent-reports.ts";

/** Makes public URLs. */
export type Addresses = (purpose: "report" | "unsubscribe", id: string) => string;

interface ReportSenderDeps extends ReportDeps {
  readonly database: Database;
  readonly computer: Computer;
  readonly printing: Printer;
  /** Null if the service does not know its own URL. */
  readonly addresses: () => Addresses | null;
  readonly accountName: (accountId: string) => Promise<string>;
  /** Throws if the account stores as much as it may. */
  readonly requireRoom: (accountId: string) => Promise<void>;
  /** Called after the commit: deliveries may be due. */
  readonly wake: () => void;
  readonly onEnded: (ended: EndedReport) => void;
  readonly onFault: (error: unknown) => void;
}

interface EndedReport {
  readonly accountId: string;
  readonly panelId: string;
  readonly reportId: string;
  readonly mails: number;
  /** Why nothing was sent; null if it was. */
  readonly problem: string | null;
}

/** With base64, what most mail servers take at least. */
const attachedBytesMax = 10 * 1024 * 1024;
const dayMs = 86_400_000;
const prepareMsMax = 240_000;

/** Prepares reports, one after the other. Any number of processes may do so. */
export function reportSender(deps: ReportSenderDeps): Service {
  const stopping = new AbortController();
  let lastAccount: string | null = null;
  const loop = new PollLoop({
    everyMs: 2000,
    jitter: 0.2,
    onFault: deps.onFault,
    async look() {
      while (await queueDue(deps.database));
      const taken = await takeReport(deps.database, lastAccount);
      if (taken === null) return undefined;
      lastAccount = taken.accountId;
      await prepare(deps, taken, stopping.signal);
      return 0;
    },
  });
  return {
    start: () => loop.start(),
    stop: async () => {
      stopping.abort(new Error("the service stops"));
      await loop.stop();
    },
  };
}

async function prepare(deps: ReportSenderDeps, taken: TakenReport, stopping: AbortSignal): Promise<void> {
  const { accountId, panelId, reportId } = taken;
  const ended = (problem: string | null, mails = 0) => deps.onEnded({ accountId, panelId, reportId, mails, problem });
  try {
    const mails = await send(deps, taken, AbortSignal.any([stopping, AbortSignal.timeout(prepareMsMax)]));
    ended(null, mails);
  } catch (error) {
    if (stopping.aborted) return leaveReport(deps.database, taken);
    if (error instanceof NotSent) {
      await endReport(deps.database, taken, { state: error.state, problem: error.message });
      return ended(error.message);
    }
    // What the account can change is told, and not tried again.
    if (error instanceof ProblemError && error.status < 500 && error.code !== "rate_limited") {
      await endReport(deps.database, taken, { state: "failed", problem: error.message });
      return ended(error.message);
    }
    if (!(error instanceof ProblemError)) deps.onFault(error);
    const why =
      error instanceof ProblemError
        ? error.message
        : "The service failed to make it. It is tried again within half an hour; the operator finds the error in the log.";
    if (await postponeReport(deps.database, taken, why)) ended(why);
  }
}

/** Nothing is sent, for this reason. */
class NotSent extends Error {
  readonly state: "failed" | "nothing_to_report";
  constructor(state: NotSent["state"], message: string) {
    super(message);
    this.state = state;
  }
}

/** Returns the number of mails and messages. */
async function send(deps: ReportSenderDeps, taken: TakenReport, signal: AbortSignal): Promise<number> {
  const { database, computer } = deps;
  const { accountId, panelId, settings } = taken;
  if (settings === null) throw new NotSent("failed", "The schedule was deleted before the report was made.");
  const addresses = deps.addresses();
  if (addresses === null)
    throw new NotSent(
      "failed",
      "The service does not know its public URL, so it can make no links: the operator sets QUERENT_PUBLIC_URL.",
    );
  const { mails, channels } = await activeRecipients(deps, taken);
  const window = await windowOf(database, { accountId, panelId }, {});
  const input = { accountId, panelId, window };
  const sources = await computer.prepare({ accountId, signal }, () =>
    readFacts({ ...deps, database: readsUntil(database, signal) }, input),
  );
  if (sources === null) throw new NotSent("failed", "The panel was deleted.");
  if (sources.answers === 0)
    throw new NotSent("nothing_to_report", "The panel has no answers in the last 28 days, so nothing was sent.");
  await deps.requireRoom(accountId);
  const made = await make(deps, { settings, input, sources, hasMails: mails.length > 0, signal });
  const accountName = await deps.accountName(accountId);
  const sent = await database.transaction(async (tx) => {
    if (!(await lockTaken(tx, taken))) return null;
    const share =
      settings.contents === "pdf" && channels.length === 0
        ? null
        : await insertShare(tx, {
            ...input,
            days: settings.linkDays,
            page: made.page,
            language: settings.language,
            passwordHash: null,
          });
    const ready: ReportReady = {
      ...{ reportId: taken.reportId, panelId, panelName: sources.facts.panel.name, scheduleId: taken.scheduleId },
      ...{ window, language: settings.language, clientName: settings.clientName },
      shareUrl: share === null ? null : addresses("report", share.shareId),
      shareExpiresAt: share?.expiresAt ?? null,
      ...made.summary,
    };
    // Read again, under the lock of the report: who has unsubscribed meanwhile gets nothing.
    const now = await readRecipients(tx, accountId, taken.recipientIds);
    const all = taken.recipientIds.flatMap((id) => now.get(id) ?? []);
    const wanted = all.filter(isActive);
    // A mail has the link only if it was asked for.
    const mailed = settings.contents === "pdf" ? { ...ready, shareUrl: null, shareExpiresAt: null } : ready;
    const told = [...(await readChannels(tx, accountId, taken.recipientIds)).values()];
    const toChannels = await sendAddressed(tx, {
      ...{ accountId, type: "report.ready" },
      events: told.map(({ id }) => ({ url: channelUrl(id), data: ready })),
    });
    const eventIds = await sendAddressed(tx, {
      ...{ accountId, type: "report.ready" },
      events: wanted.map(({ id, email, addedAgainBy }) => ({
        url: `mailto:${email}`,
        data: {
          ...mailed,
          mail: {
            attached: made.pdf !== null,
            unsubscribeUrl: addresses("unsubscribe", id),
            ...{ addedAgainBy, accountName },
          },
        },
      })),
    });
    await toldOfAdding(
      tx,
      accountId,
      wanted.map(({ id }) => id),
    );
    const events = new Map(wanted.map(({ id }, index) => [id, eventIds[index] ?? null]));
    await endReport(tx, taken, {
      ...{ state: "sent", problem: null, window, shareId: share?.shareId ?? null, pdf: made.pdf },
      recipients: all.map(({ id, email }) => ({ email, eventId: events.get(id) ?? null })),
      channels: told.map(({ id, name }, index) => ({ channelId: id, name, eventId: toChannels[index] ?? "" })),
    });
    await announceEvent(tx, { accountId, type: "report.ready", subject: taken.reportId, data: ready });
    return wanted.length + told.length;
  });
  deps.wake();
  return sent ?? mails.length + channels.length;
}

const isActive = ({ unsubscribedAt }: Recipient) => unsubscribedAt === null;

interface Destinations {
  readonly mails: readonly Recipient[];
  readonly channels: readonly string[];
}

async function activeRecipients({ database }: ReportSenderDeps, taken: TakenReport): Promise<Destinations> {
  const { accountId, recipientIds } = taken;
  const recipients = await readRecipients(database, accountId, recipientIds);
  const mails = [...recipients.values()].filter(isActive);
  const channels = [...(await readChannels(database, accountId, recipientIds)).keys()];
  const count = mails.length + channels.length;
  if (count === 0)
    throw new NotSent(
      "failed",
      recipients.size === recipientIds.length
        ? "All recipients have unsubscribed, so nothing was sent."
        : "Its channels were deleted, and no recipient of mail is left, so nothing was sent.",
    );
  const today = await countAddressed(database, accountId, new Date(Date.now() - dayMs));
  if (today + count > mailsPerDayMax)
    throw new NotSent(
      "failed",
      `The account has sent ${today} mails and messages within 24 hours, and may send ${mailsPerDayMax}. Nothing was sent. Send this report later, or to fewer recipients.`,
    );
  return { mails, channels };
}

interface ToMake {
  readonly settings: NonNullable<TakenReport["settings"]>;
  readonly input: ReportInput;
  readonly sources: ReportSources;
  /** Only mails carry the PDF. */
  readonly hasMails: boolean;
  readonly signal: AbortSignal;
}

async function make({ computer, printing }: ReportSenderDeps, { settings, input, sources, hasMails, signal }: ToMake) {
  const print = settings.contents === "link" || !hasMails ? null : readyToPrint(printing).print;
  const look = { language: settings.language, base: null, withSummary: true };
  const bytes = Buffer.concat(await computer.compute(reportOf({ input, sources, page: look, signal })));
  const end = bytes.indexOf("\n");
  const summary = JSON.parse(bytes.subarray(0, end).toString()) as ReportSummary;
  const html = bytes.subarray(end + 1);
  const { accountId } = input;
  const { paper, clientName } = settings;
  const sheet = sheetOf(input, sources, { html: [html], paper, ...(clientName === null ? {} : { clientName }) });
  const pdf = print === null ? null : await printed({ print, sheet, accountId, signal });
  if (pdf !== null && pdf.length > attachedBytesMax)
    throw new NotSent(
      "failed",
      `The PDF has ${Math.ceil(pdf.length / 1024 ** 2)} MB, and many mail servers refuse attachments of more than 10. Nothing was sent. Choose the link alone.`,
    );
  return { summary, page: html.toString(), pdf };
}
