/** Points of projects: caps on what their panels ask, usage by project, and the tasks and answers of a project's panels. */
import assert from "node:assert/strict";
import { suite, test } from "node:test";
import type {
  CapReached,
  Caps,
  EventPage,
  ObservationPage,
  PanelQuote,
  ProjectUsage,
  TaskRecord,
  TaskSummary,
} from "@querent/contract";
import { refused, startTestService, type TestAccount } from "../harness/service.ts";
import { until } from "../harness/wait.ts";
import { runPanel } from "../insight/fixture.ts";
import { createPanelIn, createProject, personAs, runSeeded, seedProject, tokenWith } from "./fixture.ts";

const service = await startTestService();

const setCaps = async (account: TestAccount, caps: object[]) => {
  const answer = await account.call<Caps>("PUT", "/v1/caps", { body: { caps } });
  assert.equal(answer.status, 200, answer.text);
  return answer.body.caps;
};
const move = async (account: TestAccount, projectId: string, panelIds: string[]) =>
  assert.equal((await account.call("POST", `/v1/projects/${projectId}/contents`, { body: { panelIds } })).status, 200);
const idle = (account: TestAccount) =>
  until("all tasks to end", async () => {
    const { rows } = await service.database.query<{ unfinished_tasks: number }>(
      "select unfinished_tasks from accounts where id = $1",
      [account.accountId],
    );
    return rows[0]?.unfinished_tasks === 0;
  });

suite("caps of projects", () => {
  test("a cap of a project counts the runs of all of its panels, and of no other", async () => {
    const account = await service.account({ points: 1000 });
    await account.call("PUT", "/v1/webhook", { body: { url: null, events: ["task.finished", "cap.reached"] } });
    const [acme, globex] = [await createProject(account, "Acme"), await createProject(account, "Globex")];
    const one = await createPanelIn(account, acme.projectId);
    const two = await createPanelIn(account, acme.projectId, { name: "Two" });
    const other = await createPanelIn(account, globex.projectId);
    // Ids are written in either case.
    const caps = await setCaps(account, [
      { kind: "project", subject: acme.projectId.toUpperCase(), dayPoints: one.taskCount + two.taskCount },
    ]);
    assert.deepEqual(
      caps.map(({ kind, subject, dayHeld }) => [kind, subject, dayHeld]),
      [["project", acme.projectId, 0]],
    );
    for (const { panelId } of [one, two, other]) assert.equal((await runPanel(account, panelId)).status, 202);
    assert.equal((await account.get<Caps>("/v1/caps")).body.caps[0]?.dayHeld, one.taskCount + two.taskCount);
    const { detail } = refused(await runPanel(account, one.panelId), "cap_exceeded");
    assert.match(detail, /The cap of the project is \d+ points a day \(UTC\), of which \d+ are used/);
    const quoteOf = async (path: string, body?: object) =>
      (await account.call<PanelQuote>("POST", path, body === undefined ? {} : { body })).body.capExceeded;
    assert.match((await quoteOf(`/v1/panels/${two.panelId}/quote`)) ?? "", /cap of the project/);
    const { panelId: _id, ...unstored } = {
      panelId: "",
      name: "New",
      prompts: [{ text: "Why?" }],
      platforms: ["simulator"],
    };
    assert.match((await quoteOf(`/v1/panels/quote?project=${acme.projectId}`, unstored)) ?? "", /cap of the project/);
    assert.equal(await quoteOf(`/v1/panels/quote?project=${globex.projectId}`, unstored), null);
    // What belongs to no panel is of no project.
    assert.equal(typeof (await account.ask("Why?")), "string");
    const { body } = await account.get<EventPage<"cap.reached">>("/v1/events?types=cap.reached");
    const told: CapReached[] = body.events.map(({ notification }) => notification.data);
    assert.deepEqual(
      told.map(({ kind, subject, thresholdPercent }) => [kind, subject, thresholdPercent]),
      [
        ["project", acme.projectId, 50],
        ["project", acme.projectId, 100],
      ],
    );
  });

  test("a panel counts where it stands when it runs, in the default project too", async () => {
    const account = await service.account({ points: 1000 });
    const acme = await createProject(account, "Acme");
    const { panelId, taskCount } = await createPanelIn(account, account.accountId, { brands: { own: [] } });
    await setCaps(account, [
      { kind: "project", subject: account.accountId, runPoints: 0 },
      { kind: "project", subject: acme.projectId, monthPoints: taskCount },
    ]);
    assert.match(refused(await runPanel(account, panelId), "cap_exceeded").detail, /0 points a run/);
    await move(account, acme.projectId, [panelId]);
    assert.equal((await runPanel(account, panelId)).status, 202);
    refused(await runPanel(account, panelId), "cap_exceeded");
  });

  test("a scheduled run is refused by it, and says so", async () => {
    const account = await service.account({ points: 1000 });
    const acme = await createProject(account, "Acme");
    await setCaps(account, [{ kind: "project", subject: acme.projectId, dayPoints: 0 }]);
    const { panelId } = await createPanelIn(account, acme.projectId, { schedule: { cron: "* * * * *" } });
    await service.database.query("update panels set due_at = now(), next_slot = now() where id = $1", [panelId]);
    await until("the refused run", async () => {
      const { body } = await account.get<{ runs: { state: string; problem: { code: string } | null }[] }>(
        `/v1/panels/${panelId}/runs`,
      );
      return body.runs.some(({ state, problem }) => state === "refused" && problem?.code === "cap_exceeded");
    });
  });

  test("hostile caps of projects are refused", async () => {
    const account = await service.account();
    for (const caps of [
      [{ kind: "project", dayPoints: 1 }],
      [{ kind: "project", subject: "x".repeat(65), dayPoints: 1 }],
      [{ kind: "project", subject: account.accountId }],
      [
        { kind: "project", subject: account.accountId, dayPoints: 1 },
        { kind: "project", subject: account.accountId, dayPoints: 2 },
      ],
    ])
      refused(await account.call("PUT", "/v1/caps", { body: { caps } }), "validation_failed");
  });
});

suite("usage by project", () => {
  test("what panels asked is told by day, project and platform, stays where it was spent, and adds up", async () => {
    const account = await service.account({ points: 1000 });
    const [acme, globex] = [await createProject(account, "Acme"), await createProject(account, "Globex")];
    const { panelId, taskCount } = await createPanelIn(account, acme.projectId, { brands: { own: [] } });
    await runPanel(account, panelId);
    await idle(account);
    await move(account, globex.projectId, [panelId]);
    await runPanel(account, panelId);
    await runPanel(account, (await createPanelIn(account, account.accountId, { brands: { own: [] } })).panelId);
    await account.ask("Why?");
    await idle(account);
    const read = async (query = "") => {
      const { status, body, text } = await account.get<ProjectUsage>(`/v1/usage/projects${query}`);
      assert.equal(status, 200, text);
      return body.days
        .map(({ projectName, platformCode, completed, chargedPoints }) => [
          projectName,
          platformCode,
          completed,
          chargedPoints,
        ])
        .toSorted((one, other) => String(one[0]).localeCompare(String(other[0])));
    };
    const line = (name: string) => [name, "simulator", taskCount, taskCount];
    assert.deepEqual(await read(), [line("Acme"), line("default"), line("Globex")]);
    assert.deepEqual(await read("?project=Globex"), [line("Globex")]);
    const csv = await account.get(`/v1/usage/projects?project=${acme.projectId}`, { accept: "text/csv" });
    assert.match(
      csv.text,
      /^day,projectId,projectName,platformCode,completed,failed,canceled,chargedPoints\r\n[^\r]*,Acme,simulator,/,
    );
    refused(await account.get("/v1/usage/projects?project=Nobody"), "not_found");
    refused(await account.get("/v1/usage/projects?from=2020-01-01"), "validation_failed");
    // A project that is gone keeps what it spent.
    assert.equal((await account.call("DELETE", `/v1/projects/${acme.projectId}`)).status, 204);
    assert.ok((await read()).some(([name, , completed]) => name === null && completed === taskCount));
    const other = await service.account();
    assert.deepEqual((await other.get<ProjectUsage>("/v1/usage/projects")).body.days, []);
  });
});

suite("tasks and answers of a project's panels", () => {
  test("lists are filtered by it, by its name or id", async () => {
    const account = await service.account({ points: 1000 });
    const [one, two] = await Promise.all(
      [await seedProject(account, "One"), await seedProject(account, "Two")].map((each) => runSeeded(service, each)),
    );
    assert.ok(one !== undefined && two !== undefined);
    await account.ask("Of nobody?");
    const tasks = async (query: string) =>
      (await account.get<{ tasks: TaskSummary[] }>(`/v1/tasks${query}`)).body.tasks.map(({ taskId }) => taskId);
    assert.equal((await tasks("")).length, 3);
    const [name = ""] = one.secrets;
    for (const project of [one.projectId, encodeURIComponent(name)]) {
      assert.deepEqual(await tasks(`?project=${project}`), [one.taskId]);
      assert.deepEqual(await tasks(`?project=${project}&platformCode=simulator&state=completed`), [one.taskId]);
      const { body } = await account.get<ObservationPage>(`/v1/observations?project=${project}`);
      assert.deepEqual(
        body.observations.map(({ taskId }) => taskId),
        [one.taskId],
      );
    }
    assert.deepEqual(await tasks(`?project=${account.accountId}`), []);
    refused(await account.get("/v1/tasks?project=Nobody"), "not_found");
  });

  test("an answer of the own project has none of the mentions of brands of others", async () => {
    const account = await service.account({ points: 1000 });
    const [one, two] = [await seedProject(account, "One"), await seedProject(account, "Two")];
    await runSeeded(service, one);
    const mentioned = async (as: Pick<TestAccount, "call">) => {
      const { body } = await as.call<ObservationPage>("GET", "/v1/observations");
      return new Set(body.observations.flatMap(({ mentions }) => mentions.map(({ entityId }) => entityId)));
    };
    assert.deepEqual(await mentioned(account), new Set([one.entityId, two.entityId]));
    const { token } = await tokenWith(service, account, ["tasks:read"], [one.projectId]);
    assert.deepEqual(await mentioned(service.as(account.accountId, token)), new Set([one.entityId]));
  });

  test("whoever is limited to the former project loses the tasks with the panel, and a request that waits does, too", async () => {
    const account = await service.account({ points: 1000 });
    const [from, to] = [await createProject(account, "From"), await createProject(account, "To")];
    const { panelId } = await createPanelIn(account, from.projectId, {
      brands: { own: [] },
      prompts: [{ text: "delay=30m" }],
      options: {},
    });
    const viewer = await personAs(service, account, "viewer", [from.projectId]);
    await runPanel(account, panelId);
    const { body } = await account.get<{ tasks: TaskSummary[] }>("/v1/tasks");
    const taskId = body.tasks[0]?.taskId ?? "";
    const read = (headers = {}) => viewer.call("GET", `/v1/tasks/${taskId}`, { headers });
    assert.equal((await read()).status, 200);
    const waiting = read({ prefer: "wait=30" });
    await move(account, to.projectId, [panelId]);
    const canceled = await account.call<TaskRecord>("POST", `/v1/tasks/${taskId}/cancellation`);
    assert.equal(canceled.body.state, "canceled");
    refused(await waiting, "not_found");
    refused(await read(), "not_found");
    assert.deepEqual((await viewer.call("GET", "/v1/tasks")).text.includes(taskId), false);
  });

  test("a deleted panel's tasks are of no project", async () => {
    const account = await service.account({ points: 1000 });
    const one = await runSeeded(service, await seedProject(account, "One"));
    const viewer = await personAs(service, account, "viewer", [one.projectId]);
    assert.equal((await viewer.call("GET", `/v1/tasks/${one.taskId}`)).status, 200);
    assert.equal((await account.call("DELETE", `/v1/panels/${one.panelId}`)).status, 204);
    refused(await viewer.call("GET", `/v1/tasks/${one.taskId}`), "not_found");
    refused(await viewer.call("GET", `/v1/batches/${one.batchId}`), "not_found");
    assert.equal((await account.get(`/v1/tasks/${one.taskId}`)).status, 200);
  });
});
