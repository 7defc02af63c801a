/** Projects: what stands in one is kept apart from what stands in others. */
import { defaultProjectName, projectsMax, type ProblemItem, type ProjectRef } from "@querent/contract";
import { ProblemError } from "../api/problem-error.ts";
import type { Caller } from "../api/route.ts";
import type { Queryable, Transaction } from "../db/index.ts";
import { newId } from "../kernel/ids.ts";
import { noteAudit } from "../runtime/audited.ts";

export interface Project extends ProjectRef {
  readonly isDefault: boolean;
  readonly archivedAt: Date | null;
}

/** Whose access it is, and to what it is limited. */
export type Access = Pick<Caller, "accountId" | "projects">;

/** SQL: a row with an `account_id` and a `project_id`, by its alias, is of the projects of a parameter. Null: of any. */
export const isOfProjects = (alias: string, parameter: number): string =>
  `($${parameter}::uuid[] is null or coalesce(${alias}.project_id, ${alias}.account_id) = any($${parameter}))`;

/** A project in a column: the default one, whose id is that of the account, is null. */
export const storedProject = (accountId: string, projectId: string): string | null =>
  projectId === accountId ? null : projectId;

export const noSuchProject = () => new ProblemError("not_found", "There is no such project.");

/** The projects of an account, or those of them to which an access is limited: the default one first, then by name. */
export async function listProjects(
  db: Queryable,
  { accountId, projects }: { readonly accountId: string; readonly projects: readonly string[] | null },
): Promise<Project[]> {
  // Index: the primary key; an account has few.
  const { rows } = await db.query<{ id: string; name: string; archived_at: Date | null }>(
    "select id, name, archived_at from projects where account_id = $1 and ($2::uuid[] is null or id = any($2))",
    [accountId, projects],
  );
  const stored = rows.map(({ id, name, archived_at: archivedAt }) => ({
    projectId: id,
    name,
    isDefault: id === accountId,
    archivedAt,
  }));
  const hasDefault = stored.some(({ isDefault }) => isDefault) || projects?.includes(accountId) === false;
  const all = hasDefault
    ? stored
    : [...stored, { projectId: accountId, name: defaultProjectName, isDefault: true, archivedAt: null }];
  return all.toSorted(
    (one, other) => Number(other.isDefault) - Number(one.isDefault) || one.name.localeCompare(other.name, "en"),
  );
}

/** The projects to which accesses are limited, with their names: a function of their ids. Those that were deleted are left out. */
export async function projectRefs(
  db: Queryable,
  accountId: string,
): Promise<(ids: readonly string[] | null) => ProjectRef[] | null> {
  const all = await listProjects(db, { accountId, projects: null });
  return (ids) =>
    ids === null ? null : all.flatMap(({ projectId, name }) => (ids.includes(projectId) ? [{ projectId, name }] : []));
}

/** Throws an error that names each id that is no project of the account. */
export async function requireProjects(
  db: Queryable,
  accountId: string,
  ids: readonly string[] | null,
  pointer = "/projects",
): Promise<void> {
  if (ids === null) return;
  const known = new Set((await listProjects(db, { accountId, projects: ids })).map(({ projectId }) => projectId));
  const errors = ids.flatMap((id, index): ProblemItem[] =>
    known.has(id)
      ? []
      : [{ pointer: `${pointer}/${index}`, code: "not_allowed", detail: "The account has no project with this id." }],
  );
  if (errors.length > 0)
    throw new ProblemError("validation_failed", "The body is not valid. Nothing was done.", { errors });
}

/** What of an account a list shows: the project that is asked for, or all of the access. Null: everything. */
export async function projectsToList(
  db: Queryable,
  access: Access,
  asked: string | undefined,
): Promise<readonly string[] | null> {
  return asked === undefined ? access.projects : [(await findProject(db, access, asked)).projectId];
}

/** The id of the project in which something is created: the one that is asked for, or the only one of the access, or the default one. */
export async function projectForNew(db: Queryable, access: Access, asked: string | undefined): Promise<string> {
  if (asked !== undefined) return (await findProject(db, access, asked)).projectId;
  const { accountId, projects } = access;
  if (projects === null) return accountId;
  const [only, ...others] = projects;
  if (only !== undefined && others.length === 0) return only;
  const detail = "The access is limited to several projects: name the one in which it is created.";
  throw new ProblemError("validation_failed", detail, {
    errors: [{ pointer: "?project", code: "required", detail }],
  });
}

/** By id or name. One that the access is not for is not there. */
async function findProject(db: Queryable, access: Access, asked: string): Promise<Project> {
  const projects = await listProjects(db, access);
  const found =
    projects.find(({ projectId }) => projectId === asked) ?? projects.find(({ name }) => name === asked.trim());
  if (found === undefined) throw noSuchProject();
  return found;
}

/** Keeps a project as it is until something has been created in it. */
export async function holdProject(
  tx: Transaction,
  { accountId, projectId }: { readonly accountId: string; readonly projectId: string },
): Promise<void> {
  // Locks: the project's row, against its deletion. Index: the primary key. The default project may have no row, and is not deleted.
  const { rows } = await tx.query<{ archived_at: Date | null }>(
    "select archived_at from projects where account_id = $1 and id = $2 for share",
    [accountId, projectId],
  );
  const [row] = rows;
  if (row === undefined && projectId !== accountId) throw noSuchProject();
  if (row !== undefined && row.archived_at !== null)
    throw new ProblemError("state_conflict", "The project is archived. Restore it first, or choose another one.");
}

function requireName(text: string): string {
  const name = text.trim();
  if (name !== "" && !/\p{Cc}/u.test(name)) return name;
  throw new ProblemError("validation_failed", "The body is not valid. Nothing was done.", {
    errors: [{ pointer: "/name", code: "malformed", detail: "A name has letters, and no control characters." }],
  });
}

/** Creates a project, unless there is one of its name. */
export async function createProject(
  tx: Transaction,
  { accountId, name: text }: { readonly accountId: string; readonly name: string },
): Promise<string> {
  const name = requireName(text);
  await storeDefault(tx, accountId);
  // Locks: the default project's row, so that projects are created one after the other. Index: the primary key.
  await tx.query("select from projects where account_id = $1 and id = $1 for update", [accountId]);
  const { rows } = await tx.query<{ count: number }>(
    "select count(*)::int as count from projects where account_id = $1",
    [accountId],
  );
  if ((rows[0]?.count ?? 0) >= projectsMax)
    throw new ProblemError("state_conflict", `The account has ${projectsMax} projects, which is the most.`);
  const projectId = newId();
  const { rowCount } = await tx.query(
    "insert into projects (account_id, id, name) values ($1, $2, $3) on conflict do nothing",
    [accountId, projectId, name],
  );
  if (rowCount === 0) throw taken(name);
  noteAudit({ target: { type: "project", id: projectId }, after: { name } });
  return projectId;
}

const taken = (name: string) =>
  new ProblemError("state_conflict", `The account has a project with the name ${name}. Nothing was changed.`);

/** Stores the default project, so that no other takes its name. */
async function storeDefault(tx: Transaction, accountId: string): Promise<void> {
  // Locks: the new row.
  await tx.query("insert into projects (account_id, id, name) values ($1, $1, $2) on conflict do nothing", [
    accountId,
    defaultProjectName,
  ]);
}

/** Renames a project, and archives or restores it. Tells whether it has been archived by this. */
export async function changeProject(
  tx: Transaction,
  {
    accountId,
    projectId,
    name: text,
    archived,
  }: {
    readonly accountId: string;
    readonly projectId: string;
    readonly name: string;
    readonly archived: boolean | null;
  },
): Promise<boolean> {
  const name = requireName(text);
  if (projectId === accountId) await storeDefault(tx, accountId);
  const before = await lockProject(tx, accountId, projectId);
  if (projectId === accountId && archived === true)
    throw new ProblemError(
      "state_conflict",
      "The default project stays in use: what names no project is created there.",
    );
  const { rows: others } = await tx.query("select from projects where account_id = $1 and name = $2 and id <> $3", [
    accountId,
    name,
    projectId,
  ]);
  if (others.length > 0) throw taken(name);
  const isArchived = archived ?? before.archivedAt !== null;
  await tx.query(
    `update projects set name = $3, archived_at = case when $4 then coalesce(archived_at, date_trunc('milliseconds', now())) end
      where account_id = $1 and id = $2`,
    [accountId, projectId, name, isArchived],
  );
  noteAudit({
    before: { name: before.name, archived: before.archivedAt !== null },
    after: { name, archived: isArchived },
  });
  return isArchived && before.archivedAt === null;
}

/** Deletes a project in which nothing stands. */
export async function deleteProject(
  tx: Transaction,
  { accountId, projectId }: { readonly accountId: string; readonly projectId: string },
  contents: (tx: Transaction) => Promise<Contents>,
): Promise<void> {
  if (projectId === accountId) throw new ProblemError("state_conflict", "The default project cannot be deleted.");
  const { name } = await lockProject(tx, accountId, projectId);
  const { panelCount, entityCount } = await contents(tx);
  if (panelCount + entityCount > 0)
    throw new ProblemError(
      "state_conflict",
      `The project has ${panelCount} panels and ${entityCount} brands. Move or delete them first. Nothing was deleted.`,
    );
  await tx.query("delete from projects where account_id = $1 and id = $2", [accountId, projectId]);
  await tx.query("delete from report_looks where account_id = $1 and project_id = $2", [accountId, projectId]);
  noteAudit({ before: { name } });
}

/** How much stands in a project. */
export interface Contents {
  readonly panelCount: number;
  readonly entityCount: number;
}

async function lockProject(
  tx: Transaction,
  accountId: string,
  projectId: string,
): Promise<Pick<Project, "name" | "archivedAt">> {
  // Locks: the project's row. Index: the primary key.
  const { rows } = await tx.query<{ name: string; archived_at: Date | null }>(
    "select name, archived_at from projects where account_id = $1 and id = $2 for update",
    [accountId, projectId],
  );
  const [row] = rows;
  if (row === undefined) throw noSuchProject();
  return { name: row.name, archivedAt: row.archived_at };
}
