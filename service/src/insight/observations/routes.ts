import { api } from "@querent/contract";
import type { AccountSemaphore } from "../../api/account-semaphore.ts";
import { decodeCursor, encodeCursor } from "../../api/cursor.ts";
import { ProblemError } from "../../api/problem-error.ts";
import { route, type Route } from "../../api/route.ts";
import type { Database } from "../../db/index.ts";
import type { EntityMemory } from "../entities/entity-memory.ts";
import { findEntity } from "../entities/entity-rows.ts";
import { countSources } from "./count-sources.ts";
import { deleteObservations } from "./delete-observations.ts";
import { listMentions } from "./list-mentions.ts";
import { listObservations } from "./list-observations.ts";
import { recountMentions } from "./recount-mentions.ts";
import { streamObservations, streamTypeOf, streamTypes } from "./stream-observations.ts";

export interface ObservationRoutesDeps {
  readonly database: Database;
  readonly entities: EntityMemory;
  /** Limits exports that are being sent. */
  readonly exports: AccountSemaphore;
  /** False once the token is revoked or expired: called while an export is being sent. */
  readonly isTokenValid: (tokenId: string) => Promise<boolean>;
}

const idPattern = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

export function observationRoutes({ database, entities, exports, isTokenValid }: ObservationRoutesDeps): Route[] {
  return [
    route(api.listObservations, async ({ caller, query, headers, signal }) => {
      const { cursor, limit = 50, ...filter } = query;
      const type = streamTypeOf(headers["accept"]);
      if (type === null) {
        const beforeId = cursor === undefined ? null : decodeCursor(cursor, idPattern);
        const page = await listObservations(database, caller.accountId, filter, { beforeId, limit });
        const nextCursor = page.nextId === null ? null : encodeCursor(page.nextId);
        return { status: 200, body: { observations: page.observations, nextCursor } };
      }
      const release = await exports.acquire(caller.accountId, signal);
      const selection = {
        accountId: caller.accountId,
        filter,
        isAllowed: () => isTokenValid(caller.tokenId),
      };
      const body = streamObservations(database, selection, type);
      body.once("close", release);
      // The client may have disconnected while the request was queued.
      if (signal.aborted) body.destroy();
      return { status: 200, headers: { "content-type": streamTypes[type] }, body };
    }),

    route(api.deleteObservations, async ({ caller, query }) => {
      if (Object.keys(query).length === 0)
        throw new ProblemError("validation_failed", "Nothing was deleted: the query has no filter.", {
          errors: [{ pointer: "?", code: "required", detail: "Say which observations, such as `tag` or `panelId`." }],
        });
      return { status: 200, body: { deletedCount: await deleteObservations(database, caller.accountId, query) } };
    }),

    route(api.listEntityMentions, async ({ caller, params, query: { cursor, limit = 50, ...filter } }) => {
      if ((await findEntity(database, caller.accountId, params.entity_id)) === null)
        throw new ProblemError("not_found", "There is no such entity.");
      const beforeId = cursor === undefined ? null : decodeCursor(cursor, idPattern);
      const selected = { ...filter, entityId: params.entity_id };
      const { mentions, nextId } = await listMentions(database, caller.accountId, selected, { beforeId, limit });
      return { status: 200, body: { mentions, nextCursor: nextId === null ? null : encodeCursor(nextId) } };
    }),

    route(api.recountMentions, async ({ caller, query: { cursor } }) => {
      const beforeId = cursor === undefined ? null : decodeCursor(cursor, idPattern);
      const { nextId, ...counts } = await recountMentions(database, entities, caller.accountId, beforeId);
      return { status: 200, body: { ...counts, nextCursor: nextId === null ? null : encodeCursor(nextId) } };
    }),

    route(api.listSources, async ({ caller, query }) => {
      const { by = "domain", limit = 100, ...filter } = query;
      return { status: 200, body: await countSources(database, caller.accountId, { filter, by, limit }) };
    }),
  ];
}
