import assert from "node:assert/strict";
import { test } from "node:test";
import { attachEmbedded } from "../../src/db/embedded/attach-embedded.ts";
import { DataFolderBusyError } from "../../src/db/embedded/data-folder.ts";
import { startEmbedded } from "../../src/db/embedded/embedded.ts";
import { findPostgresBinaries } from "../../src/db/embedded/postgres-cluster.ts";
import { processesOf, query, startOwner, temporaryFolder } from "./harness.ts";

const skip = findPostgresBinaries() === undefined ? "no embedded PostgreSQL for this machine" : false;

test("a command beside a service uses the service's PostgreSQL and leaves it running", { skip }, async (t) => {
  const folder = temporaryFolder(t);
  const owner = startOwner(t, folder);
  // Not waited for: the command may come while the service is still making its cluster.
  await owner.until("postgres.created");
  const attached = await attachEmbedded({ dataDir: folder });
  assert.equal(attached.owned, false);
  await query(attached.connection, "create table made_by_command (n int)");
  await attached.stop();
  const { connection } = await owner.until("up");
  assert.deepEqual(await query(connection, "select n from made_by_command"), []);
});

test("a command without a service starts PostgreSQL for itself and stops it", { skip }, async (t) => {
  const folder = temporaryFolder(t);
  const attached = await attachEmbedded({ dataDir: folder });
  assert.equal(attached.owned, true);
  await query(attached.connection, "create table kept (n int)");
  await attached.stop();
  assert.deepEqual(processesOf(folder), []);

  // A service that starts while a command is at work waits for it.
  const again = await attachEmbedded({ dataDir: folder });
  const service = startEmbedded({ dataDir: folder });
  await query(again.connection, "select n from kept");
  await again.stop();
  await using started = await service;
  await query(started.connection, "select n from kept");
});

test("commands at once without a service each get their turn", { skip }, async (t) => {
  const folder = temporaryFolder(t);
  const commands = Array.from({ length: 4 }, () => startOwner(t, folder, { mode: "attach" }));
  await Promise.all(
    commands.map(async (command) => {
      const { connection } = await command.until("up");
      assert.equal((await query(connection, "select 1 as one"))[0]?.["one"], 1);
      await command.end();
    }),
  );
  assert.deepEqual(processesOf(folder), []);
});

test(
  "a command does not wait for ever for another one, nor for a service that has no PostgreSQL",
  { skip },
  async (t) => {
    const folder = temporaryFolder(t);
    const holder = startOwner(t, folder, { mode: "attach" });
    await holder.until("up");
    await assert.rejects(attachEmbedded({ dataDir: folder, waitMs: 100 }), DataFolderBusyError);
    await holder.end();
    const service = startOwner(t, folder, { mode: "lock" });
    await service.until("up");
    await assert.rejects(attachEmbedded({ dataDir: folder, waitMs: 100 }), /give this command the same DATABASE_URL/);
  },
);
