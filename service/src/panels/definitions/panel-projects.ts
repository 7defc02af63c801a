/** Panels in projects: how many there are, and how they are moved. */
import type { MovedToProject, PanelContent } from "@querent/contract";
import type { Database, Queryable, Transaction } from "../../db/index.ts";
import { ProblemError } from "../../api/problem-error.ts";
import { lockEntities } from "../../observations/entities/change-entities.ts";
import { countEntities } from "../../observations/entities/entity-rows.ts";
import { entitiesElsewhere, moveEntities } from "../../observations/entities/move-entities.ts";
import {
  holdProject,
  isOfProjects,
  projectsToList,
  storedProject,
  type Access,
  type Contents,
} from "../../projects/index.ts";
import { noteAudit } from "../../runtime/audited.ts";
import type { PanelBrands, PanelPlace } from "./panel-brands.ts";

/** What stands in the projects of an account, by id. */
export async function contentsOfProjects(db: Queryable, accountId: string): Promise<ReadonlyMap<string, Contents>> {
  // Index: the primary key; an account has few panels.
  const { rows } = await db.query<{ project: string; count: number }>(
    "select coalesce(project_id, account_id) as project, count(*)::int as count from panels where account_id = $1 group by 1",
    [accountId],
  );
  const panels = new Map(rows.map(({ project, count }) => [project, count]));
  const entities = await countEntities(db, accountId);
  return new Map(
    [...new Set([...panels.keys(), ...entities.keys()])].map((id) => [
      id,
      { panelCount: panels.get(id) ?? 0, entityCount: entities.get(id) ?? 0 },
    ]),
  );
}

/** Pauses the schedules of a project's panels. */
export async function pausePanels(tx: Transaction, { accountId, projectId }: PanelPlace): Promise<void> {
  // Locks: the rows of the project's panels. Index: the primary key; an account has few panels.
  await tx.query(
    `update panels set schedule = jsonb_set(schedule, '{paused}', 'true'), next_slot = null, due_at = null,
            updated_at = date_trunc('milliseconds', now())
      where account_id = $1 and project_id = $2 and schedule is not null and not (schedule->>'paused')::boolean`,
    [accountId, projectId],
  );
}

interface PanelRow {
  id: string;
  name: string;
  project: string;
  brands: PanelBrands | null;
}

const setOf = ({ brands }: Pick<PanelRow, "brands">): readonly string[] =>
  brands === null ? [] : [...brands.own, ...brands.competitors];

/**
 * Moves panels to a project with the brands of their sets, and other brands. Everything else that belongs to a panel goes along, because
 * it names the panel and not a project.
 */
export async function moveToProject(
  database: Database,
  place: PanelPlace,
  { panelIds, entityIds }: { readonly panelIds: readonly string[]; readonly entityIds: readonly string[] },
): Promise<MovedToProject> {
  const { accountId, projectId } = place;
  return database.transaction(async (tx) => {
    await holdProject(tx, place);
    // Answers are searched for the entities of each project apart, so that this is a new version of them.
    await lockEntities(tx, accountId);
    const panels = await lockPanels(tx, accountId, panelIds);
    const brandIds = [...new Set([...panels.flatMap(setOf), ...entityIds])];
    const entities = await entitiesElsewhere(tx, place, brandIds, entityIds);
    await refuseSharedBrands(tx, accountId, { panelIds, entities });
    await moveEntities(tx, place, entities);
    const moved = panels.filter(({ project }) => project !== projectId);
    await tx.query(
      `update panels set project_id = $2, updated_at = date_trunc('milliseconds', now())
        where account_id = $1 and id = any($3::uuid[])`,
      [accountId, storedProject(accountId, projectId), moved.map(({ id }) => id)],
    );
    const result = { panelIds: moved.map(({ id }) => id), entityIds: entities.map(({ id }) => id) };
    noteAudit({
      before: { projectIds: [...new Set([...moved, ...entities].map(({ project }) => project))] },
      after: result,
    });
    return result;
  });
}

async function lockPanels(tx: Transaction, accountId: string, panelIds: readonly string[]): Promise<PanelRow[]> {
  // Locks: the panels' rows, in their order. Index: the primary keys.
  const { rows } = await tx.query<PanelRow & Record<string, unknown>>(
    `select p.id, p.name, coalesce(p.project_id, p.account_id) as project, coalesce(nullif(r.content->'brands', 'null'), p.brands) as brands
       from panels p
       join panel_revisions r on r.account_id = p.account_id and r.panel_id = p.id and r.revision = p.revision
      where p.account_id = $1 and p.id = any($2::uuid[]) order by p.id for update of p`,
    [accountId, panelIds],
  );
  if (rows.length < panelIds.length) throw new ProblemError("not_found", "There is no such panel.");
  return rows;
}

/** A brand goes along only if no panel that stays has it in its set. */
async function refuseSharedBrands(
  tx: Transaction,
  accountId: string,
  {
    panelIds,
    entities,
  }: {
    readonly panelIds: readonly string[];
    readonly entities: readonly { readonly id: string; readonly name: string }[];
  },
): Promise<void> {
  if (entities.length === 0) return;
  // Index: the primary keys; an account has few panels. Locks nothing.
  const { rows } = await tx.query<{ name: string; brands: NonNullable<PanelContent["brands"]> }>(
    `select p.name, coalesce(nullif(r.content->'brands', 'null'), p.brands) as brands from panels p
       join panel_revisions r on r.account_id = p.account_id and r.panel_id = p.id and r.revision = p.revision
      where p.account_id = $1 and p.id <> all($2::uuid[]) and coalesce(nullif(r.content->'brands', 'null'), p.brands) is not null`,
    [accountId, panelIds],
  );
  const shared = rows.flatMap((panel) => {
    const set = new Set(setOf(panel));
    return entities.filter(({ id }) => set.has(id)).map((entity) => `${entity.name} (panel ${panel.name})`);
  });
  if (shared.length === 0) return;
  const more = shared.length > 5 ? ` and ${shared.length - 5} more` : "";
  throw new ProblemError(
    "state_conflict",
    `Brands are in the sets of panels that would stay: ${shared.slice(0, 5).join(", ")}${more}. Move these panels as well, or take the brands out of their sets. Nothing was moved.`,
  );
}

/** The project of the panel that asked a task. Null: no panel did, or it is gone. */
export async function projectOfTask(db: Queryable, accountId: string, taskId: string): Promise<string | null> {
  // Index: the primary keys.
  const { rows } = await db.query<{ project: string }>(
    `select coalesce(p.project_id, p.account_id) as project from panel_tasks t
       join panels p on p.account_id = t.account_id and p.id = t.panel_id
      where t.account_id = $1 and t.task_id = $2`,
    [accountId, taskId],
  );
  return rows[0]?.project ?? null;
}

/**
 * The panels whose tasks and observations a list shows: those of the project that is asked for, or of all projects of the access. Null:
 * everything, also what no panel asked.
 */
export async function panelsToList(
  db: Queryable,
  access: Access,
  asked: string | undefined,
): Promise<readonly string[] | null> {
  const projects = await projectsToList(db, access, asked);
  if (projects === null) return null;
  // Index: the primary key; an account has few panels.
  const { rows } = await db.query<{ id: string }>(
    `select p.id from panels p where p.account_id = $1 and ${isOfProjects("p", 2)}`,
    [access.accountId, projects],
  );
  return rows.map(({ id }) => id);
}
