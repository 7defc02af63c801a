import { api } from "@querent/contract";
import { ProblemError } from "../api/problem-error.ts";
import { route, type Route } from "../api/route.ts";
import type { Database } from "../db/index.ts";
import { noteAudit } from "../runtime/audited.ts";
import type { AuthorizationServer } from "./authorization-server.ts";
import { endConnection, listConnections, type ConnectionFilter } from "./connection.ts";

const secret = { "cache-control": "no-store" };

/** Connecting assistants, and ending their connections. `server`: null where assistants connect with pasted tokens alone. */
export function connectionRoutes({
  database,
  server,
}: {
  readonly database: Database;
  readonly server: AuthorizationServer | null;
}): Route[] {
  const requireServer = () => {
    if (server === null)
      throw new ProblemError(
        "not_found",
        "Assistants cannot be connected by signing in: QUERENT_MCP or QUERENT_MCP_SIGN_IN is off.",
      );
    return server;
  };
  const end = async (filter: ConnectionFilter & { connectionId: string }) => {
    const isEnded = await database.transaction((tx) => endConnection(tx, filter));
    if (!isEnded) throw new ProblemError("not_found", "There is no such connection. It may have ended before.");
    return { status: 204 };
  };
  return [
    route(api.getConnectionRequest, async ({ caller, headers }) => ({
      status: 200,
      headers: secret,
      body: await requireServer().read(caller, headers["cookie"]),
    })),
    route(api.decideConnectionRequest, async ({ caller, headers, body }) => {
      if (body.scopes.length === 0) noteAudit({ after: { refused: true } });
      const address = await requireServer().decide(caller, headers["cookie"], body);
      return { status: 200, headers: secret, body: { address } };
    }),
    route(api.listOwnConnections, async ({ caller: { person } }) => ({
      status: 200,
      body: { connections: await listConnections(database, { personId: person.personId }) },
    })),
    route(api.endOwnConnection, ({ caller: { person }, params }) =>
      end({ connectionId: params.connection_id, personId: person.personId }),
    ),
    route(api.listConnections, async ({ caller: { accountId } }) => ({
      status: 200,
      body: { connections: await listConnections(database, { accountId }) },
    })),
    route(api.endConnection, ({ caller: { accountId }, params }) =>
      end({ connectionId: params.connection_id, accountId }),
    ),
  ];
}
