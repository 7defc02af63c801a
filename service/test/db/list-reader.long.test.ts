/** Lists and exports that are read from a streaming replica of the database. */
import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { suite, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import type { BatchRecord, SubmissionAccepted, TaskSummary } from "@querent/contract";
import { emptyDatabase } from "../harness/database.ts";
import { startServiceProcess, temporaryFolder } from "../harness/process.ts";
import { noReplicatedPostgres, startReplicatedPostgres } from "../harness/replicated-postgres.ts";
import { until } from "../harness/wait.ts";

const token = "token-of-the-replica-tests";
const lists = ["/v1/tasks", "/v1/batches", "/v1/deliveries", "/v1/usage/ledger", "/v1/usage/days"];

async function startOn(databaseUrl: string, readUrl: string) {
  const folder = temporaryFolder();
  const service = await startServiceProcess({
    QUERENT_DATA_DIR: folder.path,
    DATABASE_URL: databaseUrl,
    QUERENT_DATABASE_READ_URL: readUrl,
    QUERENT_DATABASE_READ_BEHIND_MS: "2000",
    QUERENT_MASTER_KEY: randomBytes(32).toString("base64"),
    QUERENT_ACCESS_TOKEN: token,
    QUERENT_LOG_LEVEL: "info",
  });
  const get = async (path: string) => {
    const answer = await fetch(service.address + path, { headers: { authorization: `Bearer ${token}` } });
    const text = await answer.text();
    assert.equal(answer.status, 200, text);
    return { asOf: answer.headers.get("as-of"), text };
  };
  const status = async (path: string, { method = "GET", token: used = token } = {}) => {
    const answer = await fetch(service.address + path, { method, headers: { authorization: `Bearer ${used}` } });
    await answer.arrayBuffer();
    return answer.status;
  };
  return {
    output: service.output,
    status,
    get,
    read: async <Body>(path: string) => JSON.parse((await get(path)).text) as Body,
    async submit(): Promise<SubmissionAccepted> {
      const answer = await fetch(`${service.address}/v1/tasks/batch`, {
        method: "POST",
        headers: {
          authorization: `Bearer ${token}`,
          "content-type": "application/json",
          "idempotency-key": randomBytes(8).toString("hex"),
        },
        body: JSON.stringify(Array.from({ length: 3 }, () => ({ question: "Why?", platformCode: "simulator" }))),
      });
      assert.equal(answer.status, 202, await answer.clone().text());
      return (await answer.json()) as SubmissionAccepted;
    },
    async [Symbol.asyncDispose]() {
      await service.end("SIGTERM");
      folder[Symbol.dispose]();
    },
  };
}

suite("lists from a replica", { skip: noReplicatedPostgres }, () => {
  test("they say what they show, never miss what a client was told of, and go on without the replica", async (t) => {
    const { primary, replica } = await startReplicatedPostgres(t);
    await using service = await startOn(primary.url, replica.url);
    const ended = async (batchId: string) =>
      until(
        "the batch to end",
        async () => (await service.read<BatchRecord>(`/v1/batches/${batchId}`)).state === "finished",
      );
    const toBeRead = (from: "the replica" | "the primary") =>
      until(
        `lists to be read from ${from}`,
        async () => ((await service.get("/v1/tasks")).asOf !== null) === (from === "the replica"),
      );
    const completed = async () =>
      (await service.read<{ tasks: TaskSummary[] }>("/v1/tasks")).tasks.filter(({ state }) => state === "completed")
        .length;

    const first = await service.submit();
    await ended(first.batchId);
    await toBeRead("the replica");
    await until("the replica to have the ends", async () => (await completed()) === 3);
    for (const path of [...lists, `/v1/batches/${first.batchId}/results`]) {
      const { asOf } = await service.get(path);
      assert.ok(asOf !== null && Date.now() - Date.parse(asOf) < 60_000, `${path} states ${asOf}`);
    }

    // The replica no longer moves. It is read until it is too far behind.
    await replica.query("select pg_wal_replay_pause()");
    const second = await service.submit();
    await ended(second.batchId);
    const results = await service.get(`/v1/batches/${second.batchId}/results`);
    assert.equal(results.asOf, null);
    assert.equal(
      results.text
        .trim()
        .split("\n")
        .filter((line) => line.includes('"state":"completed"')).length,
      3,
    );
    await toBeRead("the primary");
    assert.equal(await completed(), 6);
    await until("the log to say why", () => /replica\.unusable.*too far behind/.test(service.output()));

    await replica.query("select pg_wal_replay_resume()");
    await toBeRead("the replica");
    await replica.kill();
    for (const path of lists) await service.get(path);
    await toBeRead("the primary");

    await replica.start();
    await toBeRead("the replica");
    await replica.query("select pg_promote()");
    await toBeRead("the primary");
    await until("the log to say why", () => /replica\.unusable.*not a replica/.test(service.output()));
  });

  test("lists go on while the primary is away, and what needs it is refused", async (t) => {
    const { primary, replica } = await startReplicatedPostgres(t);
    await using service = await startOn(primary.url, replica.url);
    const { batchId, tasks } = await service.submit();
    await until(
      "the replica to have the end of the batch",
      async () =>
        (await service.read<BatchRecord>(`/v1/batches/${batchId}`)).state === "finished" &&
        (await service.get(`/v1/batches/${batchId}/results`)).asOf !== null,
    );
    // The last use of the token is noted again after a minute, which must not matter.
    await primary.query("update access_tokens set last_used_at = now() - interval '1 hour'");
    await until("the replica to know it", async () => (await service.get("/v1/tasks")).asOf !== null);
    const killedAt = Date.now();
    await primary.kill();

    // Several comparisons fail meanwhile.
    for (let seconds = 0; seconds < 4; seconds++) {
      for (const path of lists) {
        const { asOf } = await service.get(path);
        assert.ok(asOf !== null && Date.parse(asOf) <= killedAt + 1000, `${path} states ${asOf}`);
      }
      await sleep(1000);
    }
    for (const [path, method] of [
      [`/v1/tasks/${tasks[0]?.taskId}`, "GET"],
      [`/v1/tasks/${tasks[0]?.taskId}/cancellation`, "POST"],
      ["/v1/tokens", "GET"],
      // An export without its entry in the audit log.
      [`/v1/batches/${batchId}/results`, "GET"],
    ] as const)
      assert.equal(await service.status(path, { method }), 503, path);
    assert.equal(await service.status("/v1/tasks", { token: "token-of-nobody-at-all" }), 401);
    assert.ok(!/replica\.unusable.*(connect|terminated)/i.test(service.output()), service.output());

    await primary.start();
    await until(
      "single records to be read",
      async () => (await service.status(`/v1/tasks/${tasks[0]?.taskId}`)) === 200,
    );
    const next = await service.submit();
    await until(
      "the batch to end",
      async () => (await service.read<BatchRecord>(`/v1/batches/${next.batchId}`)).state === "finished",
    );
    await until(
      "the replica to follow",
      async () =>
        (await service.get("/v1/tasks")).asOf !== null &&
        (await service.read<{ tasks: TaskSummary[] }>("/v1/tasks")).tasks.length === 6,
    );
    // Without both, nothing is made up.
    await primary.kill();
    await replica.kill();
    await until("lists to be refused", async () => (await service.status("/v1/tasks")) === 503);
  });

  test("a replica of another server is never read", async (t) => {
    const { replica } = await startReplicatedPostgres(t);
    const { url } = await emptyDatabase();
    await using service = await startOn(url, replica.url);
    await until("the log to say so", () => /replica\.unusable.*belongs to another server/.test(service.output()));
    assert.equal((await service.get("/v1/tasks")).asOf, null);
  });
});
