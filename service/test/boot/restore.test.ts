/** The end of a restore, which a crash may interrupt between any two of its steps. */
import assert from "node:assert/strict";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { tryLock } from "../../src/db/embedded/data-folder.ts";
import { decideRestore, finishRestore, newData, unfinishedRestore } from "../../src/db/embedded/finish-restore.ts";
import { temporaryFolder } from "./harness.ts";

/** The states of a data folder after each step of a restore that has been decided: paths with what they hold. */
const interrupted: readonly Record<string, string>[] = [
  { "postgres/x": "old", "artifacts/x": "old", "restored/new/postgres/x": "new", "restored/new/artifacts/x": "new" },
  {
    "restored/postgres/x": "old",
    "artifacts/x": "old",
    "restored/new/postgres/x": "new",
    "restored/new/artifacts/x": "new",
  },
  { "postgres/x": "new", "restored/postgres/x": "old", "artifacts/x": "old", "restored/new/artifacts/x": "new" },
  {
    "postgres/x": "new",
    "restored/postgres/x": "old",
    "restored/artifacts/x": "old",
    "restored/new/artifacts/x": "new",
  },
  {
    "postgres/x": "new",
    "artifacts/x": "new",
    "restored/postgres/x": "old",
    "restored/artifacts/x": "old",
    "restored/new/lock": "",
  },
  { "postgres/x": "new", "artifacts/x": "new", "restored/postgres/x": "old", "restored/artifacts/x": "old" },
];

for (const [step, files] of interrupted.entries())
  test(`whoever locks the folder next completes a restore that was interrupted after step ${step}`, (t) => {
    const folder = temporaryFolder(t);
    write(folder, { ...files, "master.key": "key" });
    const lock = tryLock(folder, "serve");
    assert.equal(lock?.completedRestore, true);
    const replaced = readdirSync(folder).find((name) => name.startsWith("replaced-")) ?? "";
    assert.deepEqual(readdirSync(folder).toSorted(), [
      "artifacts",
      "holder.json",
      "lock",
      "master.key",
      "postgres",
      replaced,
    ]);
    for (const part of ["postgres", "artifacts"]) {
      assert.equal(read(folder, part, "x"), "new");
      assert.equal(read(folder, replaced, part, "x"), "old");
    }
    lock.release();
    const again = tryLock(folder, "serve");
    assert.equal(again?.completedRestore, false);
    again.release();
  });

test("before it is decided, a restore changes nothing", (t) => {
  const folder = temporaryFolder(t);
  write(folder, { "postgres/x": "old" });
  write(newData(unfinishedRestore(folder)), { "postgres/x": "new" });
  assert.equal(finishRestore(folder), null);
  assert.equal(read(folder, "postgres", "x"), "old");
  decideRestore(folder);
  assert.match(finishRestore(folder) ?? "", /replaced-\d{8}T\d{6}Z$/);
  assert.equal(read(folder, "postgres", "x"), "new");
});

test("a restore to an empty folder leaves nothing else, and one without artifacts leaves those that are there", (t) => {
  const folder = temporaryFolder(t);
  write(folder, { "artifacts/x": "kept" });
  write(newData(unfinishedRestore(folder)), { "postgres/x": "new", lock: "" });
  decideRestore(folder);
  assert.equal(finishRestore(folder), "");
  assert.deepEqual(readdirSync(folder).toSorted(), ["artifacts", "postgres"]);
  assert.equal(read(folder, "artifacts", "x"), "kept");
});

function write(folder: string, files: Record<string, string>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
}

const read = (...path: string[]) => readFileSync(join(...path), "utf8");
