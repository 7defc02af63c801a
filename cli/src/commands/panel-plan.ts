import type { PanelPlan, PlanDesign, PlanRequest } from "@querent/client";
import { InvalidArgumentError, Option, type Command } from "commander";
import { count } from "../arguments.ts";
import type { Open } from "../context.ts";
import { table, type Column } from "../output/columns.ts";
import { entityOfPanel } from "./entity-names.ts";

interface PlanFlags {
  readonly measure: PlanRequest["measure"];
  readonly platform: string;
  readonly width: number;
  readonly scope: "these" | "like";
  readonly entity?: string;
  readonly domain?: string;
  readonly sourceType?: string;
  readonly locale?: string;
  readonly persona?: string;
  readonly runs?: number;
  readonly repeats?: number;
}

export function addPanelPlan(panels: Command, open: Open): void {
  panels
    .command("plan")
    .description("compute how many prompts, runs and repeats a figure needs for an interval, and what they cost")
    .argument("<panelId>")
    .requiredOption("--measure <id>", "what is measured, such as presence")
    .requiredOption("-p, --platform <code>", "a platform of the panel")
    .requiredOption("--width <width>", "the wanted width of the interval: 0.08 is 4 points on each side", width)
    .addOption(
      new Option("--scope <scope>", "about these prompts, or prompts like these")
        .choices(["these", "like"])
        .default("these"),
    )
    .option("--entity <name>", "for measures of an entity: its name or id")
    .option("--domain <domain>", "for measures of a domain")
    .option("--source-type <type>", "for measures of a type of sites, such as news")
    .option("--locale <locale>", "the locale, if the panel has several")
    .option("--persona <name>", "the persona, if the panel has several")
    .option("--runs <n>", "the most runs (default: 60)", count)
    .option("--repeats <n>", "the most repeats of a prompt in a run (default: 10)", count)
    .action(async (panelId: string, flags: PlanFlags, command: Command) => {
      const context = open(command);
      const { output, querent, signal } = context;
      const named = flags.entity === undefined ? {} : { entityId: await entityOfPanel(context, panelId, flags.entity) };
      const planned = await querent.panels.plan(panelId, { ...requestOf(flags), ...named }, { signal });
      await output.show(planned, () => planLines(planned));
    });
}

function width(text: string): number {
  const value = Number(text);
  if (!(value > 0)) throw new InvalidArgumentError("Expected a number above 0, such as 0.08.");
  return value;
}

function requestOf({ measure, platform, scope, runs, repeats, ...flags }: PlanFlags): PlanRequest {
  return {
    measure,
    platformCode: platform,
    scope: scope === "these" ? "these_prompts" : "prompts_like_these",
    width: flags.width,
    ...(flags.domain === undefined ? {} : { domain: flags.domain }),
    ...(flags.sourceType === undefined ? {} : { sourceType: flags.sourceType }),
    ...(flags.locale === undefined ? {} : { locale: flags.locale }),
    ...(flags.persona === undefined ? {} : { persona: flags.persona }),
    ...(runs === undefined ? {} : { runsMax: runs }),
    ...(repeats === undefined ? {} : { repeatsMax: repeats }),
  };
}

const columns: readonly Column[] = [
  { head: "" },
  { head: "PROMPTS", align: "right" },
  { head: "RUNS", align: "right" },
  { head: "REPEATS", align: "right" },
  { head: "DAYS", align: "right" },
  { head: "POINTS", align: "right" },
  { head: "WIDTH", align: "right" },
  { head: "LIKELY (80 %)", align: "right" },
];

function planLines({ pilot, samePrompts, moreTopics, least, inWaves, changes, reason }: PanelPlan): string[] {
  const row = (what: string, design: PlanDesign | null) =>
    design === null
      ? []
      : [
          [
            what,
            ...[design.prompts, design.runs, design.repeats, design.days, design.points].map(String),
            design.width.toPrecision(2),
            `${design.likely.low.toPrecision(2)} to ${design.likely.high.toPrecision(2)}`,
          ],
        ];
  const rows = [
    ...row("these prompts", samePrompts),
    ...row("more topics", moreTopics),
    ...(samePrompts === null ? row("at best", least) : []),
  ];
  return [
    ...(pilot === null ? [] : [`from ${pilot.prompts} prompts on ${pilot.topics} topics in ${pilot.runs} runs`]),
    ...(rows.length === 0 ? [] : table(columns, rows)),
    ...(inWaves === null
      ? []
      : [
          `one run in waves: about ${Math.round(inWaves.waves)} waves, ${inWaves.answers} answers and ${inWaves.points} points; ${Math.round(100 * inWaves.reached)} % of such runs reach the width`,
        ]),
    ...(changes === null
      ? []
      : changes.smallest.flatMap(({ runs, difference }) =>
          difference === null
            ? []
            : [
                `a change of ${Math.round(100 * difference)} points is found within ${runs} runs in 80 % of such panels`,
              ],
        )),
    ...(reason === null ? [] : [reason.detail]),
  ];
}
