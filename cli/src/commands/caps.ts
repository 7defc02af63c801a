import type { Cap, CapInput } from "@querent/client";
import { InvalidArgumentError, Option, type Command } from "commander";
import type { Context, Open } from "../context.ts";
import { UsageError } from "../exit-codes.ts";
import { table, type Column } from "../output/columns.ts";
import { printableLine } from "../output/printable.ts";
import { projectNamed } from "./projects.ts";

interface CapFlags {
  readonly panel?: string;
  readonly project?: string;
  readonly tag?: string;
  readonly run?: number | "none";
  readonly day?: number | "none";
  readonly month?: number | "none";
}

export function addCaps(program: Command, open: Open): void {
  const caps = program.command("caps").description("limits on points per run, day and month");
  caps
    .command("show")
    .description("show the caps, and what is used of them")
    .action(async (_flags: object, command: Command) => {
      const context = open(command);
      const { output, querent, signal } = context;
      const found = await querent.caps.list({ signal });
      const names = await projectNames(context, found);
      await output.show({ caps: found }, () => linesOf(found, names, output.width));
    });
  caps
    .command("set")
    .description("set a cap of the account, of a project, of a panel or of a tag; what is not given stays as it is")
    .addOption(new Option("--panel <id>", "a cap of the runs of this panel").conflicts(["tag", "project"]))
    .addOption(
      new Option("--project <name>", "a cap of the runs of this project's panels, by its name or id").conflicts("tag"),
    )
    .option("--tag <tag>", "a cap of the tasks with this tag")
    .option("--run <points>", "the most points of a run or batch, or `none`", points)
    .option("--day <points>", "the most points held in a day (UTC), or `none`", points)
    .option("--month <points>", "the most points held in a month (UTC), or `none`", points)
    .action(async (flags: CapFlags, command: Command) => {
      const context = open(command);
      const { output, querent, signal } = context;
      if (flags.run === undefined && flags.day === undefined && flags.month === undefined)
        throw new UsageError("Nothing to set. Give at least one of --run, --day and --month.");
      const project = flags.project === undefined ? undefined : (await projectNamed(context, flags.project)).projectId;
      const changed = withCap(await querent.caps.list({ signal }), {
        ...flags,
        ...(project === undefined ? {} : { project }),
      });
      const set = await querent.caps.set(changed, { signal });
      const names = await projectNames(context, set);
      await output.show({ caps: set }, () => linesOf(set, names, output.width));
    });
}

/** The caps with one of them changed, or without it if it has no limit left. */
function withCap(caps: readonly Cap[], { panel, project, tag, run, day, month }: CapFlags): CapInput[] {
  const kind =
    panel !== undefined ? "panel" : project !== undefined ? "project" : tag !== undefined ? "tag" : "account";
  const subject = panel?.toLowerCase() ?? project ?? tag ?? null;
  const isMeant = (cap: Cap) => cap.kind === kind && cap.subject === subject;
  const before = caps.find(isMeant);
  const limit = (given: number | "none" | undefined, former: number | null | undefined) =>
    given === undefined ? (former ?? null) : given === "none" ? null : given;
  const after = {
    kind,
    subject,
    runPoints: limit(run, before?.runPoints),
    dayPoints: limit(day, before?.dayPoints),
    monthPoints: limit(month, before?.monthPoints),
  } as const;
  const others = caps
    .filter((cap) => !isMeant(cap))
    .map(({ kind: otherKind, subject: of, runPoints, dayPoints, monthPoints }) => ({
      kind: otherKind,
      subject: of,
      runPoints,
      dayPoints,
      monthPoints,
    }));
  return (after.runPoints ?? after.dayPoints ?? after.monthPoints) === null ? others : [...others, after];
}

const columns: readonly Column[] = [
  { head: "CAP OF" },
  { head: "A RUN", align: "right" },
  { head: "A DAY", align: "right" },
  { head: "A MONTH", align: "right" },
];

/** The names of the projects that have caps, by id. Read only for a terminal, if there are some. */
async function projectNames(
  { output, querent, signal }: Context,
  caps: readonly Cap[],
): Promise<ReadonlyMap<string, string>> {
  if (output.format === "json" || !caps.some(({ kind }) => kind === "project")) return new Map();
  return new Map((await querent.projects.list({ signal })).map(({ projectId, name }) => [projectId, name]));
}

function linesOf(caps: readonly Cap[], names: ReadonlyMap<string, string>, width: number): string[] {
  if (caps.length === 0) return ["There are no caps."];
  const used = (held: number, limit: number | null) => (limit === null ? "-" : `${held} of ${limit}`);
  return table(
    columns,
    caps.map(({ kind, subject, runPoints, dayPoints, dayHeld, monthPoints, monthHeld }) => [
      subject === null ? "the account" : `${kind} ${printableLine(names.get(subject) ?? subject)}`,
      runPoints === null ? "-" : String(runPoints),
      used(dayHeld, dayPoints),
      used(monthHeld, monthPoints),
    ]),
    width,
  );
}

function points(text: string): number | "none" {
  if (text === "none") return text;
  if (!/^\d{1,15}$/.test(text)) throw new InvalidArgumentError("Expected a number of points, or `none`.");
  return Number(text);
}
