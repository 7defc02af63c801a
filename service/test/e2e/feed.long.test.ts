/** Feed, notifications and tasks tell the same story, whatever is killed in between and however the roles are spread. */
import assert from "node:assert/strict";
import { createHash, randomBytes } from "node:crypto";
import { test } from "node:test";
import type { EventPage, Notification, SubmissionAccepted } from "@querent/contract";
import { testDatabase } from "../harness/database.ts";
import { openEventStream } from "../harness/event-stream.ts";
import { startServiceProcess, temporaryFolder, type ServiceProcess } from "../harness/process.ts";
import { startReceiver } from "../harness/receiver.ts";
import { until } from "../harness/wait.ts";

const token = "token-of-the-feed-test";
const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };

async function submit(service: ServiceProcess, count: number, key: string, question = "delay=50ms") {
  const answer = await fetch(`${service.address}/v1/tasks/batch`, {
    method: "POST",
    headers: { ...headers, "idempotency-key": key },
    body: JSON.stringify(Array.from({ length: count }, () => ({ question, platformCode: "simulator", options: {} }))),
  });
  assert.equal(answer.status, 202);
  return ((await answer.json()) as SubmissionAccepted).tasks.map(({ taskId }) => taskId);
}

async function setAddress(service: ServiceProcess, url: string): Promise<void> {
  const answer = await fetch(`${service.address}/v1/webhook`, {
    method: "PUT",
    headers,
    body: JSON.stringify({ url }),
  });
  assert.equal(answer.status, 200);
}

test("the feed, the receiver's ledger and the tasks are the same set, through a loop of SIGKILLs under load", async (t) => {
  using folder = temporaryFolder();
  await using receiver = await startReceiver(
    (_received, response) =>
      // Some of the time slow, so that kills find requests under way.
      void setTimeout(() => response.writeHead(204).end(), Math.random() < 0.1 ? 50 : 0),
  );
  const { database, url } = await testDatabase();
  const environment = {
    QUERENT_DATA_DIR: folder.path,
    DATABASE_URL: url,
    QUERENT_ACCESS_TOKEN: token,
    QUERENT_EGRESS_ALLOW: "127.0.0.0/8",
    QUERENT_EGRESS_CA: receiver.caFile,
  };
  const taskIds: string[] = [];
  const seen: { deliveryId: string; taskId: string }[] = [];
  let after = "";
  /** Pages until the feed says that there is no more for now. */
  const follow = async (service: ServiceProcess) => {
    for (let hasMore = true; hasMore;) {
      const query = after === "" ? "" : `?after=${after}`;
      const page = (await (await fetch(`${service.address}/v1/events${query}`, { headers })).json()) as EventPage;
      for (const { deliveryId, notification } of page.events)
        seen.push({ deliveryId, taskId: notification.task.taskId });
      after = page.nextCursor;
      hasMore = page.hasMore;
    }
  };
  let service = await startServiceProcess(environment);
  try {
    await setAddress(service, receiver.url());
    for (let round = 0; round < 4; round++) {
      taskIds.push(...(await submit(service, 400, `round ${round}`)));
      const before = receiver.requests.length;
      await until("some to be announced", async () => {
        await follow(service);
        return receiver.requests.length > before + 50;
      });
      await service.end("SIGKILL");
      await until("what it had asked of the database to be over", async () => {
        const { rows } = await database.query(
          "select 1 from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid() and state <> 'idle'",
        );
        return rows.length === 0;
      });
      // In place of the time after which a dead process's work is anybody's.
      await database.query("update nodes set lease_until = now() - interval '1 s'");
      await database.query("update delivery_queue set lease_until = now() where state = 'in_flight'");
      service = await startServiceProcess(environment);
    }
    const delivered = () => new Set(receiver.requests.map((request) => request.headers["x-service-delivery"]));
    await until("every end to be announced", () => delivered().size >= taskIds.length);
    await follow(service);
    assert.equal(seen.length, taskIds.length, "no event twice, none missed");
    assert.deepEqual(new Set(seen.map(({ taskId }) => taskId)), new Set(taskIds));
    assert.deepEqual(new Set(seen.map(({ deliveryId }) => deliveryId)), delivered());
    const bytes = new Map<string, string>();
    for (const { headers: sent, body } of receiver.requests) {
      const id = String(sent["x-service-delivery"]);
      const digest = createHash("sha256").update(body).digest("hex");
      assert.equal(bytes.get(id) ?? digest, digest, "a repeat has the same bytes");
      bytes.set(id, digest);
    }
    await until("the deliveries to be settled", async () => {
      const { rows } = await database.query("select 1 from deliveries where state <> 'delivered' limit 1");
      return rows.length === 0;
    });
    t.diagnostic(`${receiver.requests.length - taskIds.length} repeats in ${taskIds.length} notifications, 4 kills`);
    assert.equal(await service.end("SIGTERM"), 0, service.output());
  } finally {
    await service.end("SIGKILL");
  }
});

test("with a process for each role, ends are hinted to the one that sends and to the one that streams", async () => {
  using folder = temporaryFolder();
  await using receiver = await startReceiver();
  const { database, url } = await testDatabase();
  const environment = {
    QUERENT_DATA_DIR: folder.path,
    DATABASE_URL: url,
    QUERENT_MASTER_KEY: randomBytes(32).toString("base64"),
    QUERENT_ACCESS_TOKEN: token,
    QUERENT_EGRESS_ALLOW: "127.0.0.0/8",
    QUERENT_EGRESS_CA: receiver.caFile,
  };
  const api = await startServiceProcess(environment, ["serve", "--roles", "api"]);
  const others = await Promise.all(
    ["worker", "notifier"].map((role) => startServiceProcess(environment, ["serve", "--roles", role])),
  );
  const listener = await database.connect();
  try {
    const hints: string[] = [];
    listener.on("notification", ({ payload }) => hints.push(payload ?? ""));
    await listener.query("listen querent_notices");
    await setAddress(api, receiver.url());
    await until("the hint that an address was set", () => hints.length > 0);
    const { rows } = await database.query<{ id: string }>("select id from accounts");
    const stream = await openEventStream(api.address, token, { after: "latest" });
    const taskIds = await submit(api, 5, "spread", "Why?");
    await receiver.received(5);
    await until("the events", () => stream.events.length === 5);
    assert.deepEqual(
      new Set(stream.events.map(({ data }) => (JSON.parse(data) as Notification).task.taskId)),
      new Set(taskIds),
    );
    await until("hints of whose tasks ended", () => hints.includes(rows[0]?.id ?? ""));
    stream.close();
    for (const service of [...others, api]) assert.equal(await service.end("SIGTERM"), 0, service.output());
  } finally {
    await listener.end();
    for (const service of [...others, api]) await service.end("SIGKILL");
  }
});
