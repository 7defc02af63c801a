import { api, type ProjectRecord } from "@querent/contract";
import { route, type Route } from "../api/route.ts";
import type { Database, Queryable, Transaction } from "../db/index.ts";
import { checkLooks, putLooks, readLooks } from "./looks.ts";
import {
  changeProject,
  createProject,
  deleteProject,
  listProjects,
  noSuchProject,
  type Access,
  type Contents,
  type Project,
} from "./projects.ts";

export interface ProjectRouteDeps {
  readonly database: Database;
  /** What stands in the projects of an account, by id. */
  readonly contents: (db: Queryable, accountId: string) => Promise<ReadonlyMap<string, Contents>>;
  /** Called in the transaction that archives a project. */
  readonly onArchived: (tx: Transaction, project: { accountId: string; projectId: string }) => Promise<void>;
}

const nothing: Contents = { panelCount: 0, entityCount: 0 };

export function projectRoutes({ database, contents, onArchived }: ProjectRouteDeps): Route[] {
  const records = async (access: Access): Promise<ProjectRecord[]> => {
    const [projects, counts] = await Promise.all([
      listProjects(database, access),
      contents(database, access.accountId),
    ]);
    return projects.map((project) => recordOf(project, counts.get(project.projectId) ?? nothing));
  };
  const record = async (accountId: string, projectId: string): Promise<ProjectRecord> => {
    const [found] = await records({ accountId, projects: [projectId] });
    if (found === undefined) throw noSuchProject();
    return found;
  };
  /** A project of the access, by its id. */
  const placeOf = async ({ accountId, projects }: Access, projectId: string) => {
    const listed = await listProjects(database, { accountId, projects });
    if (!listed.some((project) => project.projectId === projectId)) throw noSuchProject();
    return { accountId, projectId };
  };
  return [
    route(api.listProjects, async ({ caller }) => ({ status: 200, body: { projects: await records(caller) } })),
    route(api.createProject, async ({ caller: { accountId }, body: { name } }) => {
      const projectId = await database.transaction((tx) => createProject(tx, { accountId, name }));
      return { status: 201, body: await record(accountId, projectId) };
    }),
    route(api.getReportLooks, async ({ caller, params }) => ({
      status: 200,
      body: await readLooks(database, await placeOf(caller, params.project_id)),
    })),
    route(api.putReportLooks, async ({ caller, params, body }) => {
      const of = await placeOf(caller, params.project_id);
      const checked = checkLooks(body);
      await database.transaction((tx) => putLooks(tx, of, checked));
      return { status: 200, body: await readLooks(database, of) };
    }),
    route(api.putProject, async ({ caller: { accountId }, params, body: { name, archived = null } }) => {
      const project = { accountId, projectId: params.project_id };
      await database.transaction(async (tx) => {
        if (await changeProject(tx, { ...project, name, archived })) await onArchived(tx, project);
      });
      return { status: 200, body: await record(accountId, project.projectId) };
    }),
    route(api.deleteProject, async ({ caller: { accountId }, params: { project_id: projectId } }) => {
      await database.transaction((tx) =>
        deleteProject(
          tx,
          { accountId, projectId },
          async () => (await contents(tx, accountId)).get(projectId) ?? nothing,
        ),
      );
      return { status: 204 };
    }),
  ];
}

const recordOf = ({ projectId, name, isDefault, archivedAt }: Project, contents: Contents): ProjectRecord => ({
  projectId,
  name,
  isDefault,
  ...contents,
  archivedAt: archivedAt?.toISOString() ?? null,
});
