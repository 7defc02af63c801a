import assert from "node:assert/strict";
import { test } from "node:test";
import type { AuditPage, SignInWays } from "@querent/contract";
import { installationId } from "../../src/audit/index.ts";
import { newId } from "../../src/kernel/ids.ts";
import { refused, startTestService } from "../harness/service.ts";
import { until } from "../harness/wait.ts";
import { goodPassword, joinAs, openBrowser } from "./browser.ts";

interface Entry {
  readonly account_id: string;
  readonly operation: string;
  readonly actor_kind: string;
  readonly target_id: string | null;
  readonly after: string;
  readonly row: string;
}

test("a refused sign-in is in the log of the person's account or of the installation, without what was entered", async () => {
  const service = await startTestService();
  const { accountId } = await service.account();
  const person = await joinAs(service, accountId, "editor");
  const entries = async () =>
    (
      await service.database.query<Entry>(
        "select account_id, operation, actor_kind, target_id, after, e::text as row from audit_entries e where kind = 'refusal' order by id",
      )
    ).rows;
  const enter = (email: string, password: string) =>
    openBrowser(service).call("POST", "/v1/login", { body: { email, password } });
  const [wrong, nobody] = [goodPassword(), `${newId()}@example.com`];
  refused(await enter(person.email, wrong), "sign_in_refused");
  refused(await enter(nobody, wrong), "sign_in_refused");
  refused(await enter("a password by mistake@x", wrong), "sign_in_refused");
  await until("the entries", async () => (await entries()).length === 3);
  const said = (await entries()).map((entry) => [
    ...[entry.account_id, entry.operation, entry.actor_kind, entry.target_id],
    (JSON.parse(entry.after) as { reason: string }).reason,
  ]);
  assert.deepEqual(
    new Set(said.map((each) => JSON.stringify(each))),
    new Set(
      [
        [accountId, "signIn", "visitor", person.state.person.personId, "wrong password"],
        [installationId, "signIn", "visitor", null, "unknown person"],
      ].map((each) => JSON.stringify(each)),
    ),
  );
  const text = JSON.stringify(await entries());
  for (const secret of [wrong, nobody, "by mistake"]) assert.ok(!text.includes(secret));

  // An owner reads it, and so does whoever filters for it.
  const owner = await joinAs(service, accountId, "owner");
  const page = await owner.call<AuditPage>("GET", "/v1/audit?kind=refusal");
  assert.deepEqual([page.status, page.body.entries.length], [200, 1], page.text);
  await service.stop();
});

test("whoever tries again and again writes a few entries, and the next one says how many there were", async () => {
  const service = await startTestService();
  const { accountId } = await service.account();
  const count = async () =>
    (await service.database.query<{ n: number }>("select count(*)::int as n from audit_entries where kind = 'refusal'"))
      .rows[0]?.n ?? 0;
  const person = await joinAs(service, accountId, "viewer");
  for (let n = 0; n < 12; n++)
    await openBrowser(service).call("POST", "/v1/login", { body: { email: person.email, password: "wrong" } });
  const strangers = Array.from({ length: 30 }, () =>
    openBrowser(service).call("POST", "/v1/login", { body: { email: `${newId()}@example.com`, password: "wrong" } }),
  );
  await Promise.all(strangers);
  await until("the entries", async () => (await count()) === 10);
  const other = await joinAs(service, accountId, "viewer");
  await openBrowser(service).call("POST", "/v1/login", { body: { email: other.email, password: "wrong" } });
  await until("the next entry", async () => (await count()) === 11);
  const { rows } = await service.database.query<{ after: string }>(
    "select after from audit_entries where kind = 'refusal'",
  );
  const told = rows.map(({ after }) => (JSON.parse(after) as { unrecordedBefore?: number }).unrecordedBefore ?? 0);
  assert.equal(
    told.reduce((sum, each) => sum + each, 0),
    12 - 5 + 30 - 5,
  );
  await service.stop();
});

test("with tokens switched off in the console, its pages are refused with one, and programs, logins and assistants are not", async () => {
  const service = await startTestService({ environment: { QUERENT_CONSOLE_TOKENS: "off" } });
  const account = await service.account();
  assert.equal((await service.call<SignInWays>("GET", "/v1/sign-in")).body.token, false);
  const page = { "sec-fetch-site": "same-origin", "sec-fetch-mode": "cors" };
  for (const path of ["/v1/usage", "/v1/tasks", "/v1/login"]) refused(await account.get(path, page), "unauthorized");
  for (const headers of [{}, { "sec-fetch-site": "cross-site" }, { "sec-fetch-site": "none" }])
    assert.equal((await account.get("/v1/usage", headers)).status, 200);
  const person = await joinAs(service, account.accountId, "viewer");
  assert.equal((await person.call("GET", "/v1/usage")).status, 200);
  const { status } = await fetch(`${service.address}/mcp`, {
    method: "POST",
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list" }),
    headers: {
      authorization: `Bearer ${account.token}`,
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
    },
  });
  assert.equal(status, 200);
  await service.stop();
});
