/** The embedded PostgreSQL and the service beside it, killed in every order, and on a full disk. */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statfsSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { startEmbedded, type EmbeddedEvent } from "../../src/db/embedded/embedded.ts";
import { findPostgresBinaries } from "../../src/db/embedded/postgres-cluster.ts";
import { readPostmasterPid } from "../../src/db/embedded/postmaster-pid.ts";
import { smallDisk, whyNoSmallDisk } from "../harness/small-disk.ts";
import { afterwards, eventually, postmastersOf, processesOf, query, startOwner, temporaryFolder } from "./harness.ts";

const skip = findPostgresBinaries() === undefined ? "no embedded PostgreSQL for this machine" : false;

test(
  "when its service is killed, PostgreSQL ends by itself, and the next start has every commit",
  { skip },
  async (t) => {
    const folder = temporaryFolder(t);
    const owner = startOwner(t, folder);
    const { connection } = await owner.until("up");
    await query(connection, "create table kept (n int); insert into kept values (1)");
    await owner.end("SIGKILL");
    await eventually(() => assert.deepEqual(processesOf(folder), []));

    await using embedded = await startEmbedded({ dataDir: folder });
    assert.deepEqual(await query(embedded.connection, "select n from kept"), [{ n: 1 }]);
  },
);

test("a start right after the kill waits for the dying PostgreSQL: never two at once", { skip }, async (t) => {
  const folder = temporaryFolder(t);
  for (let round = 0; round < 3; round += 1) {
    const owner = startOwner(t, folder);
    await owner.until("up");
    await owner.end("SIGKILL");
  }
  await using embedded = await startEmbedded({ dataDir: folder });
  assert.equal(postmastersOf(join(folder, "postgres", "data")).length, 1);
  await query(embedded.connection, "select 1");
});

test("an orphan that outlived its service is stopped before a new one starts", { skip }, async (t) => {
  const folder = temporaryFolder(t);
  // A machine whose setpriv can't give a death signal.
  const stubs = temporaryFolder(t);
  writeFileSync(join(stubs, "setpriv"), "#!/bin/sh\nexit 1\n");
  chmodSync(join(stubs, "setpriv"), 0o755);
  const owner = startOwner(t, folder, { env: { ...process.env, PATH: `${stubs}:${process.env["PATH"]}` } });
  const { connection } = await owner.until("up");
  await query(connection, "create table kept (n int); insert into kept values (1)");
  await owner.end("SIGKILL");
  const [orphan] = processesOf(folder);
  assert.ok(orphan !== undefined, "the orphan is there");

  const events: EmbeddedEvent[] = [];
  await using embedded = await startEmbedded({ dataDir: folder, log: (event) => events.push(event) });
  assert.deepEqual(events[0], { event: "postgres.orphan_found", pid: orphan });
  assert.equal(processesOf(folder).includes(orphan), false);
  assert.deepEqual(await query(embedded.connection, "select n from kept"), [{ n: 1 }]);
});

test("a PostgreSQL that was killed is brought back at the same address, with every commit", { skip }, async (t) => {
  const folder = temporaryFolder(t);
  const events: EmbeddedEvent[] = [];
  await using embedded = await startEmbedded({ dataDir: folder, log: (event) => events.push(event) });
  await query(embedded.connection, "create table kept (n int); insert into kept values (1)");
  const before = readPostmasterPid(join(folder, "postgres", "data"))?.pid;
  assert.ok(before);
  process.kill(before, "SIGKILL");
  const rows = await eventually(() => query(embedded.connection, "select n from kept"));
  assert.deepEqual(rows, [{ n: 1 }]);
  assert.ok(events.some((event) => event.event === "postgres.died" && event.signal === "SIGKILL"));
  assert.notEqual(readPostmasterPid(join(folder, "postgres", "data"))?.pid, before);
});

test("one that dies again and again is given up, and says so", { skip }, async (t) => {
  const folder = temporaryFolder(t);
  let isUp = false;
  const kill = (pid: number): void => void process.kill(pid, "SIGKILL");
  await using embedded = await startEmbedded({
    dataDir: folder,
    log: (event) => (event.event === "postgres.started" && isUp ? kill(event.pid) : undefined),
  });
  isUp = true;
  kill(readPostmasterPid(join(folder, "postgres", "data"))?.pid ?? 0);
  const failure = await Promise.race([embedded.failed, sleep(180_000, undefined, { ref: false })]);
  assert.match(failure?.message ?? "still running", /died 6 times within a minute/);
});

test("a pid file of before a reboot, whose pid is another process's now, hinders nothing", { skip }, async (t) => {
  const folder = temporaryFolder(t);
  const cluster = join(folder, "postgres", "data");
  const stranger = spawn("sleep", ["600"], { stdio: "ignore" });
  afterwards(t, () => stranger.kill());

  const owner = startOwner(t, folder);
  const { connection } = await owner.until("up");
  await query(connection, "create table kept (n int); insert into kept values (1)");
  const postmaster = readPostmasterPid(cluster)?.pid;
  assert.ok(postmaster !== undefined && stranger.pid !== undefined);
  // The power goes: the server first, so that it can't be brought back, or tidy up.
  process.kill(owner.pid, "SIGSTOP");
  process.kill(postmaster, "SIGKILL");
  await owner.end("SIGKILL");
  for (const path of [join(cluster, "postmaster.pid"), join(folder, "postgres", "run", ".s.PGSQL.5432.lock")]) {
    writeFileSync(path, readFileSync(path, "utf8").replace(String(postmaster), String(stranger.pid)));
  }

  await using embedded = await startEmbedded({ dataDir: folder });
  assert.deepEqual(await query(embedded.connection, "select n from kept"), [{ n: 1 }]);
  assert.equal(stranger.exitCode, null, "the stranger was left alone");
});

for (const atMostMs of [20, 150, 400]) {
  test(
    `a kill in the middle of the first start (at most ${atMostMs} ms into initdb) leaves nothing that is taken for a cluster`,
    { skip },
    async (t) => {
      let dataDir: string;
      let postgres: string;
      let afterMs = atMostMs;
      for (;;) {
        dataDir = temporaryFolder(t);
        postgres = join(dataDir, "postgres");
        const owner = startOwner(t, dataDir);
        await eventually(() =>
          assert.ok(
            existsSync(postgres) &&
              readdirSync(postgres).some((name) => name.startsWith("unfinished-") || name === "data"),
          ),
        );
        await sleep(afterMs);
        await owner.end("SIGKILL");
        if (!existsSync(join(postgres, "data"))) break;
        // The kill came too late: this machine is faster.
        afterMs /= 2;
      }

      await using embedded = await startEmbedded({ dataDir });
      await query(embedded.connection, "select 1");
      assert.deepEqual(readdirSync(postgres).toSorted(), ["data", "log", "run", "settings.conf"]);
    },
  );
}

test(
  "clusters left unfinished, to which processes still write, are removed whole by the next start",
  { skip },
  async (t) => {
    const dataDir = temporaryFolder(t);
    const postgres = join(dataDir, "postgres");
    // Until its folders are gone.
    const source = `const { rmSync, writeFileSync } = require("node:fs");
    console.log("writes");
    for (let round = 0, failed = 0; round < 200_000 && failed < 20; round++) {
      try { writeFileSync(round % 20 + "/new", ""); rmSync(round % 20 + "/new"); failed = 0; } catch { failed++; }
    }`;
    const writers = Array.from({ length: 6 }, (_, index) => {
      const cwd = join(postgres, `unfinished-${index}`);
      for (let folder = 0; folder < 20; folder++) {
        mkdirSync(join(cwd, String(folder)), { recursive: true });
        for (let file = 0; file < 100; file++) writeFileSync(join(cwd, String(folder), String(file)), "");
      }
      return spawn(process.execPath, ["--eval", source], { cwd, stdio: ["ignore", "pipe", "inherit"] });
    });
    const ended = Promise.all(writers.map((writer) => once(writer, "exit")));
    await Promise.all(writers.map((writer) => once(writer.stdout, "data")));

    await using embedded = await startEmbedded({ dataDir });
    await query(embedded.connection, "select 1");
    assert.deepEqual(readdirSync(postgres).toSorted(), ["data", "log", "run", "settings.conf"]);
    await ended;
  },
);

const noSmallDisk = whyNoSmallDisk();
test(
  "the service waits for a full disk that ended PostgreSQL, and goes on by itself with every commit once there is space",
  { skip: skip || noSmallDisk },
  async (t) => {
    const disk = smallDisk(t, "160m");
    const events: EmbeddedEvent[] = [];
    await using embedded = await startEmbedded({
      dataDir: join(disk, "data"),
      log: (event) => events.push(event),
      settings: { min_wal_size: "32MB", max_wal_size: "32MB", checkpoint_timeout: "1h" },
    });
    let failure: Error | undefined;
    void embedded.failed.then((error) => (failure = error));
    await query(embedded.connection, "create table kept (n int); insert into kept values (0)");
    const filler = join(disk, "filler");
    const { bavail, bsize } = statfsSync(disk);
    writeFileSync(filler, Buffer.alloc(bavail * bsize));
    // A row still finds room in the table's page; the write-ahead log soon finds none for its next 16 MiB.
    let committed = 1;
    const isFull = () => events.some(({ event }) => event === "postgres.disk_full");
    while (!isFull() && failure === undefined) {
      await query(embedded.connection, `insert into kept values (${committed})`).then(
        () => committed++,
        () => sleep(50),
      );
      await query(embedded.connection, "select pg_logical_emit_message(false, 'fill', repeat('x', 4000000))").catch(
        () => undefined,
      );
    }
    assert.equal(failure, undefined);
    rmSync(filler);
    await eventually(async () => {
      const [{ count } = {}] = await query(embedded.connection, "select count(*)::int as count from kept");
      assert.ok(Number(count) >= committed);
    });
    assert.equal(events.filter(({ event }) => event === "postgres.disk_has_space").length, 1);
    assert.equal(failure, undefined);
  },
);
