/** Two processes of each role, with every default, on a server with PostgreSQL's default of 100 connections. */
import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { test } from "node:test";
import { startEmbedded } from "../../src/db/embedded/index.ts";
import { Database, describeBudget, readConnectionBudget } from "../../src/db/index.ts";
import { startServiceProcess, temporaryFolder } from "../harness/process.ts";
import { until } from "../harness/wait.ts";

const token = "six-processes-of-this-service";
const tasks = 400;

test("two processes of each role fit into the connections that PostgreSQL accepts by default", async () => {
  using folder = temporaryFolder();
  await using postgres = await startEmbedded({
    dataDir: join(folder.path, "database"),
    settings: { max_connections: 100 },
  });
  const { host, user, port, database: name } = postgres.connection;
  const url = `postgresql://${user}@localhost:${port}/${name}?host=${encodeURIComponent(host)}`;
  const environment = {
    DATABASE_URL: url,
    QUERENT_DATA_DIR: folder.path,
    QUERENT_MASTER_KEY: randomBytes(32).toString("base64"),
    QUERENT_ACCESS_TOKEN: token,
  };
  const roles = ["api", "api", "worker", "worker", "notifier", "notifier"];
  const first = await startServiceProcess(environment, ["serve", "--roles", "api"]);
  const others = await Promise.all(
    roles.slice(1).map((role) => startServiceProcess(environment, ["serve", "--roles", role])),
  );
  const processes = [first, ...others];
  const database = new Database({ connection: { connectionString: url }, connectionsMax: 1 });
  try {
    const answer = await fetch(`${first.address}/v1/tasks/batch`, {
      method: "POST",
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json", "idempotency-key": "six" },
      body: JSON.stringify(
        Array.from({ length: tasks }, () => ({ question: "delay=50ms", platformCode: "simulator", options: {} })),
      ),
    });
    assert.equal(answer.status, 202);
    await until("every task to complete", async () => {
      const { rows } = await database.query<{ count: number }>(
        "select count(*)::int as count from tasks where state = 'completed'",
      );
      return rows[0]?.count === tasks;
    });
    const budget = await readConnectionBudget(database);
    // 2 x (12 + 16 + 10), and two more for each process: docs/scaling.md#connections.
    assert.deepEqual([budget.max, budget.processes, budget.declared], [100, roles.length, 88]);
    const { rows } = await database.query<{ open: number }>(
      "select count(*)::int as open from pg_stat_activity where application_name ~ '^querent .+ of'",
    );
    assert.ok((rows[0]?.open ?? 0) <= budget.declared, `${rows[0]?.open} connections`);
    const { fits, detail } = describeBudget(budget);
    assert.ok(fits, detail);
    for (const { output } of processes) assert.doesNotMatch(output(), /connections_short|53300/);
  } finally {
    await database.close();
    for (const process of processes) await process.end("SIGTERM");
  }
});
