/** The demonstration as an operator makes, enters and deletes it over the API. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Demonstration, LoginState, PanelRecord } from "@querent/contract";
import { runChecks } from "../../src/operator/check-consistency.ts";
import { refused, startTestService } from "../harness/service.ts";
import { joinAs } from "../people/browser.ts";

const service = await startTestService();
const path = "/v1/admin/demonstration";

test("an operator enters the demonstration as an editor, makes it once however often it is asked for, and deletes it alone", async () => {
  const { accountId } = await service.account();
  const person = await joinAs(service, accountId, "viewer", { operator: true });
  const [first, second] = await Promise.all([1, 2].map(() => person.call<Demonstration>("POST", path)));
  assert.equal(first?.status, 200, first?.text);
  assert.deepEqual(second?.body, first.body);
  assert.deepEqual((await person.call<Demonstration>("POST", path)).body, first.body);
  const demo = first.body;
  const { rows } = await service.database.query<{ panels: number; answers: number }>(
    `select (select count(*)::int from panels where account_id = $1) as panels,
            (select count(*)::int from observations where account_id = $1) as answers`,
    [demo.accountId],
  );
  assert.deepEqual(rows, [{ panels: 1, answers: 6048 }]);

  const { status } = await person.call("GET", `/v1/panels/${demo.panelId}`);
  assert.equal(status, 404, "it is no panel of the account that the person is in");
  const entered = await person.call<LoginState>("PUT", "/v1/login/account", { body: { accountId: demo.accountId } });
  assert.equal(entered.body.role, "editor", entered.text);
  const panel = await person.call<PanelRecord>("GET", `/v1/panels/${demo.panelId}`);
  assert.equal(panel.status, 200, panel.text);

  await person.call("PUT", "/v1/login/account", { body: { accountId } });
  for (let count = 0; count < 2; count++) assert.equal((await person.call("DELETE", path)).status, 204);
  const login = await person.call<LoginState>("GET", "/v1/login");
  assert.deepEqual(
    login.body.memberships.map((membership) => membership.accountId),
    [accountId],
  );
  const left = await service.database.query("select from accounts where id = $1", [demo.accountId]);
  assert.equal(left.rowCount, 0);
  assert.deepEqual(
    (await runChecks(service.database)).flatMap((check) => check.violations),
    [],
  );
});

test("an account of the same name that is somebody's own is not deleted", async () => {
  const { accountId } = await service.account();
  await service.database.query("update accounts set name = 'simulated-demo' where id = $1", [accountId]);
  const operator = await joinAs(service, accountId, "viewer", { operator: true });
  assert.match(refused(await operator.call("DELETE", path), "state_conflict").detail, /somebody's own/);
  const left = await service.database.query("select from accounts where id = $1", [accountId]);
  assert.equal(left.rowCount, 1);
});

test("a person who does not operate the service can neither make nor delete it", async () => {
  const { accountId } = await service.account();
  const owner = await joinAs(service, accountId, "owner");
  for (const method of ["POST", "DELETE"]) refused(await owner.call(method, path), "scope_missing");
});
