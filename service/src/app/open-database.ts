import { attachEmbedded, Database, requireServer, startEmbedded, type DataFolderLock } from "../db/index.ts";
import type { Log } from "../telemetry/index.ts";
import type { Config } from "./config.ts";

export interface OpenDatabase extends AsyncDisposable {
  readonly database: Database;
  /** True when no other process can be using this database. */
  readonly alone: boolean;
  /** Resolves when the embedded server died and could not be brought back; never otherwise. */
  readonly failed: Promise<Error>;
  close(): Promise<void>;
}

/**
 * The database of the configuration: the operator's server, or the embedded one. With a `lock` this process serves the data
 * folder and owns the embedded server; without one it attaches beside whatever runs there, as the operator's commands do.
 */
export async function openDatabase(
  config: Config,
  options: { lock: DataFolderLock | null; log: Log | null },
): Promise<OpenDatabase> {
  const embedded =
    config.databaseUrl !== null
      ? null
      : options.lock !== null
        ? await startEmbedded({
            dataDir: config.dataDir,
            lock: options.lock,
            ...(options.log === null ? {} : { log: options.log }),
          })
        : await attachEmbedded({ dataDir: config.dataDir });
  const database = new Database({
    connection: embedded === null ? { connectionString: config.databaseUrl ?? "" } : { ...embedded.connection },
    connectionsMax: config.databaseConnections,
    onIdleError: (error) => options.log?.({ event: "service.fault", doing: "idle connection", error }),
  });
  const close = async () => {
    await database.close();
    await embedded?.stop();
  };
  if (config.databaseUrl !== null) {
    await requireServer(database, config.databaseUrl).catch(async (error: unknown) => {
      await close();
      throw error;
    });
  }
  return {
    database,
    alone: embedded !== null && options.lock !== null,
    failed: embedded?.failed ?? new Promise(() => {}),
    close,
    [Symbol.asyncDispose]: close,
  };
}
