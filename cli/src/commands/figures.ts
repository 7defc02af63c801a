import {
  csvLines,
  figureCells,
  figureColumns,
  type Figure,
  type FigureQuery,
  type FigureRow,
  type PanelFigures,
} from "@querent/client";
import { Option, type Command } from "commander";
import { list, windowOptions } from "../arguments.ts";
import type { Context, Open } from "../context.ts";
import { table, type Column } from "../output/columns.ts";
import { failureNotes } from "../output/failure-notes.ts";
import { figureText } from "../output/figure-text.ts";
import { otherInstrument } from "../output/other-instrument.ts";
import { printableLine } from "../output/printable.ts";
import { entityNames, entityOfPanel } from "./entity-names.ts";
import { knownMeasures, measureNamed } from "./measure-names.ts";

const splits = ["none", "prompt", "topic", "run", "day"] as const;

interface FigureFlags {
  readonly measure?: string[];
  readonly by?: (typeof splits)[number];
  readonly entity?: string;
  readonly domain?: string;
  readonly type?: string;
  readonly platform?: string;
  readonly from?: string;
  readonly to?: string;
  readonly blend?: boolean;
  readonly csv?: boolean;
}

export function addFigures(panels: Command, open: Open): void {
  panels
    .command("figures")
    .description("figures of a panel's answers, with intervals")
    .argument("<panelId>")
    .option("--measure <measures>", "what to measure, separated by commas (default: a summary)", list)
    .addOption(new Option("--by <part>", "one row for each of these").choices(splits))
    .option("--entity <name>", "an entity, by name or id (default: every own entity and every competitor)")
    .option("--domain <domain>", "for measures of a domain (default: those that most answers cite)")
    .option("--type <type>", "for measures of a type of sites, such as news")
    .option("-p, --platform <code>", "only this platform")
    .option("--blend", "add up answers of all instruments, such as two models, which are not comparable")
    .addOption(windowOptions.from)
    .addOption(windowOptions.to)
    .option("--csv", "one row of CSV for each figure")
    .action(async (panelId: string, flags: FigureFlags, command: Command) => figures(open(command), panelId, flags));
}

async function figures(context: Context, panelId: string, flags: FigureFlags): Promise<void> {
  const { output, querent, signal } = context;
  const names = await entityNames(context);
  const found = await querent.panels.figures(panelId, await queryOf(context, panelId, flags), { signal });
  if (flags.csv === true)
    return await output.write(csvLines([[...figureColumns], ...found.rows.flatMap((row) => figureCells(row, names))]));
  if (output.format === "json") return await output.json(found);
  if (found.rows.length === 0) {
    output.note("There are no answers in the window. A panel has figures after its first run.");
    return;
  }
  await output.text(
    ...table(
      columns,
      found.rows.flatMap((row) => [cellsOf(row, names), ...row.otherInstruments.map((one) => besideOf(row, one))]),
      output.width,
    ),
    ...notes(found),
  );
}

async function queryOf(context: Context, panelId: string, flags: FigureFlags): Promise<FigureQuery> {
  const { measure, by, entity, domain, type, platform, blend, from, to } = flags;
  return {
    ...(measure === undefined ? {} : { measures: await measuresNamed(context, measure) }),
    ...(by === undefined ? {} : { by }),
    ...(entity === undefined ? {} : { entityId: await entityOfPanel(context, panelId, entity) }),
    ...(domain === undefined ? {} : { domain }),
    ...(type === undefined ? {} : { sourceType: type }),
    ...(platform === undefined ? {} : { platformCode: platform }),
    ...(blend === undefined ? {} : { blend }),
    ...(from === undefined ? {} : { from }),
    ...(to === undefined ? {} : { to }),
  };
}

async function measuresNamed(context: Context, given: readonly string[]): Promise<FigureRow["measure"][]> {
  const known = await knownMeasures(context);
  return given.map((id) => measureNamed(id, known));
}

const columns: readonly Column[] = [
  { head: "MEASURE" },
  { head: "OF", least: 8 },
  { head: "PLATFORM", least: 10 },
  { head: "LOCALE", unlessEmpty: true, optional: 4 },
  { head: "PERSONA", unlessEmpty: true, optional: 4, least: 8 },
  { head: "PART", optional: 3, least: 10 },
  { head: "VALUE", align: "right" },
  { head: "THESE PROMPTS" },
  { head: "PROMPTS LIKE THESE", optional: 2 },
  { head: "WITH MISSING", optional: 1, unlessEmpty: true },
  { head: "ANSWERS", align: "right", optional: 1 },
];

function cellsOf(row: FigureRow, names: ReadonlyMap<string, string>): string[] {
  const { measure, group, thesePrompts, promptsLikeThese } = row;
  const { platformCode, kind, locale, persona, otherPlatformCode, promptId, topic, runId, day } = group;
  const platform = otherPlatformCode === null ? platformCode : `${platformCode} and ${otherPlatformCode}`;
  const part = promptId ?? topic ?? (runId === null ? day : `${day ?? ""} ${runId}`) ?? "";
  return [
    measure,
    printableLine(subjectOf(row, names)),
    printableLine(`${platform} (${kind})`),
    printableLine(locale),
    printableLine(persona),
    printableLine(`${part}${row.seam ? " (other instrument)" : ""}${thesePrompts.blend === true ? " (blend)" : ""}`),
    numberOf(row, thesePrompts.value),
    intervalOf(row, thesePrompts),
    intervalOf(row, promptsLikeThese),
    boundsOf(row, thesePrompts),
    String(thesePrompts.answers),
  ];
}

/** The figures of another instrument, below those of the row. */
function besideOf(
  row: FigureRow,
  { instrument, thesePrompts, promptsLikeThese }: FigureRow["otherInstruments"][number],
) {
  return [
    ...["", "", "", "", ""],
    printableLine(otherInstrument(instrument, row.thesePrompts.instrument)),
    numberOf(row, thesePrompts.value),
    intervalOf(row, thesePrompts),
    intervalOf(row, promptsLikeThese),
    boundsOf(row, thesePrompts),
    String(thesePrompts.answers),
  ];
}

const subjectOf = ({ group: { entityId, domain, sourceType } }: FigureRow, names: ReadonlyMap<string, string>) =>
  (entityId === null ? (domain ?? sourceType) : (names.get(entityId) ?? entityId)) ?? "";

const numberOf = ({ measure }: FigureRow, value: number | null): string => figureText(measure, value);

const boundsOf = (row: FigureRow, { bounds }: Figure): string =>
  bounds === undefined || bounds === null ? "" : `${numberOf(row, bounds.low)} to ${numberOf(row, bounds.high)}`;

function intervalOf(row: FigureRow, { interval, reason }: Figure): string {
  if (interval !== null) return `${numberOf(row, interval.low)} to ${numberOf(row, interval.high)}`;
  if (reason === null) return "";
  return reason.code.startsWith("too_few_")
    ? `too few ${reason.code.slice("too_few_".length).replaceAll("_", " ")}: ${reason.missing} more needed`
    : "no interval";
}

/** What a reader of the table must know. */
function notes({ rows, window }: PanelFigures): string[] {
  const branded = Math.max(0, ...rows.map((row) => row.brandedPromptsLeftOut));
  return [
    `Answers from ${window.from} to ${window.to}. Intervals of 95 %.`,
    ...instrumentNotes(rows),
    ...failureNotes(rows),
    ...(branded === 0 ? [] : [`Prompts that name an entity are left out of its figures: up to ${branded}.`]),
  ];
}

function instrumentNotes(rows: readonly FigureRow[]): string[] {
  const isDivided = rows.some(({ otherInstruments }) => otherInstruments.length > 0);
  const isBlended = rows.some(({ thesePrompts }) => thesePrompts.blend === true);
  const isMissing = rows.some(({ thesePrompts: { bounds } }) => (bounds ?? null) !== null);
  return [
    ...(isDivided
      ? [
          "A figure is of the latest instrument with enough runs for an interval; those of other instruments, below it, cannot be compared with it.",
        ]
      : []),
    ...(isBlended
      ? ["Figures marked as a blend add up answers of different instruments, which are not comparable."]
      : []),
    ...(isMissing
      ? [
          "With missing: what a figure of these prompts could be, whatever the answers that are missing would have said.",
        ]
      : []),
  ];
}
