/** The end of a panel's run: noticed once, whoever looks, and announced with how its tasks ended. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { EventPage, PanelRun, PanelRuns } from "@querent/contract";
import { markDue } from "../../src/reports/index.ts";
import { EntitySearch } from "../../src/observations/index.ts";
import { runEnds, type EndedRun } from "../../src/panels/index.ts";
import { refused, startTestService, type TestAccount } from "../harness/service.ts";
import { until } from "../harness/wait.ts";
import { createPanel, runPanel } from "./fixture.ts";

const service = await startTestService();
const events = ["task.finished", "panel.run.finished"] as const;

const runOf = async (account: TestAccount, { panelId, runId }: PanelRun) =>
  (await account.get<PanelRun>(`/v1/panels/${panelId}/runs/${runId}`)).body;
const announcedTo = async (account: TestAccount) =>
  (await account.get<EventPage<"panel.run.finished">>("/v1/events?types=panel.run.finished")).body.events;

test("a run ends with its last task, once, however many processes look, and is announced with how its tasks ended", async () => {
  const account = await service.account();
  await account.call("PUT", "/v1/webhook", { body: { url: null, events } });
  const noticed: EndedRun[] = [];
  const others = Array.from({ length: 3 }, () =>
    runEnds({
      database: service.database,
      entities: new EntitySearch(service.database),
      rules: async () => assert.fail("the run asks everything at once"),
      markDue,
      onEnded: async (run) => void noticed.push(run),
      onFault: (error) => assert.fail(String(error)),
    }),
  );
  for (const other of others) void other.start();
  const prompts = [{ text: "Which grinder?" }, { text: "fail=platform_refused" }];
  const { panelId } = await createPanel(account, { prompts, repeats: 2 });
  const { body: started } = await runPanel(account, panelId);
  assert.deepEqual([started.endedAt, started.tasks], [null, null]);
  const ended = await until("the run to end", async () => {
    const run = await runOf(account, started);
    return run.endedAt === null ? null : run;
  });
  for (const other of others) await other.stop();
  assert.ok(ended.tasks);
  const { completed, failed, canceled, failedByCode } = ended.tasks;
  assert.deepEqual([completed, failed, canceled, failedByCode], [2, 2, 0, { platform_refused: 2 }]);
  assert.equal(ended.endedAt, ended.batches[0]?.finishedAt);
  assert.ok(noticed.length <= 1);
  const [event, ...more] = await announcedTo(account);
  assert.ok(event);
  assert.deepEqual(more, []);
  assert.deepEqual(event.notification.data, {
    panelId,
    runId: started.runId,
    revision: 1,
    slot: null,
    startedAt: started.createdAt,
    endedAt: ended.endedAt,
    taskCount: 4,
    tasks: ended.tasks,
    waves: null,
  });
  assert.deepEqual((await account.get<PanelRuns>(`/v1/panels/${panelId}/runs`)).body.runs, [ended]);
});

test("a run whose tasks are canceled ends, too; without a subscription nobody is told", async () => {
  const account = await service.account();
  const { panelId } = await createPanel(account, { prompts: [{ text: "delay=30m" }] });
  const { body: started } = await runPanel(account, panelId);
  await account.call("POST", `/v1/batches/${started.batches[0]?.batchId}/cancellation`);
  const { tasks } = await until("the run to end", async () => {
    const run = await runOf(account, started);
    return run.endedAt === null ? null : run;
  });
  assert.equal(tasks?.canceled, 1);
  assert.deepEqual(await announcedTo(account), []);
  refused(await account.get(`/v1/panels/${panelId}/runs/${panelId}`), "not_found");
});
