import type { BridgedFigure, BridgeQuery, PanelBridge } from "@querent/client";
import type { Command } from "commander";
import { windowOptions } from "../arguments.ts";
import type { Context, Open } from "../context.ts";
import { table, type Column } from "../output/columns.ts";
import { figureText } from "../output/figure-text.ts";
import { entityOfPanel } from "./entity-names.ts";
import { knownMeasures, measureNamed } from "./measure-names.ts";

interface BridgeFlags {
  readonly fromPlatform: string;
  readonly toPlatform: string;
  readonly measure: string;
  readonly entity?: string;
  readonly domain?: string;
  readonly type?: string;
  readonly locale?: string;
  readonly persona?: string;
  readonly from?: string;
  readonly to?: string;
}

export function addPanelBridge(panels: Command, open: Open): void {
  panels
    .command("bridge")
    .description("a figure of a platform that is asked only a part, with the help of one that is asked everything")
    .argument("<panelId>")
    .requiredOption("--from-platform <code>", "the platform that is asked everything, such as an API")
    .requiredOption("--to-platform <code>", "the platform that the figure is about, such as a web page")
    .option("--measure <id>", "what is measured", "presence")
    .option("--entity <name>", "for measures of an entity: its name or id")
    .option("--domain <domain>", "for measures of a domain")
    .option("--type <type>", "for measures of a type of sites, such as news")
    .option("--locale <locale>", "the locale, if the panel has several")
    .option("--persona <name>", "the persona, if the panel has several")
    .addOption(windowOptions.from)
    .addOption(windowOptions.to)
    .action(async (panelId: string, flags: BridgeFlags, command: Command) => showBridge(open(command), panelId, flags));
}

async function showBridge(context: Context, panelId: string, flags: BridgeFlags): Promise<void> {
  const { output, querent, signal } = context;
  const bridged = await querent.panels.bridge(panelId, await queryOf(context, panelId, flags), { signal });
  await output.show(bridged, () => bridgeLines(bridged, output.width));
}

async function queryOf(context: Context, panelId: string, flags: BridgeFlags): Promise<BridgeQuery> {
  const { measure, fromPlatform, toPlatform, entity, type, domain, locale, persona, from, to } = flags;
  return {
    measure: measureNamed(measure, await knownMeasures(context)),
    fromPlatform,
    toPlatform,
    ...(entity === undefined ? {} : { entityId: await entityOfPanel(context, panelId, entity) }),
    ...(domain === undefined ? {} : { domain }),
    ...(type === undefined ? {} : { sourceType: type }),
    ...(locale === undefined ? {} : { locale }),
    ...(persona === undefined ? {} : { persona }),
    ...(from === undefined ? {} : { from }),
    ...(to === undefined ? {} : { to }),
  };
}

const columns: readonly Column[] = [
  { head: "SCOPE" },
  { head: "VALUE", align: "right" },
  { head: "INTERVAL (95 %)" },
  { head: "FROM ITS OWN ANSWERS ALONE", optional: 1 },
];

function bridgeLines(bridged: PanelBridge, width: number): string[] {
  const { measure, fromPlatform, toPlatform, window, thesePrompts, promptsLikeThese } = bridged;
  const row = (scope: string, { value, interval, observedOnly }: BridgedFigure) => [
    scope,
    figureText(measure, value),
    intervalText(interval),
    [figureText(measure, observedOnly.value), intervalText(observedOnly.interval)].filter((part) => part).join(", "),
  ];
  const intervalText = (interval: BridgedFigure["interval"]) =>
    interval === null ? "" : `${figureText(measure, interval.low)} to ${figureText(measure, interval.high)}`;
  return [
    `${measure} on ${toPlatform}, with the help of ${fromPlatform}`,
    `Answers from ${window.from} to ${window.to}: ${bridged.pairCount} prompts in runs that both answered, and ${bridged.unpairedCount} that only ${fromPlatform} answered.`,
    ...table(columns, [row("these prompts", thesePrompts), row("prompts like these", promptsLikeThese)], width),
    verdictOf(bridged),
    ...new Set([thesePrompts, promptsLikeThese].flatMap(({ reason }) => (reason === null ? [] : [reason.detail]))),
  ];
}

function verdictOf({ fromPlatform, toPlatform, thesePrompts: { verdict, gain } }: PanelBridge): string {
  switch (verdict) {
    case "informs":
      return `The answers of ${fromPlatform} narrow the interval: its variance is ${Math.round(100 * gain)} % smaller.`;
    case "tells_nothing":
      return `The answers of ${fromPlatform} tell nothing about those of ${toPlatform}, or hardly anything.`;
    case "too_few":
      return "There are too few answers to tell whether one platform informs about the other.";
  }
}
