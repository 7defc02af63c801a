/** Connections that lead nowhere: a host or the network fails, and nothing is refused or closed. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { suite, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { Database } from "../../src/db/index.ts";
import { isTransient } from "../../src/db/faults.ts";
import { startDatabaseProxy } from "../harness/database-proxy.ts";
import { emptyDatabase } from "../harness/database.ts";
import { startOwnPostgres } from "../harness/postgres.ts";
import { until } from "../harness/wait.ts";

/** A query alone would wait for an hour. */
const statementTimeoutMs = 3_600_000;
const open = (connectionString: string, connectTimeoutMs = 60_000) =>
  new Database({
    connection: { connectionString },
    connectionsMax: 3,
    statementTimeoutMs,
    connectTimeoutMs,
    silentMs: 200,
  });

suite("connections that lead nowhere", () => {
  test("connections to a silent server are given up, idle ones too, once its address leads to another primary", async (t) => {
    const postgres = await startOwnPostgres(t);
    await using proxy = await startDatabaseProxy(postgres.url);
    const database = open(proxy.url);
    t.after(() => database.close());
    await Promise.all([1, 2, 3].map(() => database.query("select pg_sleep(0.01)")));
    const before = proxy.connections();

    // The old server is gone without a word; the new one accepts connections.
    proxy.silence();
    await postgres.restart("immediate");
    await assert.rejects(database.query("select 1"), isTransient);
    const rows = await Promise.all([1, 2, 3].map(() => database.query("select 1 as one")));
    assert.equal(rows.length, 3, "no other connection of the pool leads to the old one");
    assert.ok(proxy.connections() > before);
  });

  test("a query to an address that leads nowhere fails as transient as soon as a new connection cannot be made", async (t) => {
    const { url } = await emptyDatabase();
    await using proxy = await startDatabaseProxy(url);
    const database = open(proxy.url, 500);
    t.after(() => database.close());
    await database.query("select 1");
    proxy.stall();
    await assert.rejects(database.query("select 1"), isTransient);
    proxy.restore();
    await until("it to work again", async () => (await database.query("select 1").catch(() => null)) !== null);
  });

  test("while a pooler accepts connections and answers nothing, what is asked is refused at once, until it answers again", async () => {
    const { url } = await emptyDatabase();
    await using proxy = await startDatabaseProxy(url);
    const database = new Database({
      connection: { connectionString: proxy.url },
      direct: { connectionString: url },
      ...{ connectionsMax: 3, statementTimeoutMs, connectTimeoutMs: 60_000, silentMs: 200 },
    });
    await database.query("select 1");
    proxy.stall();
    const waiting = database.query("select 1").catch(() => null);
    // Each of these would wait for an hour as well.
    await until("a statement to be refused", async () => {
      const refused = database.query("select 1").then(
        () => false,
        (error: unknown) => isTransient(error),
      );
      return Promise.race([refused, sleep(50, false)]);
    });
    proxy.restore();
    await until("it to work again", async () => (await database.query("select 1").catch(() => null)) !== null);
    await waiting;
    await database.close();
  });

  test("a slow query on a server that is there is left alone", async (t) => {
    const { url } = await emptyDatabase();
    await using proxy = await startDatabaseProxy(url);
    const database = open(proxy.url);
    t.after(() => database.close());
    const holder = await database.connect();
    t.after(() => holder.end());
    await holder.query("select pg_advisory_lock(1)");
    const before = proxy.connections();
    const slow = database.query("select pg_advisory_lock(1), 1 as one");
    await until("its server to be asked twice whether it is there", () => proxy.connections() >= before + 3);
    await holder.query("select pg_advisory_unlock(1)");
    assert.equal((await slow).rows[0]?.["one"], 1);
  });

  test(
    "an idle connection is probed by TCP within seconds, so that a listener whose server is gone notices",
    { skip: process.platform === "linux" ? false : "reads /proc/net/tcp" },
    async (t) => {
      const { url } = await emptyDatabase();
      await using proxy = await startDatabaseProxy(url);
      const database = open(proxy.url);
      t.after(() => database.close());
      const client = await database.connect();
      t.after(() => client.end());
      await client.query("select 1");
      const port = Number(new URL(proxy.url).port);
      // 2: the timer of keepalive probes; then the time until it expires, in hundredths of a second.
      const timers = () => keepAliveTimers(port);
      await until("the keepalive timer", () => timers().some((inMs) => inMs <= 5000));
    },
  );
});

function keepAliveTimers(port: number): number[] {
  const remote = `:${port.toString(16).toUpperCase().padStart(4, "0")}`;
  return readFileSync("/proc/net/tcp", "utf8")
    .split("\n")
    .flatMap((line) => {
      const [, , to = "", , , timer = ""] = line.trim().split(/\s+/);
      const [kind, when = ""] = timer.split(":");
      return to.endsWith(remote) && kind === "02" ? [Number.parseInt(when, 16) * 10] : [];
    });
}
