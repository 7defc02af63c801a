import assert from "node:assert/strict";
import { test } from "node:test";
import { verify } from "@octokit/webhooks-methods";
import { testDatabase } from "../harness/database.ts";
import { startReceiver } from "../harness/receiver.ts";
import { createAccount, deliveriesOf, endTasks, secretOf, startNotifier, until } from "./fixture.ts";

const { database } = await testDatabase();

test("a task's end reaches its address as one signed request with the frozen bytes", async () => {
  await using receiver = await startReceiver();
  const account = await createAccount(database);
  const [taskId] = await endTasks(database, account, { webhookUrl: receiver.url("/hook?a=1") });
  const [written] = await deliveriesOf(database, account);
  const notifier = startNotifier(database, { caFile: receiver.caFile });
  const [request] = await receiver.received(1);
  assert.ok(request && written);
  const { secret } = await secretOf(database, account);
  assert.equal(request.path, "/hook?a=1");
  assert.deepEqual(request.body, written.body);
  assert.ok(await verify(secret, request.body.toString(), String(request.headers["x-service-signature"])));
  assert.equal(request.headers["x-service-delivery"], written.id);
  assert.equal(request.headers["x-service-secret-version"], "1");
  assert.equal(request.headers["content-type"], "application/json");
  assert.equal(request.headers["user-agent"], "Querent/0.0.0");
  assert.match(String(request.headers["x-service-timestamp"]), /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  assert.equal(request.headers["x-service-signature-previous"], undefined);
  const notification = JSON.parse(request.body.toString());
  assert.equal(notification.event, "task.finished");
  assert.equal(notification.deliveryRevision, 1);
  assert.equal(notification.task.taskId, taskId);
  assert.equal(notification.task.resultOmitted, false);
  await until(async () => (await deliveriesOf(database, account))[0]?.state === "delivered");
  const [done] = await deliveriesOf(database, account);
  assert.equal(done?.body, null);
  assert.equal(done?.attempts, 1);
  await notifier.end();
});
