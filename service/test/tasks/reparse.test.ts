/** Stored answers read again, on a real database: what becomes of results, revisions, notices, events and points. */
import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { test } from "node:test";
import type { Notification, StoredResult } from "@querent/contract";
import { composeResult, toRawColumns } from "../../src/answers/index.ts";
import { createSigningSecret } from "../../src/webhooks/index.ts";
import { atRacePoints, type RacePoint } from "../../src/runtime/race-points.ts";
import { MasterKey } from "../../src/vault/index.ts";
import { redeliver } from "../../src/webhooks/redeliver/delivery-routes.ts";
import { requireContents } from "../../src/observations/entities/entity-content.ts";
import { mergeEntities } from "../../src/observations/entities/change-entities.ts";
import { EntitySearch, observeTasks } from "../../src/observations/index.ts";
import { listObservations } from "../../src/observations/records/list-rows.ts";
import { startOfFeed, readEvents } from "../../src/webhooks/feed/read-events.ts";
import { optionSupport, type Outcome, type Platform, type RawAnswer } from "../../src/platforms/index.ts";
import { cancelTasks } from "../../src/tasks/finish/cancel-tasks.ts";
import { getTasks, maintainResults, readStoredRaw, reparse } from "../../src/tasks/index.ts";
import type { ReparseDeps, ReparseRequest } from "../../src/tasks/reparse/reparse.ts";
import type { AnswerScope } from "../../src/tasks/reparse/stored-answers.ts";
import { testEngine, type TestEngine } from "../harness/engine.ts";
import { until } from "../harness/wait.ts";

const observedAt = new Date("2026-11-01T09:30:00.000Z");
const returns = {
  sources: true,
  products: true,
  videos: true,
  media: true,
  reasoningProcess: false,
  searchProcess: false,
  pageHtml: false,
} as const;

/** Bytes that the platform sent: `text` is what every reader finds in them, `more` what only the better one does. */
const rawOf = (text: string, more: string | null = null): RawAnswer => ({
  mediaType: "application/json",
  body: JSON.stringify({ text, more }),
});

function read({ body }: RawAnswer, better: boolean, at: Date): Outcome {
  const { text, more } = JSON.parse(body) as { text: string; more: string | null };
  if (text === "broken")
    return {
      kind: "permanent",
      code: "platform_bad_response",
      stage: "parse",
      message: "Cut in the middle.",
      platformStatus: null,
    };
  const source = { title: more ?? "", url: "https://site.example/", summary: null, site: "", publishedAt: null };
  return {
    kind: "answered",
    answer: {
      parts: [{ type: "markdown", markdown: text }],
      sources: better && more !== null ? [source] : [],
      reasoning: null,
      search: null,
      pageHtml: null,
      modelVersion: "m-1",
      observedAt: at,
      endpoint: "of the reading",
      region: null,
      unreadable: better || more === null ? [] : ["sources"],
    },
    raw: null,
    consumption: null,
  };
}

const platform: Platform & { reread: NonNullable<Platform["reread"]> } = {
  code: "p",
  name: "Test",
  kind: "api",
  returns,
  outputs: ["answer", "screenshot"],
  resultFormats: ["json"],
  options: optionSupport(),
  missing: null,
  ask: () => Promise.reject(new Error("nobody is asked")),
  reread: (raw, _question, at) => {
    if (raw.body === "not JSON") throw new Error("Unexpected token");
    return read(raw, true, at);
  },
};

const masterKey = new MasterKey(randomBytes(32));
const options = { deepAnalysis: false, output: "answer", resultFormat: "json" } as const;

/** What the first reader makes of the bytes. */
function firstReading(raw: RawAnswer, change: Partial<StoredResult> = {}): StoredResult {
  const outcome = read(raw.body === "not JSON" ? rawOf("?") : raw, false, observedAt);
  assert.ok(outcome.kind === "answered" || raw.body.includes("broken"));
  const stored =
    outcome.kind === "answered"
      ? composeResult(outcome.answer, platform, options)
      : firstReading(rawOf("half an answer"));
  return { ...stored, ...change };
}

interface Asked {
  readonly engine: TestEngine;
  readonly accountId: string;
  readonly taskIds: readonly string[];
}

/** Tasks that completed with these bytes, in this order, of one account in one batch. */
async function completed(
  raws: readonly (RawAnswer | null)[],
  { webhookUrl = null, change = {} }: { webhookUrl?: string | null; change?: Partial<StoredResult> } = {},
  engine?: TestEngine,
): Promise<Asked> {
  engine ??= await testEngine();
  const accountId = await engine.account(`a ${Math.random()}`);
  await createSigningSecret(engine.database, masterKey, accountId);
  const taskIds = await engine.submit(accountId, raws.length, { webhookUrl });
  const node = await engine.node(async (claimed) => {
    const raw = raws[taskIds.indexOf(claimed.taskId)] ?? null;
    const stored = firstReading(raw ?? rawOf("?"), change);
    return {
      kind: "completed",
      result: { stored, raw: raw === null ? null : await toRawColumns(raw), consumption: null },
    };
  });
  await engine.allEnded();
  await node.dispatcher.stop(0);
  return { engine, accountId, taskIds };
}

const everything: AnswerScope = {
  platform: null,
  batchId: null,
  taskId: null,
  since: null,
  until: new Date(Date.now() + 3_600_000),
};

const depsOf = ({ database }: TestEngine): ReparseDeps => ({
  database,
  platforms: new Map([[platform.code, platform]]),
  bodyBytesMax: 256 * 1024,
});

/** Does `work` at the first time that a reading comes to the point. */
async function run(
  engine: TestEngine,
  scope: Partial<AnswerScope> = {},
  request: Partial<ReparseRequest> = {},
  interruption: Interruption | null = null,
) {
  if (interruption !== null) {
    atRacePoints(async (point) => {
      if (point !== interruption.point) return;
      atRacePoints(null);
      await interruption.work();
    });
  }
  return reparse(depsOf(engine), {
    scope: { ...everything, ...scope },
    after: null,
    dryRun: false,
    signal: new AbortController().signal,
    ...request,
  });
}

interface Interruption {
  readonly point: RacePoint;
  readonly work: () => Promise<unknown>;
}

/** Does something between the reading and the storing, before any lock is taken. */
const beforeStoring = (work: Interruption["work"]): Interruption => ({ point: "reparse.begun", work });

/** Does something when results and revisions are written, and neither announced nor committed yet. */
const afterStoring = (work: Interruption["work"]): Interruption => ({ point: "reparse.stored", work });

const recordsOf = async ({ engine, accountId, taskIds }: Asked) => {
  const records = await getTasks(engine.database, accountId, taskIds);
  return taskIds.map((taskId) => {
    const record = records.get(taskId);
    assert.ok(record !== undefined);
    return record;
  });
};

const deliveriesOf = async ({ engine, accountId }: Asked) => {
  const { rows } = await engine.database.query<{
    task_id: string;
    delivery_revision: number;
    event_number: number | null;
    url: string | null;
    state: string;
    body: Buffer | null;
  }>(
    "select task_id, delivery_revision, event_number, url, state, body from deliveries where account_id = $1 order by id",
    [accountId],
  );
  return rows;
};

/** Everything that has to do with points. */
const pointsOf = async ({ engine, accountId }: Asked) => {
  const { database } = engine;
  const ledger = await database.query("select * from ledger where account_id = $1 order by id", [accountId]);
  const account = await database.query("select * from accounts where id = $1", [accountId]);
  const days = await database.query("select * from usage_hours where account_id = $1", [accountId]);
  const charged = await database.query("select id, charged_points from tasks where account_id = $1 order by id", [
    accountId,
  ]);
  return [ledger.rows, account.rows, days.rows, charged.rows];
};

test("what a better reader finds becomes revision 2, with its notice and its event; what comes out equal stays as it was", async () => {
  const asked = await completed([rawOf("Better.", "A source"), rawOf("The same.")], {
    webhookUrl: "https://own.example/hook",
  });
  const before = await recordsOf(asked);
  const report = await run(asked.engine);
  assert.deepEqual([report.read, report.changed, report.equal, report.failed, report.finished], [2, 1, 1, 0, true]);
  const [better, same] = await recordsOf(asked);
  assert.equal(better?.revision, 2);
  assert.deepEqual(
    better?.sources.map(({ title }) => title),
    ["A source"],
  );
  assert.equal(before[0]?.availability?.sources, "parse_failed");
  assert.equal(better?.availability?.sources, "present");
  assert.equal(better?.completedAt, before[0]?.completedAt);
  assert.equal(better?.expiresAt, before[0]?.expiresAt);
  assert.deepEqual(same, before[1], "nothing of the other changed");

  const [taskId = ""] = asked.taskIds;
  const ofTask = (await deliveriesOf(asked)).filter((row) => row.task_id === taskId);
  assert.deepEqual(
    ofTask.map((row) => [row.delivery_revision, row.url, row.event_number !== null]),
    [
      [1, "https://own.example/hook", true],
      [2, "https://own.example/hook", true],
    ],
  );
  const notice = JSON.parse(ofTask[1]?.body?.toString("utf8") ?? "") as Notification;
  assert.deepEqual(notice, { event: "task.finished", deliveryRevision: 2, task: { ...better, resultOmitted: false } });
  assert.equal((await deliveriesOf(asked)).length, 3, "the other was not announced again");

  const deps = { database: asked.engine.database, records: { read: getTasks }, bodyBytesMax: 100_000 };
  const slice = await readEvents(deps, { accountId: asked.accountId, types: ["task.finished"] }, startOfFeed, {
    limit: 10,
    bytesMax: 1_000_000,
  });
  const last = JSON.parse(slice?.entries.at(-1)?.payload ?? "") as Notification;
  assert.equal(slice?.entries.length, 3);
  assert.deepEqual(last, notice, "the feed has the same payload as the notification, after the ends");
  await asked.engine.assertSound();
});

test("a long response, which is stored compressed, is read again like any other, and comes back byte for byte", async () => {
  const padding = "é\u{1f600} ".repeat(400_000);
  const long = { mediaType: "application/json", body: JSON.stringify({ text: "Better.", more: "A source", padding }) };
  const asked = await completed([long]);
  const { rows } = await asked.engine.database.query(
    "select raw_body is null as compressed, raw_bytes from task_results where raw_compressed is not null",
  );
  assert.deepEqual(rows, [{ compressed: true, raw_bytes: Buffer.byteLength(long.body) }]);
  const stored = await readStoredRaw(asked.engine.database, asked.accountId, asked.taskIds[0] ?? "");
  assert.ok(stored?.mediaType === long.mediaType && stored.body === long.body);
  const report = await run(asked.engine);
  assert.deepEqual([report.read, report.changed, report.failed], [1, 1, 0]);
  assert.equal((await recordsOf(asked))[0]?.availability?.sources, "present");
});

test("no points move", async () => {
  const asked = await completed([rawOf("Better.", "A source"), rawOf("The same."), rawOf("broken")]);
  const before = await pointsOf(asked);
  assert.equal((await run(asked.engine)).changed, 1);
  assert.deepEqual(await pointsOf(asked), before);
  await asked.engine.assertSound();
});

test("what belongs to the ask stays: the time of observation, where the answer came from, its artifacts", async () => {
  const provenance = { kind: "api", platform: "p", endpoint: "upstream-2", region: "eu" } as const;
  const shareUrl = "https://querent.example/s/1";
  const asked = await completed([rawOf("Better.", "A source")], { change: { provenance, shareUrl } });
  await run(asked.engine);
  const [record] = await recordsOf(asked);
  assert.equal(record?.revision, 2);
  assert.equal(record?.observedAt, observedAt.toISOString());
  assert.deepEqual(record?.provenance, provenance);
  assert.equal(record?.shareUrl, shareUrl);
  assert.equal(record?.availability?.share, "present");
});

test("an answer that can't be read, or that breaks its reader, keeps its result and is told of; the others are read", async () => {
  const notJson = { mediaType: "application/json", body: "not JSON" };
  const asked = await completed([rawOf("broken"), notJson, rawOf("Better.", "A source")]);
  const before = await recordsOf(asked);
  const report = await run(asked.engine);
  assert.deepEqual([report.failed, report.changed], [2, 1]);
  assert.deepEqual(
    report.failures.map(({ taskId, code }) => [taskId, code]),
    [
      [asked.taskIds[0], "platform_bad_response"],
      [asked.taskIds[1], "internal"],
    ],
  );
  assert.deepEqual((await recordsOf(asked)).slice(0, 2), before.slice(0, 2));
});

test("a second reading finds nothing more to do", async () => {
  const asked = await completed([rawOf("Better.", "A source")]);
  await run(asked.engine);
  const report = await run(asked.engine);
  assert.deepEqual([report.read, report.changed, report.equal], [1, 0, 1]);
  assert.equal((await deliveriesOf(asked)).length, 2);
});

test("a dry run tells what would change, and changes nothing", async () => {
  const asked = await completed([rawOf("Better.", "A source")]);
  const before = [await recordsOf(asked), await deliveriesOf(asked)];
  const report = await run(asked.engine, {}, { dryRun: true });
  assert.equal(report.changed, 1);
  assert.deepEqual([await recordsOf(asked), await deliveriesOf(asked)], before);
});

test("tasks that were canceled or have expired are left, and answers without bytes or reader are counted", async () => {
  const asked = await completed([rawOf("Better.", "A source"), null, rawOf("Expired.", "A source")]);
  const { database } = asked.engine;
  const canceled = await asked.engine.submit(asked.accountId, 1);
  await cancelTasks(database, canceled, asked.engine.ends);
  const [, , expired = ""] = asked.taskIds;
  await database.query("update tasks set expires_at = now() - interval '1 s' where id = $1", [expired]);
  await database.query("update task_results set expires_at = now() - interval '1 s' where task_id = $1", [expired]);
  const report = await run(asked.engine);
  assert.deepEqual([report.read, report.changed, report.unreadable], [1, 1, 1]);
  const [, , left] = await recordsOf(asked);
  assert.deepEqual([left?.revision, left?.expired], [1, true]);
  assert.equal((await getTasks(database, asked.accountId, canceled)).get(canceled[0] ?? "")?.revision, 1);

  const request = { scope: everything, after: null, dryRun: false, signal: new AbortController().signal };
  const nobody = await reparse({ ...depsOf(asked.engine), platforms: new Map() }, request);
  assert.deepEqual([nobody.read, nobody.unreadable], [0, 2]);
});

test("platform, batch, task and time narrow what is read", async () => {
  const one = await completed([rawOf("Better.", "A source"), rawOf("Better.", "B source")]);
  const two = await completed([rawOf("Better.", "C source")], {}, one.engine);
  const [record] = await recordsOf(two);
  const dry = async (scope: Partial<AnswerScope>) => (await run(one.engine, scope, { dryRun: true })).read;
  assert.equal(await dry({}), 3);
  assert.equal(await dry({ platform: "p" }), 3);
  assert.equal(await dry({ platform: "q" }), 0);
  assert.equal(await dry({ batchId: record?.batchId ?? null }), 1);
  assert.equal(await dry({ taskId: one.taskIds[1] ?? null }), 1);
  assert.equal(await dry({ batchId: record?.batchId ?? null, taskId: one.taskIds[1] ?? null }), 0);
  const at = new Date(record?.completedAt ?? "");
  assert.equal(await dry({ since: at, taskId: two.taskIds[0] ?? null }), 1);
  assert.equal(await dry({ until: at, taskId: two.taskIds[0] ?? null }), 0);
  assert.equal(await dry({ since: new Date(at.getTime() + 1) }), 0);
  assert.equal(await dry({ since: new Date(at.getTime() - 86_400_000), until: new Date(0) }), 0);
});

test("a scan that is stopped goes on from where it says, and reads nothing twice", async () => {
  const asked = await completed(Array.from({ length: 250 }, (_, n) => rawOf(`Answer ${n}.`, `Source ${n}`)));
  const stop = new AbortController();
  const first = await run(asked.engine, {}, { signal: stop.signal, onProgress: () => stop.abort() });
  assert.deepEqual([first.read, first.changed, first.finished], [100, 100, false]);
  const second = await run(asked.engine, {}, { after: first.position });
  assert.deepEqual([second.read, second.changed, second.finished], [150, 150, true]);
  assert.ok((await recordsOf(asked)).every(({ revision }) => revision === 2));
  await asked.engine.assertSound();
});

test("large answers are taken in smaller handfuls", async () => {
  const large = "x".repeat(3 * 1024 * 1024);
  const asked = await completed(Array.from({ length: 5 }, (_, n) => rawOf(`${n} ${large}`)));
  let handfuls = 0;
  const report = await run(asked.engine, {}, { onProgress: () => handfuls++ });
  assert.deepEqual([report.equal, handfuls], [5, 3]);
});

test("two at once make one revision and one notice of each answer", async () => {
  const asked = await completed(Array.from({ length: 300 }, (_, n) => rawOf(`Answer ${n}.`, `Source ${n}`)));
  const reports = await Promise.all([run(asked.engine), run(asked.engine), run(asked.engine)]);
  assert.equal(
    reports.reduce((sum, { changed }) => sum + changed, 0),
    300,
  );
  assert.ok((await recordsOf(asked)).every(({ revision }) => revision === 2));
  const notices = (await deliveriesOf(asked)).filter((row) => row.delivery_revision === 2);
  assert.equal(notices.length, 300);
  await asked.engine.assertSound();
});

test("an answer that another reading replaced in between is read again, and found equal", async () => {
  const asked = await completed([rawOf("Better.", "A source")]);
  const report = await run(
    asked.engine,
    {},
    {},
    beforeStoring(async () => assert.equal((await run(asked.engine)).changed, 1)),
  );
  assert.deepEqual([report.read, report.changed, report.equal], [1, 0, 1]);
  const [record] = await recordsOf(asked);
  assert.equal(record?.revision, 2);
  assert.equal((await deliveriesOf(asked)).length, 2);
});

test("a result that expires between its reading and its storing is left", async () => {
  const asked = await completed([rawOf("Better.", "A source")]);
  const { database } = asked.engine;
  const report = await run(
    asked.engine,
    {},
    {},
    beforeStoring(async () => {
      await database.query("update tasks set expires_at = now() - interval '1 minute'");
      await database.query("update task_results set expires_at = now() - interval '1 minute'");
    }),
  );
  assert.deepEqual([report.changed, report.passedOver], [0, 1]);
  assert.equal((await recordsOf(asked))[0]?.revision, 1);
  assert.equal((await deliveriesOf(asked)).length, 1);
});

test("a result whose partition is dropped between its reading and its storing is left", async () => {
  const asked = await completed([rawOf("Better.", "A source")]);
  const { database } = asked.engine;
  const { rows } = await database.query<{ name: string }>("select tableoid::regclass::text as name from task_results");
  const report = await run(
    asked.engine,
    {},
    {},
    beforeStoring(() => database.query(`drop table ${rows[0]?.name}`)),
  );
  assert.deepEqual([report.changed, report.passedOver], [0, 1]);
  assert.equal((await recordsOf(asked))[0]?.revision, 1);
  await maintainResults(database);
});

test("a redelivery beside it waits its turn: each has a deliveryRevision of its own, and tells of the result as it is then", async () => {
  const asked = await completed([rawOf("Better.", "A source")], { webhookUrl: "https://own.example/" });
  const { database } = asked.engine;
  const { rows } = await database.query<{ id: string }>("select id from deliveries");
  let redelivery: Promise<unknown> = Promise.resolve();
  const report = await run(
    asked.engine,
    {},
    {},
    afterStoring(async () => {
      const deps = { database, records: { read: getTasks }, bodyBytesMax: 100_000 };
      redelivery = redeliver(deps, asked.accountId, rows[0]?.id ?? "");
      await until("the redelivery to wait for the reading", async () => {
        const { rowCount } = await database.query(
          "select from pg_locks where locktype = 'advisory' and not granted and database = (select oid from pg_database where datname = current_database())",
        );
        return rowCount === 1;
      });
    }),
  );
  await redelivery;
  assert.equal(report.changed, 1);
  const deliveries = await deliveriesOf(asked);
  assert.deepEqual(
    deliveries.map((row) => [row.delivery_revision, row.state, row.event_number !== null]),
    [
      [1, "superseded", true],
      [2, "superseded", true],
      [3, "pending", false],
    ],
  );
  const notice = JSON.parse(deliveries[2]?.body?.toString("utf8") ?? "") as Notification;
  assert.equal(notice.task.revision, 2);
});

test("a notice of the former result that still waits is superseded; one that is being sent is let be", async () => {
  const asked = await completed([rawOf("One.", "A source"), rawOf("Two.", "B source")], {
    webhookUrl: "https://own.example/",
  });
  const { database } = asked.engine;
  await database.query(
    `update delivery_queue q set state = 'in_flight', lease_until = now() + interval '1 minute', slot = 1
       from deliveries d where d.id = any (q.delivery_ids) and d.task_id = $1`,
    [asked.taskIds[1]],
  );
  await run(asked.engine);
  const states = (await deliveriesOf(asked)).map((row) => [
    asked.taskIds.indexOf(row.task_id),
    row.delivery_revision,
    row.state,
  ]);
  assert.deepEqual(
    states.toSorted((a, b) => String(a).localeCompare(String(b))),
    [
      [0, 1, "superseded"],
      [0, 2, "pending"],
      [1, 1, "pending"],
      [1, 2, "pending"],
    ],
  );
});

test("an end beside it comes after it in the feed, or before it, and never between what a reader has passed", async () => {
  const asked = await completed([rawOf("Better.", "A source")]);
  const { database, ends } = asked.engine;
  const [later = ""] = await asked.engine.submit(asked.accountId, 1);
  const feed = async () => {
    const deps = { database, records: { read: getTasks }, bodyBytesMax: 100_000 };
    const slice = await readEvents(deps, { accountId: asked.accountId, types: ["task.finished"] }, startOfFeed, {
      limit: 10,
      bytesMax: 1_000_000,
    });
    return slice?.entries.map(({ payload }) => (JSON.parse(payload) as Notification).task.taskId);
  };
  let canceling: Promise<unknown> = Promise.resolve();
  await run(
    asked.engine,
    {},
    {},
    {
      point: "reparse.announced",
      work: async () => {
        canceling = cancelTasks(database, [later], ends);
        await until("the end to wait for the account", async () => {
          const { rowCount } = await database.query(
            "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
          );
          return rowCount === 1;
        });
        assert.deepEqual(await feed(), asked.taskIds);
      },
    },
  );
  await canceling;
  assert.deepEqual(await feed(), [...asked.taskIds, ...asked.taskIds, later]);
});

test("a connection that is cut in the middle leaves whole revisions or none, and the next run does the rest", async () => {
  const asked = await completed(Array.from({ length: 20 }, (_, n) => rawOf(`Answer ${n}.`, `Source ${n}`)));
  const { database } = asked.engine;
  // What was written is not committed: as when the process is killed.
  const cut = () =>
    database.query(
      "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and state = 'idle in transaction'",
    );
  await assert.rejects(run(asked.engine, {}, {}, afterStoring(cut)));
  assert.ok((await recordsOf(asked)).every(({ revision }) => revision === 1));
  assert.equal((await deliveriesOf(asked)).length, 20);
  const report = await run(asked.engine);
  assert.equal(report.changed, 20);
  await asked.engine.assertSound();
});

test("a revised result has its observation replaced, in the same transaction; the others keep theirs", async () => {
  const asked = await completed([rawOf("Better.", "A source"), rawOf("Same.")]);
  const { database } = asked.engine;
  const entities = new EntitySearch(database);
  const observe = observeTasks({ entities, reader: 2, recipeOf: () => null, kindOf: () => null });
  const records = await recordsOf(asked);
  const { accountId } = asked;
  const observed = await observe.describe({ accountId, result: firstReading(rawOf("?")), json: "{}" });
  await database.transaction((tx) =>
    observe.write(
      tx,
      records.map((record) => ({ accountId, record, observed })),
    ),
  );
  const request = { scope: everything, after: null, dryRun: false, signal: new AbortController().signal };
  await reparse({ ...depsOf(asked.engine), observe }, request);
  const { observations } = await listObservations(database, asked.accountId, {}, { beforeId: null, limit: 10 });
  assert.deepEqual(
    asked.taskIds.map((taskId) => {
      const found = observations.filter((each) => each.taskId === taskId);
      return found.map(({ revision, sources }) => [revision, sources.map(({ url }) => url)]);
    }),
    [[[2, ["https://site.example/"]]], [[1, []]]],
  );
});

test("an answer whose account changes its entities between the search and the transaction is marked as not searched", async () => {
  const asked = await completed([rawOf("Acme is better.")]);
  const { accountId } = asked;
  const { database } = asked.engine;
  const entities = new EntitySearch(database);
  const observe = observeTasks({ entities, reader: 2, recipeOf: () => null, kindOf: () => null });
  const [record] = await recordsOf(asked);
  assert.ok(record !== undefined);
  const define = (name: string) =>
    mergeEntities(database, { accountId, projectId: accountId }, requireContents([{ name }]));
  await define("Acme");
  const describe = () => observe.describe({ accountId, result: firstReading(rawOf("Acme is better.")), json: "{}" });
  const seen = async () => {
    const { observations } = await listObservations(database, accountId, {}, { beforeId: null, limit: 10 });
    return observations.map(({ mentions, flags, instrument }) => [
      mentions.length,
      flags.filter((flag) => flag.startsWith("not_searched")),
      instrument.matcher === null,
    ]);
  };
  const observed = await describe();
  await database.transaction((tx) => observe.write(tx, [{ accountId, record, observed }]));
  assert.deepEqual(await seen(), [[1, [], false]]);
  await define("Other");
  await database.transaction((tx) => observe.revise(tx, [{ accountId, record, observed }]));
  assert.deepEqual(await seen(), [[0, ["not_searched:changed"], true]]);
  const again = await describe();
  await database.transaction((tx) => observe.revise(tx, [{ accountId, record, observed: again }]));
  assert.deepEqual(await seen(), [[1, [], false]]);
  await entities.stop();
});
