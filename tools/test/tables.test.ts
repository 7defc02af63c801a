import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join, sep } from "node:path";
import { suite, test } from "node:test";
import { rooms } from "../reference/directions.ts";
import { tableExceptions, tables } from "../reference/tables.ts";

const source = join(import.meta.dirname, "../../service/src");

interface Use {
  readonly file: string;
  readonly room: string;
  readonly table: string;
}

suite("the tables of the rooms", () => {
  test("every table of the schema has a room, and every table that is listed is in the schema", () => {
    const schema = readFileSync(join(source, "db/schema.sql"), "utf8");
    const created = [...schema.matchAll(/^create table (\w+)/gm)].map(([, name = ""]) => name);
    assert.deepEqual(Object.keys(tables).toSorted(), created.toSorted());
    for (const [table, room] of Object.entries(tables)) assert.ok(room in rooms, `${table}: there is no room ${room}`);
  });

  test("a room's SQL names its own tables, and others only where an exception says why", () => {
    const foreign = uses().filter(({ room, table }) => tables[table] !== room);
    assert.deepEqual(
      foreign.filter((use) => !tableExceptions.some((exception) => allows(exception, use))),
      [],
    );
    const unneeded = tableExceptions.flatMap((exception) =>
      exception.tables
        .filter((table) => !foreign.some((use) => use.table === table && allows(exception, use)))
        .map((table) => `${exception.where}: ${table}`),
    );
    assert.deepEqual(unneeded, [], "exceptions that nothing needs");
  });

  test("the search finds a table behind each word of SQL that a table's name follows, and none in comments", () => {
    const found = (text: string) => tablesIn(text);
    assert.deepEqual(found("`select 1 from tasks t left join batches b on true`"), ["tasks", "batches"]);
    assert.deepEqual(found("`insert into ledger values (1)`"), ["ledger"]);
    assert.deepEqual(found("`update only accounts set a = 1 from nodes`"), ["accounts", "nodes"]);
    assert.deepEqual(found("`delete from dispatch using deliveries`"), ["dispatch", "deliveries"]);
    assert.deepEqual(found("`lock table webhooks; truncate platforms`"), ["webhooks", "platforms"]);
    assert.deepEqual(found("`select 1 from tasks, batches`"), ["tasks", "batches"]);
    assert.deepEqual(found("// from tasks\n/** update accounts */ const from = 1;"), []);
  });
});

function uses(): Use[] {
  const files = readdirSync(source, { recursive: true, encoding: "utf8" }).filter((file) => file.endsWith(".ts"));
  return files.flatMap((path) => {
    const file = path.split(sep).join("/");
    const [room = ""] = file.split("/");
    return [...new Set(tablesIn(readFileSync(join(source, path), "utf8")))].map((table) => ({ file, room, table }));
  });
}

/** The tables that the SQL of a source names, in their order. */
function tablesIn(text: string): string[] {
  const code = text.replace(/\/\*[\s\S]*?\*\//g, " ").replace(/(^|\s)\/\/.*$/gm, " ");
  const named = /\b(?:from|join|into|update|truncate|table|using|lock)\s+(?:only\s+|table\s+)?((?:\w+\s*,\s*)*\w+)/gi;
  return [...code.matchAll(named)]
    .flatMap(([, names = ""]) => names.split(",").map((name) => name.trim().toLowerCase()))
    .filter((name) => Object.hasOwn(tables, name));
}

function allows({ where, tables: allowed }: (typeof tableExceptions)[number], { file, room, table }: Use): boolean {
  return (where === file || where === room) && allowed.includes(table);
}
