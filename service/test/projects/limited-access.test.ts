/**
 * The limit of an access to projects: all operations of the contract, as every role and as tokens, for what is of the own project, of
 * another one, of another account, and of nobody. Imports `service/src/projects/guard.ts` by way of the service.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { api, projectReach, projectScopes, withIncluded, type Operation, type Scope } from "@querent/contract";
import { newId } from "../../src/kernel/ids.ts";
import { startTestService } from "../harness/service.ts";
import {
  createBrand,
  createPanelIn,
  personAs,
  requestsFor,
  runSeeded,
  seedProject,
  send,
  tokenWith,
  type Named,
  type TestCaller,
} from "./fixture.ts";

const service = await startTestService();
const account = await service.account();
const seeded = [
  await seedProject(account, "Own"),
  await seedProject(account, "Other"),
  await seedProject(account, null),
  await seedProject(await service.account(), "Foreign"),
];
// After all brands are known, so that each answer is searched for those of all projects.
const [own = assert.fail(), other = assert.fail(), whole = assert.fail(), foreign = assert.fail()] = await Promise.all(
  seeded.map((project) => runSeeded(service, project)),
);
// What no panel asked is of no project.
const unasked = await account.ask("Which questionword of nobody?");
const nobodys = () => ({
  ...{ projectId: newId(), panelId: newId(), entityId: newId() },
  ...{ taskId: newId(), batchId: newId() },
});

const limited: readonly TestCaller[] = [
  await personAs(service, account, "client", [own.projectId]),
  await personAs(service, account, "viewer", [own.projectId]),
  await personAs(service, account, "editor", [own.projectId]),
  await tokenWith(service, account, ["reports:read"], [own.projectId]),
  await tokenWith(service, account, projectScopes, [own.projectId]),
  // As nobody can issue it: what is limited has no other scopes, whatever its row says.
  await tokenWith(
    service,
    account,
    ["tasks:read", "tasks:write", "usage:read", "audit:read", "webhook:manage"],
    [own.projectId],
  ),
];
const unlimited: readonly TestCaller[] = [
  await personAs(service, account, "viewer", null),
  await personAs(service, account, "admin", null),
  await tokenWith(service, account, ["reports:read"], null),
];

const operations = api.operations.filter(({ scope, id }) => scope !== null && id !== "listEvents");

const may = (caller: TestCaller, scope: Scope) =>
  withIncluded(
    (caller.projects === null
      ? caller.scopes
      : caller.scopes.filter((held) => (projectScopes as readonly string[]).includes(held))) as Scope[],
  ).includes(scope);

test("whatever a limited access asks for, it is told nothing of other projects and accounts, and refused as the contract says", async () => {
  let asked = 0;
  const targets: readonly [name: string, target: Named, secrets: readonly string[]][] = [
    ["another project", other, other.secrets],
    ["the default project", whole, whole.secrets],
    ["another account", foreign, foreign.secrets],
    ["nobody", nobodys(), []],
    ["no project", { ...nobodys(), taskId: unasked, batchId: (await account.task(unasked)).batchId }, []],
  ];
  const all = [...other.secrets, ...whole.secrets, ...foreign.secrets, unasked, "questionword"];
  for (const operation of operations) {
    const { scope, id } = operation;
    if (scope === null) continue;
    const reach = projectReach(operation);
    for (const [name, target] of targets) {
      const each = limited.flatMap((caller) =>
        requestsFor(operation, target, own).map(async ({ path, named }) => {
          const answer = await send(caller, operation, path);
          asked++;
          const what = `${id} ${path} as ${caller.what} for ${name}: ${answer.status} ${answer.text.slice(0, 300)}`;
          for (const secret of all)
            assert.ok(named.includes(secret) || !answer.text.includes(secret), `${secret} in ${what}`);
          if (!may(caller, scope) || reach === "refused") return assert.equal(answer.status, 403, what);
          if (named.length > 0 && reach !== "none") {
            assert.equal(answer.status, 404, what);
            assert.match(answer.text, /There is no such (?:panel|entity|project|task|batch)\./, what);
          } else assert.ok(![401, 403].includes(answer.status), what);
        }),
      );
      await Promise.all(each);
    }
  }
  assert.ok(asked > 3000, String(asked));
});

test("what is of the own project is there for a limited access that has the scope", async () => {
  let asked = 0;
  for (const operation of operations) {
    const { scope, id } = operation;
    if (scope === null) continue;
    for (const caller of limited) {
      // Those that delete have something of their own to delete.
      const target = {
        ...own,
        ...(id === "deletePanel"
          ? { panelId: (await createPanelIn(account, own.projectId, { brands: { own: [own.entityId] } })).panelId }
          : {}),
        ...(id === "deleteEntity"
          ? { entityId: (await createBrand(account, own.projectId, `Brand ${newId()}`)).entityId }
          : {}),
      };
      for (const { path } of requestsFor(operation, target, own)) {
        const answer = await send(caller, operation, path);
        asked++;
        const what = `${id} ${path} as ${caller.what}: ${answer.status} ${answer.text.slice(0, 300)}`;
        if (!may(caller, scope) || projectReach(operation) === "refused") assert.equal(answer.status, 403, what);
        else {
          assert.ok(![401, 403].includes(answer.status), what);
          assert.doesNotMatch(answer.text, /There is no such (?:panel|entity|project|task|batch)\./, what);
        }
      }
    }
  }
  assert.ok(asked > 800, String(asked));
});

test("every form of every list is of the own project alone, and has what is of it", async () => {
  let forms = 0;
  for (const operation of operations) {
    const { id, method, scope, replies } = operation;
    if (method !== "GET" || scope === null) continue;
    for (const type of Object.keys(replies[200]?.content ?? {}))
      for (const caller of limited) {
        for (const { path } of requestsFor(operation, own, own)) {
          const { status, text } = await caller.call("GET", path, { headers: { accept: type } });
          forms++;
          const what = `${id} ${path} as ${type} for ${caller.what}: ${status} ${text.slice(0, 300)}`;
          for (const secret of [...other.secrets, ...whole.secrets, ...foreign.secrets, unasked, "questionword"])
            assert.ok(!text.includes(secret), `${secret} in ${what}`);
          if (!may(caller, scope) || projectReach(operation) === "refused") assert.equal(status, 403, what);
        }
      }
  }
  assert.ok(forms > 400, String(forms));
  const viewer = await personAs(service, account, "viewer", [own.projectId]);
  for (const [path, marks] of [
    ["/v1/tasks", [own.taskId, "promptword"]],
    [`/v1/tasks/${own.taskId}`, [own.batchId, "promptword"]],
    ["/v1/observations", [own.taskId, own.entityId]],
    ["/v1/sources", [`"answers":1`]],
    [`/v1/entities/${own.entityId}/mentions`, [own.taskId]],
    [`/v1/batches/${own.batchId}`, [own.batchId]],
    [`/v1/batches/${own.batchId}/results`, [own.taskId]],
  ] as const) {
    const { status, text } = await viewer.call("GET", path);
    assert.equal(status, 200, `${path}: ${text}`);
    for (const mark of marks) assert.ok(text.includes(mark), `${mark} in ${path}: ${text}`);
  }
});

test("an access to the whole account reaches all of its projects, and none of another account", async () => {
  for (const operation of operations) {
    const { scope, id, method } = operation;
    if (scope === null || method !== "GET") continue;
    for (const caller of unlimited)
      for (const target of [own, other, whole, foreign]) {
        for (const { path, named } of requestsFor(operation, target, own)) {
          const answer = await send(caller, operation, path);
          const what = `${id} ${path} as ${caller.what}: ${answer.status} ${answer.text.slice(0, 300)}`;
          if (!may(caller, scope)) assert.equal(answer.status, 403, what);
          else if (target === foreign) {
            for (const secret of foreign.secrets)
              assert.ok(named.includes(secret) || !answer.text.includes(secret), `${secret} in ${what}`);
          } else {
            assert.notEqual(answer.status, 403, what);
            // Figures of a panel are of its own project, whoever asks for them.
            const isMixed = /\/panels\/.*(?:entityId|withPanelId)=/.test(path) && target !== own;
            if (isMixed) assert.equal(answer.status, 422, what);
            else assert.doesNotMatch(answer.text, /There is no such (?:panel|entity|project)\./, what);
          }
        }
      }
  }
});

test("an operation that says nothing of projects is refused to a limited access", () => {
  const operation = (scope: Scope, path: string): Operation => ({
    ...{ id: "x", method: "GET", path, tag: "Panels", summary: "", scope, replies: {}, problems: [] },
  });
  assert.equal(projectReach(operation("reports:read", "/v1/x")), "refused");
  // It reads answers of the whole account to propose names of a brand.
  assert.equal(projectReach(api.proposeNames), "refused");
  assert.equal(projectReach(operation("tasks:read", "/v1/x")), "refused");
  assert.equal(projectReach(operation("tasks:write", "/v1/tasks/{task_id}/x")), "refused");
  assert.equal(projectReach(operation("usage:read", "/v1/panels/{panel_id}/x")), "refused");
  assert.equal(projectReach(operation("panels:write", "/v1/panels/{panel_id}/x")), "named");
  assert.equal(projectReach(operation("tasks:read", "/v1/tasks/{task_id}/x")), "named");
});
