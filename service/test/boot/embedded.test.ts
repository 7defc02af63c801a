import assert from "node:assert/strict";
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { startEmbedded, type EmbeddedEvent } from "../../src/db/embedded/embedded.ts";
import { findPostgresBinaries } from "../../src/db/embedded/postgres-cluster.ts";
import { socketFolder } from "../../src/db/embedded/data-folder.ts";
import { afterwards, isRoot, processesOf, query, startOwner, temporaryFolder } from "./harness.ts";

const skip = findPostgresBinaries() === undefined ? "no embedded PostgreSQL for this machine" : false;
const mode = (path: string): number => statSync(path).mode & 0o777;

test(
  "the first start makes a private cluster; the next takes it as it is, with what was committed",
  { skip },
  async (t) => {
    const folder = join(temporaryFolder(t), "a data, folder");
    const events: EmbeddedEvent[] = [];
    const first = await startEmbedded({ dataDir: folder, log: (event) => events.push(event) });
    assert.equal(first.owned, true);
    await query(first.connection, "create table kept (n int); insert into kept values (42)");
    for (const path of [folder, join(folder, "postgres"), join(folder, "postgres", "data"), first.connection.host]) {
      assert.equal(mode(path), 0o700, path);
    }
    await first.stop();
    assert.deepEqual(processesOf(folder), []);

    const second = await startEmbedded({ dataDir: folder, log: (event) => events.push(event) });
    assert.deepEqual(await query(second.connection, "select n from kept"), [{ n: 42 }]);
    await second.stop();
    await second.stop();
    assert.deepEqual(
      // A start that takes longer than usual is told as well.
      events.map(({ event }) => event).filter((event) => event !== "postgres.recovering"),
      ["postgres.created", "postgres.started", "postgres.stopped", "postgres.started", "postgres.stopped"],
    );
    assert.equal(existsSync(join(folder, "holder.json")), false);
  },
);

test(
  "nothing committed is at risk, nothing listens on the network, and text sorts the same everywhere",
  { skip },
  async (t) => {
    await using embedded = await startEmbedded({ dataDir: temporaryFolder(t), settings: { max_connections: 50 } });
    const settings = await query(
      embedded.connection,
      `select name, setting from pg_settings where source in ('configuration file', 'command line', 'default') and name in
     ('fsync', 'full_page_writes', 'synchronous_commit', 'listen_addresses', 'TimeZone', 'max_connections', 'data_checksums') order by name`,
    );
    assert.deepEqual(Object.fromEntries(settings.map(({ name, setting }) => [name, setting])), {
      data_checksums: "on",
      fsync: "on",
      full_page_writes: "on",
      listen_addresses: "",
      max_connections: "50",
      synchronous_commit: "on",
      TimeZone: "UTC",
    });
    const [sorted] = await query(
      embedded.connection,
      `select array_agg(w order by w) as words, upper('é') as upper, getdatabaseencoding() as encoding from unnest(array['b', 'a', 'é', 'B', '_']) w`,
    );
    assert.deepEqual(sorted, { words: ["B", "_", "a", "b", "é"], upper: "É", encoding: "UTF8" });
  },
);

test(
  "a path too long for a socket's address works, through a private folder that is gone afterwards",
  { skip },
  async (t) => {
    const folder = join(temporaryFolder(t), "long".repeat(30));
    const embedded = await startEmbedded({ dataDir: folder });
    const { host } = embedded.connection;
    assert.ok(!host.startsWith(folder) && mode(host) === 0o700, host);
    assert.equal((await query(embedded.connection, "select 1 as one"))[0]?.["one"], 1);
    await embedded.stop();
    assert.equal(existsSync(host), false);

    // Somebody who guessed the name and put a link there gets nothing.
    const elsewhere = temporaryFolder(t);
    const guessed = socketFolder(join(folder, "postgres"), process.getuid?.() ?? 0);
    assert.equal(guessed, host);
    symlinkSync(elsewhere, guessed);
    afterwards(t, () => unlinkSync(guessed));
    await assert.rejects(startEmbedded({ dataDir: folder }), /is not a folder of user/);
  },
);

test("a cluster of another major version is refused and left as it was", { skip }, async (t) => {
  const folder = temporaryFolder(t);
  const cluster = join(folder, "postgres", "data");
  mkdirSync(cluster, { recursive: true });
  writeFileSync(join(cluster, "PG_VERSION"), "17\n");
  await assert.rejects(
    startEmbedded({ dataDir: folder }),
    /made by PostgreSQL 17, and this Querent comes with PostgreSQL 18/,
  );
  assert.equal(readFileSync(join(cluster, "PG_VERSION"), "utf8"), "17\n");
});

test("a data folder that can't be one is said in plain words", { skip }, async (t) => {
  const folder = temporaryFolder(t);
  const file = join(folder, "file");
  writeFileSync(file, "");
  await assert.rejects(startEmbedded({ dataDir: file }), /there is a file of that name/);
  await assert.rejects(startEmbedded({ dataDir: join(file, "below") }), /a part of that path is a file/);
  if (isRoot) return;
  mkdirSync(join(folder, "closed"), { mode: 0o500 });
  await assert.rejects(startEmbedded({ dataDir: join(folder, "closed", "data") }), /may not write there/);
  await assert.rejects(startEmbedded({ dataDir: join(folder, "closed") }), /may not write there/);
  await assert.rejects(startEmbedded({ dataDir: "/" }), /may not write there/);
});

test(
  "a full disk is said in plain words, and leaves no half-made cluster",
  { skip: skip || (!isRoot && "needs root to mount a small disk") },
  async (t) => {
    const folder = temporaryFolder(t);
    const script = 'mount -t tmpfs -o size=24m none "$0" && exec "$@"';
    const owner = startOwner(t, folder, { through: ["unshare", "--mount", "sh", "-c", script, folder] });
    assert.match((await owner.until("error")).message ?? "", /The disk is full: free some space/);
  },
);

test("Ctrl-C in the terminal leaves it running until the service has ended its work", { skip }, async (t) => {
  const folder = temporaryFolder(t);
  const owner = startOwner(t, folder, { detached: true });
  const { connection } = await owner.until("up");
  process.kill(-owner.pid, "SIGINT");
  await owner.until("interrupted");
  assert.equal((await query(connection, "select 1 as one"))[0]?.["one"], 1);
  await owner.end();
  assert.deepEqual(processesOf(folder), []);
});

test("logs go to files of the data folder that only the owner reads", { skip }, async (t) => {
  const folder = temporaryFolder(t);
  await using embedded = await startEmbedded({ dataDir: folder });
  const [row] = await query(embedded.connection, "select pg_current_logfile() as file");
  const file = String(row?.["file"]);
  assert.ok(file.startsWith(join(folder, "postgres", "log")), file);
  assert.equal(lstatSync(file).mode & 0o077, 0);
});
