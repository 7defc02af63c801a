/** Groups of an identity provider that limit their members to projects: by a certified provider, from sign-in to the loss of the last group. */
import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { test } from "node:test";
import { api, type LoginState, type MemberRole, type PanelPage, type ProviderAddress } from "@querent/contract";
import { newId } from "../../src/kernel/ids.ts";
import { refused, startTestService, type TestService } from "../harness/service.ts";
import {
  createProject,
  personAs,
  requestsFor,
  runSeeded,
  seedProject,
  send,
  tokenWith,
  type TestCaller,
} from "../projects/fixture.ts";
import { openBrowser, type TestBrowser } from "./browser.ts";
import { startProvider } from "./identity-provider.ts";

const publicUrl = "https://querent.example";
const host = { host: "querent.example" };
let service: TestService;
const provider = await startProvider({ publicUrl, providerId: "company", serviceAddress: () => service.address });
test.after(() => provider.close());
const name = `agency ${newId()}`;
// Names of projects, which the account has once the service runs.
const members = [
  `{ account: "${name}", group: acme, role: client, projects: ["Acme project1x"] }`,
  `{ account: "${name}", group: globex, role: client, projects: ["Globex project2x"] }`,
  `{ account: "${name}", group: analysts, role: viewer, projects: ["Acme project1x", "Globex project2x"] }`,
  `{ account: "${name}", group: writers, role: editor, projects: ["Acme project1x"] }`,
  `{ account: "${name}", group: readers, role: viewer, projects: ["Acme project1x"] }`,
  `{ account: "${name}", group: staff, role: viewer }`,
  `{ account: "${name}", group: nowhere, role: client, projects: ["Not there"] }`,
];
service = await startTestService({ environment: provider.environment(members) });
const account = await service.account();
await service.database.query("update accounts set name = $2 where id = $1", [account.accountId, name]);
const acme = await runSeeded(service, await seedProject(account, "Acme"));
const globex = await runSeeded(service, await seedProject(account, "Globex"));
await createProject(account, "Unnamed by any group");

const subject = newId();
const email = `${randomBytes(6).toString("hex")}@example.com`;
const inGroups = (...groups: string[]) => provider.persons.set(subject, { email, email_verified: true, groups });

async function signIn() {
  const browser = openBrowser(service);
  const begun = await browser.call<ProviderAddress>("POST", "/v1/login/providers/company/attempts", {
    body: {},
    headers: host,
  });
  const back = await provider.browser().signIn(begun.body.address, subject);
  const answer = await browser.call<LoginState>("POST", "/v1/login/providers/company", {
    body: { response: back.search.slice(1) },
    headers: host,
  });
  return { browser, answer };
}

const get = <Body>(browser: TestBrowser, path: string) => browser.call<Body>("GET", path, { headers: host });
const panelsOf = async (browser: TestBrowser) =>
  (await get<PanelPage>(browser, "/v1/panels")).body.panels.map(({ panelId }) => panelId).toSorted();
const namesIn = ({ answer }: Awaited<ReturnType<typeof signIn>>) =>
  [
    answer.body.role,
    ...(answer.body.projects ?? [{ name: "the whole account" }]).map((project) => project.name),
  ].join();

test("a group gives the role and its projects; changed groups change them at the next sign-in; without one nobody is left", async () => {
  inGroups("acme");
  const client = await signIn();
  assert.equal(client.answer.status, 201, client.answer.text);
  assert.equal(namesIn(client), "client,Acme project1x");
  assert.deepEqual(await panelsOf(client.browser), [acme.panelId]);
  assert.equal((await get(client.browser, `/v1/panels/${acme.panelId}/figures`)).status, 200);
  for (const path of [
    `/v1/panels/${globex.panelId}`,
    `/v1/panels/${globex.panelId}/figures`,
    `/v1/entities/${globex.entityId}`,
  ])
    refused(await get(client.browser, path), "not_found");
  for (const path of ["/v1/tasks", `/v1/tasks/${acme.taskId}`, "/v1/usage", "/v1/members", "/v1/caps"])
    refused(await get(client.browser, path), "scope_missing");

  // The other group alone: the former project is gone, for the login from before, too.
  inGroups("globex");
  const moved = await signIn();
  assert.equal(namesIn(moved), "client,Globex project2x");
  assert.deepEqual(await panelsOf(moved.browser), [globex.panelId]);
  assert.equal((await get(client.browser, "/v1/panels")).status, 401, "the login with the former projects has ended");

  // Two groups of one role add up, and the role that allows most decides.
  inGroups("acme", "globex");
  const both = await signIn();
  assert.equal(namesIn(both), "client,Acme project1x,Globex project2x");
  assert.deepEqual(await panelsOf(both.browser), [acme.panelId, globex.panelId].toSorted());
  inGroups("acme", "analysts");
  const viewer = await signIn();
  assert.equal(namesIn(viewer), "viewer,Acme project1x,Globex project2x");
  assert.equal((await get(viewer.browser, `/v1/tasks/${globex.taskId}`)).status, 200);
  refused(await get(viewer.browser, "/v1/usage"), "scope_missing");
  inGroups("staff");
  const whole = await signIn();
  assert.equal(namesIn(whole), "viewer,the whole account");
  assert.equal((await get(whole.browser, "/v1/usage")).status, 200);
  inGroups("acme");
  assert.equal(namesIn(await signIn()), "client,Acme project1x");
  assert.equal((await get(whole.browser, "/v1/usage")).status, 401, "who was limited keeps no wider login");

  inGroups();
  refused((await signIn()).answer, "sign_in_refused");
  const { rowCount } = await service.database.query("select from persons where email = $1", [email]);
  assert.equal(rowCount, 0);
});

test("projects that the account does not have give access to nothing, and a deleted one takes its access along", async () => {
  inGroups("nowhere");
  const nowhere = await signIn();
  assert.deepEqual([nowhere.answer.body.role, nowhere.answer.body.projects], ["client", []]);
  assert.deepEqual(await panelsOf(nowhere.browser), []);
  refused(await get(nowhere.browser, `/v1/panels/${acme.panelId}`), "not_found");
  const created = await createProject(account, "Not there");
  assert.deepEqual(await panelsOf(nowhere.browser), [], "the name counts at the next sign-in");
  const { browser, answer } = await signIn();
  assert.deepEqual(
    answer.body.projects?.map(({ projectId }) => projectId),
    [created.projectId],
  );
  assert.equal((await account.call("DELETE", `/v1/projects/${created.projectId}`)).status, 204);
  assert.deepEqual(await panelsOf(browser), []);
});

test("whoever signs in as what, and however, is answered alike by every operation, and told nothing of other projects", async () => {
  const operations = api.operations.filter(({ scope, id }) => scope !== null && id !== "listEvents");
  const own = [acme.projectId];
  let asked = 0;
  for (const [group, role] of [
    ["acme", "client"],
    ["readers", "viewer"],
    ["writers", "editor"],
  ] as const satisfies readonly (readonly [string, MemberRole])[]) {
    inGroups(group);
    const { browser, answer } = await signIn();
    assert.equal(namesIn({ browser, answer }), `${role},Acme project1x`);
    const { scopes } = answer.body;
    const ways: readonly (readonly [way: string, caller: Pick<TestCaller, "call">])[] = [
      [
        "an identity provider",
        {
          call: (method, path, options) =>
            browser.call(method, path, { ...options, headers: { ...host, ...options?.headers } }),
        },
      ],
      ["a password", await personAs(service, account, role, own)],
      ["a token", await tokenWith(service, account, scopes, own)],
    ];
    for (const operation of operations)
      for (const target of [globex, { ...acme, panelId: newId(), entityId: newId() }])
        for (const { path, named } of requestsFor(operation, target, acme)) {
          // What persons do for themselves has no token.
          if (path.startsWith("/v1/login")) continue;
          const answers = await Promise.all(
            ways.map(async ([way, caller]) => [way, await send(caller, operation, path)] as const),
          );
          asked += answers.length;
          const [[, first] = assert.fail()] = answers;
          for (const [way, { status, text }] of answers) {
            const what = `${operation.id} ${path} as ${role} by ${way}: ${status} ${text.slice(0, 200)}`;
            assert.equal(status, first.status, what);
            for (const secret of globex.secrets)
              assert.ok(named.includes(secret) || !text.includes(secret), `${secret} in ${what}`);
          }
        }
  }
  assert.ok(asked > 1500, String(asked));
});
