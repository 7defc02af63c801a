import { ProblemError } from "../../api/problem-error.ts";
import { rowsAs, type Transaction } from "../../db/index.ts";
import { storedProject } from "../../projects/index.ts";
import { storedName } from "./entity-rows.ts";

interface Moved {
  readonly id: string;
  readonly project: string;
  readonly name: string;
}

const renamed = rowsAs<{ readonly id: string; readonly name: string }>("moved", {
  id: ["uuid", ({ id }) => id],
  name: ["text", ({ name }) => name],
});

/** Finds the entities with these ids that stand in another project. Throws an error if the account does not have one of those `required`. */
export async function entitiesElsewhere(
  tx: Transaction,
  { accountId, projectId }: { readonly accountId: string; readonly projectId: string },
  entityIds: readonly string[],
  required: readonly string[],
): Promise<Moved[]> {
  // Locks: the entities' rows. Index: the primary key.
  const { rows } = await tx.query<Moved & Record<string, unknown>>(
    `select id, coalesce(project_id, account_id) as project, content->>'name' as name from entities
      where account_id = $1 and id = any($2::uuid[]) order by id for update`,
    [accountId, entityIds],
  );
  const known = new Set(rows.map(({ id }) => id));
  if (required.some((id) => !known.has(id))) throw new ProblemError("not_found", "There is no such entity.");
  return rows.filter(({ project }) => project !== projectId);
}

/** Moves entities to a project that has none of their names. The caller has locked the account's entities. */
export async function moveEntities(
  tx: Transaction,
  { accountId, projectId }: { readonly accountId: string; readonly projectId: string },
  entities: readonly Moved[],
): Promise<void> {
  if (entities.length === 0) return;
  const moved = entities.map(({ id, name }) => ({ id, name: storedName(accountId, projectId, name) }));
  // Index: entity_by_name.
  const { rows } = await tx.query<{ name: string }>(
    "select content->>'name' as name from entities where account_id = $1 and name = any($2) order by 1",
    [accountId, moved.map(({ name }) => name)],
  );
  const names = [...rows.map(({ name }) => name), ...repeated(entities.map(({ name }) => name))];
  if (names.length > 0)
    throw new ProblemError(
      "state_conflict",
      `The project would have two brands of the same name: ${names.slice(0, 5).join(", ")}. Rename or delete one of each first. Nothing was moved.`,
    );
  // Locks: the rows, which the caller has locked before.
  await tx.query(
    `update entities e set project_id = $2, name = moved.name, updated_at = now()
       from ${renamed.after(2)} where e.account_id = $1 and e.id = moved.id`,
    [accountId, storedProject(accountId, projectId), ...renamed.values(moved)],
  );
}

const repeated = (names: readonly string[]): string[] => names.filter((name, index) => names.indexOf(name) < index);
