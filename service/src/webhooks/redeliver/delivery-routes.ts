import { api } from "@querent/contract";
import { asOfHeaders, route, type Route } from "../../api/route.ts";
import { decodeCursor, encodeCursor } from "../../api/cursor.ts";
import type { ListReader } from "../../db/index.ts";
import { ProblemError } from "../../api/problem-error.ts";
import { idPattern } from "../../kernel/ids.ts";
import { listDeliveries, readDelivery, readDeliveryBody } from "./deliveries.ts";
import { recoverDeliveries, redeliver, type RedeliverDeps } from "./redeliver.ts";

export interface DeliveryRoutesDeps extends RedeliverDeps {
  readonly lists: ListReader;
  readonly version: string;
  /** Called after a commit that may have made a delivery due. */
  readonly wake: () => void;
}

export function deliveryRoutes(deps: DeliveryRoutesDeps): Route[] {
  return [
    route(api.listDeliveries, async ({ caller, query }) => {
      const beforeId = query.cursor === undefined ? null : decodeCursor(query.cursor, idPattern);
      const { db, asOf } = deps.lists.source();
      const { deliveries, nextId } = await listDeliveries(db, caller.accountId, query, {
        beforeId,
        limit: query.limit ?? 50,
      });
      return {
        status: 200,
        headers: asOfHeaders(asOf),
        body: { deliveries, nextCursor: nextId === null ? null : encodeCursor(nextId) },
      };
    }),
    route(api.getDelivery, async ({ caller, params }) => {
      const delivery = await readDelivery(deps, caller.accountId, params.delivery_id);
      if (delivery === null) throw new ProblemError("not_found", "There is no such delivery.");
      return { status: 200, headers: { "cache-control": "no-store" }, body: delivery };
    }),
    route(api.getDeliveryBody, async ({ caller, params }) => {
      const found = await readDeliveryBody(deps, caller.accountId, params.delivery_id);
      if (found === null)
        throw new ProblemError("not_found", "There is no such delivery, or it was skipped: nothing is sent.");
      return {
        status: 200,
        headers: { "cache-control": "no-store", "content-type": "application/json", "body-origin": found.origin },
        body: found.body,
      };
    }),
    route(api.redeliver, async ({ caller, params }) => {
      const body = await redeliver(deps, caller.accountId, params.delivery_id);
      deps.wake();
      return { status: 202, body };
    }),
    route(api.recoverDeliveries, async ({ caller, body, signal }) => {
      const reply = await recoverDeliveries(deps, caller.accountId, body, signal);
      if (reply.redeliveredCount > 0) deps.wake();
      return { status: 200, body: reply };
    }),
  ];
}
