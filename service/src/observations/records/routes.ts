import { api, type ObservationFilter, type ObservationRecord } from "@querent/contract";
import type { AccountSemaphore } from "../../api/account-semaphore.ts";
import { decodeCursor, encodeCursor } from "../../api/cursor.ts";
import { ProblemError } from "../../api/problem-error.ts";
import type { Access } from "../../projects/index.ts";
import { route, type Route, type RouteReply, type RouteRequest } from "../../api/route.ts";
import { idPattern } from "../../kernel/ids.ts";
import { readsInTurn, readsUntil, type Database } from "../../db/index.ts";
import type { EntitySearch } from "../entities/entity-search.ts";
import { findEntity, listEntities } from "../entities/entity-rows.ts";
import { countSources } from "./count-sources.ts";
import { deleteObservations } from "./delete-observations.ts";
import { listMentions, recountMentions, proposeForEntity } from "./stored-mentions.ts";
import { listedFailures } from "./failure-row.ts";
import { listedObservations, listRows, type ListedTable } from "./list-rows.ts";
import { streamRows, streamTypeOf, streamTypes } from "./stream-rows.ts";

interface ObservationRoutesDeps {
  readonly database: Database;
  readonly entities: EntitySearch;
  /** Of recounts with texts that are tried, of exports that are being sent, and of the reads of exports. */
  readonly limits: Readonly<Record<"searches" | "exports" | "lists", AccountSemaphore>>;
  /** False once the token is revoked or expired: called while an export is being sent. */
  readonly isAccessValid: (accessId: string) => Promise<boolean>;
  /** The panels whose answers a list shows: those of a project that is asked for, or of the projects of an access. Null: it shows all. */
  readonly panelsToList: (access: Access, project: string | undefined) => Promise<readonly string[] | null>;
}

export function observationRoutes(deps: ObservationRoutesDeps): Route[] {
  const { database, entities, limits } = deps;
  return [
    route(api.listObservations, (request) =>
      listOrStream(deps, "observations", { table: listedObservations, own: withMentionsOf }, request),
    ),

    route(api.listFailedTasks, (request) =>
      listOrStream(deps, "failures", { table: listedFailures, own: (record) => record }, request),
    ),

    route(api.deleteObservations, async ({ caller, query }) => {
      if (Object.keys(query).length === 0)
        throw new ProblemError("validation_failed", "Nothing was deleted: the query has no filter.", {
          errors: [{ pointer: "?", code: "required", detail: "Say which observations, such as `tag` or `panelId`." }],
        });
      const deleted = await deleteObservations(database, caller.accountId, query);
      return { status: 200, body: { deletedCount: deleted.observations, deletedFailureCount: deleted.failures } };
    }),

    route(api.listEntityMentions, async ({ caller, params, query: { cursor, limit = 50, ...filter } }) => {
      if ((await findEntity(database, caller.accountId, params.entity_id)) === null)
        throw new ProblemError("not_found", "There is no such entity.");
      const beforeId = cursor === undefined ? null : decodeCursor(cursor, idPattern);
      const panelIds = await deps.panelsToList(caller, undefined);
      const selected = { ...filter, entityId: params.entity_id, panelIds };
      const { mentions, nextId } = await listMentions(database, caller.accountId, selected, { beforeId, limit });
      return { status: 200, body: { mentions, nextCursor: nextId === null ? null : encodeCursor(nextId) } };
    }),

    route(api.proposeNames, async ({ caller: { accountId }, params, query, signal }) => {
      const entity = await findEntity(database, accountId, params.entity_id);
      if (entity === null) throw new ProblemError("not_found", "There is no such entity.");
      const { panelId, neighbours: withNeighbours = false } = query;
      const release = await limits.searches.acquire(accountId, signal);
      try {
        const request = { accountId, entity, panelId, withNeighbours };
        return { status: 200, body: await proposeForEntity(database, entities, request, signal) };
      } finally {
        release();
      }
    }),

    route(api.recountMentions, async ({ caller: { accountId }, query: { cursor }, signal }) => {
      const beforeId = cursor === undefined ? null : decodeCursor(cursor, idPattern);
      const release = await limits.searches.acquire(accountId, signal);
      try {
        const { nextId, ...counts } = await recountMentions(database, entities, accountId, beforeId, signal);
        return { status: 200, body: { ...counts, nextCursor: nextId === null ? null : encodeCursor(nextId) } };
      } finally {
        release();
      }
    }),

    route(api.listSources, async ({ caller, query }) => {
      const { by = "domain", limit = 100, project, ...of } = query;
      const filter = { ...of, panelIds: await deps.panelsToList(caller, project) };
      return { status: 200, body: await countSources(database, caller.accountId, { filter, by, limit }) };
    }),
  ];
}

interface ListRequest {
  readonly caller: Access & { readonly accessId: string };
  readonly query: ObservationFilter & {
    readonly project?: string | undefined;
    readonly code?: string;
    readonly cursor?: string | undefined;
    readonly limit?: number | undefined;
  };
  readonly headers: RouteRequest<typeof api.listObservations>["headers"];
  readonly signal: AbortSignal;
}

/** What of a record is of some projects, by the entities of these. */
type OfProjects<Listed> = (record: Listed, entityIds: ReadonlySet<string>) => Listed;

/** Answers are searched for the entities of all projects. */
const withMentionsOf: OfProjects<ObservationRecord> = (record, entityIds) => ({
  ...record,
  mentions: record.mentions.filter(({ entityId }) => entityIds.has(entityId)),
});

/** The table with what of its records is of some projects. */
async function limitedTo<Row extends { readonly id: string }, Listed>(
  db: Database,
  { table, own }: { readonly table: ListedTable<Row, Listed>; readonly own: OfProjects<Listed> },
  { accountId, projects }: { readonly accountId: string; readonly projects: readonly string[] },
): Promise<ListedTable<Row, Listed>> {
  const entities = await listEntities(db, accountId, { projects, relation: null, beforeId: null, limit: null });
  const entityIds = new Set(entities.map(({ id }) => id));
  return { ...table, recordOf: (row) => own(table.recordOf(row), entityIds) };
}

/** A page of rows as this member, or all of them as a stream if the client accepts one. */
async function listOrStream<Row extends { readonly id: string }, Listed>(
  { database, limits, isAccessValid, panelsToList }: ObservationRoutesDeps,
  member: "observations" | "failures",
  { table, own }: { readonly table: ListedTable<Row, Listed>; readonly own: OfProjects<Listed> },
  { caller, query, headers, signal }: ListRequest,
): Promise<RouteReply> {
  const { accountId, accessId, projects } = caller;
  const { cursor, limit = 50, project, ...of } = query;
  const panelIds = await panelsToList(caller, project);
  const filter = { ...of, panelIds };
  const shown = projects === null ? table : await limitedTo(database, { table, own }, { accountId, projects });
  const type = streamTypeOf(headers["accept"]);
  if (type === null) {
    const beforeId = cursor === undefined ? null : decodeCursor(cursor, idPattern);
    const { records, nextId } = await listRows(database, shown, { accountId, filter }, { beforeId, limit });
    return { status: 200, body: { [member]: records, nextCursor: nextId === null ? null : encodeCursor(nextId) } };
  }
  const release = await limits.exports.acquire(accountId, signal);
  const over = new AbortController();
  const isAllowed = async () => {
    if (!(await isAccessValid(accessId))) return false;
    // A panel may have moved to another project meanwhile.
    const now = projects === null || panelIds === null ? null : new Set(await panelsToList(caller, project));
    return now === null || (panelIds ?? []).every((id) => now.has(id));
  };
  const selection = { accountId, filter, isAllowed };
  // An export may take as long as its client reads it. What it takes of the database is that of a list, one read at a time.
  const acquire = () => limits.lists.acquireOnceFree(accountId, over.signal);
  const body = streamRows(readsInTurn(readsUntil(database, over.signal), acquire), shown, selection, type);
  body.once("close", () => {
    // Nobody waits for what is being read.
    over.abort();
    release();
  });
  // The client may have disconnected while the request was queued.
  if (signal.aborted) body.destroy();
  return { status: 200, headers: { "content-type": streamTypes[type] }, body };
}
