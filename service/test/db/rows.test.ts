/** Rows arrive as they were sent, and no statement writes the arrays of its columns by hand. */
import assert from "node:assert/strict";
import { glob, readFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import fc from "fast-check";
import { rowsAs } from "../../src/db/index.ts";
import { testDatabase } from "../harness/database.ts";

const { database } = await testDatabase();
const sources = join(import.meta.dirname, "..", "..", "src");

const text = fc.string({ unit: "binary" }).filter((value) => !value.includes("\0") && value.isWellFormed());

interface Sent {
  readonly id: string;
  readonly text: string | null;
  readonly tags: readonly string[] | null;
  readonly bytes: Buffer | null;
  readonly json: string | null;
  readonly count: number | null;
  readonly at: Date | null;
}

const sentRows = rowsAs<Sent>("e", {
  id: ["uuid", (row) => row.id],
  nth: ["int", (_, nth) => nth],
  words: ["text", (row) => row.text],
  tags: ["text[]", (row) => row.tags],
  bytes: ["bytea", (row) => row.bytes],
  content: ["jsonb", (row) => row.json],
  answers: ["bigint", (row) => row.count],
  at: ["timestamptz", (row) => row.at],
});

const statement = {
  name: "sent rows",
  text: `select e.*, $1::text as beside from ${sentRows.after(1)} where e.id = any(${sentRows.array("id", 1)}) order by e.nth`,
};

test("each row has in each column what was sent, whatever characters it has, and null for nothing", async () => {
  const sent = fc.record({
    id: fc.uuid(),
    text: fc.option(text),
    tags: fc.option(fc.array(text)),
    bytes: fc.option(fc.uint8Array({ maxLength: 100 }).map((array) => Buffer.from(array))),
    json: fc.option(fc.json().filter((value) => !value.includes("\\u0000") && value.isWellFormed())),
    count: fc.option(fc.maxSafeNat()),
    at: fc.option(fc.date({ min: new Date("2000-01-01"), max: new Date("2100-01-01"), noInvalidDate: true })),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(sent, { maxLength: 20 }), async (rows) => {
      const { rows: got } = await database.query<{ nth: number; words: string | null }>({
        ...statement,
        values: ["beside", ...sentRows.values(rows)],
      });
      assert.deepEqual(
        got.map((row) => ({ ...row })),
        rows.map(({ id, text: words, tags, bytes, json, count, at }, nth) => ({
          ...{ id, nth, words, tags, bytes, answers: count, at, beside: "beside" },
          content: json === null ? null : (JSON.parse(json) as unknown),
        })),
      );
    }),
  );
});

test("rows with nothing in any column but the first are still rows", async () => {
  const empty = { text: null, tags: null, bytes: null, json: null, count: null, at: null };
  const rows = ["00000000-0000-0000-0000-000000000001", "00000000-0000-0000-0000-000000000002"].map((id) => ({
    id,
    ...empty,
  }));
  const { rowCount } = await database.query({ ...statement, values: ["", ...sentRows.values(rows)] });
  assert.equal(rowCount, 2);
});

test("only this helper writes several arrays of a statement as rows", async () => {
  const byHand: string[] = [];
  for await (const path of glob("**/*.ts", { cwd: sources })) {
    if (path === join("db", "array-parameters.ts")) continue;
    if (/unnest\(\s*\$\d+::\w+\[\]\s*,/.test(await readFile(join(sources, path), "utf8"))) byHand.push(path);
  }
  assert.deepEqual(byHand, []);
});
