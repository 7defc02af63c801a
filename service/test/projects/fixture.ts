/** An account with projects, each with a panel and a brand, and what is asked for in their name. */
import assert from "node:assert/strict";
import type { EntityRecord, MemberRole, Operation, PanelRecord, ProjectRecord, Scope } from "@querent/contract";
import { createToken } from "../../src/accounts/index.ts";
import { newId } from "../../src/kernel/ids.ts";
import { until } from "../harness/wait.ts";
import type { ServiceAnswer, TestAccount, TestCallOptions, TestService } from "../harness/service.ts";
import { joinAs } from "../people/browser.ts";
import { panel, runPanel } from "../insight/fixture.ts";

export interface TestProject {
  readonly account: TestAccount;
  readonly projectId: string;
  readonly panelId: string;
  readonly entityId: string;
  /** A task that the panel has asked, and its batch, once it was run. */
  readonly taskId: string;
  readonly batchId: string;
  /** Texts that nobody of another project may read. */
  readonly secrets: readonly string[];
}

let number = 0;

export async function createProject(account: TestAccount, name: string): Promise<ProjectRecord> {
  const answer = await account.call<ProjectRecord>("POST", "/v1/projects", { body: { name } });
  assert.equal(answer.status, 201, answer.text);
  return answer.body;
}

export async function createBrand(
  account: TestAccount,
  project: string,
  name: string,
  relation = "own",
  aliases: readonly string[] = [],
): Promise<EntityRecord> {
  const answer = await account.call<EntityRecord>("POST", `/v1/entities?project=${encodeURIComponent(project)}`, {
    body: { name, relation, aliases: aliases.map((text) => ({ text })) },
  });
  assert.equal(answer.status, 201, answer.text);
  return answer.body;
}

export async function createPanelIn(account: TestAccount, project: string, more: object = {}): Promise<PanelRecord> {
  const answer = await account.call<PanelRecord>("POST", `/v1/panels?project=${encodeURIComponent(project)}`, {
    body: panel(more),
  });
  assert.equal(answer.status, 201, answer.text);
  return answer.body;
}

/** The answers to the panels of all seeded projects contain it, and it is an alias of the brand of each. */
const commonAlias = "Commonaliasx";

/** A project with a panel and a brand, whose names occur nowhere else. Null: in the default project. */
export async function seedProject(account: TestAccount, name: string | null): Promise<TestProject> {
  number++;
  const projectName = name === null ? null : `${name} project${number}x`;
  const project = projectName === null ? null : await createProject(account, projectName);
  const where = project?.projectId ?? account.accountId;
  const brandName = `Brandname${number}x`;
  const { entityId } = await createBrand(account, where, brandName, "own", [commonAlias]);
  const panelName = `Panelname${number}x`;
  const { panelId } = await createPanelIn(account, where, {
    name: panelName,
    prompts: [{ text: `Which promptword${number}x? brands=${commonAlias}:1`, promptId: "p" }],
    brands: { own: [entityId] },
    tags: [`tagword${number}x`],
  });
  return {
    account,
    projectId: where,
    panelId,
    entityId,
    ...{ taskId: newId(), batchId: newId() },
    secrets: [
      ...(project === null ? [] : [project.name, project.projectId]),
      ...[brandName, panelName, `promptword${number}x`, `tagword${number}x`, panelId, entityId],
    ],
  };
}

/** Runs the panel of a seeded project, and waits for what is observed of its answers. */
export async function runSeeded(service: TestService, seeded: TestProject): Promise<TestProject> {
  const { account, panelId } = seeded;
  const { body: run } = await runPanel(account, panelId);
  const observed = async () =>
    (
      await service.database.query<{ task_id: string; batch_id: string }>(
        "select task_id, batch_id from observations where account_id = $1 and run_id = $2",
        [account.accountId, run.runId],
      )
    ).rows;
  await until("every answer is observed", async () => (await observed()).length === run.taskCount);
  const [{ task_id: taskId, batch_id: batchId } = assert.fail()] = await observed();
  return { ...seeded, taskId, batchId, secrets: [...seeded.secrets, taskId, batchId, run.runId] };
}

/** Somebody who sends requests: a person in a browser, or a program with a token. */
export interface TestCaller {
  readonly what: string;
  readonly scopes: readonly string[];
  /** Null: the whole account. */
  readonly projects: readonly string[] | null;
  call(method: string, path: string, options?: TestCallOptions): Promise<ServiceAnswer<never>>;
}

export async function personAs(
  service: TestService,
  account: TestAccount,
  role: MemberRole,
  projects: readonly string[] | null,
): Promise<TestCaller> {
  const person = await joinAs(service, account.accountId, role, { projects });
  const { scopes } = person.state;
  return {
    what: `${role} ${projects === null ? "of the account" : "of projects"}`,
    scopes,
    projects,
    call: (method, path, options) => person.call(method, path, options),
  };
}

export async function tokenWith(
  service: TestService,
  account: TestAccount,
  scopes: readonly Scope[],
  projects: readonly string[] | null,
): Promise<TestCaller & { readonly token: string }> {
  const { token } = await service.database.transaction((tx) =>
    createToken(tx, { accountId: account.accountId, scopes, projects, name: "test", expiresAt: null }),
  );
  const as = service.as(account.accountId, token);
  return {
    what: `token with ${scopes.join(" ")} ${projects === null ? "of the account" : "of projects"}`,
    token,
    scopes,
    projects,
    call: (method, path, options) => as.call(method, path, options),
  };
}

/** Of parameters that operations require. */
const values: Readonly<Record<string, string>> = {
  measure: "mention_share",
  fromPlatform: "simulator",
  toPlatform: "sample",
};

export type Named = Pick<TestProject, "projectId" | "panelId" | "entityId" | "taskId" | "batchId">;

/** The path of an operation for a target of a caller with an own project, once for each place of the path and the query that can name something of a project. */
export function requestsFor(
  operation: Operation,
  target: Named,
  own: Named,
): { path: string; named: readonly string[] }[] {
  const named: string[] = [];
  const path = operation.path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const id = {
      ...{ panel_id: target.panelId, entity_id: target.entityId, project_id: target.projectId },
      ...{ task_id: target.taskId, batch_id: target.batchId },
    }[name];
    if (id !== undefined) named.push(id);
    return id ?? { platform_code: "simulator", session_name: "s", evidence_kind: "picture" }[name] ?? newId();
  });
  const required = (operation.query?.required ?? []) as readonly string[];
  const needed = required.map((name) => `${name}=${values[name] ?? "x"}`).join("&");
  const requests = [{ path: needed === "" ? path : `${path}?${needed}`, named }];
  const withOwn = operation.path
    .replace("{panel_id}", own.panelId)
    .replace("{entity_id}", own.entityId)
    .replace("{task_id}", own.taskId)
    .replace("{batch_id}", own.batchId)
    .replace(/\{\w+\}/g, () => newId());
  for (const [name, value] of [
    ["panelId", target.panelId],
    ["withPanelId", target.panelId],
    ["entityId", target.entityId],
    ["taskId", target.taskId],
    ["batchId", target.batchId],
    ["project", target.projectId],
  ] as const)
    if (operation.query?.properties[name] !== undefined)
      requests.push({ path: `${withOwn}?${needed}${needed === "" ? "" : "&"}${name}=${value}`, named: [value] });
  return requests;
}

/** No body is valid for all operations, so nothing is changed by those that are allowed. */
export const send = (caller: Pick<TestCaller, "call">, operation: Operation, path: string) =>
  caller.call(operation.method, path, {
    ...(operation.method === "GET" || operation.method === "DELETE" ? {} : { body: [null] }),
    headers: { "idempotency-key": newId() },
  });
