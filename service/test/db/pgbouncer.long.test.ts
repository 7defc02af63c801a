/** Through a real PgBouncer, with its default settings: everything works, or a sentence says what to set. */
import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { suite, test } from "node:test";
import type { SubmissionAccepted } from "@querent/contract";
import pg from "pg";
import { Database } from "../../src/db/index.ts";
import { emptyDatabase, testDatabase } from "../harness/database.ts";
import { noPgBouncer, startPgBouncer } from "../harness/pgbouncer.ts";
import { runCommand, startServiceProcess, temporaryFolder, type ServiceProcess } from "../harness/process.ts";
import { until } from "../harness/wait.ts";

const token = "token-of-the-pgbouncer-test";
const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };

async function submit(service: ServiceProcess, count: number, key: string): Promise<string[]> {
  const answer = await fetch(`${service.address}/v1/tasks/batch`, {
    method: "POST",
    headers: { ...headers, "idempotency-key": key },
    body: JSON.stringify(Array.from({ length: count }, () => ({ question: "delay=100ms", platformCode: "simulator" }))),
  });
  assert.equal(answer.status, 202, await answer.clone().text());
  return ((await answer.json()) as SubmissionAccepted).tasks.map(({ taskId }) => taskId);
}

const limitsOf = async (database: Database) => {
  const { rows } = await database.query(
    "select current_setting('statement_timeout') as statement, current_setting('idle_in_transaction_session_timeout') as idle, current_setting('timezone') as zone, current_setting('jit') as jit",
  );
  return rows[0];
};
const ourLimits = { statement: "30s", idle: "10s", zone: "UTC", jit: "off" };

suite("PgBouncer", { skip: noPgBouncer }, () => {
  test("two processes behind a pooler of transactions complete every task, although one is killed", async () => {
    using folder = temporaryFolder();
    const { url } = await emptyDatabase();
    await using pgBouncer = await startPgBouncer(url, { poolMode: "transaction", poolSize: 5 });
    const environment = {
      QUERENT_DATA_DIR: folder.path,
      DATABASE_URL: pgBouncer.through(url),
      QUERENT_DATABASE_DIRECT_URL: url,
      QUERENT_MASTER_KEY: randomBytes(32).toString("base64"),
      QUERENT_ACCESS_TOKEN: token,
      QUERENT_WORKER_SLOTS: "20",
    };
    const [one, other] = await Promise.all([startServiceProcess(environment), startServiceProcess(environment)]);
    const database = new Database({ connection: { connectionString: url }, connectionsMax: 1 });
    try {
      const taskIds = [...(await submit(one, 150, "one")), ...(await submit(other, 150, "other"))];
      const ended = async () => {
        const { rows } = await database.query<{ count: number }>(
          "select count(*) as count from tasks where state = 'completed' and id = any($1)",
          [taskIds],
        );
        return rows[0]?.count ?? 0;
      };
      await until("some to end", async () => (await ended()) > 20);
      const ids = new Set<string>();
      await until("both to have run some", async () => {
        const { rows } = await database.query<{ node_id: string }>(
          "select distinct node_id from dispatch where node_id is not null",
        );
        for (const { node_id } of rows) ids.add(node_id);
        return ids.size === 2 || (await ended()) > 200;
      });
      await one.end("SIGKILL");
      // In place of the time after which a dead process's work is anybody's.
      await database.query("update nodes set lease_until = now() - interval '1 s'");
      await until("all to end", async () => (await ended()) === taskIds.length);
      const { rows } = await database.query(
        "select kind, count(*)::int as count from ledger where kind = 'capture' group by kind",
      );
      assert.deepEqual(rows, [{ kind: "capture", count: 300 }]);
      assert.equal(await other.end("SIGTERM"), 0, other.output());
    } finally {
      for (const service of [one, other]) await service.end("SIGKILL");
      await database.close();
    }
  });

  test("pooling transactions: each statement has the time limits, keeps its order and leaves no setting behind", async () => {
    const { url } = await testDatabase();
    await using pgBouncer = await startPgBouncer(url, { poolMode: "transaction", poolSize: 3 });
    const through = { connectionString: pgBouncer.through(url) };
    const database = new Database({ connection: through, direct: { connectionString: url }, connectionsMax: 20 });
    const stranger = new pg.Client(through);
    await stranger.connect();
    try {
      assert.deepEqual(await limitsOf(database), ourLimits);
      const work = Array.from({ length: 200 }, (_, n) =>
        n % 2 === 0
          ? database.query<{ n: number }>({ name: "a name", text: "select $1::int as n", values: [n] })
          : database.transaction(async (tx) => {
              const [, found] = await Promise.all([
                tx.query("select set_config('querent.n', $1, true)", [String(n)]),
                tx.query<{ n: number }>({ name: "another", text: "select current_setting('querent.n')::int as n" }),
              ]);
              return found;
            }),
      );
      assert.deepEqual(
        (await Promise.all(work)).map(({ rows }) => rows[0]?.n),
        work.map((_, n) => n),
      );
      const { rows } = await stranger.query("select current_setting('statement_timeout') as statement");
      assert.deepEqual(rows, [{ statement: "0" }]);
      await assert.rejects(database.query("select 1/0"), { code: "22012" });
    } finally {
      await stranger.end();
      await database.close();
    }
  });

  test("pooling sessions, alone: the time limits hold, and a task completes", async () => {
    using folder = temporaryFolder();
    const { url } = await emptyDatabase();
    await using pgBouncer = await startPgBouncer(url, { poolMode: "session", poolSize: 30 });
    const through = pgBouncer.through(url);
    const database = new Database({ connection: { connectionString: through }, connectionsMax: 2 });
    assert.deepEqual(await limitsOf(database), ourLimits);
    assert.equal(await database.isSession(), true);
    await database.close();
    const service = await startServiceProcess({
      QUERENT_DATA_DIR: folder.path,
      DATABASE_URL: through,
      QUERENT_ACCESS_TOKEN: token,
    });
    try {
      const [taskId] = await submit(service, 1, "one");
      const state = async () =>
        ((await (await fetch(`${service.address}/v1/tasks/${taskId}`, { headers })).json()) as { state: string }).state;
      await until("it to complete", async () => (await state()) === "completed");
      assert.equal(await service.end("SIGTERM"), 0, service.output());
    } finally {
      await service.end("SIGKILL");
    }
  });

  test("what can't work is refused within seconds, with a sentence that names the variable to set", async (t) => {
    using folder = temporaryFolder();
    const { url } = await emptyDatabase();
    const { url: otherUrl } = await emptyDatabase();
    await using transactions = await startPgBouncer(url, { poolMode: "transaction" });
    await using alone = await startPgBouncer(url, { poolMode: "transaction", poolSize: 1 });
    await using statements = await startPgBouncer(url, { poolMode: "statement" });
    const pooled = transactions.through(url);
    const refusals: [environment: Record<string, string>, says: RegExp][] = [
      [
        { DATABASE_URL: pooled },
        /^querentd: DATABASE_URL leads to a connection pooler that pools transactions\. .* Set QUERENT_DATABASE_DIRECT_URL to /,
      ],
      [
        { DATABASE_URL: alone.through(url) },
        /^querentd: DATABASE_URL leads to a connection pooler that pools transactions\./,
      ],
      [
        { DATABASE_URL: pooled, QUERENT_DATABASE_DIRECT_URL: pooled },
        /^querentd: QUERENT_DATABASE_DIRECT_URL leads to a connection pooler that pools transactions\./,
      ],
      [{ DATABASE_URL: pooled, QUERENT_DATABASE_DIRECT_URL: otherUrl }, /lead to different databases or servers/],
      [
        { DATABASE_URL: statements.through(url), QUERENT_DATABASE_DIRECT_URL: url },
        /statement pooling.*Set pool_mode of PgBouncer to transaction/,
      ],
      [{ QUERENT_DATABASE_DIRECT_URL: url }, /QUERENT_DATABASE_DIRECT_URL needs DATABASE_URL beside it/],
    ];
    const timed = async (environment: Record<string, string>, words: string[]) => {
      const from = performance.now();
      const ended = await runCommand({ QUERENT_DATA_DIR: folder.path, QUERENT_PORT: "0", ...environment }, words);
      return { ...ended, ms: performance.now() - from };
    };
    for (const [environment, says] of refusals) {
      let tookMs: number;
      let mayMs: number;
      // A busy machine can stop any process for seconds, but hardly the same one three times.
      for (let tries = 1; ; tries++) {
        // What a process takes here, now, that asks no server.
        const { ms: startMs } = await timed({}, ["--version"]);
        const { code, stderr, ms } = await timed(environment, ["serve"]);
        assert.match(stderr, says);
        assert.equal(code, 1);
        [tookMs, mayMs] = [ms, startMs + Math.max(5_000, 3 * startMs)];
        t.diagnostic(`refused after ${Math.round(ms)} ms, of which ${Math.round(startMs)} are those of any process`);
        if (tookMs < mayMs || tries === 3) break;
      }
      assert.ok(tookMs < mayMs, `refused after ${Math.round(tookMs)} ms: ${String(says)}`);
    }
  });
});
