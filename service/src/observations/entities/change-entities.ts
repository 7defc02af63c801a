import { isDeepStrictEqual } from "node:util";
import {
  entitiesMax,
  entityAliasesMax,
  negativeContextsMax,
  type EntityChanges,
  type NameProposal,
} from "@querent/contract";
import { ProblemError } from "../../api/problem-error.ts";
import { countStored, revisionRows } from "../../accounts/index.ts";
import type { Database, Transaction } from "../../db/index.ts";
import { newId } from "../../kernel/ids.ts";
import { noteAudit, nothingToRecord } from "../../runtime/audited.ts";
import { holdProject, storedProject } from "../../projects/index.ts";
import type { EntityContent, EntityNameChange } from "./entity-content.ts";
import { entityColumns, findEntity, storedName, type EntityRecordRow } from "./entity-rows.ts";
import { hash } from "node:crypto";
import { foldWord } from "./fold-text.ts";

/** Where entities are. */
interface Place {
  readonly accountId: string;
  readonly projectId: string;
}

/** Creates an entity, unless its project has one of its name. */
export async function createEntity(database: Database, place: Place, content: EntityContent): Promise<EntityRecordRow> {
  const { accountId } = place;
  return database.transaction(async (tx) => {
    await holdProject(tx, place);
    await lockEntities(tx, accountId);
    await refuseName(tx, place, content.name, null);
    await refuseMore(tx, place, 1);
    const row = await insertEntity(tx, place, content);
    noteAudit({ target: { type: "entity", id: row.id }, after: settingsOf(content) });
    await countRevisions(tx, accountId, [row]);
    return row;
  });
}

/** Replaces the content of an entity. Null: there is none with this id. */
export async function changeEntity(
  database: Database,
  accountId: string,
  entityId: string,
  content: EntityContent,
): Promise<EntityRecordRow | null> {
  return database.transaction(async (tx) => {
    await lockEntities(tx, accountId);
    const before = await findEntity(tx, accountId, entityId);
    if (before === null) return absent();
    noteAudit({ before: settingsOf(before.content), after: settingsOf(content) });
    if (isSame(before.content, content)) return before;
    await refuseName(tx, { accountId, projectId: before.project }, content.name, entityId);
    const row = await updateEntity(tx, accountId, before, content);
    await countRevisions(tx, accountId, [row]);
    return row;
  });
}

/** Adds approved proposals to an entity, and remembers the declined ones. Null: there is none with this id. */
export async function decideNames(
  database: Database,
  accountId: string,
  entityId: string,
  {
    approve,
    decline,
  }: { readonly approve: readonly EntityNameChange[]; readonly decline: readonly EntityNameChange[] },
): Promise<EntityRecordRow | null> {
  return database.transaction(async (tx) => {
    // Only a new definition is a new version of the entities, which answers are searched for.
    if (approve.length > 0) await lockEntities(tx, accountId);
    const before = await findEntity(tx, accountId, entityId);
    if (before === null) return absent();
    noteAudit({ after: { approved: approve.length, declined: decline.length } });
    const content = approve.reduce(approved, before.content);
    if (decline.length > 0) await declineNames(tx, accountId, entityId, decline);
    if (isSame(before.content, content)) return before;
    const row = await updateEntity(tx, accountId, before, content);
    await countRevisions(tx, accountId, [row]);
    return row;
  });
}

/** The entities were locked for nothing. */
function absent(): null {
  nothingToRecord();
  return null;
}

const settingsOf = ({ name, aliases, domains }: EntityContent) => ({ name, aliases: aliases.length, domains });

function approved(content: EntityContent, change: EntityNameChange): EntityContent {
  const changed = withChange(content, change);
  if (changed === "no_room")
    throw new ProblemError(
      "state_conflict",
      `An entity can have ${entityAliasesMax} aliases and ${negativeContextsMax} negative contexts. Nothing was changed.`,
    );
  return changed ?? content;
}

async function declineNames(
  tx: Transaction,
  accountId: string,
  entityId: string,
  declined: readonly EntityNameChange[],
): Promise<void> {
  // Locks: the entity's row. Index: the primary key. The newest are kept.
  await tx.query(
    `update entities set declined = (array(select key from unnest($3::text[] || declined) with ordinality as d(key, nth)
                                            group by key order by min(nth) limit $4))
      where account_id = $1 and id = $2`,
    [accountId, entityId, declined.map(keyOf), declinedMax],
  );
}

/** 16 characters each, so that an entity's are not worth counting. */
const declinedMax = 200;

/** Creates entities, or replaces those of the project that have the same names: all or none. */
export function mergeEntities(
  database: Database,
  place: Place,
  contents: readonly EntityContent[],
): Promise<EntityChanges> {
  return database.transaction((tx) => mergeWithin(tx, place, contents));
}

async function mergeWithin(tx: Transaction, place: Place, contents: readonly EntityContent[]): Promise<EntityChanges> {
  const { accountId, projectId } = place;
  await holdProject(tx, place);
  await lockEntities(tx, accountId);
  // Index: entity_by_name.
  const { rows } = await tx.query<EntityRecordRow>(
    `select ${entityColumns} from entities where account_id = $1 and name = any($2)`,
    [accountId, contents.map(({ name }) => storedName(accountId, projectId, name))],
  );
  const known = new Map(rows.map((row) => [row.content.name, row]));
  await refuseMore(tx, place, contents.length - known.size);
  const changes = { created: 0, updated: 0, unchanged: 0 };
  const written: EntityRecordRow[] = [];
  for (const content of contents) {
    const before = known.get(content.name);
    if (before === undefined) {
      written.push(await insertEntity(tx, place, content));
      changes.created++;
    } else if (isSame(before.content, content)) changes.unchanged++;
    else {
      written.push(await updateEntity(tx, accountId, before, content));
      changes.updated++;
    }
  }
  await countRevisions(tx, accountId, written);
  noteAudit({ after: changes });
  return changes;
}

const isSame = (one: EntityContent, other: EntityContent) => isDeepStrictEqual(inOrder(one), inOrder(other));

/** Tables have the aliases that are found in any case and the others apart, so which come first says nothing. */
const inOrder = (content: EntityContent): EntityContent => ({
  ...content,
  aliases: content.aliases.toSorted((one, other) => Number(one.caseSensitive) - Number(other.caseSensitive)),
});

/** Deletes an entity with its revisions. Null: there is none with this id. */
export async function deleteEntity(
  database: Database,
  accountId: string,
  entityId: string,
): Promise<EntityRecordRow | null> {
  return database.transaction(async (tx) => {
    await lockEntities(tx, accountId);
    // Locks: the rows. Index: the primary keys.
    await tx.query("delete from entity_revisions where account_id = $1 and entity_id = $2", [accountId, entityId]);
    const { rows } = await tx.query<EntityRecordRow>(
      `delete from entities where account_id = $1 and id = $2 returning ${entityColumns}`,
      [accountId, entityId],
    );
    if (rows[0] === undefined) return absent();
    noteAudit({ before: settingsOf(rows[0].content) });
    return rows[0];
  });
}

async function countRevisions(tx: Transaction, accountId: string, rows: readonly EntityRecordRow[]): Promise<void> {
  if (rows.length === 0) return;
  await countStored(tx, { accountId, kind: "entities" }, ...revisionRows.values(rows));
}

/** One change of an account's entities at a time. */
export async function lockEntities(tx: Transaction, accountId: string): Promise<void> {
  // Locks: the account's row. Index: the primary key.
  await tx.query(
    `insert into entity_versions (account_id, version) values ($1, 1)
     on conflict (account_id) do update set version = entity_versions.version + 1`,
    [accountId],
  );
}

async function refuseName(
  tx: Transaction,
  { accountId, projectId }: Place,
  name: string,
  own: string | null,
): Promise<void> {
  // Index: entity_by_name.
  const { rows } = await tx.query<{ id: string }>("select id from entities where account_id = $1 and name = $2", [
    accountId,
    storedName(accountId, projectId, name),
  ]);
  const [other] = rows;
  if (other !== undefined && other.id !== own)
    throw new ProblemError(
      "state_conflict",
      `${projectId === accountId ? "The account" : "The project"} has an entity of this name: ${other.id}. Nothing was changed.`,
    );
}

async function refuseMore(tx: Transaction, { accountId, projectId }: Place, more: number): Promise<void> {
  if (more <= 0) return;
  // Index: the primary key.
  const { rows } = await tx.query<{ count: number }>(
    "select count(*)::int as count from entities where account_id = $1",
    [accountId],
  );
  const count = rows[0]?.count ?? 0;
  if (count + more <= entitiesMax) return;
  // How many others have is told to nobody who may be limited to a project.
  const has = projectId === accountId ? ` It has ${count}, and the request would add ${more}.` : "";
  throw new ProblemError("state_conflict", `An account can have ${entitiesMax} entities.${has} Nothing was changed.`);
}

async function insertEntity(
  tx: Transaction,
  { accountId, projectId }: Place,
  content: EntityContent,
): Promise<EntityRecordRow> {
  // Locks: the new rows.
  const { rows } = await tx.query<EntityRecordRow>(
    `with inserted as (
       insert into entities (account_id, id, revision, name, relation, content, project_id, created_at, updated_at)
       values ($1, $2, 1, $3, $4, $5, $6, now(), now()) returning *),
     revised as (
       insert into entity_revisions (account_id, entity_id, revision, content, created_at)
       select account_id, id, revision, content, updated_at from inserted)
     select ${entityColumns} from inserted`,
    [
      accountId,
      newId(),
      storedName(accountId, projectId, content.name),
      content.relation,
      JSON.stringify(content),
      storedProject(accountId, projectId),
    ],
  );
  return first(rows);
}

async function updateEntity(
  tx: Transaction,
  accountId: string,
  { id, project }: EntityRecordRow,
  content: EntityContent,
): Promise<EntityRecordRow> {
  // Locks: the entity's row. Index: the primary key.
  const { rows } = await tx.query<EntityRecordRow>(
    `with updated as (
       update entities set revision = revision + 1, name = $3, relation = $4, content = $5, updated_at = now()
        where account_id = $1 and id = $2 returning *),
     revised as (
       insert into entity_revisions (account_id, entity_id, revision, content, created_at)
       select account_id, id, revision, content, updated_at from updated)
     select ${entityColumns} from updated`,
    [accountId, id, storedName(accountId, project, content.name), content.relation, JSON.stringify(content)],
  );
  return first(rows);
}

function first(rows: readonly EntityRecordRow[]): EntityRecordRow {
  const [row] = rows;
  if (row === undefined) throw new Error("an entity's row is missing although its account is locked");
  return row;
}

/** The same for a change in any case and with any separators. So short that an entity can have many. */
export const keyOf = ({ kind, text }: Pick<NameProposal, "kind" | "text">): string =>
  hash("sha256", `${kind} ${foldWord(text)}`).slice(0, 16);

/** The content with a change. Null: it has it already, or the name that it is about is gone. */
export function withChange(
  content: EntityContent,
  { kind, text, ...change }: EntityNameChange,
): EntityContent | "no_room" | null {
  const { aliases, negativeContexts } = content;
  const isAlias = (one: string): boolean => content.name === one || aliases.some((alias) => alias.text === one);
  switch (kind) {
    case "alias":
      if (isAlias(text)) return null;
      if (aliases.length >= entityAliasesMax) return "no_room";
      return { ...content, aliases: [...aliases, { text, caseSensitive: change.caseSensitive }] };
    case "negative_context":
      if (negativeContexts.includes(text)) return null;
      if (negativeContexts.length >= negativeContextsMax) return "no_room";
      return { ...content, negativeContexts: [...negativeContexts, text] };
    case "own_case": {
      if (!isAlias(text)) return null;
      const more = change.alsoAliases
        .filter((alias) => !isAlias(alias))
        .map((alias) => ({ text: alias, caseSensitive: true }));
      if (aliases.length + more.length > entityAliasesMax) return "no_room";
      const cased = aliases.map((alias) => (alias.text === text ? { ...alias, caseSensitive: true } : alias));
      return {
        ...content,
        caseSensitive: content.caseSensitive || content.name === text,
        aliases: [...cased, ...more],
      };
    }
  }
}
