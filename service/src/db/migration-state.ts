import type { Queryable } from "./pool.ts";
import type { Migration } from "./migration-file.ts";

/** The state of the schema, as recorded in the database. */
export interface MigrationState {
  /** Whether the tables below are up to date. Otherwise they have to be made before anything is migrated. */
  readonly prepared: boolean;
  readonly applied: readonly AppliedMigration[];
  /** Migrations that were begun and not completed. */
  readonly begun: readonly BegunMigration[];
}

export interface AppliedMigration {
  readonly version: number;
  readonly name: string;
  readonly sha256: string;
  /** Code that knows this migration may use the database. */
  readonly minCompatible: number;
}

interface BegunMigration extends AppliedMigration {
  readonly stepsDone: number;
  /** Where the backfill of the next step stands. */
  readonly position: string | null;
}

/** Creates the tables of the migrations themselves. */
export const prepareState = `
  create table if not exists migrations (
    version integer primary key, name text not null, sha256 text not null, applied_at timestamptz not null default now());
  alter table migrations add column if not exists min_compatible integer;
  create table if not exists migration_progress (
    version integer primary key, name text not null, sha256 text not null, min_compatible integer not null,
    steps_done integer not null default 0, position text, begun_at timestamptz not null default now())`;

/** Reads without a lock. Also on a database without any table, and on one of a version without the newer columns. */
export async function readState(db: Queryable): Promise<MigrationState> {
  const { rows: tables } = await db.query<{ applied: boolean; begun: boolean }>(
    "select to_regclass('migrations') is not null as applied, to_regclass('migration_progress') is not null as begun",
  );
  const has = tables[0];
  // `min_compatible` was added together with `migration_progress`.
  const minCompatible = has?.begun === true ? "coalesce(min_compatible, version)" : "version";
  const { rows: applied } =
    has?.applied === true
      ? await db.query<AppliedMigration>(
          `select version, name, sha256, ${minCompatible} as "minCompatible" from migrations order by version`,
        )
      : { rows: [] };
  const { rows: begun } =
    has?.begun === true
      ? await db.query<BegunMigration>(
          `select version, name, sha256, min_compatible as "minCompatible", steps_done as "stepsDone", position
             from migration_progress order by version`,
        )
      : { rows: [] };
  return { prepared: has?.begun === true, applied, begun };
}

/** The migrations that this code has and the database has not, or not wholly. */
export function pendingOf(state: MigrationState, migrations: readonly Migration[]): Migration[] {
  return migrations.filter(({ version }) => !state.applied.some((row) => row.version === version));
}

/**
 * Why this code must not use the database: what happened, what it means, what to do. Null: it may, although newer code may have
 * migrated it further by migrations that this code can run beside.
 */
export function faultOf(state: MigrationState, migrations: readonly Migration[]): string | null {
  const newest = migrations.at(-1)?.version ?? 0;
  for (const row of [...state.applied, ...state.begun]) {
    const known = migrations.find(({ version }) => version === row.version);
    if (known === undefined) {
      if (row.version > newest && row.minCompatible <= newest) continue;
      return `The database was made, or upgraded, by a newer version of Querent: it has the migration ${row.name}, which this version does not know${row.minCompatible < row.version ? ` and which only code with the migration ${String(row.minCompatible).padStart(4, "0")} can run beside` : ""}. Nothing was changed. Start the newer version; to go back to this one, restore a backup from before the upgrade.`;
    }
    if (known.name !== row.name || known.sha256 !== row.sha256) {
      return `The database was made by an unreleased version of Querent: its migration ${row.name} is not the one that this version has as ${known.name}, so its tables may be others. Nothing was changed. Start the version that made it and take the results away (\`GET /v1/batches/{batch_id}/results\`), or restore a backup that a released version made; for a fresh start, set \`QUERENT_DATA_DIR\` or \`DATABASE_URL\` to an empty one. If a file in service/src/db/migrations was edited, restore it: released migrations are never changed.`;
    }
  }
  const last = state.applied.at(-1);
  const missing = migrations.find(
    ({ version }) => version < (last?.version ?? 0) && !state.applied.some((row) => row.version === version),
  );
  if (missing !== undefined) {
    return `The database was made by an unreleased version of Querent: it has the migration ${last?.name ?? ""}, and not ${missing.name}, which comes before it. Nothing was changed. Start the version that made it and take the results away, or restore a backup that a released version made.`;
  }
  return null;
}
