/** A worker that is killed while it tells what was found: another one tells it, once. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Alert, Channel, FoundChange } from "@querent/contract";
import { newId } from "../../src/kernel/ids.ts";
import { raiseFound } from "../../src/reports/alerts/findings.ts";
import { startServiceProcess, temporaryFolder } from "../harness/process.ts";
import { startReceiver } from "../harness/receiver.ts";
import { startTestService } from "../harness/service.ts";
import { until } from "../harness/wait.ts";
import { createPanel } from "./fixture.ts";

test("a worker that is killed between what was found and its messages loses nothing, and nothing is told twice", async () => {
  using folder = temporaryFolder();
  const receiver = await startReceiver((_received, response) => void response.writeHead(200).end("ok"));
  test.after(() => receiver.close());
  const service = await startTestService({
    roles: ["api", "notifier"],
    environment: { QUERENT_EGRESS_ALLOW: "127.0.0.0/8,::1", QUERENT_EGRESS_CA: receiver.caFile },
  });
  const { database } = service;
  const startWorker = () =>
    startServiceProcess({ ...service.commandEnvironment, QUERENT_DATA_DIR: folder.path }, [
      "serve",
      "--roles",
      "worker",
    ]);
  const worker = await startWorker();
  const account = await service.account();
  const { accountId } = account;
  const { panelId } = await createPanel(account, { name: "p", prompts: [{ text: "Which?", promptId: "p1" }] });
  const events = ["task.finished", "alert.raised"];
  assert.equal((await account.call("PUT", "/v1/webhook", { body: { url: null, events } })).status, 200);
  const { channelId } = (
    await account.call<Channel>("POST", "/v1/channels", {
      body: { kind: "slack", name: "#a", secret: receiver.url("/slack") },
    })
  ).body;
  const made = await account.call<Alert>("POST", "/v1/alerts", {
    body: { name: "Changes", kinds: ["figure_changed"], channels: [channelId] },
  });
  assert.equal(made.status, 201, made.text);
  const raise = () =>
    database.transaction((tx) => {
      const data = {
        ...{ changeId: newId(), panelId, measure: "citation_rate", domain: "old.example", direction: "down" },
        ...{
          entityId: null,
          platformCode: "simulator",
          since: "2026-11-20",
          before: { value: 0.4 },
          after: { value: 0.2 },
        },
      } as FoundChange;
      return raiseFound(tx, accountId, { kind: "change", series: "s", day: "2026-11-20", data, basis: null }, 0);
    });
  const queued = async () =>
    (await database.query("select 1 from addressed_events where account_id = $1", [accountId])).rows.length;

  // The event of the account is numbered last, under the lock of the account's row, which this transaction has until the worker is dead.
  await database.transaction(async (tx) => {
    await tx.query("select 1 from accounts where id = $1 for update", [accountId]);
    await raise();
    await until("the worker has written its messages, and waits to commit them", async () => {
      const { rows } = await database.query<{ waiting: boolean }>(
        `select exists (select from pg_stat_activity a where a.datname = current_database() and a.wait_event_type = 'Lock'
                           and exists (select from pg_locks l where l.pid = a.pid and l.granted and l.relation = 'addressed_events'::regclass
                                          and l.mode = 'RowExclusiveLock')) as waiting`,
      );
      return rows[0]?.waiting === true;
    });
    await worker.end("SIGKILL");
  });
  await until("the server has noticed the death of the worker", async () => {
    const { rows } = await database.query<{ open: boolean }>(
      `select exists (select from pg_locks where relation = 'alert_findings'::regclass and mode = 'RowExclusiveLock'
                         and database = (select oid from pg_database where datname = current_database())) as open`,
    );
    return rows[0]?.open === false;
  });
  assert.deepEqual([await queued(), receiver.requests.length], [0, 0]);

  const other = await startWorker();
  await receiver.received(1);
  await raise();
  await receiver.received(2);
  assert.deepEqual([await queued(), receiver.requests.length], [2, 2]);
  for (const { body } of receiver.requests) assert.match(body.toString(), /p: citation rate of old\.example/);
  await other.end("SIGTERM");
});
