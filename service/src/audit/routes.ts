import { Readable } from "node:stream";
import { api } from "@querent/contract";
import { decodeCursor, encodeCursor } from "../api/cursor.ts";
import { negotiate } from "../api/negotiate.ts";
import { ProblemError } from "../api/problem-error.ts";
import { route, type Route } from "../api/route.ts";
import type { Database } from "../db/index.ts";
import { idPattern } from "../kernel/ids.ts";
import { listEntries } from "./entries.ts";
import { streamEntries } from "./formats.ts";
import { installationId } from "./record.ts";

const types = ["application/json", "application/x-ndjson", "text/csv"] as const;

interface AuditRouteDeps {
  readonly database: Database;
  readonly version: string;
  /** False once the token or the login has ended: asked while a stream is being sent. */
  readonly isAccessValid: (accessId: string) => Promise<boolean>;
}

export function auditRoutes({ database, version, isAccessValid }: AuditRouteDeps): Route[] {
  return [
    route(api.listAudit, async ({ caller, query, headers }) => {
      const { of = "account", cursor, limit = 50, after = 0, ocsf = false, ...filter } = query;
      if (of === "installation" && !caller.scopes.includes("admin"))
        throw new ProblemError("scope_missing", "The log of the installation needs the scope `admin`.");
      const accountId = of === "installation" ? installationId : caller.accountId;
      const type = negotiate(headers["accept"], types) ?? "application/json";
      if (type === "application/json") {
        const beforeId = cursor === undefined ? null : decodeCursor(cursor, idPattern);
        const { entries, nextId } = await listEntries(database, accountId, filter, { beforeId, limit });
        return {
          status: 200,
          body: {
            entries,
            nextCursor: nextId === null ? null : encodeCursor(nextId),
          },
        };
      }
      const format = type === "text/csv" ? "csv" : ocsf ? "ocsf" : "jsonl";
      const pieces = streamEntries(database, accountId, format, { filter, after, version });
      return {
        status: 200,
        headers: {
          "content-type": type === "text/csv" ? "text/csv; charset=utf-8" : type,
          "cache-control": "no-store",
        },
        body: Readable.from(
          whileAllowed(pieces, () => isAccessValid(caller.accessId)),
          { objectMode: false },
        ),
      };
    }),
  ];
}

/** A stream that was cut short is an error for its client, and not the end of the log. */
async function* whileAllowed(pieces: AsyncIterable<string>, isAllowed: () => Promise<boolean>): AsyncGenerator<string> {
  for await (const piece of pieces) {
    if (!(await isAllowed())) throw new Error("the access of who reads the audit log has ended");
    yield piece;
  }
}
