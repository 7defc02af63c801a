import { api, type EntityMentions, type EntityTrial } from "@querent/contract";
import { decodeCursor, encodeCursor } from "../../api/cursor.ts";
import { ProblemError } from "../../api/problem-error.ts";
import { route, type Caller, type Route } from "../../api/route.ts";
import { measureDeleted } from "../../accounts/index.ts";
import type { Database } from "../../db/index.ts";
import { projectForNew, projectsToList } from "../../projects/index.ts";
import { changeEntity, createEntity, decideNames, deleteEntity, mergeEntities } from "./change-entities.ts";
import type { AccountSemaphore } from "../../api/account-semaphore.ts";
import { idPattern } from "../../kernel/ids.ts";
import { requireContent, requireContents, requireDecisions } from "./entity-content.ts";
import { NotSearchedError, type EntitySearch } from "./entity-search.ts";
import { entityNames, findEntity, listEntities, listRevisions, recordOf, type EntityRecordRow } from "./entity-rows.ts";
import { matcherVersion } from "./find-mentions.ts";

export interface EntityRoutesDeps {
  readonly database: Database;
  readonly entities: EntitySearch;
  /** Limits texts that are tried, and recounts. */
  readonly searches: AccountSemaphore;
}

export function entityRoutes(deps: EntityRoutesDeps): Route[] {
  const { database } = deps;
  const placeForNew = async (caller: Caller, { project }: { readonly project?: string }) => ({
    accountId: caller.accountId,
    projectId: await projectForNew(database, caller, project),
  });
  return [
    route(api.listEntities, async ({ caller, query: { project, relation = null, limit = 50, cursor } }) => {
      const beforeId = cursor === undefined ? null : decodeCursor(cursor, idPattern);
      const projects = await projectsToList(database, caller, project);
      const rows = await listEntities(database, caller.accountId, { projects, relation, beforeId, limit: limit + 1 });
      const shown = rows.slice(0, limit);
      const last = rows.length > limit ? shown.at(-1) : undefined;
      const nextCursor = last === undefined ? null : encodeCursor(last.id);
      return { status: 200, body: { entities: shown.map(recordOf), nextCursor } };
    }),
    route(api.createEntity, async ({ caller, query, body }) => {
      const row = await createEntity(database, await placeForNew(caller, query), requireContent(body));
      return { status: 201, body: recordOf(row) };
    }),
    route(api.putEntities, async ({ caller, query, body }) => {
      const changes = await mergeEntities(database, await placeForNew(caller, query), requireContents(body));
      return { status: 200, body: changes };
    }),
    route(api.tryEntities, async ({ caller, query, body, signal }) => {
      const projects = await projectsToList(database, caller, query.project);
      const release = await deps.searches.acquire(caller.accountId, signal);
      try {
        return { status: 200, body: await tryText(deps, { accountId: caller.accountId, projects }, body, signal) };
      } finally {
        release();
      }
    }),
    route(api.getEntity, async ({ caller, params }) => {
      const row = found(await findEntity(database, caller.accountId, params.entity_id));
      return { status: 200, body: recordOf(row) };
    }),
    route(api.putEntity, async ({ caller, params, body }) => {
      const content = requireContent(body);
      const row = found(await changeEntity(database, caller.accountId, params.entity_id, content));
      return { status: 200, body: recordOf(row) };
    }),
    route(api.decideNames, async ({ caller, params, body }) => {
      const decisions = requireDecisions(body);
      const row = found(await decideNames(database, caller.accountId, params.entity_id, decisions));
      return { status: 200, body: recordOf(row) };
    }),
    route(api.deleteEntity, async ({ caller, params }) => {
      const row = found(await deleteEntity(database, caller.accountId, params.entity_id));
      await measureDeleted(database, caller.accountId, ["entities"]);
      return { status: 200, body: recordOf(row) };
    }),
    route(api.listEntityRevisions, async ({ caller, params }) => {
      found(await findEntity(database, caller.accountId, params.entity_id));
      return { status: 200, body: { revisions: await listRevisions(database, caller.accountId, params.entity_id) } };
    }),
  ];
}

function found(row: EntityRecordRow | null): EntityRecordRow {
  if (row === null) throw new ProblemError("not_found", "There is no such entity.");
  return row;
}

async function tryText(
  { database, entities }: EntityRoutesDeps,
  { accountId, projects }: { readonly accountId: string; readonly projects: readonly string[] | null },
  { text, entity }: EntityTrial,
  signal: AbortSignal,
): Promise<EntityMentions> {
  const given = entity === undefined ? null : requireContent(entity);
  const searched =
    given === null
      ? await entities.find(accountId, text, signal)
      : await entities.findOne(accountId, given, text, signal);
  if (!("found" in searched)) throw new NotSearchedError(searched.notSearched);
  const { mentions, isComplete } = searched.found;
  const ids = [...new Set(mentions.map(({ entityId }) => entityId))];
  const names = given === null ? await entityNames(database, accountId, ids, projects) : new Map([["", given.name]]);
  return {
    matcher: matcherVersion,
    complete: isComplete,
    mentions: mentions.flatMap(({ entityId, variant, start, end }) => {
      const name = names.get(entityId);
      // Of another project, or deleted meanwhile.
      return name === undefined ? [] : [{ entityId: entityId === "" ? null : entityId, name, variant, start, end }];
    }),
  };
}
