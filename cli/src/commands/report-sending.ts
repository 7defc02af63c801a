import { reportLanguages, type ReportSchedule, type ReportScheduleRequest, type SentReport } from "@querent/client";
import { Option, type Command } from "commander";
import { count } from "../arguments.ts";
import type { Open } from "../context.ts";
import { plural } from "../output/answer.ts";
import { printableLine } from "../output/printable.ts";

interface SendingFlags {
  readonly every: ReportScheduleRequest["every"];
  readonly to?: string[];
  readonly channel?: string[];
  readonly weekday?: number;
  readonly day?: number;
  readonly time?: string;
  readonly timeZone?: string;
  readonly contents?: "link" | "pdf" | "link_and_pdf";
  readonly language?: ReportSchedule["language"];
  readonly paper?: "a4" | "letter";
  readonly client?: string;
  readonly linkDays?: number;
  readonly contactAgain?: string[];
}

/** `querent panel sending`: reports that are sent by themselves. */
export function addReportSending(panels: Command, open: Open): void {
  const sending = panels.command("sending").description("send the reports of a panel by mail, on a schedule");
  sending
    .command("add")
    .description("send the report after each run, every week or every month")
    .argument("<panelId>")
    .addOption(
      new Option("--every <when>", "after each run, or at a time")
        .choices(["run", "week", "month"])
        .makeOptionMandatory(),
    )
    .option("--to <email...>", "the recipients; each gets a mail alone")
    .option("--channel <channelId...>", "channels that get a message with the link and what has changed")
    .option("--weekday <n>", "of a week: 1 is Monday (default: 1)", count)
    .option("--day <n>", "of a month: 1 to 28 (default: 1)", count)
    .option("--time <hh:mm>", "of a week and a month (default: 08:00)")
    .option("--time-zone <name>", "of the time, such as Europe/Berlin (default: UTC)")
    .addOption(
      new Option("--contents <what>", "what a mail has (default: link_and_pdf)").choices([
        "link",
        "pdf",
        "link_and_pdf",
      ]),
    )
    .addOption(new Option("--language <code>", "language of mail and report (default: en)").choices(reportLanguages))
    .addOption(new Option("--paper <size>", "paper of the PDF (default: a4)").choices(["a4", "letter"]))
    .option("--client <name>", "for whom it is: in the mail, and at the top of each page of the PDF")
    .option("--link-days <n>", "how many days a link works (default: 30)", count)
    .option("--contact-again <email...>", "recipients who have unsubscribed, and have asked to get reports again")
    .action(async (panelId: string, flags: SendingFlags, command: Command) => {
      const { output, querent, signal } = open(command);
      const { to: recipients = [], channel: channels, day: dayOfMonth, client: clientName, ...rest } = flags;
      const request: ReportScheduleRequest = {
        ...rest,
        recipients,
        ...(channels === undefined ? {} : { channels }),
        ...(dayOfMonth === undefined ? {} : { dayOfMonth }),
        ...(clientName === undefined ? {} : { clientName }),
      };
      const made = await querent.reports.createSchedule(panelId, request, { signal });
      await output.show(made, () => [scheduleLine(made)]);
    });
  sending
    .command("list")
    .description("list the schedules of a panel's reports, and whether mail can be sent")
    .argument("<panelId>")
    .action(async (panelId: string, _flags: object, command: Command) => {
      const { output, querent, signal } = open(command);
      const { schedules, mail } = await querent.reports.schedules(panelId, { signal });
      await output.show({ schedules, mail }, () => [
        ...(mail.missing === null ? [] : [printableLine(mail.missing)]),
        ...(schedules.length === 0 ? ["no schedules"] : schedules.map(scheduleLine)),
      ]);
    });
  sending
    .command("remove")
    .description("end a schedule; reports that are on their way still arrive")
    .argument("<panelId>")
    .argument("<scheduleId>")
    .action(async (panelId: string, scheduleId: string, _flags: object, command: Command) => {
      const { output, querent, signal } = open(command);
      await querent.reports.deleteSchedule(panelId, scheduleId, { signal });
      await output.show({ scheduleId, removed: true }, () => [`${printableLine(scheduleId)} is removed`]);
    });
  sending
    .command("now")
    .description("send the report of a schedule now, to all of its recipients")
    .argument("<panelId>")
    .argument("<scheduleId>")
    .action(async (panelId: string, scheduleId: string, _flags: object, command: Command) => {
      const { output, querent, signal } = open(command);
      const sent = await querent.reports.sendNow(panelId, scheduleId, { signal });
      await output.show(sent, () => [`${sent.reportId} is being prepared`]);
    });
  sending
    .command("log")
    .description("list the reports that were sent, with what became of each mail")
    .argument("<panelId>")
    .action(async (panelId: string, _flags: object, command: Command) => {
      const { output, querent, signal } = open(command);
      const reports = await querent.reports.sent(panelId, { signal });
      await output.show({ reports }, () => (reports.length === 0 ? ["nothing was sent"] : reports.flatMap(sentLines)));
    });
}

const weekdays = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"];

function scheduleLine(schedule: ReportSchedule): string {
  const { scheduleId, every, weekday, dayOfMonth, time, timeZone, contents, recipients, channels, nextAt, paused } =
    schedule;
  const day = weekday === null ? `day ${dayOfMonth} of each month` : `each ${weekdays[weekday - 1]}`;
  const when = every === "run" ? "after each run" : `${day} at ${time} (${timeZone})`;
  const next = paused ? ", paused" : nextAt === null ? "" : `, next at ${nextAt}`;
  const to = [
    ...recipients.map(({ email, unsubscribedAt }) => `${email}${unsubscribedAt === null ? "" : " (unsubscribed)"}`),
    ...channels.map(({ name }) => name),
  ];
  const what = { link: "link", pdf: "PDF", link_and_pdf: "link and PDF" }[contents];
  return printableLine(`${scheduleId}  ${when}: ${what} to ${to.join(", ")}${next}`);
}

function sentLines({ reportId, state, problem, createdAt, recipients, channels }: SentReport): string[] {
  const delivered = recipients.filter((one) => one.state === "delivered").length;
  const mails = recipients.length === 0 ? "" : `, ${delivered} of ${plural(recipients.length, "mail")} delivered`;
  return [
    printableLine(
      `${createdAt}  ${reportId}  ${state.replaceAll("_", " ")}${mails}${problem === null ? "" : `: ${problem}`}`,
    ),
    ...[
      ...recipients.map((one) => ({ ...one, to: one.email })),
      ...channels.map((one) => ({ ...one, to: one.name })),
    ].map(({ to, state: became, problem: why }) =>
      printableLine(`  ${to}: ${became}${why === null ? "" : `: ${why}`}`),
    ),
  ];
}
