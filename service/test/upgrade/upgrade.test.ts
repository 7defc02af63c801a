/** A database of an earlier version, brought up to today's schema, serves on: nothing is lost, nothing is done or paid twice. */
import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { after, suite, test } from "node:test";
import type {
  Caps,
  EntityPage,
  EventPage,
  ObservationPage,
  PanelPage,
  PanelRecord,
  TaskSummary,
  UsageRecord,
  WebhookRecord,
} from "@querent/contract";
import { publicToken } from "../../src/artifacts/index.ts";
import { Database, migrate } from "../../src/db/index.ts";
import { costsOf, readPlatformCosts } from "../../src/statistics/index.ts";
import { MasterKey } from "../../src/vault/index.ts";
import { announceEvent, type AccountEvent } from "../../src/webhooks/index.ts";
import { emptyDatabase } from "../harness/database.ts";
import { startReceiver } from "../harness/receiver.ts";
import { startTestService, type TestService } from "../harness/service.ts";
import { until } from "../harness/wait.ts";
import { loadFixture } from "./load-fixture.ts";

for (const file of readdirSync(import.meta.dirname).filter((name) => name.endsWith(".sql"))) {
  suite(`a database of version ${file.replace(".sql", "")}`, async () => {
    let stop = async () => {};
    // Before the database's own: hooks run in the order in which they were set.
    after(() => stop());
    const receiver = await startReceiver();
    const { url } = await emptyDatabase();
    const database = new Database({ connection: { connectionString: url }, connectionsMax: 2 });
    const about = await loadFixture(database, file);
    // Where receivers listen today; and the process that ran the tasks is gone.
    await database.query("update webhooks set url = $1, origin = $2", [receiver.url(), new URL(receiver.url()).origin]);
    await database.query("update deliveries set url = $1, origin = $2 where state = 'pending'", [
      receiver.url(),
      new URL(receiver.url()).origin,
    ]);
    await database.query("update delivery_queue set origin = $1", [new URL(receiver.url()).origin]);
    await database.query("update nodes set lease_until = now()");
    // As if a platform had reported the tokens of one answer.
    await database.query("update tasks set input_tokens = 2000000 where id = $1", [about.tasks.cards]);
    await database.query(
      `update usage_hours set metered = 1, input_tokens = 2000000, hour = date_trunc('hour', now(), 'UTC')
        where ctid = (select ctid from usage_hours where completed > 0 limit 1)`,
    );
    const before = await migrate(database);
    await database.close();
    const service: TestService = await startTestService({
      on: { url, masterKey: Buffer.from(about.masterKeyHex, "hex") },
      environment: { QUERENT_EGRESS_ALLOW: "127.0.0.0/8", QUERENT_EGRESS_CA: receiver.caFile },
    });
    stop = async () => {
      await service.stop();
      await receiver.close();
    };
    const { tasks, tokens, accounts } = about;
    const main = service.as(accounts.main, tokens.main);
    const waiting = service.as(accounts.waiting, tokens.waiting);
    const held = service.as(accounts.held, tokens.held);

    test("is brought up to today's schema, once", async () => {
      assert.ok(before.applied.every((name) => name > "0001"));
      assert.deepEqual(await migrate(service.database), { applied: [] });
    });

    test("its batches have no trace, and its tasks need none", async () => {
      const { rows } = await service.database.query<{ traced: number }>(
        "select count(traceparent)::int as traced from batches",
      );
      assert.deepEqual(rows, [{ traced: 0 }]);
    });

    test("what its answers consumed has no stated cost, and is priced", async () => {
      const { rows } = await service.database.query<{ stated: number }>(
        "select count(stated_usd)::int + count(cached_tokens)::int as stated from tasks",
      );
      assert.deepEqual(rows, [{ stated: 0 }]);
      const platforms = await readPlatformCosts(service.database, 1);
      assert.deepEqual(
        platforms.flatMap((costs) => costsOf(costs, { perMillionInputTokens: 3, currency: "USD" })),
        [{ basis: "computed", amount: 6, currency: "USD" }],
      );
    });

    test("tasks that ended before have no observation, and the others have one when they complete", async () => {
      await main.ended(tasks.queued);
      const observed = async (taskId: string) => {
        const { body } = await main.get<ObservationPage>(`/v1/observations?taskId=${taskId}`);
        return body.observations.map((each) => each.cell.platformCode);
      };
      assert.deepEqual(await observed(tasks.cards), []);
      assert.deepEqual(await observed(tasks.queued), ["simulator"]);
    });

    test("its accounts have no entities, and answers are searched for those that they create", async () => {
      const brands = await held.withToken({ scopes: ["panels:read", "panels:write"] });
      const { body: before } = await brands.get<EntityPage>("/v1/entities");
      assert.deepEqual(before.entities, []);
      const { status } = await brands.call("POST", "/v1/entities", { body: { name: "Acme" } });
      assert.equal(status, 201);
    });

    test("an account of that version has no panels and no caps; it can make and run some", async () => {
      // Tokens keep their scopes: those of that version have none for panels.
      assert.equal((await main.get("/v1/panels")).status, 403);
      const owner = await main.withToken({ scopes: ["panels:read", "panels:write"] });
      assert.deepEqual((await owner.get<PanelPage>("/v1/panels")).body.panels, []);
      assert.deepEqual((await owner.get<Caps>("/v1/caps")).body.caps, []);
      const body = { name: "New", prompts: [{ text: "Why?" }], platforms: ["simulator"] };
      const panel = await owner.call<PanelRecord>("POST", "/v1/panels", { body });
      assert.equal(panel.status, 201, panel.text);
      assert.equal((await owner.get(`/v1/panels/${panel.body.panelId}/seal`)).status, 404);
      assert.equal((await owner.call("POST", `/v1/panels/${panel.body.panelId}/seal`)).status, 200);
      const caps = { caps: [{ kind: "panel", subject: panel.body.panelId, monthPoints: 1 }] };
      assert.equal((await owner.call("PUT", "/v1/caps", { body: caps })).status, 200);
      const run = (key: string) =>
        owner.call("POST", `/v1/panels/${panel.body.panelId}/runs`, { headers: { "idempotency-key": key } });
      assert.equal((await run("one")).status, 202);
      assert.equal((await run("two")).status, 402);
    });

    test("its tasks are read, each as it ended", async () => {
      const cards = await main.task(tasks.cards);
      assert.equal(cards.state, "completed");
      assert.deepEqual(
        [cards.sources.length, cards.products.length, cards.videos.length, cards.media.length],
        [3, 1, 1, 1],
      );
      assert.equal(cards.clientReference, "fixture");
      assert.deepEqual(cards.tags, ["fixture", "second"]);
      assert.equal(cards.priority, 7);
      assert.equal(cards.expired, false);
      assert.equal((await main.task(tasks.long)).content?.length, 1000);
      // The link that was given out by that version.
      const addressKey = new MasterKey(Buffer.from(about.masterKeyHex, "hex")).derive("public addresses");
      assert.equal(
        new URL((await main.task(tasks.shared)).shareUrl ?? "").pathname,
        `/s/${publicToken(addressKey, "share", tasks.shared)}`,
      );
      const failed = await main.task(tasks.failed);
      assert.deepEqual([failed.state, failed.failure?.code, failed.chargedPoints], ["failed", "platform_refused", 0]);
      assert.equal((await main.task(tasks.canceled)).state, "canceled");
      const { body } = await main.get<{ tasks: TaskSummary[] }>("/v1/tasks?tag=fixture&clientReference=fixture");
      assert.deepEqual(
        body.tasks.map(({ taskId }) => taskId).toSorted(),
        [tasks.cards, tasks.failed, tasks.long].toSorted(),
      );
      assert.equal((await main.get(`/v1/tasks/${tasks.cards}/evidence`)).status, 200);
    });

    test("every result, artifact and attempt has the account of its task", async () => {
      for (const table of ["task_results", "artifacts", "task_attempts"]) {
        const { rows } = await service.database.query<{ count: number; wrong: number }>(
          `select count(*)::int as count, count(*) filter (where t.account_id is distinct from r.account_id)::int as wrong
             from ${table} r left join tasks t on t.id = r.task_id`,
        );
        if (table !== "task_attempts") assert.ok((rows[0]?.count ?? 0) > 0, table);
        assert.equal(rows[0]?.wrong, 0, table);
      }
    });

    test("its pending tasks run: the one that ran, the throttled one, the queued one; the one for later waits", async () => {
      for (const taskId of [tasks.running, tasks.throttled, tasks.queued])
        assert.equal((await main.ended(taskId)).state, "completed");
      const later = await main.task(tasks.later);
      assert.equal(later.state, "pending");
      assert.equal(later.progress?.phase, "queued");
    });

    test("its waiting deliveries are sent, and the held ones once the address is set again", async () => {
      const ids = async (accountId: string) => {
        const { rows } = await service.database.query<{ id: string }>(
          "select id from deliveries where account_id = $1",
          [accountId],
        );
        return rows.map(({ id }) => id);
      };
      const delivered = (wanted: readonly string[]) =>
        until("the deliveries to arrive", () => {
          const arrived = new Set(receiver.requests.map(({ headers }) => headers["x-service-delivery"]));
          return wanted.every((id) => arrived.has(id));
        });
      await delivered(await ids(waiting.accountId));
      const heldIds = await ids(held.accountId);
      assert.ok(!receiver.requests.some(({ headers }) => heldIds.includes(String(headers["x-service-delivery"]))));
      assert.equal((await held.call("PUT", "/v1/webhook", { body: { url: receiver.url() } })).status, 200);
      await delivered(heldIds);
    });

    test("a submission of before is replayed for the same bytes", async () => {
      const answer = await main.post(about.submission.body, { "idempotency-key": about.submission.key });
      assert.equal(answer.headers["idempotent-replayed"], "true");
      assert.deepEqual(
        answer.body.tasks.map(({ taskId }) => taskId),
        [tasks.cards, tasks.failed, tasks.long],
      );
    });

    test("the secrets are readable, the one before the rotation signs beside the current one", async () => {
      const { body } = await main.get<{ secretVersion: number; signingSecret: string }>("/v1/webhook");
      assert.equal(body.secretVersion, 2);
      assert.match(body.signingSecret, /^whsec_/);
      await until("a notification of this account", () =>
        receiver.requests.some(
          ({ headers, body: sent }) =>
            headers["x-service-signature-previous"] !== undefined && sent.includes(tasks.queued),
        ),
      );
    });

    test("the feed goes on from the events of before, in their order", async () => {
      const { body } = await main.get<EventPage>("/v1/events?limit=100");
      const { rows } = await service.database.query<{ task_id: string }>(
        "select task_id from deliveries where account_id = $1 and event_number is not null order by event_number",
        [main.accountId],
      );
      assert.ok(rows.length >= 8);
      assert.deepEqual(
        body.events.map(({ notification }) => notification.task.taskId),
        rows.map(({ task_id }) => task_id),
      );
    });

    test("a cursor of before is only a number: it still works, and is replaced by one that names its event", async () => {
      const { body: all } = await main.get<EventPage>("/v1/events?limit=100");
      const { rows } = await service.database.query<{ event_number: number }>(
        "select event_number from deliveries where account_id = $1 and event_number is not null order by event_number",
        [main.accountId],
      );
      const cursorOfBefore = Buffer.from(String(rows[2]?.event_number)).toString("base64url");
      const { body } = await main.get<EventPage>(`/v1/events?after=${cursorOfBefore}&limit=2`);
      assert.deepEqual(body.events, all.events.slice(3, 5));
      assert.equal(body.nextCursor, all.events[4]?.cursor);
    });

    test("its webhooks are told of the ends of tasks, and of more once they subscribe to it", async () => {
      const settings = async () => (await main.get<WebhookRecord>("/v1/webhook")).body;
      const { url, events } = await settings();
      assert.deepEqual(events, ["task.finished"]);
      const event = {
        accountId: main.accountId,
        type: "panel.instrument.changed",
        subject: "before and after",
        data: {
          changeId: main.accountId,
          panelId: main.accountId,
          platformCode: "simulator",
          kind: "api",
          since: "2026-11-22",
          sinceRunId: null,
          foundAt: "2026-11-22T00:00:00.000Z",
          before: [],
          after: [],
          figures: [],
        },
      } satisfies AccountEvent;
      const announce = () => service.database.transaction((tx) => announceEvent(tx, event));
      assert.equal(await announce(), false);
      await main.call("PUT", "/v1/webhook", { body: { url, events: ["task.finished", event.type] } });
      assert.equal(await announce(), true);
      await until("the event to be received", () => receiver.requests.some(({ body }) => body.includes(event.type)));
    });

    test("the ledger adds up to the balance, to the point", async () => {
      await main.answerTo("And on it goes?");
      const { rows } = await service.database.query<{ off: number }>(
        `select count(*)::int as off from accounts a where
           points_granted <> (select coalesce(sum(points), 0) from ledger l where l.account_id = a.id and kind = 'grant')
           or points_captured <> (select coalesce(sum(points), 0) from ledger l where l.account_id = a.id and kind = 'capture')
           or points_held <> (select coalesce(sum(case when kind = 'hold' then points else -points end), 0) from ledger l
                               where l.account_id = a.id and kind <> 'grant')
           or unfinished_tasks <> (select count(*) from tasks t where t.account_id = a.id and state = 'pending')`,
      );
      assert.equal(rows[0]?.off, 0);
      const { body } = await main.get<UsageRecord>("/v1/usage");
      const { rows: charged } = await service.database.query<{ points: number }>(
        "select sum(charged_points)::int as points from tasks where account_id = $1",
        [main.accountId],
      );
      assert.equal(body.balance.captured, charged[0]?.points);
      assert.equal(body.balance.available, 1_000 - body.balance.captured - body.balance.held);
    });
  });
}
