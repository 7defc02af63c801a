import { open as openFile } from "node:fs/promises";
import { logoBytesMax, type ProjectRecord, type ReportLooks } from "@querent/client";
import type { Command } from "commander";
import type { Context, Open } from "../context.ts";
import { UsageError } from "../exit-codes.ts";
import { plural } from "../output/answer.ts";
import { table, type Column } from "../output/columns.ts";
import { printableLine } from "../output/printable.ts";

/** `querent project`: panels and brands that belong together, such as those of one client. */
export function addProjects(program: Command, open: Open): void {
  const projects = program
    .command("project")
    .description("projects: panels and brands that belong together, such as those of one client");
  projects
    .command("list")
    .description("list the projects")
    .action(async (_flags: object, command: Command) => {
      const { output, querent, signal } = open(command);
      const list = await querent.projects.list({ signal });
      await output.show({ projects: list }, () => table(columns, list.map(cellsOf), output.width));
    });
  projects
    .command("create")
    .description("create a project")
    .argument("<name>")
    .action(async (name: string, _flags: object, command: Command) => {
      const { output, querent, signal } = open(command);
      const made = await querent.projects.create({ name }, { signal });
      await output.show(made, () => [lineOf(made)]);
    });
  projects
    .command("rename")
    .description("give a project another name")
    .argument("<project>", "its name or id")
    .argument("<name>", "the new name")
    .action(async (given: string, name: string, _flags: object, command: Command) => {
      const context = open(command);
      const { output, querent, signal } = context;
      const renamed = await querent.projects.change(
        (await projectNamed(context, given)).projectId,
        { name },
        { signal },
      );
      await output.show(renamed, () => [lineOf(renamed)]);
    });
  for (const archived of [true, false])
    projects
      .command(archived ? "archive" : "restore")
      .description(
        archived
          ? "pause the schedules of a project's panels, and let it take no new panels and brands"
          : "let an archived project take panels and brands again; schedules stay paused",
      )
      .argument("<project>", "its name or id")
      .action(async (given: string, _flags: object, command: Command) => {
        const context = open(command);
        const { output, querent, signal } = context;
        const { projectId, name } = await projectNamed(context, given);
        const changed = await querent.projects.change(projectId, { name, archived }, { signal });
        await output.show(changed, () => [lineOf(changed)]);
      });
  addMove(projects, open);
  addLooks(projects, open);
  projects
    .command("delete")
    .description("delete a project that has no panels and brands")
    .argument("<project>", "its name or id")
    .action(async (given: string, _flags: object, command: Command) => {
      const context = open(command);
      const { output, querent, signal } = context;
      const { projectId, name } = await projectNamed(context, given);
      await querent.projects.delete(projectId, { signal });
      await output.show({ projectId, deleted: true }, () => [`${printableLine(name)} is deleted`]);
    });
}

interface LooksFlags {
  readonly name?: string | false;
  readonly color?: string | false;
  readonly logo?: string | false;
}

function addLooks(projects: Command, open: Open): void {
  projects
    .command("looks")
    .description("show or change the name, logo and colour of a project's reports")
    .argument("<project>", "its name or id")
    .option("--name <name>", "of the client, or of the agency")
    .option("--no-name", "no name")
    .option("--color <#rrggbb>", "such as #0b5c7a")
    .option("--no-color", "that of Querent")
    .option("--logo <file>", "a PNG, JPEG or WebP file of at most 256 KiB")
    .option("--no-logo", "no logo")
    .action(async (given: string, { name, color, logo }: LooksFlags, command: Command) => {
      const context = open(command);
      const { output, querent, signal } = context;
      const { projectId } = await projectNamed(context, given);
      const before = await querent.projects.looks(projectId, { signal });
      const isChanged = [name, color, logo].some((flag) => flag !== undefined);
      const looks = isChanged
        ? await querent.projects.putLooks(
            projectId,
            {
              name: chosen(name, before.name),
              color: chosen(color, before.color),
              logo: chosen(typeof logo === "string" ? await logoIn(logo) : logo, before.logo?.data ?? null),
            },
            { signal },
          )
        : before;
      await output.show(looks, () => [looksLine(looks)]);
    });
}

/** A flag that is not given leaves what there was. */
const chosen = (flag: string | false | undefined, before: string | null) =>
  flag === undefined ? before : flag === false ? null : flag;

/** More than the service takes is not read. */
async function logoIn(path: string): Promise<string> {
  const file = await openFile(path).catch((error: unknown) => {
    throw new UsageError(`${path} can't be read: ${error instanceof Error ? error.message : ""}`);
  });
  try {
    const { bytesRead, buffer } = await file.read(Buffer.alloc(logoBytesMax + 1), 0, logoBytesMax + 1, 0);
    if (bytesRead > logoBytesMax)
      throw new UsageError(`${path} is larger than ${logoBytesMax / 1024} KiB. Make it smaller.`);
    return buffer.subarray(0, bytesRead).toString("base64");
  } finally {
    await file.close();
  }
}

const looksLine = ({ name, color, logo }: ReportLooks) =>
  [
    name === null ? "no name" : printableLine(name),
    color ?? "the colour of Querent",
    logo === null ? "no logo" : `a logo of ${logo.width} × ${logo.height} pixels (${logo.type})`,
  ].join(", ");

function addMove(projects: Command, open: Open): void {
  projects
    .command("move")
    .description("move panels, with their brands and all that belongs to them, and other brands to a project")
    .argument("<project>", "the name or id of the project to which they move")
    .argument("[panelId...]", "panels")
    .option("--entity <entityId...>", "brands that are in the set of none of the panels")
    .action(async (given: string, panelIds: string[], { entity }: { entity?: string[] }, command: Command) => {
      const context = open(command);
      const { output, querent, signal } = context;
      if (panelIds.length === 0 && entity === undefined)
        throw new UsageError("Nothing to move. Give the ids of panels, or of brands with --entity.");
      const { projectId, name } = await projectNamed(context, given);
      const what = { panelIds, ...(entity === undefined ? {} : { entityIds: entity }) };
      const moved = await querent.projects.move(projectId, what, { signal });
      await output.show(moved, () => [
        `moved ${plural(moved.panelIds.length, "panel")} and ${plural(moved.entityIds.length, "brand")} to ${printableLine(name)}`,
      ]);
    });
}

/** The project that is meant by its id or its name, as the service understands `--project`. */
export async function projectNamed({ querent, signal }: Context, given: string): Promise<ProjectRecord> {
  const projects = await querent.projects.list({ signal });
  const found =
    projects.find(({ projectId }) => projectId === given) ?? projects.find(({ name }) => name === given.trim());
  if (found === undefined) throw new UsageError(`There is no project ${given}. \`querent project list\` lists them.`);
  return found;
}

const columns: readonly Column[] = [
  { head: "PROJECT" },
  { head: "NAME", least: 12 },
  { head: "PANELS", align: "right" },
  { head: "BRANDS", align: "right" },
  { head: "STATE", optional: 1 },
];

const stateOf = ({ isDefault, archivedAt }: ProjectRecord) =>
  archivedAt !== null ? "archived" : isDefault ? "default" : "";

const cellsOf = (project: ProjectRecord): string[] => [
  project.projectId,
  printableLine(project.name),
  String(project.panelCount),
  String(project.entityCount),
  stateOf(project),
];

const lineOf = (project: ProjectRecord): string => {
  const { projectId, name, panelCount, entityCount } = project;
  const state = stateOf(project);
  return `${projectId}  ${printableLine(name)}: ${plural(panelCount, "panel")}, ${plural(entityCount, "brand")}${state === "" ? "" : `, ${state}`}`;
};
