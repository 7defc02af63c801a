/** `querentd project`, and people and tokens that are limited to projects, beside a running service. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { LoginState, PanelPage, ProjectList, TokenList } from "@querent/contract";
import { runCommand } from "../harness/process.ts";
import { refused, startTestService } from "../harness/service.ts";
import { goodPassword, openBrowser } from "../people/browser.ts";
import { createBrand, createPanelIn } from "./fixture.ts";

const service = await startTestService();
const command = async (...words: string[]) => {
  const { code, stdout, stderr } = await runCommand(service.commandEnvironment, words);
  return { code, stdout, stderr };
};

test("an operator makes projects, moves panels, invites a client, limits a token, and archives and deletes a project", async () => {
  const account = await service.account();
  const { rows } = await service.database.query<{ name: string }>("select name from accounts where id = $1", [
    account.accountId,
  ]);
  const of = ["--account", rows[0]?.name ?? ""];
  const created = await command("project", "create", "Acme Mills", ...of);
  assert.match(created.stdout, /^[0-9a-f-]{36}\n$/);
  assert.match(
    (await command("project", "create", "Acme Mills", ...of)).stderr,
    /has a project with the name Acme Mills/,
  );
  await createBrand(account, account.accountId, "Acme");
  const { panelId } = await createPanelIn(account, account.accountId, { brands: { own: ["Acme"] } });
  const moved = await command("project", "move", "Acme Mills", panelId, ...of);
  assert.match(moved.stdout, /1 panels and 1 brands were moved to Acme Mills/);
  assert.match((await command("project", "list", ...of)).stdout, /Acme Mills +1 +1/);
  assert.match((await command("project", "move", "Nobody", panelId, ...of)).stderr, /It has: default, Acme Mills/);

  assert.match((await command("invite", "create", ...of, "--role", "client")).stderr, /Name the projects/);
  const invited = await command("invite", "create", ...of, "--role", "client", "--project", "Acme Mills");
  assert.match((await command("invite", "list", ...of)).stdout, /client +Acme Mills/);
  const browser = openBrowser(service);
  const email = "client@example.com";
  const joined = await browser.call<LoginState>("POST", "/v1/links/acceptance", {
    body: { token: invited.stdout.trim().split("#")[1], email, name: "Ada", password: goodPassword() },
  });
  assert.deepEqual(
    joined.body.projects?.map(({ name }) => name),
    ["Acme Mills"],
  );
  assert.equal((await browser.call<PanelPage>("GET", "/v1/panels")).body.panels.length, 1);
  assert.match((await command("person", "list", ...of)).stdout, /client +Acme Mills/);
  assert.match((await command("person", "role", email, "client", ...of, "--project", "default")).stdout, /in default/);
  refused(await browser.call("GET", "/v1/panels"), "unauthorized");
  assert.match(
    (await command("person", "role", email, "client", ...of, "--whole-account")).stderr,
    /Name the projects/,
  );

  const wide = await command("token", "create", ...of, "--project", "Acme Mills", "--scopes", "tasks:write");
  assert.match(wide.stderr, /leave out tasks:write/);
  const { stdout: token } = await command("token", "create", ...of, "--project", "Acme Mills");
  const as = service.as(account.accountId, token.trim());
  assert.deepEqual(
    (await as.get<ProjectList>("/v1/projects")).body.projects.map(({ name }) => name),
    ["Acme Mills"],
  );
  refused(await as.get("/v1/caps"), "scope_missing");
  const limited = (await account.get<TokenList>("/v1/tokens")).body.tokens.filter(({ projects }) => projects !== null);
  assert.deepEqual(
    limited.map(({ scopes }) => scopes),
    [["tasks:read", "panels:write", "panels:read", "reports:read"]],
  );

  assert.match((await command("project", "archive", "Acme Mills", ...of)).stdout, /is archived/);
  assert.match((await command("project", "restore", "Acme Mills", ...of)).stdout, /is in use again/);
  assert.equal((await command("project", "rename", "Acme Mills", "Acme", ...of)).code, 0);
  assert.match((await command("project", "delete", "Acme", ...of)).stderr, /1 panels and 1 brands/);
  assert.equal((await command("project", "move", "default", panelId, ...of)).code, 0);
  assert.match((await command("project", "delete", "Acme", ...of)).stdout, /was deleted/);
});
