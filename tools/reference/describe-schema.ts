import type { Queryable } from "../../service/src/db/index.ts";

/** Partitions are created and dropped daily, so only permanent tables are included. */
const tables = `
  select c.oid, c.relname as name, obj_description(c.oid, 'pg_class') as comment,
         array_to_string(c.reloptions, ', ') as options, pg_get_partkeydef(c.oid) as partition_by
  from pg_class c join pg_namespace n on n.oid = c.relnamespace
  where n.nspname = 'public' and c.relkind in ('r', 'p') and not c.relispartition
  order by c.relname`;

const columns = `
  select a.attrelid as oid, a.attname as name, format_type(a.atttypid, a.atttypmod) as type, a.attnotnull as "notNull",
         a.attidentity as identity, a.attgenerated as generated, pg_get_expr(d.adbin, d.adrelid) as default,
         col_description(a.attrelid, a.attnum) as comment
  from pg_attribute a
  left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
  where a.attrelid = any($1::oid[]) and a.attnum > 0 and not a.attisdropped
  order by a.attnum`;

const constraints = `
  select conrelid as oid, conname as name, pg_get_constraintdef(oid) as definition
  from pg_constraint where conrelid = any($1::oid[]) and contype in ('p', 'u', 'c', 'f')
  order by array_position(array['p', 'u', 'c', 'f']::"char"[], contype), conname`;

const indexes = `
  select i.indrelid as oid, pg_get_indexdef(i.indexrelid) as definition
  from pg_index i join pg_class c on c.oid = i.indexrelid
  where i.indrelid = any($1::oid[])
    and not exists (select from pg_constraint k where k.conindid = i.indexrelid and k.contype in ('p', 'u'))
  order by c.relname`;

const others = `
  select 'function ' || p.oid::regprocedure::text as name, pg_get_functiondef(p.oid) as definition
  from pg_proc p join pg_namespace n on n.oid = p.pronamespace
  where n.nspname = 'public' and p.prokind in ('f', 'p')
  union all
  select 'trigger ' || t.tgname || ' on ' || t.tgrelid::regclass, pg_get_triggerdef(t.oid)
  from pg_trigger t where not t.tgisinternal
  union all
  -- Without its query, which versions of PostgreSQL print differently: it stands in the migration.
  select 'view ' || c.relname, 'view ' || c.relname || E' (\\n' || (
    select string_agg('  ' || a.attname || ' ' || format_type(a.atttypid, a.atttypmod), E',\\n' order by a.attnum)
    from pg_attribute a where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped) || E'\\n)'
  from pg_class c join pg_namespace n on n.oid = c.relnamespace
  where n.nspname = 'public' and c.relkind in ('v', 'm')
  order by 1`;

interface Table {
  oid: number;
  name: string;
  comment: string | null;
  options: string | null;
  partition_by: string | null;
}
interface Column {
  oid: number;
  name: string;
  type: string;
  notNull: boolean;
  identity: string;
  generated: string;
  default: string | null;
  comment: string | null;
}
interface Definition {
  oid: number;
  name: string;
  definition: string;
}

/** The schema of a migrated database as SQL to read and to compare, from the catalog; tables by name, columns in their order. */
export async function describeSchema(db: Queryable): Promise<string> {
  const { rows: found } = await db.query<Table>(tables);
  const oids = found.map(({ oid }) => oid);
  const read = async <Row extends { oid: number }>(text: string) =>
    Map.groupBy((await db.query<Row>(text, [oids])).rows, ({ oid }) => oid);
  const columnsOf = await read<Column>(columns);
  const constraintsOf = await read<Definition>(constraints);
  const indexesOf = await read<Definition>(indexes);
  const { rows: rest } = await db.query<{ name: string; definition: string }>(others);
  return `${[
    "-- Dumped from a migrated database by `npm run docs`, so that a review sees what a migration changes. It is never run.",
    ...found.map((table) =>
      tableText(
        table,
        columnsOf.get(table.oid) ?? [],
        constraintsOf.get(table.oid) ?? [],
        indexesOf.get(table.oid) ?? [],
      ),
    ),
    ...rest.map(({ definition }) => `${definition.trim()};`),
  ].join("\n\n")}\n`;
}

function tableText(
  { name, comment, options, partition_by }: Table,
  columnRows: readonly Column[],
  constraintRows: readonly Definition[],
  indexRows: readonly Definition[],
): string {
  const lines = [
    ...columnRows.map((column) => columnText(column)),
    ...constraintRows.map((row) => `constraint ${row.name} ${row.definition}`),
  ];
  return [
    `create table ${name} (\n${lines.map((line) => `  ${line}`).join(",\n")}\n)${partition_by === null ? "" : ` partition by ${partition_by}`}${options === null || options === "" ? "" : ` with (${options})`};`,
    ...indexRows.map((row) => `${row.definition.replaceAll("public.", "")};`),
    ...(comment === null ? [] : [`comment on table ${name} is ${quoted(comment)};`]),
    ...columnRows.flatMap((column) =>
      column.comment === null ? [] : [`comment on column ${name}.${column.name} is ${quoted(column.comment)};`],
    ),
  ].join("\n");
}

function columnText({ name, type, notNull, identity, generated, default: value }: Column): string {
  const kinds: Record<string, string> = { a: "generated always as identity", d: "generated by default as identity" };
  return [
    name,
    type,
    notNull ? "not null" : "",
    kinds[identity] ?? "",
    value === null ? "" : generated === "s" ? `generated always as (${value}) stored` : `default ${value}`,
  ]
    .filter((part) => part !== "")
    .join(" ");
}

const quoted = (text: string) => `'${text.replaceAll("'", "''")}'`;
