import assert from "node:assert/strict";
import { statSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { DataFolderBusyError, lockDataFolder, tryLock } from "../../src/db/embedded/data-folder.ts";
import { startOwner, temporaryFolder } from "./harness.ts";

test("the second start on a folder is refused at once, and names the first by pid and address", async (t) => {
  const folder = join(temporaryFolder(t), "data");
  const owner = startOwner(t, folder, { mode: "lock" });
  await owner.until("up");
  assert.equal(statSync(folder).mode & 0o777, 0o700);
  await assert.rejects(lockDataFolder(folder), (error) => {
    assert.ok(error instanceof DataFolderBusyError);
    assert.equal(error.holder?.pid, owner.pid);
    assert.match(error.message, new RegExp(`running service \\(pid ${owner.pid}, http://127.0.0.1:8080, since `));
    return true;
  });
});

test("a folder whose holder was killed is free at once", async (t) => {
  const folder = temporaryFolder(t);
  const owner = startOwner(t, folder, { mode: "lock" });
  await owner.until("up");
  await owner.end("SIGKILL");
  const lock = tryLock(folder, "serve");
  assert.ok(lock);
  lock.release();
});

test("of many starts at once exactly one gets the folder", async (t) => {
  const folder = temporaryFolder(t);
  const owners = Array.from({ length: 6 }, () => startOwner(t, folder, { mode: "lock" }));
  const ends = await Promise.all(
    owners.map((it) => Promise.race([it.until("up").catch(() => undefined), it.until("error").catch(() => undefined)])),
  );
  assert.equal(ends.filter((line) => line?.event === "up").length, 1);
});

test("within one process as well, a held folder is refused, and a released one can be taken again", async (t) => {
  const folder = temporaryFolder(t);
  const first = await lockDataFolder(folder);
  await assert.rejects(lockDataFolder(folder), DataFolderBusyError);
  first.release();
  const second = await lockDataFolder(folder);
  first.release();
  await assert.rejects(lockDataFolder(folder), DataFolderBusyError);
  second.release();
});

test("a service waits for an operator's command to end, for a while", async (t) => {
  const folder = temporaryFolder(t);
  const command = await lockDataFolder(folder, { purpose: "command" });
  await assert.rejects(lockDataFolder(folder, { commandWaitMs: 50 }), /an operator's command/);
  const service = lockDataFolder(folder);
  await sleep(100);
  command.release();
  (await service).release();
});
