import type { PairQuery, PanelPairs } from "@querent/client";
import { Option, type Command } from "commander";
import { windowOptions } from "../arguments.ts";
import type { Context, Open } from "../context.ts";
import { table, type Column } from "../output/columns.ts";
import { printableLine } from "../output/printable.ts";
import { entityNames } from "./entity-names.ts";

interface PairFlags {
  readonly measure: PanelPairs["measure"];
  readonly all?: boolean;
  readonly prompt?: string;
  readonly platform?: string;
  readonly locale?: string;
  readonly persona?: string;
  readonly kind?: NonNullable<PairQuery["kind"]>;
  readonly from?: string;
  readonly to?: string;
}

const measures = [
  "first_place_changes_between_runs",
  "first_place_changes",
  "order_agreement_within_days",
  "order_agreement_between_days",
  "source_agreement_within_days",
  "source_agreement_between_days",
] as const satisfies readonly PanelPairs["measure"][];

const kinds = ["web", "api", "imported"] as const satisfies readonly PairQuery["kind"][];

export function addPanelPairs(panels: Command, open: Open): void {
  panels
    .command("pairs")
    .description("the pairs of answers that disagree in a figure of stability, and how")
    .argument("<panelId>")
    .addOption(new Option("--measure <id>", "the figure").choices(measures).default(measures[0]))
    .option("--all", "also pairs that agree")
    .option("--prompt <id>", "only pairs of this prompt")
    .option("--platform <code>", "only this platform")
    .option("--locale <locale>", "only this locale")
    .option("--persona <name>", "only this persona")
    .addOption(new Option("--kind <kind>", "only this kind of platform").choices(kinds))
    .addOption(windowOptions.from)
    .addOption(windowOptions.to)
    .action(async (panelId: string, flags: PairFlags, command: Command) => show(open(command), panelId, flags));
}

async function show(context: Context, panelId: string, flags: PairFlags): Promise<void> {
  const { output, querent, signal } = context;
  const { prompt, platform, ...rest } = flags;
  const query: PairQuery = {
    ...rest,
    ...(prompt === undefined ? {} : { promptId: prompt }),
    ...(platform === undefined ? {} : { platformCode: platform }),
  };
  const listed = await querent.panels.pairs(panelId, query, { signal });
  if (output.format === "json") return await output.json(listed);
  const names = await entityNames(context);
  return await output.text(...pairLines(listed, names, output.width));
}

const columns: readonly Column[] = [
  { head: "PROMPT", least: 8 },
  { head: "WHERE", least: 8, optional: 1 },
  { head: "ONE ANSWER", least: 8 },
  { head: "THE OTHER", least: 8 },
  { head: "OBSERVED", optional: 2 },
];

function pairLines(listed: PanelPairs, names: ReadonlyMap<string, string>, width: number): string[] {
  const { measure, pairCount, differingCount, pairs } = listed;
  const items = (all: readonly string[]) => printableLine(all.map((item) => names.get(item) ?? item).join(", "));
  const rows = pairs.map(({ promptId, platformCode, locale, persona, one, other }) => [
    printableLine(promptId),
    printableLine([platformCode, locale, persona].filter((part) => part !== "").join(", ")),
    items(one.items),
    items(other.items),
    `${one.observedAt.slice(0, 16)} and ${other.observedAt.slice(0, 16)}`,
  ]);
  const left = differingCount - pairs.length;
  return [
    `${measure}: ${differingCount} of ${pairCount} pairs of answers differ`,
    ...(rows.length === 0 ? [] : table(columns, rows, width)),
    ...(left > 0 ? [`and ${left} more: choose a prompt or a shorter window`] : []),
  ];
}
