/** `querentd project`: the projects of accounts, for operators. Each can run beside a service. */
import type { Command } from "commander";
import type { Database } from "../../db/index.ts";
import { contentsOfProjects, moveToProject, pausePanels } from "../../panels/index.ts";
import { changeProject, createProject, deleteProject, listProjects } from "../../projects/index.ts";
import { noteAudit } from "../../runtime/audited.ts";
import { accountNamed } from "./account-commands.ts";
import { oneNamed } from "./project-names.ts";
import { print, readUuid, withDatabase, type OperatorOutput } from "./operator-command.ts";
import { table, type TableColumn } from "./table.ts";

type OfAccount = OperatorOutput & { account: string };

export function addProjectCommands(program: Command): void {
  const project = program.command("project").description("manage the projects of accounts, such as those of clients");
  addList(project);
  addCreate(project);
  addChanges(project);
  addDelete(project);
  addMove(project);
}

const accountOption = ["--account <name>", "the account"] as const;

function addList(project: Command): void {
  project
    .command("list")
    .description("list an account's projects")
    .requiredOption(...accountOption)
    .option("--json", "print JSON")
    .action((options: OfAccount) =>
      withDatabase(async ({ database }) => {
        const accountId = await accountNamed(database, options.account);
        const contents = await contentsOfProjects(database, accountId);
        const projects = (await listProjects(database, { accountId, projects: null })).map((row) => ({
          ...row,
          ...(contents.get(row.projectId) ?? { panelCount: 0, entityCount: 0 }),
        }));
        print(
          options,
          projects,
          table(
            columns,
            projects.map((row) => [
              row.projectId,
              row.name,
              row.panelCount,
              row.entityCount,
              row.archivedAt?.toISOString() ?? "-",
            ]),
          ),
        );
      }),
    );
}

const columns: readonly TableColumn[] = [
  { head: "ID" },
  { head: "NAME", least: 8 },
  { head: "PANELS" },
  { head: "BRANDS" },
  { head: "ARCHIVED", optional: 1 },
];

function addCreate(project: Command): void {
  project
    .command("create")
    .description("create a project")
    .argument("<name>", "its name")
    .requiredOption(...accountOption)
    .option("--json", "print JSON")
    .action((name: string, options: OfAccount) =>
      withDatabase(async ({ database }) => {
        const accountId = await accountNamed(database, options.account);
        const projectId = await database.transaction((tx) => createProject(tx, { accountId, name }));
        print(options, { projectId, name: name.trim(), account: options.account }, projectId);
      }),
    );
}

function addChanges(project: Command): void {
  project
    .command("rename")
    .description("rename a project")
    .argument("<project>", "its name or id")
    .argument("<name>", "the new name")
    .requiredOption(...accountOption)
    .option("--json", "print JSON")
    .action((text: string, name: string, options: OfAccount) =>
      withDatabase(async ({ database }) => {
        const accountId = await accountNamed(database, options.account);
        const { projectId } = await projectNamed(database, accountId, text);
        await database.transaction((tx) => changeProject(tx, { accountId, projectId, name, archived: null }));
        print(options, { projectId, name: name.trim() }, `The project is called ${name.trim()}.`);
      }),
    );
  for (const [command, archived, description, said] of [
    [
      "archive",
      true,
      "archive a project: it takes nothing new, and its schedules are paused",
      "is archived, and the schedules of its panels are paused",
    ],
    ["restore", false, "take a project into use again; schedules stay paused", "is in use again"],
  ] as const)
    project
      .command(command)
      .description(description)
      .argument("<project>", "its name or id")
      .requiredOption(...accountOption)
      .option("--json", "print JSON")
      .action((text: string, options: OfAccount) =>
        withDatabase(async ({ database }) => {
          const accountId = await accountNamed(database, options.account);
          const { projectId, name } = await projectNamed(database, accountId, text);
          await database.transaction(async (tx) => {
            if (await changeProject(tx, { accountId, projectId, name, archived }))
              await pausePanels(tx, { accountId, projectId });
          });
          print(options, { projectId, name, archived }, `${name} ${said}.`);
        }),
      );
}

function addDelete(project: Command): void {
  project
    .command("delete")
    .description("delete a project that has no panels and brands")
    .argument("<project>", "its name or id")
    .requiredOption(...accountOption)
    .option("--json", "print JSON")
    .action((text: string, options: OfAccount) =>
      withDatabase(async ({ database }) => {
        const accountId = await accountNamed(database, options.account);
        const { projectId, name } = await projectNamed(database, accountId, text);
        await database.transaction((tx) =>
          deleteProject(
            tx,
            { accountId, projectId },
            async () => (await contentsOfProjects(tx, accountId)).get(projectId) ?? { panelCount: 0, entityCount: 0 },
          ),
        );
        print(options, { projectId, name, deleted: true }, `${name} was deleted.`);
      }),
    );
}

function addMove(project: Command): void {
  project
    .command("move")
    .description("move panels, with their brands and all that belongs to them, to a project")
    .argument("<project>", "the name or id of the project that gets them")
    .argument("<panel...>", "the ids of panels", readUuids)
    .requiredOption(...accountOption)
    .option("--json", "print JSON")
    .action((text: string, panelIds: string[], options: OfAccount) =>
      withDatabase(async ({ database }) => {
        const accountId = await accountNamed(database, options.account);
        const { projectId, name } = await projectNamed(database, accountId, text);
        const moved = await moveToProject(database, { accountId, projectId }, { panelIds, entityIds: [] });
        print(
          options,
          { projectId, name, ...moved },
          `${moved.panelIds.length} panels and ${moved.entityIds.length} brands were moved to ${name}.`,
        );
      }),
    );
}

async function projectNamed(database: Database, accountId: string, text: string) {
  const found = oneNamed(await listProjects(database, { accountId, projects: null }), text);
  noteAudit({ target: { type: "project", id: found.projectId } });
  return found;
}

/** Collects the ids of an argument that is given several times. */
const readUuids = (id: string, ids: string[] | undefined): string[] => [...(ids ?? []), readUuid(id)];
