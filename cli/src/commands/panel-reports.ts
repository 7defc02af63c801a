import { renameSync, rmSync, writeFileSync } from "node:fs";
import { text } from "node:stream/consumers";
import { reportLanguages, type Figure, type PanelReport, type ReportSchedule, type ReportShare } from "@querent/client";
import { Option, type Command } from "commander";
import { count, windowOptions } from "../arguments.ts";
import type { Context, Open } from "../context.ts";
import { CliError, UsageError } from "../exit-codes.ts";
import { plural } from "../output/answer.ts";
import { table } from "../output/columns.ts";
import { failureNotes } from "../output/failure-notes.ts";
import { figureText } from "../output/figure-text.ts";
import { otherInstrument } from "../output/other-instrument.ts";
import { printableLine } from "../output/printable.ts";
import { querent as program } from "../program-names.ts";

interface ReportFlags {
  readonly from?: string;
  readonly to?: string;
  readonly out?: string;
  readonly language?: ReportSchedule["language"];
  readonly paper?: "a4" | "letter";
  readonly client?: string;
}

export function addPanelReports(panels: Command, open: Open): void {
  panels
    .command("seal")
    .description(
      "sign what a panel asks, before its first run: proves that the questions were not chosen by their answers",
    )
    .argument("<panelId>")
    .action(async (panelId: string, _flags: object, command: Command) => {
      const { output, querent, signal } = open(command);
      const seal = await querent.reports.seal(panelId, { signal });
      const when = seal.runsBefore === 0 ? "before its first run" : `after ${seal.runsBefore} of its runs had started`;
      await output.show(seal, () => [`revision ${seal.revision} was sealed at ${seal.sealedAt}, ${when}`]);
    });
  withWindow(panels.command("report").description("the figures of a panel, their grade, and what would raise it"))
    .argument("<panelId>")
    .option(
      "-o, --out <file>",
      "write the report to a .json, .html, .pdf or .zip file; a .zip can be computed again offline",
    )
    .addOption(new Option("--paper <size>", "paper of a .pdf (default: a4)").choices(["a4", "letter"]))
    .option("--client <name>", "for whom a .pdf is: stands at the top of each page")
    .action(async (panelId: string, flags: ReportFlags, command: Command) => report(open(command), panelId, flags));
  withWindow(panels.command("share").description("make a link that opens the page of the report, as it is now"))
    .argument("<panelId>")
    .option("--days <n>", "how many days the link works (default: 30)", count)
    .option("--password", "with a password, which is read from standard input")
    .option("--no-password", "with --change: remove the password")
    .option("--change <shareId>", "set, change or remove the password of a link instead")
    .option("--revoke <shareId>", "revoke a link instead")
    .action(
      async (
        panelId: string,
        { days, revoke, change, password: isAsked, ...request }: ShareFlags,
        command: Command,
      ) => {
        const { output, querent, signal } = open(command);
        if (change !== undefined && isAsked === undefined)
          throw new UsageError("--change: add --password or --no-password.");
        const password = isAsked === true ? (await text(process.stdin)).replace(/\r?\n$/, "") : null;
        if (change !== undefined) {
          const share = await querent.reports.setSharePassword(panelId, change, password, { signal });
          return await output.show(share, () => [shareLine(share)]);
        }
        if (revoke !== undefined) {
          await querent.reports.revokeShare(panelId, revoke, { signal });
          return await output.show({ shareId: revoke, revoked: true }, () => [`${printableLine(revoke)} is revoked`]);
        }
        const body = { ...request, password, ...(days === undefined ? {} : { days }) };
        const share = await querent.reports.share(panelId, body, { signal });
        return await output.show(share, () => [shareLine(share)]);
      },
    );
}

interface ShareFlags extends ReportFlags {
  readonly days?: number;
  readonly revoke?: string;
  readonly change?: string;
  readonly password?: boolean;
}

const shareLine = ({ url, shareId, expiresAt, hasPassword }: ReportShare) =>
  `${url ?? shareId} until ${expiresAt}${hasPassword ? ", with a password" : ""}`;

function withWindow(command: Command): Command {
  return command
    .addOption(windowOptions.from)
    .addOption(windowOptions.to)
    .addOption(new Option("--language <code>", "language of the page").choices(reportLanguages));
}

async function report(
  context: Context,
  panelId: string,
  { out, language, paper, client, ...window }: ReportFlags,
): Promise<void> {
  const { output, querent, signal } = context;
  const format = out === undefined ? null : (/\.(json|html|pdf|zip)$/i.exec(out)?.[1]?.toLowerCase() ?? "other");
  if (format !== "pdf" && (paper !== undefined || client !== undefined))
    throw new UsageError("--paper and --client are of a PDF: add --out FILE.pdf.");
  if (out === undefined || format === "json") {
    const made = await querent.reports.get(panelId, { ...window, signal });
    if (out === undefined) return await output.show(made, () => lines(made, output.width));
    return await write(context, out, Buffer.from(`${JSON.stringify(made, null, 2)}\n`));
  }
  if (format !== "html" && format !== "pdf" && format !== "zip")
    throw new UsageError(`${out}: the name must end with .json, .html, .pdf or .zip.`);
  const bytes = await querent.reports.file(panelId, format, {
    ...window,
    ...(language === undefined ? {} : { language }),
    ...(paper === undefined ? {} : { paper }),
    ...(client === undefined ? {} : { clientName: client }),
    signal,
  });
  if (format === "zip") await requireComplete(bytes);
  return await write(context, out, bytes);
}

/** An incomplete download must not be saved as a report. */
async function requireComplete(bytes: Uint8Array): Promise<void> {
  // Loaded when needed: with the figures, it is a third of the modules of the command line.
  const { verifyReport } = await import("../verify-report.ts");
  const verdict = verifyReport(bytes, null);
  if (verdict.verdict === "refused")
    throw new CliError("unavailable", `The download is incomplete: ${verdict.sentence} Try again.`);
}

async function write({ output }: Context, file: string, bytes: Uint8Array): Promise<void> {
  const draft = `${file}.part`;
  try {
    writeFileSync(draft, bytes);
    renameSync(draft, file);
  } finally {
    rmSync(draft, { force: true });
  }
  const next = file.endsWith(".zip") ? ` To compute every figure again: ${program} verify ${file}` : "";
  await output.show({ file, bytes: bytes.length }, () => [
    printableLine(`${file}, ${bytes.length.toLocaleString("en")} bytes.${next}`),
  ]);
}

function numbersOf({ value, interval, answers, bounds }: Figure): string[] {
  const range = (of: { readonly low: number; readonly high: number }) => `${percent(of.low)} to ${percent(of.high)}`;
  return [
    value === null ? "-" : percent(value),
    interval === null ? "too few" : range(interval),
    bounds === undefined || bounds === null ? "" : range(bounds),
    String(answers),
  ];
}

/** Presence and share of voice of each entity on each platform, and the grade with what would raise it. */
function lines(made: PanelReport, width: number): string[] {
  const { panel, window, counts, grade, entities, summary, changes = [], instrumentChanges = [] } = made;
  const named = new Map(entities.map(({ entityId, name }) => [entityId, name]));
  const rows = summary
    .filter(({ measure }) => measure === "presence" || measure === "mention_share")
    .flatMap(({ definition, group, thesePrompts, otherInstruments }) => [
      [
        printableLine(named.get(group.entityId ?? "") ?? ""),
        definition,
        printableLine([group.platformCode, group.locale, group.persona].filter((part) => part !== "").join(" ")),
        ...numbersOf(thesePrompts),
      ],
      ...otherInstruments.map((other) => [
        "",
        "",
        printableLine(otherInstrument(other.instrument, thesePrompts.instrument)),
        ...numbersOf(other.thesePrompts),
      ]),
    ]);
  const unmet = grade.rules.filter(({ allows }) => allows !== "decision-grade");
  return [
    `${printableLine(panel.name)}, revision ${panel.revision}, ${window.from} to ${window.to}`,
    `${plural(counts.answers, "answer")} of ${plural(counts.prompts, "prompt")} in ${plural(counts.runs, "run")} on ${plural(counts.days, "day")}`,
    `grade: ${grade.grade}`,
    ...unmet.map(({ title, allows, remedy }) => `  ${title} (${allows}): ${remedy}`),
    ...table(
      [
        { head: "ENTITY", least: 8 },
        { head: "FIGURE" },
        { head: "PLATFORM" },
        { head: "VALUE", align: "right" },
        { head: "95 %", align: "right" },
        { head: "WITH MISSING", align: "right", optional: 1, unlessEmpty: true },
        { head: "ANSWERS", align: "right" },
      ],
      rows,
      width,
    ),
    ...changes.map(({ since, measure, entityId, domain, platformCode, direction, before, after, recomputed }) => {
      const about = `${measure} of ${domain ?? named.get(entityId ?? "") ?? entityId ?? ""} on ${platformCode}`;
      const again = recomputed.evidence === "same" ? ", computed again from the answers" : "";
      return printableLine(
        `${about} went ${direction} on ${since}: ${figureText(measure, before.value)} before, ${figureText(measure, after.value)} after${again}`,
      );
    }),
    ...instrumentChanges.map(({ since, platformCode, before, after }) =>
      printableLine(
        `${platformCode} changed its instrument on ${since}: ${modelsOf(before)} before, ${modelsOf(after)} after`,
      ),
    ),
    ...failureNotes(summary),
  ];
}

const modelsOf = (instruments: readonly { readonly modelVersion: string | null }[]) =>
  instruments.map(({ modelVersion }) => modelVersion ?? "an unknown model").join(", ");
const percent = (share: number) => `${(share * 100).toFixed(1)} %`;
