/** The limit of an access to projects: one check for all operations, before their handlers. */
import { projectReach, projectScopes, type Operation, type Scope } from "@querent/contract";
import { ProblemError } from "../api/problem-error.ts";
import type { Caller } from "../api/route.ts";
import type { Queryable } from "../db/index.ts";
import { noSuchProject, projectsToList } from "./projects.ts";

/** What is left of scopes for an access that is limited to projects. */
export const limitedScopes = (scopes: readonly Scope[], projects: readonly string[] | null): readonly Scope[] =>
  projects === null ? scopes : scopes.filter((scope) => projectScopes.includes(scope));

/** Finds the project of something by its id; null if the account does not have it. */
type ProjectOf = (accountId: string, id: string) => Promise<string | null>;

export interface NamedThings {
  readonly panel: ProjectOf;
  readonly entity: ProjectOf;
  /** A task is of the project of the panel that asked it, and so is a batch. */
  readonly task: ProjectOf;
  readonly batch: ProjectOf;
}

/** Refuses a request that goes beyond the projects to which its access is limited. */
export type ProjectGuard = (request: {
  readonly operation: Operation;
  readonly caller: Caller;
  readonly params: Readonly<Record<string, unknown>>;
  readonly query: Readonly<Record<string, unknown>>;
}) => Promise<void>;

/** What names something of a project: parameters of paths and queries. What another project has is not there. */
const names = [
  { in: "params", name: "panel_id", of: "panel" },
  { in: "params", name: "entity_id", of: "entity" },
  { in: "params", name: "project_id", of: "project" },
  { in: "params", name: "task_id", of: "task" },
  { in: "params", name: "batch_id", of: "batch" },
  { in: "query", name: "panelId", of: "panel" },
  { in: "query", name: "withPanelId", of: "panel" },
  { in: "query", name: "entityId", of: "entity" },
  { in: "query", name: "taskId", of: "task" },
  { in: "query", name: "batchId", of: "batch" },
] as const;

const absent = {
  panel: () => new ProblemError("not_found", "There is no such panel."),
  entity: () => new ProblemError("not_found", "There is no such entity."),
  project: noSuchProject,
  task: () => new ProblemError("not_found", "There is no such task."),
  batch: () => new ProblemError("not_found", "There is no such batch."),
};

export function projectGuard(db: Queryable, projectOf: NamedThings): ProjectGuard {
  return async ({ operation, caller: { accountId, projects }, params, query }) => {
    // What operators do is about no account.
    if (projects === null || operation.scope === "admin") return;
    const reach = projectReach(operation);
    if (reach === "refused")
      throw new ProblemError(
        "scope_missing",
        "This operation is about the whole account, and this access is limited to projects. Ask an owner of the account.",
      );
    // Before the body is read, as for what is named below.
    if (typeof query["project"] === "string") await projectsToList(db, { accountId, projects }, query["project"]);
    if (reach === "none") return;
    const given = { params, query };
    for (const { in: place, name, of } of names) {
      const id = given[place][name];
      if (typeof id !== "string") continue;
      const projectId = of === "project" ? id : await projectOf[of](accountId, id);
      if (projectId === null || !projects.includes(projectId)) throw absent[of]();
    }
  };
}
