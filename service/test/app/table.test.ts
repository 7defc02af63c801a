import assert from "node:assert/strict";
import { test } from "node:test";
import stringWidth from "string-width";
import { table, type TableColumn } from "../../src/app/cli/table.ts";

const columns: readonly TableColumn[] = [
  { head: "ID" },
  { head: "NAME", least: 6 },
  { head: "POINTS", optional: 1 },
  { head: "NOTE", least: 4, optional: 2 },
];
const rows = [
  ["a1", "咖啡豆 and grinders", 1200, "a long note that nobody reads in full"],
  ["b2", "plain", 5, ""],
];

test("a table that is not printed to a terminal has all columns in full", () => {
  assert.deepEqual(table(columns, rows, Infinity).split("\n"), [
    "ID  NAME                 POINTS  NOTE",
    "a1  咖啡豆 and grinders  1200    a long note that nobody reads in full",
    "b2  plain                5",
  ]);
});

test("on a terminal, cells are cut and optional columns are omitted until the table fits", () => {
  assert.deepEqual(table(columns, rows, 40).split("\n"), [
    "ID  NAME           POINTS  NOTE",
    "a1  咖啡豆 and g…  1200    a long note …",
    "b2  plain          5",
  ]);
  assert.deepEqual(table(columns, rows, 20).split("\n"), [
    "ID  NAME      POINTS",
    "a1  咖啡豆 …  1200",
    "b2  plain     5",
  ]);
  assert.deepEqual(table(columns, rows, 12).split("\n"), ["ID  NAME", "a1  咖啡豆 …", "b2  plain"]);
  for (let width = 10; width < 80; width++)
    for (const line of table(columns, rows, width).split("\n"))
      assert.ok(stringWidth(line) <= width, `${stringWidth(line)} > ${width}: ${line}`);
});
