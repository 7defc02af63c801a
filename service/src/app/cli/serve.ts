import { setTimeout as pause } from "node:timers/promises";
import { lockDataFolder } from "../../db/embedded/index.ts";
import { describeBudget, migrate, readConnectionBudget, type Database } from "../../db/index.ts";
import { hasPersons, linkAddress } from "../../people/index.ts";
import { createLog, startTracing, type Log } from "../../telemetry/index.ts";
import { ensureFirstAccount, linkBase, ownerLinkDays } from "../accounts.ts";
import { CommandError } from "../command-error.ts";
import { startService, type RunningService } from "../compose.ts";
import { roles, type Role } from "../roles/names.ts";
import { readConfig, describeChanges, type Config } from "../config.ts";
import { checkAddress } from "../listen.ts";
import { loadMasterKey } from "../master-key.ts";
import { Management } from "../management.ts";
import { openDatabase } from "../open-database.ts";
import { missingPackages, describeMissing, installCommand, type OptionalPackage } from "../optional-packages.ts";
import { readPlatformSettings } from "../platform-settings.ts";
import { version } from "../version.ts";
import pc from "picocolors";
import { browserAdvice } from "../browsers.ts";
import { auditCommand } from "../../audit/index.ts";
import { nothingToRecord } from "../../runtime/audited.ts";
import { querentd } from "../../kernel/program-name.ts";
import { setUps, type Platform } from "../../platforms/index.ts";

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
      const first = await auditCommand(
        opened.database,
        { operation: "first start", kind: "change", user: null },
        async () => {
          const made = await ensureFirstAccount(opened.database, masterKey, config.accessToken);
          if (made === null) nothingToRecord();
          return made;
        },
      );
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
        if (first?.token) printToken(first.token.token);
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
        token: first?.token?.token ?? null,
        ownerLink: first === null ? null : linkAddress(linkBase(config, service.address), first.ownerLink),
        hasPersons: first !== null || (await hasPersons(opened.database)),
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

interface BannerInput {
  readonly config: Config;
  readonly service: Pick<RunningService, "address" | "platforms">;
  /** The URL of the management port; null if there is none. */
  readonly management: string | null;
  readonly roles: readonly Role[];
  /** The first account's token, only at its first start. */
  readonly token: string | null;
  /** The link with which somebody becomes the owner, only at the first start. */
  readonly ownerLink: string | null;
  /** Somebody signs in as a person, or has the link for it. */
  readonly hasPersons: boolean;
  readonly missing: readonly OptionalPackage[];
  /** Why this process has no usable browser; null if it has one, or if that is not known yet. */
  readonly noBrowser: string | null;
}

/** The banner that the operator sees once the service is up: its URL, an example request, and the settings that were changed. */
function printBanner(input: BannerInput): void {
  const { config, management, roles, token, missing, noBrowser } = input;
  const { address, platforms } = input.service;
  const lines = [
    "",
    `${pc.bold("Querent")} ${version} is running${roles.length === 3 ? "" : ` (${roles.join(", ")})`}.`,
    "",
  ];
  if (address !== null) {
    lines.push(
      `  API        ${pc.cyan(address)}`,
      `  Console    ${pc.cyan(`${address}/console`)}`,
      `  Reference  ${pc.cyan(`${address}/docs`)}`,
      "",
    );
  }
  if (management !== null) lines.push(`  Management ${pc.cyan(management)}`, "");
  if (address !== null) {
    lines.push("  Try it:", "", ...tryIt(address, token).map((line) => `    ${line}`), "");
    // At the first start there is nothing to see yet, and most platforms have to be set up.
    if (token !== null) {
      lines.push(
        "  Platforms:",
        "",
        ...describePlatforms(platforms, noBrowser !== null).map((line) => `    ${line}`.trimEnd()),
        "",
      );
      lines.push(`  See every view with simulated answers: ${querentd} demo`, "");
    } else if (config.accessToken === null)
      lines.push(`  For another access token: ${querentd} token create --account default --name NAME`, "");
    if (!input.hasPersons)
      lines.push(
        `  To sign in with a password: ${querentd} invite create --account default --role owner --operator`,
        "",
      );
  }
  if (missing.length > 0) {
    lines.push(
      `  ${pc.yellow("Not everything is installed:")}`,
      "",
      ...describeMissing(missing).map((line) => `    ${line}`),
      `    To install it, stop the service and run: ${installCommand}`,
      "",
    );
  }
  if (noBrowser !== null) lines.push(...describeNoBrowser(noBrowser));
  lines.push(
    `  Settings (the others have their defaults; ${querentd} doctor shows all):`,
    "",
    ...settings(config, roles).map((line) => pc.dim(`    ${line}`)),
    "",
    "  Stop with Ctrl-C.",
    "",
  );
  if (input.ownerLink !== null)
    lines.push(
      `  Become the owner of the account ${pc.bold("default")}: open this link, which works once and for ${ownerLinkDays} days:`,
      "",
      `    ${input.ownerLink}`,
      "",
    );
  // Last and alone, where it is seen and easily copied.
  if (token !== null) lines.push(...describeToken(token));
  process.stdout.write(`${lines.join("\n")}\n`);
}

/** The token of the first account, which nothing can show again. */
function printToken(token: string): void {
  process.stdout.write(`${describeToken(token).join("\n")}\n`);
}

const describeToken = (token: string) => [
  `  Access token of the account ${pc.bold("default")}, shown this once:`,
  "",
  token,
  "",
];

/** The same part of the banner, for when it becomes known later. */
function printNoBrowser(why: string): void {
  process.stdout.write(`${["", ...describeNoBrowser(why)].join("\n")}\n`);
}

function describeNoBrowser(why: string): string[] {
  return [
    `  ${pc.yellow("This process can use no browser:")}`,
    "",
    `    ${why}`,
    "    It takes no screenshots, and asks no platform that is a web page, nor its stand-in. While no other worker has a browser, such tasks are refused.",
    `    ${browserAdvice}`,
    `    It looks again by itself. To look into it: ${querentd} doctor`,
    "",
  ];
}

/** Which can be asked, and what sets up the others: in one line for those whose commands differ in the code only. */
function describePlatforms(platforms: readonly Platform[], hasNoBrowser: boolean): string[] {
  const codesOf = (some: readonly Platform[]) => some.map(({ code }) => code).join(", ") || "none";
  const standIns = platforms.filter(({ standIn }) => standIn === true);
  const ready = platforms.filter(({ missing, standIn }) => missing === null && standIn !== true);
  const others = platforms.filter((platform) => !ready.includes(platform));
  const commandOf = ({ setUp = setUps.other }: Platform) => setUp.command;
  // The stand-ins are named one by one: clients expect these platforms.
  const groups = Map.groupBy(others, (platform) =>
    platform.standIn === true ? platform.code : commandOf(platform).replaceAll(platform.code, "CODE"),
  );
  const lines = [...groups].flatMap(([command, group]): (readonly [string, string])[] =>
    group.length === 1
      ? group.map((platform) => [platform.code, commandOf(platform)])
      : [
          ["CODE", command],
          ["", `for ${codesOf(group)}`],
        ],
  );
  const width = Math.max(0, ...lines.map(([code]) => code.length));
  const toKnow = hasNoBrowser
    ? "need a browser: see below"
    : "an example page of this service answers, offline, until you set them up";
  return [
    `Ready: ${codesOf(ready)}`,
    ...(standIns.length === 0 ? [] : [`Stand-ins: ${codesOf(standIns)} (${toKnow})`]),
    "",
    "To set up another one, in the console (Operator, Keys and platforms) or with a command:",
    "",
    ...lines.map(([code, command]) => `${code.padEnd(width)}  ${command}`),
  ];
}

function tryIt(address: string, token: string | null): string[] {
  return [
    `curl -s ${address}/v1/tasks/batch \\`,
    `  -H "Authorization: Bearer ${token ?? "$QUERENT_ACCESS_TOKEN"}" \\`,
    `  -H "Idempotency-Key: $(date +%s%N)" -H "Content-Type: application/json" \\`,
    `  -d '[{"question": "How fine should I grind for espresso?", "platformCode": "sample", "options": {}}]'`,
  ];
}

function settings(config: Config, roles: readonly Role[]): string[] {
  const described = describeChanges(config, roles);
  const width = Math.max(...described.map(({ name }) => name.length));
  return described.map(({ name, value }) => `${name.padEnd(width)}  ${value}`);
}
