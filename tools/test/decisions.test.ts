/** The form of the decision records, and their index. */
import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { suite, test } from "node:test";

const folder = join(import.meta.dirname, "../../docs/decisions");
const index = "0000-index.md";
const read = (file: string) => readFileSync(join(folder, file), "utf8");
const records = globSync("*.md", { cwd: folder })
  .map((file) => basename(file))
  .filter((file) => file !== index)
  .toSorted();
const numberOf = (file: string) => Number(file.slice(0, 4));

suite("the records of decisions", () => {
  test("each has a number of its own, which its title repeats", () => {
    assert.ok(records.length > 0);
    assert.equal(new Set(records.map(numberOf)).size, records.length);
    assert.deepEqual(
      records.filter((file) => !read(file).startsWith(`# ${numberOf(file)}. `)),
      [],
    );
  });

  test("the index lists each of them once, in their order", () => {
    const rows = [...read(index).matchAll(/^\| \[(\d+)\]\(([\w.-]+)\)/gm)].map(
      ([, number, file]) => `${number} ${file}`,
    );
    assert.deepEqual(
      rows,
      records.map((file) => `${numberOf(file)} ${file}`),
    );
  });

  test("each is a screen long", () => {
    const long = records
      .map((file) => ({ file, words: read(file).match(/\S*[\p{L}\p{N}]\S*/gu)?.length ?? 0 }))
      .filter(({ words }) => words > 700);
    assert.deepEqual(long, []);
  });
});
