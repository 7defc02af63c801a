import type { ComparisonQuery, PanelComparison } from "@querent/client";
import { Option, type Command } from "commander";
import { list, timestamp, windowOptions } from "../arguments.ts";
import type { Context, Open } from "../context.ts";
import { table, type Column } from "../output/columns.ts";
import { figureText } from "../output/figure-text.ts";
import { printableLine } from "../output/printable.ts";
import { entityNames, entityOfPanel } from "./entity-names.ts";
import { knownMeasures, measureNamed } from "./measure-names.ts";

interface CompareFlags {
  readonly measure?: string[];
  readonly entity?: string;
  readonly domain?: string;
  readonly type?: string;
  readonly platform?: string;
  readonly locale?: string;
  readonly persona?: string;
  readonly kind?: Kind;
  readonly import?: string;
  readonly from?: string;
  readonly to?: string;
  readonly withPanel?: string;
  readonly withPlatform?: string;
  readonly withLocale?: string;
  readonly withPersona?: string;
  readonly withKind?: Kind;
  readonly withImport?: string;
  readonly withFrom?: string;
  readonly withTo?: string;
}

const kinds = ["api", "web", "sample", "imported"] as const;
type Kind = (typeof kinds)[number];

export function addPanelCompare(panels: Command, open: Open): void {
  panels
    .command("compare")
    .description("how two panels, platforms, locales or imports differ that were asked the same prompts")
    .argument("<panelId>")
    .option("--measure <ids>", "measures, separated by commas (default: the summary)", list)
    .option("--entity <name>", "for measures of an entity: its name or id")
    .option("--domain <domain>", "for measures of a domain")
    .option("--type <type>", "for measures of a type of sites, such as news")
    .option("--platform <code>", "the platform, if the panel has several")
    .option("--locale <locale>", "the locale, if the panel has several")
    .option("--persona <name>", "the persona, if the panel has several")
    .addOption(new Option("--kind <kind>", "the kind of platform, if there are several").choices(kinds))
    .option("--import <id>", "only answers of this import")
    .addOption(windowOptions.from)
    .addOption(windowOptions.to)
    .option("--with-panel <id>", "the other arm: another panel, of which prompts with the same text are compared")
    .option("--with-platform <code>", "its platform (default here and below: the same)")
    .option("--with-locale <locale>", "its locale")
    .option("--with-persona <name>", "its persona")
    .addOption(new Option("--with-kind <kind>", "its kind of platform").choices(kinds))
    .option("--with-import <id>", "only answers of this import")
    .option("--with-from <time>", "the start of its window", timestamp)
    .option("--with-to <time>", "the end of its window", timestamp)
    .action(async (panelId: string, flags: CompareFlags, command: Command) => compare(open(command), panelId, flags));
}

async function compare(context: Context, panelId: string, flags: CompareFlags): Promise<void> {
  const { output, querent, signal } = context;
  const compared = await querent.panels.compare(panelId, await queryOf(context, panelId, flags), { signal });
  if (output.format === "json") return await output.json(compared);
  const names = await entityNames(context);
  return await output.text(...comparisonLines(compared, names, output.width));
}

async function queryOf(context: Context, panelId: string, flags: CompareFlags): Promise<ComparisonQuery> {
  const { measure, entity, type, platform, import: importId, withPanel, withPlatform, withImport, ...rest } = flags;
  const known = measure === undefined ? [] : await knownMeasures(context);
  return {
    ...rest,
    ...(measure === undefined ? {} : { measures: measure.map((id) => measureNamed(id, known)) }),
    ...(entity === undefined ? {} : { entityId: await entityOfPanel(context, panelId, entity) }),
    ...(type === undefined ? {} : { sourceType: type }),
    ...(platform === undefined ? {} : { platformCode: platform }),
    ...(importId === undefined ? {} : { importId }),
    ...(withPanel === undefined ? {} : { withPanelId: withPanel }),
    ...(withPlatform === undefined ? {} : { withPlatformCode: withPlatform }),
    ...(withImport === undefined ? {} : { withImportId: withImport }),
  };
}

const columns: readonly Column[] = [
  { head: "MEASURE" },
  { head: "ABOUT", least: 8 },
  { head: "ONE", align: "right" },
  { head: "OTHER", align: "right" },
  { head: "DIFFERENCE" },
  { head: "95 %, THESE PROMPTS" },
  { head: "P*", align: "right" },
  { head: "95 %, PROMPTS LIKE THESE", optional: 1 },
  { head: "P*", align: "right", optional: 1 },
];

type Row = PanelComparison["rows"][number];

function comparisonLines(compared: PanelComparison, names: ReadonlyMap<string, string>, width: number): string[] {
  const { one, other, commonPrompts, rows } = compared;
  const aboutOf = ({ entityId, domain, sourceType }: Row) =>
    domain ?? sourceType ?? (entityId === null ? "" : (names.get(entityId) ?? entityId));
  const cells = rows.map((row) => [
    row.measure,
    printableLine(aboutOf(row)),
    figureText(row.measure, row.one.value),
    figureText(row.measure, row.other.value),
    signed(row.measure, row.thesePrompts.value),
    intervalText(row.measure, row.thesePrompts.interval),
    probability(row.thesePrompts.adjustedP),
    intervalText(row.measure, row.promptsLikeThese.interval),
    probability(row.promptsLikeThese.adjustedP),
  ]);
  const reasons = new Set(
    rows
      .flatMap(({ thesePrompts, promptsLikeThese }) => [thesePrompts, promptsLikeThese])
      .flatMap(({ reason }) => reason?.detail ?? []),
  );
  return [
    armLine("one", one),
    armLine("other", other),
    `${commonPrompts} prompts are the same; of each row, those that have a value in both. OTHER minus ONE.`,
    ...table(columns, cells, width),
    "* adjusted for all differences of the scope in this table (Benjamini and Hochberg)",
    ...reasons,
  ];
}

function armLine(
  name: string,
  { platformCode, kind, locale, persona, importId, panelId, window, answers }: PanelComparison["one"],
): string {
  const where = [`${platformCode} (${kind})`, locale, persona].filter((part) => part !== "").join(", ");
  const of = importId === null ? `panel ${panelId}` : `import ${importId} of panel ${panelId}`;
  return printableLine(`${name}: ${where}, ${of}, ${answers} answers from ${window.from} to ${window.to}`);
}

function signed(measure: Row["measure"], value: number | null): string {
  if (value === null) return "-";
  const text = figureText(measure, Math.abs(value)).replace(" %", " points");
  return `${value < 0 ? "-" : "+"}${text}`;
}

const intervalText = (measure: Row["measure"], interval: Row["thesePrompts"]["interval"]) =>
  interval === null ? "-" : `${signed(measure, interval.low)} to ${signed(measure, interval.high)}`;

/** As it is compared with a bound: never rounded down to 0. */
const probability = (p: number | null) => (p === null ? "-" : p < 0.001 ? "< 0.001" : p.toFixed(3));
