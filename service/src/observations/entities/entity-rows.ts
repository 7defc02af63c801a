import type { EntityRecord, EntityRevision } from "@querent/contract";
import type { Queryable } from "../../db/index.ts";
import type { EntityContent } from "./entity-content.ts";

export interface EntityRecordRow {
  id: string;
  revision: number;
  content: EntityContent;
  created_at: Date;
  updated_at: Date;
}

export const entityColumns = "id, revision, content, created_at, updated_at";

export const recordOf = (row: EntityRecordRow): EntityRecord => ({
  entityId: row.id,
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
  { relation, beforeId, limit }: { relation: string | null; beforeId: string | null; limit: number | null },
): Promise<EntityRecordRow[]> {
  // Index: the primary key; an account has few entities.
  const { rows } = await db.query<EntityRecordRow>(
    `select ${entityColumns} from entities
      where account_id = $1 and ($2::text is null or relation = $2) and ($3::uuid is null or id < $3)
      order by id desc limit $4`,
    [accountId, relation, beforeId, limit],
  );
  return rows;
}

export async function entityNames(
  db: Queryable,
  accountId: string,
  entityIds: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (entityIds.length === 0) return new Map();
  // Index: the primary key.
  const { rows } = await db.query<{ id: string; name: string }>(
    "select id, name from entities where account_id = $1 and id = any($2::uuid[])",
    [accountId, entityIds],
  );
  return new Map(rows.map(({ id, name }) => [id, name]));
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
