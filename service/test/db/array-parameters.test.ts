/** Arrays arrive as they were sent, whatever is in them. */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { arrayLiteral, byteaArray, jsonArray, jsonbArray, textArray } from "../../src/db/index.ts";
import { testDatabase } from "../harness/database.ts";

const { database } = await testDatabase();

const hostile = fc.oneof(
  fc.string({ unit: "binary" }).filter((text) => !text.includes("\0") && text.isWellFormed()),
  fc.constantFrom(
    "",
    "null",
    "NULL",
    "Null",
    "{}",
    "{a,b}",
    '"',
    "\\",
    '\\"',
    ",",
    " ",
    "a b",
    "a,b",
    "é",
    "😀",
    "\t",
    "\n",
  ),
);

test("strings and nulls, of whatever characters", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.option(hostile)), async (values) => {
      const { rows } = await database.query<{ sent: string; literal: string[] }>(
        "select $1::text[] as sent, $2::text[] as literal",
        [values, arrayLiteral(values)],
      );
      assert.deepEqual(rows[0], { sent: values, literal: values });
    }),
  );
});

test("numbers, booleans and times", async () => {
  const time = new Date("2026-11-01T09:30:01.234Z");
  const { rows } = await database.query(
    "select $1::int[] as i, $2::float8[] as f, $3::bool[] as b, $4::timestamptz[] as t",
    [
      [1, -2, null],
      [1.5, Number.NaN, Number.POSITIVE_INFINITY, 1e300],
      [true, false, null],
      [time, null],
    ],
  );
  assert.deepEqual(rows[0], {
    i: [1, -2, null],
    f: [1.5, Number.NaN, Number.POSITIVE_INFINITY, 1e300],
    b: [true, false, null],
    t: [time, null],
  });
});

test("what the literal is not made for is left to the driver", async () => {
  assert.equal(arrayLiteral([["a"], ["b"]]), null);
  assert.equal(arrayLiteral([Buffer.from("a")]), null);
  const { rows } = await database.query("select $1::text[] as nested", [[["a"], ["b"]]]);
  assert.deepEqual(rows[0], { nested: [["a"], ["b"]] });
});

test("bytes, text and JSON in the binary format", async () => {
  const bytes = fc.uint8Array({ maxLength: 300 }).map((array) => Buffer.from(array));
  const json = fc.json().filter((text) => !text.includes("\\u0000") && text.isWellFormed());
  await fc.assert(
    fc.asyncProperty(fc.array(fc.option(bytes)), fc.array(fc.option(json)), async (buffers, texts) => {
      const { rows } = await database.query<{
        b: (Buffer | null)[];
        j: (string | null)[];
        t: (string | null)[];
        same: boolean;
      }>(
        `select $1::bytea[] as b, array(select j::text from unnest($2::json[]) as j) as j, $4::text[] as t,
                $3::jsonb[] is not distinct from array(select j::jsonb from unnest($2::json[]) with ordinality as t(j, n) order by n) as same`,
        [byteaArray(buffers), jsonArray(texts), jsonbArray(texts), textArray(texts)],
      );
      assert.deepEqual(rows[0], { b: buffers, j: texts, t: texts, same: true });
    }),
  );
});
