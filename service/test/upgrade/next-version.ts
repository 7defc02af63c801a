import { cpSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const root = join(import.meta.dirname, "../../..");

export interface NextVersion extends Disposable {
  /** Its `querentd`. */
  readonly program: string;
  readonly migration: string;
}

/** A copy of this version's service with one more migration: `sql` follows its head, which lets this version run beside it. */
export function makeNextVersion(sql: string): NextVersion {
  const folder = mkdtempSync(join(tmpdir(), "querent-next-version-"));
  for (const name of ["src", "sample-corpus", "package.json"])
    cpSync(join(root, "service", name), join(folder, "service", name), { recursive: true });
  symlinkSync(join(root, "node_modules"), join(folder, "node_modules"));
  const migrations = join(folder, "service/src/db/migrations");
  const newest = Math.max(...readdirSync(migrations).map((name) => Number.parseInt(name, 10) || 0));
  const digits = (version: number) => String(version).padStart(4, "0");
  const migration = `${digits(newest + 1)}_next_version.sql`;
  writeFileSync(
    join(migrations, migration),
    `-- Why: a test.\n-- Old code beside it: from ${digits(newest)}.\n\n${sql}`,
  );
  return {
    program: join(folder, "service/src/main.ts"),
    migration,
    [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }),
  };
}
