/**
 * Records a database of this version, for later versions to be tested on: `0.1.sql` and so on, beside this file. It runs the service,
 * brings it into every state, and writes the rows of every table while it runs, as if the machine had been lost in that moment.
 * How and when: README.md.
 */
import { randomUUID } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { scopes, type TaskRecord } from "@querent/contract";
import { pino } from "pino";
import { createToken } from "../../src/accounts/index.ts";
import { createAccount } from "../../src/app/accounts.ts";
import { startService } from "../../src/app/compose.ts";
import { roles } from "../../src/app/roles/names.ts";
import { readConfig } from "../../src/app/config.ts";
import { Database, migrate, type Queryable } from "../../src/db/index.ts";
import { startEmbedded } from "../../src/db/embedded/index.ts";
import { MasterKey } from "../../src/vault/index.ts";
import type { Log } from "../../src/telemetry/index.ts";
import { startReplayServer } from "../harness/replay-server.ts";
import { startReceiver } from "../harness/receiver.ts";
import { until } from "../harness/wait.ts";

const [version] = process.argv.slice(2);
if (version === undefined)
  throw new Error("Say which version: node tools/run.mjs --dev service/test/upgrade/make-fixture.ts 0.1");

const folder = mkdtempSync(join(tmpdir(), "querent-fixture-"));
const receiver = await startReceiver();
const postgres = await startEmbedded({ dataDir: join(folder, "postgres"), settings: { fsync: false } });
const database = new Database({ connection: { ...postgres.connection }, connectionsMax: 10 });
await migrate(database);

/** The master key, which is used for the fixture alone. */
const masterKeyHex = "07".repeat(32);
const masterKey = new MasterKey(Buffer.from(masterKeyHex, "hex"));
// A platform that states what its answers cost.
const metered = await startReplayServer({
  body: '{"choices":[{"message":{"content":"Yes."}}],"usage":{"prompt_tokens":10,"completion_tokens":20,"cost":0.25}}',
});
const config = join(folder, "platforms.yaml");
writeFileSync(
  config,
  `platforms: { metered: { api: openai-compatible, url: "${metered.url}", model: m, keyVariable: null } }`,
);
const environment = {
  QUERENT_CONFIG: config,
  QUERENT_PORT: "0",
  QUERENT_DATA_DIR: folder,
  QUERENT_DRAIN_SECONDS: "0",
  QUERENT_PUBLIC_URL: "https://querent.example",
  QUERENT_EGRESS_ALLOW: "127.0.0.0/8",
  QUERENT_EGRESS_CA: receiver.caFile,
  DATABASE_URL: "postgresql://unused",
};
const log: Log = Object.assign(() => undefined, { logger: pino({ level: "silent" }) });
const service = await startService(
  { config: readConfig(environment), environment, database, masterKey, alone: true, log },
  roles,
);

async function account(name: string, webhook: string) {
  const accountId = await createAccount(database, masterKey, { name, points: 1_000 });
  const { token } = await createToken(database, { accountId, scopes, name: "fixture", expiresAt: null });
  const call = async <Body>(method: string, path: string, body?: string, headers: Record<string, string> = {}) => {
    const response = await fetch(`${service.address}${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json", ...headers },
      ...(body === undefined ? {} : { body }),
    });
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
    return (await response.json().catch(() => null)) as Body;
  };
  const submit = async (questions: readonly string[], more: object = {}, key: string = randomUUID()) => {
    const body = JSON.stringify(
      questions.map((question) => ({ question, platformCode: "simulator", options: {}, ...more })),
    );
    const { tasks } = await call<{ tasks: { taskId: string }[] }>("POST", "/v1/tasks/batch", body, {
      "idempotency-key": key,
    });
    return { body, key, taskIds: tasks.map(({ taskId }) => taskId) };
  };
  const ended = (taskId: string) =>
    until(`the end of ${taskId}`, async () => {
      const task = await call<TaskRecord>("GET", `/v1/tasks/${taskId}`);
      return task.state === "pending" ? null : task;
    });
  await call("PUT", "/v1/webhook", JSON.stringify({ url: webhook }));
  return { accountId, token, call, submit, ended };
}

const main = await account("main", receiver.url("/main"));
// Nobody listens there: the first attempt fails, and the next one waits.
const waiting = await account("waiting", "https://localhost:1/waiting");
const held = await account("held", "https://localhost:1/held");

const first = await main.submit(
  ["cards=product,video,image sources=3 html=1", "fail=platform_refused", "size=1000"],
  { clientReference: "fixture", tags: ["fixture", "second"], priority: 7 },
  "fixture-key",
);
for (const taskId of first.taskIds) await main.ended(taskId);
const spent = await main.submit(["What does it cost?"], { platformCode: "metered" });
await main.ended(spent.taskIds[0] ?? "");
const shared = await main.submit(["Shared?"], { options: { output: "share_link" } });
await main.ended(shared.taskIds[0] ?? "");
await main.call("GET", `/v1/tasks/${shared.taskIds[0]}/evidence`);
const canceled = await main.submit(["delay=30m"]);
await main.call("POST", `/v1/tasks/${canceled.taskIds[0]}/cancellation`);
await main.call("PUT", "/v1/admin/platforms/sample/limits", JSON.stringify({ runningMax: 3, rate: null }));
await main.call("POST", "/v1/webhook/signing-secret/rotation", JSON.stringify({ previousSecretValidSeconds: 604_800 }));
for (const { submit, ended } of [waiting, held]) {
  const { taskIds } = await submit(["Waits?", "Waits too?"]);
  for (const taskId of taskIds) await ended(taskId);
}
await until("the first attempts to fail", async () => {
  const { rows } = await database.query<{ left: number }>(
    "select count(*)::int as left from delivery_queue where state <> 'waiting'",
  );
  return rows[0]?.left === 0;
});
// What takes days, or a web page, to come about.
await database.query("update webhooks set suspended_at = now() where account_id = $1", [held.accountId]);
await database.query("update delivery_queue set state = 'held' where account_id = $1", [held.accountId]);
await database.query(
  "insert into delivery_breakers (account_id, origin, failures_in_row) values ($1, 'https://localhost:1', 1) on conflict do nothing",
  [waiting.accountId],
);
await database.query(
  `insert into platform_drift (platform, node_id, hour, recipe, sign, what, asks, first_at, last_at)
   select 'chatgpt-web', id, date_trunc('hour', now()), '0123456789ab', 'asked', '', 1, now(), now() from nodes limit 1`,
);

await until(
  "the minute of the platforms to be written",
  async () => {
    const { rows } = await database.query("select 1 from platform_minutes");
    return rows.length > 0;
  },
  20_000,
);

const later = await main.submit(["Later?"], { notBefore: "2999-01-01T00:00:00Z" });
const running = await main.submit(["delay=3s"]);
await until("a task to run", async () => {
  const { progress } = await main.call<TaskRecord>("GET", `/v1/tasks/${running.taskIds[0]}`);
  return progress?.phase === "running";
});
const throttled = await main.submit(["throttle=2s"]);
await until("a task to be throttled", async () => {
  const { rows } = await database.query("select 1 from dispatch where task_id = $1 and throttles > 0", [
    throttled.taskIds[0],
  ]);
  return rows.length === 1;
});
const queued = await main.submit(["Queued?"]);
const about = {
  version,
  recordedAt: "",
  masterKeyHex,
  accounts: { main: main.accountId, waiting: waiting.accountId, held: held.accountId },
  tokens: { main: main.token, waiting: waiting.token, held: held.token },
  submission: { key: first.key, body: first.body },
  tasks: {
    ...Object.fromEntries(["cards", "failed", "long"].map((name, at) => [name, first.taskIds[at]])),
    shared: shared.taskIds[0],
    canceled: canceled.taskIds[0],
    later: later.taskIds[0],
    running: running.taskIds[0],
    throttled: throttled.taskIds[0],
    queued: queued.taskIds[0],
  },
};
const client = await database.connect();
await client.query("begin isolation level repeatable read");
await client.query("set local timezone = 'UTC'");
const { rows: clock } = await client.query<{ now: Date }>("select clock_timestamp() as now");
about.recordedAt = clock[0]?.now.toISOString() ?? "";
const text = await dump(client);
await client.end();
writeFileSync(
  join(import.meta.dirname, `${version}.sql`),
  `-- The rows of a database of version ${version}, recorded by make-fixture.ts. Never changed. The tables are those of the migrations named below.\n-- ${JSON.stringify(about)}\n${text}`,
);
console.log(`Written: service/test/upgrade/${version}.sql, ${Math.round(text.length / 1024)} KiB`);
await service.stop();
await database.close();
await postgres.stop();
await metered.close();
await receiver.close();
rmSync(folder, { recursive: true, force: true });

/** Every table's rows as `insert`, and where sequences stand. Accounts first: others refer to them. */
async function dump(db: Queryable): Promise<string> {
  const { rows: tables } = await db.query<{ name: string; columns: string[] }>(
    `select c.relname as name, array_agg(a.attname::text order by a.attnum) as columns
       from pg_class c join pg_namespace n on n.oid = c.relnamespace and n.nspname = 'public'
       join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
      where c.relkind in ('r', 'p') and not c.relispartition and c.relname <> 'migration_progress'
      group by c.relname`,
  );
  const parts: string[] = [];
  for (const { name, columns } of tables.toSorted(
    (a, b) => rank(a.name) - rank(b.name) || a.name.localeCompare(b.name),
  )) {
    const { rows } = await db.query<{ row: string }>(
      `select format('(%s)', concat_ws(', ', ${columns.map((column) => `quote_nullable(${column}::text)`).join(", ")})) as row from ${name} order by 1`,
    );
    if (rows.length === 0) throw new Error(`${name} has no row`);
    parts.push(
      `insert into ${name} (${columns.join(", ")}) overriding system value values\n  ${rows.map(({ row }) => row).join(",\n  ")};`,
    );
  }
  const { rows: sequences } = await db.query<{ name: string; value: string | null }>(
    "select sequencename as name, last_value as value from pg_sequences where schemaname = 'public' order by 1",
  );
  for (const { name, value } of sequences) if (value !== null) parts.push(`select setval('${name}', ${value});`);
  return `${parts.join("\n")}\n`;
}

function rank(table: string): number {
  const place = ["migrations", "accounts"].indexOf(table);
  return place === -1 ? 2 : place;
}
