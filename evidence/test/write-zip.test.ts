/** Writing a zip while its files are made. */
import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { writeZip, type ZipFile } from "../src/write-zip.ts";

const fileOf = (number: number): ZipFile => ({
  name: `${number}.txt`,
  read: async () => Buffer.from(`file ${number}`),
});

suite("a zip that is written in pieces", () => {
  test("asks for one file ahead, and ends its source when nobody reads on", async () => {
    let asked = 0;
    let isEnded = false;
    async function* files() {
      try {
        for (;;) yield fileOf(++asked);
      } finally {
        isEnded = true;
      }
    }
    const pieces = writeZip(files(), new Date("2026-01-01T00:00:00Z"));
    await pieces.next();
    await pieces.return(undefined);
    assert.equal(asked, 2);
    assert.equal(isEnded, true);
  });

  test("fails with the error of its source, after the files before it", async () => {
    async function* files() {
      yield fileOf(1);
      throw new Error("the database is gone");
    }
    let pieces = 0;
    await assert.rejects(async () => {
      for await (const _ of writeZip(files(), new Date("2026-01-01T00:00:00Z"))) pieces++;
    }, /the database is gone/);
    assert.equal(pieces, 2);
  });
});
