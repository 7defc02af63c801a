/** The writer of every table, and the reader that undoes it. */
import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { csvLines, entityCells, entityColumns, readEntityTable, type EntityRecord } from "@querent/client";
import { parse } from "csv-parse/sync";
import fc from "fast-check";
import { CsvRecords } from "../src/csv.ts";
import { leastWork } from "./least-work.ts";

/** Text of what matters to spreadsheets, and other text. */
const hostile = fc
  .array(fc.constantFrom(..."=+-@＝＋－＠'\"\t\r\n;, \u00A0\uFEFFa5|\\", "\r\n", "sep=;", "=HYPERLINK(1)"), {
    maxLength: 8,
  })
  .map((parts) => parts.join(""));
const cells = fc.oneof(hostile, fc.string({ unit: "grapheme" }));
const tables = fc.array(fc.array(cells, { minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 8 });

const isName = (cell: string) => /^sep=/i.test(cell);
const readAll = (text: string) => {
  const reader = new CsvRecords(isName);
  return [...reader.push(text), ...reader.end()].map((record) => record.cells ?? record.fault);
};

suite("the writer of CSV", () => {
  test("any table of text is read back as it was, whatever its pieces", () => {
    fc.assert(
      fc.property(tables, fc.integer({ min: 1, max: 9 }), (rows, step) => {
        const text = csvLines(rows);
        assert.deepEqual(readAll(text), rows);
        const reader = new CsvRecords(isName);
        const read = [];
        for (let at = 0; at < text.length; at += step) read.push(...reader.push(text.slice(at, at + step)));
        read.push(...reader.end());
        assert.deepEqual(
          read.map((record) => record.cells),
          rows,
        );
      }),
      { numRuns: 1_000 },
    );
  });

  test("a reader that knows no more than RFC 4180 sees no formula, not even behind a semicolon or on a later line", () => {
    fc.assert(
      fc.property(tables, (rows) => {
        const read: string[][] = parse(csvLines(rows), { relax_column_count: true });
        assert.equal(read.length, rows.length);
        for (const cell of read.flat()) {
          assert.doesNotMatch(cell, /(?:^|[\r\n;\t])[=+\-@＝＋－＠]/);
          assert.doesNotMatch(cell, /^[\t\r\n]/);
        }
      }),
      { numRuns: 1_000 },
    );
  });

  test("numbers and booleans stay what they are, and null is an empty cell", () => {
    assert.equal(csvLines([[-5, -0.5, true, null, "-5", ""]]), "-5,-0.5,true,,'-5,\r\n");
  });

  test("a bare line feed or carriage return does not break the row", () => {
    assert.equal(csvLines([["a\n=1", "b\r=2", "c"]]), `"a\n'=1","b\r'=2",c\r\n`);
  });

  test("a hostile cell takes time in proportion to its length", () => {
    const timeOf = (length: number) => {
      const rows = ["'", "\n", ";'", " ", "\t=", '"'].map((part) => [part.repeat(length)]);
      return leastWork(() => assert.deepEqual(readAll(csvLines(rows)), rows));
    };
    timeOf(1_000);
    const [short, long] = [Math.max(timeOf(20_000), 5), timeOf(160_000)];
    assert.ok(long < 40 * short, `${long} ms for eight times what took ${short} ms`);
  });
});

suite("entities as CSV", () => {
  const text = fc
    .oneof(hostile, fc.string({ unit: "grapheme" }))
    .map((value) => value.trim())
    .filter((value) => value !== "");
  const entity = fc.record(
    {
      name: text,
      kind: fc.constantFrom("brand" as const, "product" as const, "person" as const),
      relation: fc.constantFrom("own" as const, "competitor" as const, "other" as const),
      caseSensitive: fc.boolean(),
      aliases: fc.array(fc.record({ text, caseSensitive: fc.boolean() }, { noNullPrototype: true }), { maxLength: 4 }),
      negativeContexts: fc.array(text, { maxLength: 3 }),
      domains: fc.subarray(["a.example", "b.example"]),
    },
    { noNullPrototype: true },
  );
  const at = "2026-11-28T00:00:00.000Z";
  const recordOf = (
    content: Omit<EntityRecord, "entityId" | "projectId" | "revision" | "createdAt" | "updatedAt">,
  ) => ({
    ...{ ...content, entityId: "", projectId: "", revision: 1, createdAt: at, updatedAt: at },
  });

  test("any entity is the same after an export and an import", () => {
    fc.assert(
      fc.property(fc.array(entity, { minLength: 1, maxLength: 5 }), (entities) => {
        const exported = csvLines([entityColumns, ...entities.map((each) => entityCells(recordOf(each)))]);
        const byCase = (aliases: EntityRecord["aliases"]) =>
          aliases.toSorted((one, other) => Number(one.caseSensitive) - Number(other.caseSensitive));
        assert.deepEqual(
          readEntityTable(exported).map((row) => (row.fault === undefined ? row.entity : row)),
          entities.map((each) => ({ ...each, aliases: byCase(each.aliases) })),
        );
      }),
      { numRuns: 1_000 },
    );
  });
});
