/** Several service processes on one database, a client that keeps retrying, and the guarantees to check in the end. */
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import type { TestContext } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import type { Notification, SubmissionAccepted, SubmissionItem } from "@querent/contract";
import pg from "pg";
import { assertSound } from "./engine.ts";
import { startServiceProcess, temporaryFolder, type ServiceProcess } from "./process.ts";
import { startReceiver, type Receiver } from "./receiver.ts";
import { until } from "./wait.ts";

const token = "token-of-the-chaos-tests";
const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };

export interface Cluster {
  readonly receiver: Receiver;
  /** Everything that was accepted. */
  readonly accepted: SubmissionAccepted[];
  /** Submissions that were refused or interrupted, and sent again. */
  readonly retries: () => number;
  /** Starts a process with these roles. `program`: the main file of another version. */
  start(roles: string, environment?: Readonly<Record<string, string>>, program?: string): Promise<ServiceProcess>;
  setWebhook(): Promise<void>;
  /** Sends a batch to any process that responds, with one key, until it is accepted. */
  submit(items: readonly SubmissionItem[]): Promise<SubmissionAccepted>;
  /** Sends batches one after the other until stopped. */
  load(items: readonly SubmissionItem[]): { stop(): Promise<void> };
  query<Row extends pg.QueryResultRow>(sql: string, values?: unknown[]): Promise<Row[]>;
  /** Waits until every accepted task has ended and its notification was received, and checks every guarantee. */
  assertKept(options?: { state?: string; atMostMs?: number }): Promise<void>;
}

export const simulatorItems = (count: number, question = "delay=100ms"): SubmissionItem[] =>
  Array.from({ length: count }, () => ({ question, platformCode: "simulator", options: {} }));

/** Everything is stopped when the test ends. */
export async function startCluster(t: TestContext, databaseUrl: string): Promise<Cluster> {
  const folder = temporaryFolder();
  const receiver = await startReceiver();
  const processes: ServiceProcess[] = [];
  const accepted: SubmissionAccepted[] = [];
  let retries = 0;
  let batch = 0;
  let closed = false;
  t.after(async () => {
    closed = true;
    await Promise.all(
      processes.map((service) => {
        service.child.kill("SIGCONT");
        return service.end("SIGKILL");
      }),
    );
    await receiver.close();
    folder[Symbol.dispose]();
  });

  const addresses = () =>
    processes.filter(({ child, address }) => address !== "" && child.exitCode === null && child.signalCode === null);

  const query = async <Row extends pg.QueryResultRow>(sql: string, values?: unknown[]): Promise<Row[]> => {
    const client = new pg.Client({ connectionString: databaseUrl });
    client.on("error", () => {});
    await client.connect();
    try {
      return (await client.query<Row>(sql, values)).rows;
    } finally {
      await client.end();
    }
  };

  const cluster: Cluster = {
    receiver,
    accepted,
    retries: () => retries,
    async start(roles, environment = {}, program) {
      const service = await startServiceProcess(
        {
          DATABASE_URL: databaseUrl,
          QUERENT_DATA_DIR: folder.path,
          QUERENT_ACCESS_TOKEN: token,
          QUERENT_EGRESS_ALLOW: "127.0.0.0/8",
          QUERENT_EGRESS_CA: receiver.caFile,
          QUERENT_DATABASE_CONNECTIONS: "8",
          QUERENT_DRAIN_SECONDS: "1",
          ...environment,
        },
        ["serve", "--roles", roles],
        program === undefined ? {} : { program },
      );
      processes.push(service);
      return service;
    },
    async setWebhook() {
      const response = await fetch(`${addresses()[0]?.address}/v1/webhook`, {
        method: "PUT",
        headers,
        body: JSON.stringify({ url: receiver.url() }),
      });
      assert.equal(response.status, 200);
    },
    async submit(items) {
      const key = `batch-${batch++}`;
      for (let tries = 0; ; tries++) {
        const service = addresses()[tries % Math.max(1, addresses().length)];
        const response = await fetch(`${service?.address}/v1/tasks/batch`, {
          method: "POST",
          headers: { ...headers, "idempotency-key": key },
          body: JSON.stringify(items),
          signal: AbortSignal.timeout(60_000),
        }).catch(() => null);
        if (response?.status === 202) {
          const answer = (await response.json().catch(() => null)) as SubmissionAccepted | null;
          if (answer !== null) {
            accepted.push(answer);
            return answer;
          }
        } else if (response !== null) {
          const problem = await response.text();
          assert.ok([409, 503].includes(response.status), `${response.status} ${problem}`);
        }
        if (closed) throw new Error("the test has ended");
        retries++;
        await sleep(100);
      }
    },
    load(items) {
      let stopped = false;
      const done = (async () => {
        while (!stopped) {
          await cluster.submit(items);
          await sleep(100);
        }
      })();
      // `stop` reports the error; a test that has failed before does not call it.
      done.catch(() => {});
      return {
        async stop() {
          stopped = true;
          await done;
        },
      };
    },
    query,
    async assertKept({ state = "completed", atMostMs = 300_000 } = {}) {
      const taskIds = new Set(accepted.flatMap((one) => one.tasks.map((task) => task.taskId)));
      const left = async () => {
        const rows = await query<{ n: string }>(
          `select (select count(*) from tasks where state = 'pending') + (select count(*) from dispatch)
                + (select count(*) from deliveries where state = 'pending') as n`,
        ).catch(() => []);
        return rows[0] === undefined ? null : Number(rows[0].n);
      };
      await until("everything to be ended and announced", async () => (await left()) === 0, atMostMs);

      const tasks = await query<{ id: string; state: string }>("select id, state from tasks");
      assert.deepEqual(new Set(tasks.map((task) => task.id)), taskIds, "the tasks are those that were accepted");
      assert.deepEqual([...new Set(tasks.map((task) => task.state))], taskIds.size === 0 ? [] : [state]);
      await assertSound({ query: async (sql: unknown) => ({ rows: await query(String(sql)) }) as never });

      const idOf = new Map<string, string>();
      const digestOf = new Map<string, string>();
      for (const { headers: sent, body } of receiver.requests) {
        const { task } = JSON.parse(body.toString()) as Notification;
        const id = String(sent["x-service-delivery"]);
        const digest = createHash("sha256").update(body).digest("hex");
        assert.equal(idOf.get(task.taskId) ?? id, id, "a task is announced under one id");
        assert.equal(digestOf.get(id) ?? digest, digest, "a repeated delivery has the same bytes");
        idOf.set(task.taskId, id);
        digestOf.set(id, digest);
      }
      assert.deepEqual(new Set(idOf.keys()), taskIds, "every end was announced");
      t.diagnostic(
        `${taskIds.size} tasks, ${retries} submissions sent again, ${receiver.requests.length - taskIds.size} deliveries repeated`,
      );
    },
  };
  return cluster;
}
