import { randomBytes } from "node:crypto";
import { resolve } from "node:path";
import { attachEmbedded, NoDatabaseError, startEmbedded, type DataFolderLock } from "../db/embedded/index.ts";
import { applicationNameOf, connectionTo, Database, requireServer } from "../db/index.ts";
import type { Log } from "../telemetry/index.ts";
import { CommandError } from "./command-error.ts";
import type { Config } from "./config.ts";
import { querentd } from "../kernel/program-name.ts";

/** Connections of a process that are not of its pool: for notifications, and for the lease of a worker. */
const sessionsMax = 2;

export interface OpenDatabase extends AsyncDisposable {
  readonly database: Database;
  /** True if no other process can be using this database. */
  readonly alone: boolean;
  /** Resolves only if the embedded server died and could not be restarted. */
  readonly failed: Promise<Error>;
  close(): Promise<void>;
}

/**
 * The service's database, for a command. A folder or a server without one is probably the wrong one: nothing is created there,
 * and the error says so.
 */
export async function openExistingDatabase(config: Config): Promise<OpenDatabase> {
  const opened = await openDatabase(config, { lock: null, log: null, create: false }).catch((error: unknown) => {
    throw error instanceof NoDatabaseError ? new CommandError(noDatabase(config)) : error;
  });
  try {
    const { rows } = await opened.database.query<{ there: boolean }>(
      "select to_regclass('migrations') is not null as there",
    );
    if (rows[0]?.there !== true) throw new CommandError(noSchema(config));
    return opened;
  } catch (error) {
    await opened.close();
    throw error;
  }
}

function noDatabase({ dataDir }: Config): string {
  const from =
    process.env["QUERENT_DATA_DIR"] === undefined
      ? "the default, as QUERENT_DATA_DIR is not set"
      : "named by QUERENT_DATA_DIR";
  return `There is no Querent database in ${resolve(dataDir)} (${from}). Nothing was created. Set QUERENT_DATA_DIR to the data folder of your service, or DATABASE_URL to its server. To make a new database there: \`${querentd} migrate\`.`;
}

function noSchema({ databaseUrl, dataDir }: Config): string {
  const where = databaseUrl === null ? resolve(dataDir) : "the database that DATABASE_URL names";
  return `There are no tables of Querent in ${where}. Nothing was created. If it is the right one: \`${querentd} migrate\`.`;
}

/**
 * The configured database: the operator's server, or the embedded one. With a `lock` this process serves the data folder and
 * owns the embedded server; without one it connects beside any running service, as the operator's commands do.
 */
export async function openDatabase(
  config: Config,
  options: { lock: DataFolderLock | null; log: Log | null; create?: boolean },
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
        : await attachEmbedded({ dataDir: config.dataDir, create: options.create ?? true });
  // A pooler limits its own connections to the server, and changing their name at each use would take a round trip.
  const isPooled = config.databaseUrl !== null && config.databaseDirectUrl !== null;
  const processId = randomBytes(4).toString("hex");
  const ownName = applicationNameOf(processId, (isPooled ? 0 : config.databaseConnections) + sessionsMax);
  const database = new Database({
    connection:
      embedded === null ? connectionTo(config.databaseUrl ?? "", config.databaseCa) : { ...embedded.connection },
    ...(isPooled ? { direct: connectionTo(config.databaseDirectUrl ?? "", config.databaseCa) } : {}),
    // Only a service keeps them open, so a command declares nothing.
    ...(options.log === null
      ? {}
      : { directApplicationName: ownName, ...(isPooled ? {} : { applicationName: ownName }) }),
    connectionsMax: config.databaseConnections,
    onIdleError: (error) => options.log?.({ event: "service.fault", doing: "idle connection", error }),
  });
  const close = async () => {
    await database.close();
    await embedded?.stop();
  };
  if (config.databaseUrl !== null) {
    const addresses = { databaseUrl: config.databaseUrl, directUrl: config.databaseDirectUrl };
    await requireServer(database, addresses).catch(async (error: unknown) => {
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
