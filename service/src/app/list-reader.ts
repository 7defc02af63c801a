import { Database, primaryReader, ReplicaReader, type ListReader } from "../db/index.ts";
import type { Service } from "../runtime/service.ts";
import type { Log } from "../telemetry/index.ts";
import { closing } from "./closing.ts";
import type { Config } from "./config.ts";

/** Reads lists and exports from the configured replica, whatever its state when the process starts, or from the primary. */
export function makeListReader({
  config,
  database,
  log,
}: {
  readonly config: Config;
  readonly database: Database;
  readonly log: Log;
}): {
  readonly lists: ListReader;
  readonly listServices: readonly Service[];
} {
  if (config.databaseReadUrl === null) return { lists: primaryReader(database), listServices: [] };
  const replica = new Database({
    connection: { connectionString: config.databaseReadUrl },
    connectionsMax: config.databaseConnections,
    onIdleError: (error) => log({ event: "service.fault", doing: "idle connection of the replica", error }),
  });
  const lists = new ReplicaReader({
    primary: database,
    replica,
    behindMsMax: config.databaseReadBehindMs,
    onChange: (why) => log(why === null ? { event: "replica.usable" } : { event: "replica.unusable", why }),
  });
  return { lists, listServices: [closing(() => replica.close()), lists] };
}
