import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";

export const migrationsFolder = join(import.meta.dirname, "migrations");

export interface Migration {
  readonly version: number;
  readonly name: string;
  readonly sha256: string;
  /**
   * Code whose newest migration is this one or a later one may run on the migrated database. The migration's own version: every
   * older process must be stopped first.
   */
  readonly minCompatible: number;
  readonly steps: readonly MigrationStep[];
}

/**
 * One step of a migration, each committed by itself:
 * - `transaction`: statements that need their locks for an instant;
 * - `validate`: one `alter table … validate constraint`, which reads the table while others write to it;
 * - `concurrently`: one `create index concurrently`;
 * - `backfill`: a statement that is repeated. `$1` is the position that it returned last, as text (null at first), `$2` the number
 *   of rows to change. It returns the new `position`, or no row once nothing is left.
 */
export type MigrationStep =
  | { readonly kind: "transaction" | "validate" | "backfill"; readonly sql: string }
  | { readonly kind: "concurrently"; readonly sql: string; readonly index: ConcurrentIndex };

export interface ConcurrentIndex {
  readonly name: string;
  readonly table: string;
  /** `create unique index`, or without `unique`. */
  readonly create: string;
  /** All that follows the name of the table. */
  readonly definition: string;
}

/** The migrations in a folder, in their order. */
export async function readMigrations(folder: string = migrationsFolder): Promise<Migration[]> {
  const names = (await readdir(folder)).filter((name) => /^\d{4}_\w+\.sql$/.test(name)).sort();
  return Promise.all(names.map(async (name) => parseMigration(name, await readFile(join(folder, name), "utf8"))));
}

/**
 * Reads a migration. `-- Old code beside it: from 0012 …` in its head states which code may run beside it; `-- step: KIND` starts
 * a step. A file without steps is one transaction.
 */
export function parseMigration(name: string, sql: string): Migration {
  const version = Number(name.slice(0, 4));
  const [head = "", ...parts] = sql.split(/^-- step: *(?=\w)/m);
  const beside = /^-- Old code beside it: from (\d{4})\b/m.exec(head)?.[1];
  if (beside !== undefined && Number(beside) >= version)
    throw new Error(`${name}: code that may run beside it is older, and has no migration ${beside}.`);
  if (parts.length > 0 && /^ *[^\s-]/m.test(head))
    throw new Error(`${name}: there is a statement before its first step.`);
  return {
    version,
    name,
    sha256: createHash("sha256").update(sql).digest("hex"),
    minCompatible: beside === undefined ? version : Number(beside),
    steps: parts.length === 0 ? [{ kind: "transaction", sql }] : parts.map((part) => parseStep(name, part)),
  };
}

function parseStep(name: string, part: string): MigrationStep {
  const kind = /^\w+/.exec(part)?.[0] ?? "";
  const sql = part.slice(part.indexOf("\n") + 1).trim();
  switch (kind) {
    case "transaction":
    case "validate":
      return { kind, sql };
    case "backfill":
      if (!sql.includes("$1") || !sql.includes("$2"))
        throw new Error(`${name}: a backfill uses $1, the last position, and $2, the number of rows.`);
      return { kind, sql: sql.replace(/;\s*$/, "") };
    case "concurrently":
      return { kind, sql, index: parseIndex(name, sql) };
    default:
      throw new Error(`${name}: there is no kind of step "${kind}".`);
  }
}

const concurrentIndex = /^create( unique)? index concurrently (\w+) on (\w+)\s+([^;]+);?\s*$/i;

function parseIndex(name: string, sql: string): ConcurrentIndex {
  const statement = sql.replaceAll(/^\s*--.*$/gm, "").trim();
  const [, unique = "", index, table, definition] = concurrentIndex.exec(statement) ?? [];
  if (index === undefined || table === undefined || definition === undefined)
    throw new Error(`${name}: a step "concurrently" is one \`create index concurrently NAME on TABLE …\`.`);
  return { name: index, table, create: `create${unique.toLowerCase()} index`, definition: definition.trim() };
}
