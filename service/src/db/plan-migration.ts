import { migrationsFolder, readMigrations, type Migration, type MigrationStep } from "./migration-file.ts";
import { faultOf, pendingOf, readState } from "./migration-state.ts";
import { BootError } from "./boot-error.ts";
import type { Queryable } from "./pool.ts";

export interface PlannedMigration {
  readonly name: string;
  /** The migration that older code must have to run beside it; null: every process of an older version must be stopped. */
  readonly besideFrom: number | null;
  readonly steps: readonly PlannedStep[];
}

export interface PlannedStep {
  readonly kind: MigrationStep["kind"];
  readonly state: "pending" | "begun" | "done";
  readonly what: string;
  readonly locks: readonly string[];
  readonly duration: Duration;
}

/** How long it takes about, by the size of its table. */
export type Duration = "instant" | "seconds" | "minutes" | "hours";

/** What `migrate` would do to this database now. Reads only. */
export async function planMigration(db: Queryable, folder: string = migrationsFolder): Promise<PlannedMigration[]> {
  const migrations = await readMigrations(folder);
  const state = await readState(db);
  const fault = faultOf(state, migrations);
  if (fault !== null) throw new BootError(fault);
  return Promise.all(
    pendingOf(state, migrations).map(async (migration) => {
      const begun = state.begun.find(({ version }) => version === migration.version);
      const done = begun?.stepsDone ?? 0;
      const steps = migration.steps.map(async (step, index) => {
        const stateOf = index < done ? "done" : index === done && begun?.position ? "begun" : "pending";
        return {
          kind: step.kind,
          state: stateOf,
          ...describe(step),
          duration: await durationOf(db, migration, step),
        } as const;
      });
      const { name, version, minCompatible } = migration;
      return { name, besideFrom: minCompatible < version ? minCompatible : null, steps: await Promise.all(steps) };
    }),
  );
}

function describe(step: MigrationStep): { what: string; locks: string[] } {
  const statements = headsOf(step);
  switch (step.kind) {
    case "backfill":
      return {
        what: statements.join("; "),
        locks: ["the rows of one batch at a time, each for less than 1 s; reads and other writes go on"],
      };
    case "concurrently":
      return {
        what: `create the index ${step.index.name} on ${step.index.table}`,
        locks: [`SHARE UPDATE EXCLUSIVE on ${step.index.table}: reads and writes go on`],
      };
    case "validate":
      return {
        what: statements.join("; "),
        locks: tablesOf(step).map((table) => `SHARE UPDATE EXCLUSIVE on ${table}: reads and writes go on`),
      };
    case "transaction":
      return {
        what: statements.join("; "),
        locks: tablesOf(step).map(
          (table) =>
            `ACCESS EXCLUSIVE on ${table}, waited for at most 0.4 s at a time: reads and writes wait for that long`,
        ),
      };
  }
}

/** The first line of each statement, which stands at the start of a line. */
const headsOf = ({ sql }: MigrationStep): string[] =>
  [...sql.matchAll(/^(?:create|alter|insert|update|delete|drop|comment|with|select)\b.*$/gim)].map(([line]) =>
    line.replace(/[\s;(]+$/, ""),
  );

/** The tables that were there before and are changed. Of an index that is created at once, its table. */
function tablesOf({ sql }: MigrationStep): string[] {
  const names = (pattern: RegExp) => [...sql.matchAll(pattern)].flatMap(([, name]) => name ?? []);
  const created = names(/^create table (?:if not exists )?(\w+)/gim);
  const changed = names(
    /^(?:alter table(?: if exists)?(?: only)?|update|insert into|delete from|drop table(?: if exists)?|create (?:unique )?index \w+ on) (\w+)/gim,
  );
  return [...new Set(changed)].filter((table) => !created.includes(table));
}

const bytesOfMinutes = 256 * 1024 ** 2;
const bytesOfHours = 32 * 1024 ** 3;
const rowsOfMinutes = 100_000;
const rowsOfHours = 10_000_000;

async function durationOf(db: Queryable, migration: Migration, step: MigrationStep): Promise<Duration> {
  const isInstant = step.kind === "transaction" && migration.minCompatible < migration.version;
  if (isInstant) return "instant";
  const backfilled = /\b(?:update|insert into) (\w+)/i.exec(step.sql)?.[1];
  const tables =
    step.kind === "concurrently"
      ? [step.index.table]
      : step.kind === "backfill"
        ? backfilled === undefined
          ? []
          : [backfilled]
        : tablesOf(step);
  const { rows } = await db.query<{ bytes: number; rows: number }>(
    `select coalesce(sum(pg_table_size(t.relid)), 0)::float8 as bytes, coalesce(sum(greatest(c.reltuples, 0)), 0)::float8 as rows
       from unnest($1::text[]) as k(name),
            lateral (select to_regclass(k.name) as relid union select relid from pg_partition_tree(to_regclass(k.name))) t
       join pg_class c on c.oid = t.relid`,
    [tables],
  );
  const size = rows[0] ?? { bytes: 0, rows: 0 };
  if (step.kind === "backfill")
    return size.rows < rowsOfMinutes ? "seconds" : size.rows < rowsOfHours ? "minutes" : "hours";
  if (size.bytes === 0) return "instant";
  return size.bytes < bytesOfMinutes ? "seconds" : size.bytes < bytesOfHours ? "minutes" : "hours";
}
