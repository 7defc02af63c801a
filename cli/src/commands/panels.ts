import { writeFileSync } from "node:fs";
import { InvalidRequestError, panelInput, type PanelInput } from "@querent/client";
import { InvalidArgumentError, Option, type Command } from "commander";
import { count, list, projectOption } from "../arguments.ts";
import type { Context, Open } from "../context.ts";
import { CliError, UsageError } from "../exit-codes.ts";
import { askUntilOf } from "../input/ask-until.ts";
import {
  panelFormOf,
  panelForms,
  panelText,
  readPanelFile,
  readPrompts,
  type PanelForm,
  type PromptFile,
} from "../input/panel-file.ts";
import { addPanelBridge } from "./panel-bridge.ts";
import { addPanelCompare } from "./panel-compare.ts";
import { addPanelPairs } from "./panel-pairs.ts";
import { addPanelPropose } from "./panel-propose.ts";
import { addPanelParts } from "./panel-parts.ts";
import { addPanelDiff } from "./panel-diff.ts";
import { addPanelPlan } from "./panel-plan.ts";
import { addFigures } from "./figures.ts";
import { plural } from "../output/answer.ts";
import { table, type Column } from "../output/columns.ts";
import { costLine, endLines, minute, panelLines, runLine, waveLines } from "../output/panel-lines.ts";
import { printableLine } from "../output/printable.ts";
import { addPanelChanges } from "./panel-changes.ts";
import { addPanelReports } from "./panel-reports.ts";
import { addReportSending } from "./report-sending.ts";

interface ProjectFlag {
  readonly project?: string;
}

interface PanelFlags extends ProjectFlag {
  readonly name?: string;
  readonly prompts?: string;
  readonly platform?: string[];
  readonly repeats?: number;
  readonly untilWidth?: number | "none";
  readonly maxRepeats?: number;
  readonly tag?: string[];
  readonly country?: string[];
  readonly own?: string[];
  readonly competitors?: string[];
  readonly cron?: string;
  readonly timeZone?: string;
  readonly pause?: boolean;
  readonly resume?: boolean;
}

export function addPanels(program: Command, open: Open): void {
  const panels = program
    .command("panel")
    .description("panels: sets of prompts that are asked again and again, by a schedule or on request");
  addPanelOptions(panels.command("create").description("create a panel from a CSV file of prompts"))
    .requiredOption("--name <name>", "its name")
    .requiredOption("--prompts <file>", "a .csv file with the column text and, optionally, topic, intent and promptId")
    .requiredOption("-p, --platform <codes>", "platforms to ask, separated by commas", list)
    .addOption(projectOption)
    .action(async (flags: PanelFlags, command: Command) => create(open(command), flags));
  panels
    .command("list")
    .description("list panels, newest first")
    .addOption(projectOption)
    .action(async (flags: ProjectFlag, command: Command) => listPanels(open(command), flags));
  panels
    .command("show")
    .description("show a panel, what a run costs, and its last runs")
    .argument("<panelId>")
    .action(async (panelId: string, _flags: object, command: Command) => show(open(command), panelId));
  addPanelOptions(panels.command("edit").description("change a panel; what is not given stays as it is"))
    .argument("<panelId>")
    .option("--name <name>", "its name")
    .option("--prompts <file>", "a .csv file that replaces the prompts")
    .option("-p, --platform <codes>", "platforms to ask, separated by commas", list)
    .option("--pause", "start no further runs")
    .addOption(new Option("--resume", "start runs again, from now on").conflicts("pause"))
    .action(async (panelId: string, flags: PanelFlags, command: Command) => edit(open(command), panelId, flags));
  panels
    .command("run")
    .description("run a panel now")
    .argument("<panelId>")
    .option("--max-points <n>", "ask nothing if the run would cost more", count)
    .option("--key <key>", "idempotency key: the same key runs once (default: a new one)")
    .action(async (panelId: string, flags: { maxPoints?: number; key?: string }, command: Command) =>
      run(open(command), panelId, flags),
    );
  addPanelDiff(panels, open);
  addPanelPlan(panels, open);
  addPanelBridge(panels, open);
  addPanelCompare(panels, open);
  addPanelPairs(panels, open);
  addPanelPropose(panels, open);
  addPanelParts(panels, open);
  addFigures(panels, open);
  addPanelChanges(panels, open);
  addFileCommands(panels, open);
  addPanelReports(panels, open);
  addReportSending(panels, open);
  panels
    .command("run-status")
    .description("show a run of a panel")
    .argument("<panelId>")
    .argument("<runId>")
    .action(async (panelId: string, runId: string, _flags: object, command: Command) => {
      const { output, querent, signal } = open(command);
      const found = await querent.panels.getRun(panelId, runId, { signal });
      await output.show(found, () => [runLine(found), ...waveLines(found), ...endLines(found)]);
    });
  panels
    .command("delete")
    .description("delete a panel with its revisions and runs; its tasks stay until they expire")
    .argument("<panelId>")
    .action(async (panelId: string, _flags: object, command: Command) => {
      const { output, querent, signal } = open(command);
      await querent.panels.delete(panelId, { signal });
      await output.show({ panelId, deleted: true }, () => [`${panelId} is deleted`]);
    });
}

function addFileCommands(panels: Command, open: Open): void {
  panels
    .command("export")
    .description("write a panel as YAML or JSON, or its prompts as CSV")
    .argument("<panelId>")
    .option("-o, --out <file>", "a .yaml, .json or .csv file (default: standard output)")
    .addOption(new Option("--format <form>", "format on standard output").choices([...panelForms]).default("yaml"))
    .action(async (panelId: string, { out, format }: { out?: string; format: PanelForm }, command: Command) => {
      const { output, querent, signal } = open(command);
      const text = await panelText(
        await querent.panels.get(panelId, { signal }),
        out === undefined ? format : panelFormOf(out),
      );
      if (out === undefined) await output.write(text);
      else writeFileSync(out, text);
    });
  panels
    .command("import")
    .description("create a panel from a YAML or JSON file, or replace one")
    .argument("<file>", "a .yaml or .json file, or with --panel a .csv file of prompts")
    .option("--panel <panelId>", "replace this panel, or the prompts of it")
    .addOption(new Option("--project <name>", "create it in this project, by name or id").conflicts("panel"))
    .action(async (file: string, { panel: panelId, project }: ProjectFlag & { panel?: string }, command: Command) => {
      const context = open(command);
      if (panelFormOf(file) !== "csv") return await store(context, await readPanelFile(file), { panelId, project });
      if (panelId === undefined) throw new UsageError("A .csv file has only prompts: name a panel with --panel.");
      const before = await context.querent.panels.get(panelId, { signal: context.signal });
      const prompts = await readPrompts(file);
      return await store(context, { ...panelInput(before), prompts: prompts.prompts }, { panelId, file: prompts });
    });
}

function addPanelOptions(command: Command): Command {
  return command
    .option("--repeats <n>", "how often a run asks each cell", count)
    .option(
      "--until-width <width>",
      "ask in waves until the interval of your brand's presence is so wide, such as 0.08; none: ask everything at once",
      widthOrNone,
    )
    .option("--max-repeats <n>", "with --until-width: how often a run asks a cell at most (default: 30)", count)
    .option("--tag <tags>", "tags of the tasks, separated by commas", list)
    .option("--own <brands>", "names or ids of your brands in its figures, separated by commas", list)
    .option("--competitors <brands>", "those of competitors, separated by commas", list)
    .option("--country <codes>", "countries to ask from, separated by commas, such as DE,US", list)
    .option("--cron <expression>", 'when it runs: five fields, such as "0 6 * * MON"')
    .option("--time-zone <zone>", "time zone of the schedule, such as Europe/Berlin");
}

/** What the flags say of a panel; what they do not is that of `before`. */
function withFlags(before: PanelInput, flags: PanelFlags, file: PromptFile | undefined): PanelInput {
  const { name, platform, repeats, tag, country, own, competitors } = flags;
  return {
    ...before,
    ...(name === undefined ? {} : { name }),
    ...(file === undefined ? {} : { prompts: file.prompts }),
    ...(platform === undefined ? {} : { platforms: platform }),
    ...(repeats === undefined ? {} : { repeats }),
    ...(tag === undefined ? {} : { tags: tag }),
    ...(own === undefined && competitors === undefined
      ? {}
      : {
          brands: {
            ...before.brands,
            ...(own === undefined ? {} : { own }),
            ...(competitors === undefined ? {} : { competitors }),
          },
        }),
    ...(country === undefined ? {} : { locales: country.map((code) => ({ country: code })) }),
    ...askUntilOf(before.askUntil, flags),
    ...scheduleOf(before.schedule, flags),
  };
}

function scheduleOf(before: PanelInput["schedule"], { cron, timeZone, pause, resume }: PanelFlags) {
  if (cron === undefined && timeZone === undefined && pause === undefined && resume === undefined) return {};
  const expression = cron ?? before?.cron;
  if (expression === undefined) throw new UsageError("The panel has no schedule. Set one with --cron.");
  return {
    schedule: {
      ...before,
      cron: expression,
      ...(timeZone === undefined ? {} : { timeZone }),
      ...(pause === true ? { paused: true } : {}),
      ...(resume === true ? { paused: false } : {}),
    },
  };
}

async function create(context: Context, flags: PanelFlags): Promise<void> {
  const file = await promptFileOf(flags);
  await store(context, withFlags({ name: "", prompts: [], platforms: [] }, flags, file), {
    project: flags.project,
    file,
  });
}

async function edit(context: Context, panelId: string, flags: PanelFlags): Promise<void> {
  const file = await promptFileOf(flags);
  const before = await context.querent.panels.get(panelId, { signal: context.signal });
  await store(context, withFlags(panelInput(before), flags, file), { panelId, file });
}

const promptFileOf = async ({ prompts }: PanelFlags) =>
  prompts === undefined ? undefined : await readPrompts(prompts);

async function store(
  { output, querent, signal }: Context,
  panel: PanelInput,
  {
    panelId,
    project,
    file,
  }: { panelId?: string | undefined; project?: string | undefined; file?: PromptFile | undefined },
): Promise<void> {
  try {
    const stored =
      panelId === undefined
        ? await querent.panels.create(panel, { signal, project })
        : await querent.panels.replace(panelId, panel, { signal });
    await output.show(stored, () => panelLines(stored));
  } catch (error) {
    if (!(error instanceof InvalidRequestError) || error.errors.length === 0) throw error;
    const places = error.errors.map(
      ({ pointer, detail }) => `  ${printableLine(`${placeOf(pointer, file)}: ${detail}`)}`,
    );
    throw new CliError("refused", ["The panel is not valid. Nothing was stored.", ...places].join("\n"));
  }
}

/** Where it stands in the file of prompts, as far as it comes from there. */
function placeOf(pointer: string, file: PromptFile | undefined): string {
  const [, index, member = ""] = /^\/prompts\/(\d+)(?:\/(.*))?$/.exec(pointer) ?? [];
  const line = file?.lines[Number(index)];
  return line === undefined ? pointer : [`${file?.name}:${line}`, member].filter((part) => part !== "").join(": ");
}

function widthOrNone(text: string): number | "none" {
  if (text === "none") return text;
  const value = Number(text);
  if (!(value > 0)) throw new InvalidArgumentError("Expected a number above 0, such as 0.08, or none.");
  return value;
}

const columns: readonly Column[] = [
  { head: "PANEL" },
  { head: "NAME", least: 12 },
  { head: "REVISION", align: "right", optional: 2 },
  { head: "CELLS", align: "right", optional: 1 },
  { head: "TASKS", align: "right" },
  { head: "NEXT RUN (UTC)" },
];

async function listPanels({ output, querent, signal }: Context, { project }: ProjectFlag): Promise<void> {
  const rows: string[][] = [];
  for await (const panel of querent.panels.list({ signal, project })) {
    if (output.format === "json") {
      await output.json(panel);
      continue;
    }
    const { panelId, name, revision, cellCount, taskCount, nextRunAt } = panel;
    rows.push([panelId, printableLine(name), ...[revision, cellCount, taskCount].map(String), minute(nextRunAt)]);
  }
  if (output.format === "text") await output.text(...table(columns, rows, output.width));
}

async function show({ output, querent, signal }: Context, panelId: string): Promise<void> {
  const [panel, quote] = await Promise.all([
    querent.panels.get(panelId, { signal }),
    querent.panels.quote(panelId, { signal }),
  ]);
  if (output.format === "json") return await output.json(panel);
  const runs: string[] = [];
  for await (const each of querent.panels.runs(panelId, { signal })) {
    runs.push(runLine(each));
    if (runs.length >= 5) break;
  }
  return await output.text(
    ...panelLines(panel),
    `${costLine(quote)}; ${quote.availablePoints} are available`,
    ...(quote.capExceeded === null ? [] : [quote.capExceeded]),
    ...(quote.firstInterval === null ? [] : [`first interval: with the run of ${minute(quote.firstInterval)}`]),
    ...(quote.firstVerdict === null
      ? []
      : [`first verdict on a change: with the run of ${minute(quote.firstVerdict)}`]),
    ...quote.errors.map(({ pointer, detail }) => `refused: ${printableLine(`${pointer}: ${detail}`)}`),
    ...(runs.length === 0 ? ["it has not run yet"] : ["last runs:", ...runs.map((line) => `  ${line}`)]),
  );
}

async function run(
  { output, querent, signal }: Context,
  panelId: string,
  { maxPoints, key }: { maxPoints?: number; key?: string },
): Promise<void> {
  const started = await querent.panels.run(panelId, {
    signal,
    ...(maxPoints === undefined ? {} : { maxPoints }),
    ...(key === undefined ? {} : { idempotencyKey: key }),
  });
  await output.show(started, () => [
    runLine(started),
    ...started.batches.map(({ batchId, taskCount }) => `batch ${batchId}: ${plural(taskCount, "task")}`),
  ]);
}
