/** `querent connection`, as a user types it. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { ConnectionRecord } from "@querent/client";
import { newId } from "../../service/src/kernel/ids.ts";
import { temporaryFolder } from "../../service/test/harness/process.ts";
import { startTestService } from "../../service/test/harness/service.ts";
import { joinAs } from "../../service/test/people/browser.ts";
import { runCli } from "./run-cli.ts";

const service = await startTestService();
const home = temporaryFolder();
test.after(() => home[Symbol.dispose]());

test("whoever manages access lists and ends the account's connections, and no other account's", async () => {
  const [account, other] = [await service.account(), await service.account()];
  const as =
    (token: string) =>
    (...words: string[]) =>
      runCli(words, { url: service.address, token, home: home.path });
  const [querent, stranger] = [as(account.token), as(other.token)];
  const { state, email } = await joinAs(service, account.accountId, "viewer");
  const connectionId = newId();
  await service.database.query(
    `insert into connections (id, account_id, person_id, client_id, client_name, redirect_uri, resource, scopes)
     values ($1, $2, $3, 'c', 'Helper', 'http://127.0.0.1/', 'http://127.0.0.1/mcp', '{tasks:read}')`,
    [connectionId, account.accountId, state.person.personId],
  );
  const listed = async (run: typeof querent) => {
    const { code, stdout, stderr } = await run("connection", "list");
    assert.equal(code, 0, stderr);
    return (JSON.parse(stdout) as { connections: ConnectionRecord[] }).connections;
  };
  const [one] = await listed(querent);
  assert.deepEqual([one?.connectionId, one?.email, one?.client.name], [connectionId, email, "Helper"]);
  assert.match((await querent("connection", "list", "--text")).stdout, /CONNECTION[^]*Helper/);
  assert.deepEqual(await listed(stranger), []);
  assert.notEqual((await stranger("connection", "end", connectionId)).code, 0);
  assert.equal((await listed(querent)).length, 1);
  const ended = await querent("connection", "end", connectionId);
  assert.deepEqual(JSON.parse(ended.stdout), { connectionId, ended: true });
  assert.deepEqual(await listed(querent), []);
  const again = await querent("connection", "end", connectionId);
  assert.match(again.stderr, /There is no such connection/);
  assert.notEqual(again.code, 0);
  const narrow = await account.withToken({ scopes: ["tasks:read"] });
  assert.match((await as(narrow.token)("connection", "list")).stderr, /access:manage/);
});
