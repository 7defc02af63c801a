import { setTimeout as pause } from "node:timers/promises";
import { lockDataFolder } from "../../db/embedded/index.ts";
import { describeBudget, migrate, readConnectionBudget, type Database } from "../../db/index.ts";
import { createLog, startTracing, type Log } from "../../telemetry/index.ts";
import { ensureFirstAccount } from "../accounts.ts";
import { printBanner, printNoBrowser, printToken } from "./banner.ts";
import { CommandError } from "./command-error.ts";
import { startService } from "../compose.ts";
import { roles, type Role } from "../roles/names.ts";
import { readConfig } from "../config.ts";
import { checkAddress } from "../listen.ts";
import { loadMasterKey } from "../master-key.ts";
import { Management } from "../management.ts";
import { openDatabase } from "../open-database.ts";
import { missingPackages } from "../optional-packages.ts";
import { readPlatformSettings } from "../platform-settings.ts";
import { version } from "../version.ts";

const bannerWaitMs = 250;

/** `querentd serve`: starts a service from the environment, and stops it on a signal. */
export async function serve(roleList: string): Promise<void> {
  const serviceRoles = readRoles(roleList);
  const config = readConfig(process.env, serviceRoles);
  // Errors in the file are reported before a database is created.
  readPlatformSettings(config.config);
  const tracing = await startTracing({
    environment: process.env,
    version,
    onExportFailed: (failure) => log({ event: "traces.not_exported", ...failure }),
  });
  const log = createLog(config.logLevel, version, tracing === null ? undefined : () => tracing.logFields());
  const stopping = stopSignal(log);

  // Only the embedded database needs exclusive use of the folder; with the operator's own server several processes may share
  // it.
  const lock = config.databaseUrl === null ? await lockDataFolder(config.dataDir) : null;
  const management = new Management();
  void stopping.asked.then(() => management.stopping());
  try {
    await management.open(config);
    if (serviceRoles.includes("api")) await checkAddress(config);
    const opened = await openDatabase(config, { lock, log });
    try {
      const { signal } = stopping;
      const migrated = await migrate(opened.database, { pending: config.migrate, onEvent: log, signal }).catch(
        (error: unknown) => {
          // Stopped before it was up: the next start goes on with the migration.
          if (signal.aborted) return null;
          throw error;
        },
      );
      if (migrated === null) return;
      if (migrated.applied.length > 0) log({ event: "schema.migrated", applied: migrated.applied });
      const masterKey = await loadMasterKey(config, opened.database);
      const token = await ensureFirstAccount(opened.database, masterKey, config.accessToken);
      const service = await startService(
        {
          config,
          environment: process.env,
          database: opened.database,
          masterKey,
          alone: opened.alone,
          managementPort: management.address?.port ?? null,
          log,
          tracer: tracing?.tracer ?? null,
        },
        serviceRoles,
      ).catch((error: unknown) => {
        if (token !== null) printToken(token.token);
        throw error;
      });
      management.started(service);
      if (config.databaseUrl !== null) await reportConnections(opened.database, log);
      if (service.address !== null) lock?.describe({ address: service.address });
      const missing = missingPackages();
      if (missing.length > 0) log({ event: "packages.missing", missing });
      // The check usually takes milliseconds; the banner does not wait for a slow one.
      const noBrowser = await Promise.race([service.whyNoBrowser, pause(bannerWaitMs, undefined, { ref: false })]);
      printBanner({
        config,
        service,
        management: management.address?.url ?? null,
        roles: serviceRoles,
        token: token?.token ?? null,
        missing,
        noBrowser: noBrowser ?? null,
      });
      if (noBrowser === undefined) void service.whyNoBrowser.then((why) => why !== null && printNoBrowser(why));

      const failure = await Promise.race([stopping.asked, opened.failed]);
      if (failure instanceof Error) log({ event: "service.fault", doing: "database", error: failure });
      management.stopping();
      await service.stop();
      await tracing?.stop();
      if (failure instanceof Error) process.exitCode = 1;
    } finally {
      await opened.close();
    }
  } finally {
    await management.close();
    lock?.release();
  }
  log({ event: "service.stopped" });
}

/** Logs what this process and those that are connected already may open, and what the server accepts. */
async function reportConnections(database: Database, log: Log): Promise<void> {
  try {
    const { fits, detail } = describeBudget(await readConnectionBudget(database));
    log({ event: fits ? "database.connections" : "database.connections_short", detail });
  } catch (error) {
    log({ event: "service.fault", doing: "read the connections of the database", error });
  }
}

/** Asks to stop at the first signal; a second one ends the process at once. */
function stopSignal(log: Log): { asked: Promise<void>; signal: AbortSignal } {
  const stopping = new AbortController();
  const { promise: asked, resolve } = Promise.withResolvers<void>();
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
    process.on(signal, () => {
      if (stopping.signal.aborted) process.exit(130);
      log({ event: "service.stopping", signal });
      stopping.abort();
      resolve();
    });
  }
  return { asked, signal: stopping.signal };
}

function readRoles(list: string): Role[] {
  const named = [...new Set(list.split(",").map((role) => role.trim()))];
  const unknown = named.filter((role) => !(roles as readonly string[]).includes(role));
  if (unknown.length > 0 || named.length === 0) {
    throw new CommandError(`--roles takes ${roles.join(", ")}, separated by commas; not "${unknown.join(", ")}".`);
  }
  return named as Role[];
}
