/** The life of stored bytes: they are stored once, stay while a result refers to them, and are swept afterwards. */
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import {
  artifactBytesMax,
  ContentFault,
  FileStore,
  insertArtifacts,
  keepContent,
  listArtifacts,
  sweepContents,
  type Artifact,
} from "../../src/artifacts/index.ts";
import { readArtifact } from "../../src/artifacts/artifact-rows.ts";
import type { Database } from "../../src/db/index.ts";
import { newId } from "../../src/kernel/ids.ts";
import { maintainResults } from "../../src/tasks/index.ts";
import { testDatabase } from "../harness/database.ts";

const { signal } = new AbortController();

async function place(): Promise<{ database: Database; store: FileStore; files: () => string[]; folder: string }> {
  const { database } = await testDatabase();
  await maintainResults(database);
  const folder = mkdtempSync(join(tmpdir(), "querent-artifacts-"));
  after(() => rmSync(folder, { recursive: true, force: true }));
  const files = () =>
    readdirSync(folder, { withFileTypes: true, recursive: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name));
  return { database, store: new FileStore(folder), files, folder };
}

/** A result with one artifact, that expires at the given time. */
async function refer(database: Database, content: Awaited<ReturnType<typeof keepContent>>, expires: string) {
  const taskId = newId();
  const artifact: Artifact = { ...content, kind: "page", name: "page.html", mediaType: "text/html" };
  const day = new Date().toISOString().slice(0, 10);
  await database.transaction((tx) =>
    insertArtifacts(tx, [{ day, accountId: newId(), taskId, expiresAt: new Date(expires), artifacts: [artifact] }]),
  );
  return taskId;
}

const makeDue = (database: Database) =>
  database.query("update artifact_contents set check_at = now() - interval '1 s'");

test("the same bytes are stored once, and stay until the last result that refers to them has expired", async () => {
  const { database, store, files } = await place();
  const bytes = Buffer.from("the page");
  const first = await keepContent(database, store, bytes, signal);
  const second = await keepContent(database, store, bytes, signal);
  assert.deepEqual(first, second);
  assert.deepEqual(first.sha256, createHash("sha256").update(bytes).digest());
  assert.equal(files().length, 1);
  const one = await refer(database, first, "2999-01-01");
  const two = await refer(database, first, "2999-01-01");

  await makeDue(database);
  await database.query("update artifacts set expires_at = now() where task_id = $1", [one]);
  assert.equal(await sweepContents(database, store, signal), 0);
  assert.deepEqual(await listArtifacts(database, one), []);
  const [kept] = await listArtifacts(database, two);
  assert.ok(kept !== undefined);
  assert.ok((await readArtifact(store, kept, signal)).equals(bytes));

  await makeDue(database);
  await database.query("update artifacts set expires_at = now() where task_id = $1", [two]);
  assert.equal(await sweepContents(database, store, signal), 1);
  assert.deepEqual(files(), []);
});

test("what a run stored and no task came to refer to is swept, and not before a day", async () => {
  const { database, store, files } = await place();
  await keepContent(database, store, Buffer.from("orphan"), signal);
  assert.equal(await sweepContents(database, store, signal), 0);
  assert.equal(files().length, 1);
  await makeDue(database);
  assert.equal(await sweepContents(database, store, signal), 1);
  assert.deepEqual(files(), []);
});

test("bytes that are stored again while they are being swept are there afterwards", async () => {
  const { database, store, files } = await place();
  const bytes = Buffer.from("wanted again");
  const before = await keepContent(database, store, bytes, signal);
  await makeDue(database);
  // Between the condemnation and the removal of the bytes.
  const slow = {
    place: "",
    write: store.write.bind(store),
    read: store.read.bind(store),
    close: store.close,
    remove: async (key: string) => {
      await keepContent(database, store, bytes, signal);
      await store.remove(key);
    },
  };
  assert.equal(await sweepContents(database, slow, signal), 1);
  const now = await keepContent(database, store, bytes, signal);
  assert.notEqual(now.contentId, before.contentId);
  assert.equal(files().length, 1);
  const taskId = await refer(database, now, "2999-01-01");
  const [artifact] = await listArtifacts(database, taskId);
  assert.ok(artifact !== undefined);
  assert.ok((await readArtifact(store, artifact, signal)).equals(bytes));
});

test("a sweep that dies before it has removed the bytes is finished by a later one", async () => {
  const { database, store, files } = await place();
  await keepContent(database, store, Buffer.from("half swept"), signal);
  await makeDue(database);
  const remove = () => Promise.reject(new Error("killed"));
  const dying = { place: "", write: store.write, read: store.read, close: store.close, remove };
  await assert.rejects(sweepContents(database, dying, signal), /killed/);
  assert.equal(files().length, 1);
  assert.equal(await sweepContents(database, store, signal), 0);
  await makeDue(database);
  assert.equal(await sweepContents(database, store, signal), 1);
  assert.deepEqual(files(), []);
});

test("many sweeps at once remove everything once", async () => {
  const { database, store, files } = await place();
  for (let n = 0; n < 30; n++) await keepContent(database, store, Buffer.from(`content ${n}`), signal);
  await makeDue(database);
  const removed = await Promise.all([1, 2, 3].map(() => sweepContents(database, store, signal)));
  assert.equal(
    removed.reduce((sum, count) => sum + count, 0),
    30,
  );
  assert.deepEqual(files(), []);
});

test("bytes that changed in the store are told, and never given out", async () => {
  const { database, store, files } = await place();
  const content = await keepContent(database, store, Buffer.from("as it was"), signal);
  const [artifact] = await listArtifacts(database, await refer(database, content, "2999-01-01"));
  writeFileSync(files()[0] ?? "", "as it wos");
  assert.ok(artifact !== undefined);
  await assert.rejects(
    readArtifact(store, artifact, signal),
    (error) => error instanceof ContentFault && error.reason === "damaged",
  );
});

test("an artifact over the limit is refused before anything is written", async () => {
  const { database, store, files } = await place();
  await assert.rejects(keepContent(database, store, new Uint8Array(artifactBytesMax + 1), signal), ContentFault);
  assert.deepEqual(files(), []);
  const { rows } = await database.query("select 1 from artifact_contents");
  assert.equal(rows.length, 0);
});
