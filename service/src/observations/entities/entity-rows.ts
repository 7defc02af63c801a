import type { EntityRecord, EntityRevision } from "@querent/contract";
import type { Queryable } from "../../db/index.ts";
import { isOfProjects, storedProject, type Contents } from "../../projects/index.ts";
import { type EntityContent, definitionOf } from "./entity-content.ts";
import type { EntityDefinition } from "./compile-entities.ts";

export interface EntityRecordRow {
  id: string;
  project: string;
  revision: number;
  content: EntityContent;
  created_at: Date;
  updated_at: Date;
}

export const entityColumns =
  "id, coalesce(project_id, account_id) as project, revision, content, created_at, updated_at";

export const recordOf = (row: EntityRecordRow): EntityRecord => ({
  entityId: row.id,
  projectId: row.project,
  revision: row.revision,
  ...row.content,
  createdAt: row.created_at.toISOString(),
  updatedAt: row.updated_at.toISOString(),
});

export async function findEntity(db: Queryable, accountId: string, entityId: string): Promise<EntityRecordRow | null> {
  // Index: the primary key.
  const { rows } = await db.query<EntityRecordRow>(
    `select ${entityColumns} from entities where account_id = $1 and id = $2`,
    [accountId, entityId],
  );
  return rows[0] ?? null;
}

export async function listEntities(
  db: Queryable,
  accountId: string,
  {
    projects,
    relation,
    beforeId,
    limit,
  }: {
    /** Null: all. */
    projects: readonly string[] | null;
    relation: string | null;
    beforeId: string | null;
    limit: number | null;
  },
): Promise<EntityRecordRow[]> {
  // Index: the primary key; an account has few entities.
  const { rows } = await db.query<EntityRecordRow>(
    `select ${entityColumns} from entities e
      where account_id = $1 and ($2::text is null or relation = $2) and ($3::uuid is null or id < $3) and ${isOfProjects("e", 5)}
      order by id desc limit $4`,
    [accountId, relation, beforeId, limit, projects],
  );
  return rows;
}

export async function entityNames(
  db: Queryable,
  accountId: string,
  entityIds: readonly string[],
  projects: readonly string[] | null = null,
): Promise<ReadonlyMap<string, string>> {
  if (entityIds.length === 0) return new Map();
  // Index: the primary key.
  const { rows } = await db.query<{ id: string; name: string }>(
    `select id, content->>'name' as name from entities e
      where account_id = $1 and id = any($2::uuid[]) and ${isOfProjects("e", 3)}`,
    [accountId, entityIds, projects],
  );
  return new Map(rows.map(({ id, name }) => [id, name]));
}

/** What `name` holds, which is unique in the account: of the default project, the name; of others, the project's id before it. */
export const storedName = (accountId: string, projectId: string, name: string): string =>
  storedProject(accountId, projectId) === null ? name : `${projectId} ${name}`;

/** The project of an entity; null if the account does not have it. */
export async function projectOfEntity(db: Queryable, accountId: string, entityId: string): Promise<string | null> {
  return (await findEntity(db, accountId, entityId))?.project ?? null;
}

/**
 * The entities of a project, where answers may mention those of others. Null: the account has none of another project, and what answers
 * mention is of this one, or was deleted.
 */
export async function entitiesApart(
  db: Queryable,
  accountId: string,
  projectId: string,
): Promise<ReadonlySet<string> | null> {
  // Index: the primary key; an account has few entities.
  const { rows } = await db.query<{ id: string; project: string }>(
    "select id, coalesce(project_id, account_id) as project from entities where account_id = $1",
    [accountId],
  );
  const own = rows.filter(({ project }) => project === projectId);
  return projectId === accountId && own.length === rows.length ? null : new Set(own.map(({ id }) => id));
}

/** How many entities each project has. */
export async function countEntities(
  db: Queryable,
  accountId: string,
): Promise<ReadonlyMap<string, Contents["entityCount"]>> {
  // Index: the primary key; an account has few entities.
  const { rows } = await db.query<{ project: string; count: number }>(
    "select coalesce(project_id, account_id) as project, count(*)::int as count from entities where account_id = $1 group by 1",
    [accountId],
  );
  return new Map(rows.map(({ project, count }) => [project, count]));
}

/**
 * When answers began to be searched for entities by other names: when each was created, and at each change of its names, aliases and
 * negative contexts. Oldest first.
 */
export async function searchChanges(
  db: Queryable,
  accountId: string,
  entityIds: readonly string[],
): Promise<ReadonlyMap<string, readonly string[]>> {
  if (entityIds.length === 0) return new Map();
  // Index: the primary key. Locks nothing.
  const { rows } = await db.query<{ entity_id: string; times: Date[] }>(
    `select entity_id, array_agg(created_at order by revision) as times from (
       select entity_id, revision, created_at, content - array['kind', 'relation', 'domains'] as names,
              lag(content - array['kind', 'relation', 'domains']) over (partition by entity_id order by revision) as before
         from entity_revisions where account_id = $1 and entity_id = any($2::uuid[])) changes
      where names is distinct from before group by entity_id`,
    [accountId, entityIds],
  );
  return new Map(rows.map(({ entity_id: id, times }) => [id, times.map((time) => time.toISOString())]));
}

/** What has been declined for an entity, by `keyOf`. */
export async function declinedKeys(db: Queryable, accountId: string, entityId: string): Promise<ReadonlySet<string>> {
  // Index: the primary key.
  const { rows } = await db.query<{ declined: string[] }>(
    "select declined from entities where account_id = $1 and id = $2",
    [accountId, entityId],
  );
  return new Set(rows[0]?.declined);
}

const revisionsMax = 200;

export async function listRevisions(db: Queryable, accountId: string, entityId: string): Promise<EntityRevision[]> {
  // Index: the primary key.
  const { rows } = await db.query<{ revision: number; content: EntityContent; created_at: Date }>(
    `select revision, content, created_at from entity_revisions
      where account_id = $1 and entity_id = $2 order by revision desc limit $3`,
    [accountId, entityId, revisionsMax],
  );
  return rows.map(({ revision, content, created_at: at }) => ({ revision, ...content, createdAt: at.toISOString() }));
}

/** Each is up to 100 kB. */
const entitiesAtOnce = 20;

/** What the entities with these ids are found by, as pages of text for `definitionsIn`. */
export async function* entityPages(
  db: Queryable,
  accountId: string,
  ids: readonly string[],
): AsyncGenerator<string, void, void> {
  for (let at = 0; at < ids.length; at += entitiesAtOnce) {
    // Index: the primary key. Locks nothing.
    const { rows } = await db.query<{ line: string }>(
      `select json_build_array(id, content)::text as line from entities where account_id = $1 and id = any($2::uuid[]) order by id`,
      [accountId, ids.slice(at, at + entitiesAtOnce)],
    );
    if (rows.length > 0) yield rows.map(({ line }) => line).join("\n");
  }
}

export const definitionsIn = (page: string): EntityDefinition[] =>
  page.split("\n").map((line) => {
    // Stored after it was checked.
    const [id, content] = JSON.parse(line) as [string, EntityContent];
    return definitionOf(id, content);
  });
