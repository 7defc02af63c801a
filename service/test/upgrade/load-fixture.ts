import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Database } from "../../src/db/index.ts";

/** What stands in the second line of a fixture. */
export interface FixtureAbout {
  readonly version: string;
  readonly recordedAt: string;
  readonly masterKeyHex: string;
  readonly accounts: Readonly<Record<"main" | "waiting" | "held", string>>;
  readonly tokens: Readonly<Record<"main" | "waiting" | "held", string>>;
  readonly submission: { readonly key: string; readonly body: string };
  readonly tasks: Readonly<
    Record<"cards" | "failed" | "long" | "shared" | "canceled" | "later" | "running" | "throttled" | "queued", string>
  >;
}

const migrations = join(import.meta.dirname, "../../src/db/migrations");

/** Makes an empty database what the fixture was recorded from, as if that had been just now. */
export async function loadFixture(database: Database, file: string): Promise<FixtureAbout> {
  const text = readFileSync(join(import.meta.dirname, file), "utf8");
  const about = JSON.parse(text.split("\n", 2)[1]?.replace(/^-- /, "") ?? "") as FixtureAbout;
  await database.query(
    `create table migrations (
       version integer primary key, name text not null, sha256 text not null, applied_at timestamptz not null default now())`,
  );
  for (const [name] of text.matchAll(/(?<=')\d{4}_\w+\.sql(?=')/g))
    await database.query(readFileSync(join(migrations, name), "utf8"));
  // Rows of any day, until they have their new one.
  for (const table of partitioned) await database.query(`create table ${table}_any partition of ${table} default`);
  await database.query(text);
  await moveTimes(database, about.recordedAt);
  return about;
}

const partitioned = ["task_results", "artifacts"];

/** By how long ago it was recorded; days by whole days, and what is counted by the hour or minute stays at its first moment. */
async function moveTimes(database: Database, recordedAt: string): Promise<void> {
  const { rows: columns } = await database.query<{ table: string; column: string; type: string }>(
    `select c.relname as table, a.attname as column, format_type(a.atttypid, null) as type
       from pg_class c join pg_namespace n on n.oid = c.relnamespace and n.nspname = 'public'
       join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
      where c.relkind in ('r', 'p') and not c.relispartition and a.atttypid in ('timestamptz'::regtype, 'date'::regtype)`,
  );
  const moved = ({ column, type }: { column: string; type: string }) => {
    if (type === "date") return `${column} + (now()::date - '${recordedAt}'::timestamptz::date)`;
    const time = `${column} + (now() - '${recordedAt}'::timestamptz)`;
    return column === "hour" || column === "minute" ? `date_trunc('${column}', ${time})` : time;
  };
  for (const [table, of] of Map.groupBy(columns, ({ table }) => table)) {
    if (!partitioned.includes(table)) {
      await database.query(
        `update ${table} set ${of.map((column) => `${column.column} = ${moved(column)}`).join(", ")}`,
      );
      continue;
    }
    await database.query(`create table moved as select * from ${table}`);
    await database.query(`update moved set ${of.map((column) => `${column.column} = ${moved(column)}`).join(", ")}`);
    await database.query(`drop table ${table}_any`);
    const { rows: days } = await database.query<{ day: string; next: string; name: string }>(
      "select distinct day::text, (day + 1)::text as next, to_char(day, 'YYYYMMDD') as name from moved",
    );
    for (const { day, next, name } of days)
      await database.query(
        `create table ${table}_${name} partition of ${table} for values from ('${day}') to ('${next}')`,
      );
    await database.query(`insert into ${table} select * from moved`);
    await database.query("drop table moved");
  }
}
