/**
 * A database that was restored from a backup, or that failed over without its latest changes, gives the numbers of its lost
 * events to others. A reader must not take these for events that it has read.
 */
import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { test } from "node:test";
import type { EventPage } from "@querent/contract";
import { startCli } from "../../cli/test/run-cli.ts";
import { Database, migrate } from "../../service/src/db/index.ts";
import { copyDatabase, emptyDatabase } from "../../service/test/harness/database.ts";
import { temporaryFolder } from "../../service/test/harness/process.ts";
import { item, refused, startTestService, type TestAccount } from "../../service/test/harness/service.ts";
import { until } from "../../service/test/harness/wait.ts";

type Seen = Map<string, string>;

const environment = { QUERENT_WORKER_SLOTS: "200" };
const masterKey = randomBytes(32);

async function endTasks(account: TestAccount, count: number): Promise<void> {
  const { tasks } = await account.submit(Array.from({ length: count }, () => item()));
  for (const { taskId } of tasks) await account.ended(taskId);
}

/** Reads pages until there is no more, and adds the delivery and the task of each event. Returns the position. */
async function readPages(account: TestAccount, seen: Seen, after?: string): Promise<string> {
  for (let query = after === undefined ? "" : `?after=${after}`; ;) {
    const { status, body, text } = await account.get<EventPage>(`/v1/events${query}`);
    assert.equal(status, 200, text);
    for (const { deliveryId, notification } of body.events) seen.set(deliveryId, notification.task.taskId);
    if (!body.hasMore) return body.nextCursor;
    query = `?after=${body.nextCursor}`;
  }
}

async function eventsOf(database: Database, accountId: string): Promise<Seen> {
  const { rows } = await database.query<{ id: string; task_id: string }>(
    "select id, task_id from deliveries where account_id = $1 and event_number is not null",
    [accountId],
  );
  return new Map(rows.map(({ id, task_id }) => [id, task_id]));
}

const oldCursor = (position: number) => Buffer.from(String(position)).toString("base64url");

test("after a restore, a reader learns that its last event is gone, goes back to a common one, and misses no task", async () => {
  using folder = temporaryFolder();
  const { url } = await emptyDatabase();
  const setUp = new Database({ connection: { connectionString: url }, connectionsMax: 1 });
  await migrate(setUp);
  await setUp.close();
  const original = await startTestService({ on: { url, masterKey }, environment });
  let account = await original.account();
  const stranger = await original.account();
  const seen: Seen = new Map();
  await endTasks(account, 400);
  const atBackup = await readPages(account, seen);
  await original.stop();
  const restored = await copyDatabase(url);

  const beforeLoss = await startTestService({ on: { url, masterKey }, environment });
  account = beforeLoss.as(account.accountId, account.token);
  await endTasks(account, 68);
  const lastRead = await readPages(account, seen, atBackup);
  assert.equal(seen.size, 468);
  await beforeLoss.stop();

  const service = await startTestService({ on: { url: restored.url, masterKey }, environment });
  account = service.as(account.accountId, account.token);
  const { rows: heads } = await service.database.query<{ head: number }>(
    "select max(event_number) as head from deliveries",
  );
  const head = heads[0]?.head ?? 0;
  // The cursor of the feed's end at the time of the backup is good, and so are those that version 0.1 gave.
  assert.deepEqual((await account.get<EventPage>(`/v1/events?after=${atBackup}`)).body.nextCursor, atBackup);
  const upgraded = await account.get<EventPage>(`/v1/events?after=${oldCursor(head)}`);
  assert.equal(upgraded.body.nextCursor, atBackup, "an old cursor is replaced by the present form");
  refused(await account.get(`/v1/events?after=${oldCursor(head + 1)}`), "events_replaced");
  // Numbers that were lost are given to other ends, more of them than were lost.
  await endTasks(service.as(stranger.accountId, stranger.token), 5);
  await endTasks(account, 100);

  for (const accept of ["application/json", "text/event-stream"]) {
    const problem = refused(await account.get(`/v1/events?after=${lastRead}`, { accept }), "events_replaced");
    assert.equal(problem.status, 410);
    assert.match(problem.resumeAfter ?? "", /^[\w-]+$/);
  }
  const viaHeader = await account.get("/v1/events", { accept: "text/event-stream", "last-event-id": lastRead });
  const { resumeAfter = "" } = refused(viaHeader, "events_replaced");
  assert.equal(viaHeader.headers["link"], `</v1/events?after=${resumeAfter}>; rel="next"`);

  const existing = await eventsOf(service.database, account.accountId);
  const again: Seen = new Map();
  await readPages(account, again, resumeAfter);
  assert.ok(again.size >= 100 && again.size < 400, `${again.size} read again: not the whole history`);
  const all = new Set([...seen.keys(), ...again.keys()]);
  const missed = [...existing.keys()].filter((deliveryId) => !all.has(deliveryId));
  assert.deepEqual(missed, []);
  const lost = [...all].filter((deliveryId) => !existing.has(deliveryId));
  assert.equal(
    lost.length,
    68,
    "beside the events that exist, the reader has seen those that were lost, and no others",
  );

  // `querent listen`, and so the client, does the same by itself, and says so.
  const cli = startCli(["listen", "--after", lastRead], {
    url: service.address,
    token: account.token,
    home: folder.path,
  });
  try {
    await until("all to be printed", () => cli.stdout().trim().split("\n").length === again.size);
    assert.match(cli.stderr(), /The last event no longer exists: .* Going back to an earlier event/);
  } finally {
    cli.child.kill("SIGKILL");
    await cli.ended;
  }
  await service.stop();
});
