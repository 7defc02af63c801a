import assert from "node:assert/strict";
import { test } from "node:test";
import type { PlatformList } from "@querent/contract";
import { refused, startTestService } from "../harness/service.ts";

test("a screenshot is a picture of the answer page, opened by anybody who has its address, and gone with the result", async () => {
  const service = await startTestService();
  const account = await service.account();
  const { platforms } = (await account.get<PlatformList>("/v1/platforms")).body;
  for (const { kind, outputs } of platforms) if (kind !== "web") assert.ok(outputs.includes("screenshot"));

  const task = await account.answerTo("cards=product sources=3", { options: { output: "screenshot" } });
  assert.equal(
    task.state,
    "completed",
    JSON.stringify([task.failure, service.events.filter(({ event }) => event.includes("fail"))]),
  );
  assert.equal(task.availability?.screenshot, "present");
  assert.equal(task.availability?.share, "not_requested");
  assert.equal(task.shareUrl, null);
  const path = new URL(task.screenshotUrl ?? "").pathname;
  const response = await fetch(`${service.address}${path}`);
  assert.equal(response.status, 200);
  assert.equal(response.headers.get("content-type"), "image/png");
  assert.match(response.headers.get("x-robots-tag") ?? "", /noindex/);
  assert.match(response.headers.get("content-security-policy") ?? "", /sandbox/);
  assert.equal(
    Buffer.from(await response.arrayBuffer())
      .subarray(1, 4)
      .toString(),
    "PNG",
  );

  const token = path.split("/").at(-1) ?? "";
  refused(await service.call("GET", `/s/${token}`), "not_found");
  await service.database.query("update artifacts set expires_at = now() where task_id = $1", [task.taskId]);
  refused(await service.call("GET", path), "gone");
  await service.stop();
});

test("a browser that is not there makes no screenshot: the platforms do not list it, and a task that asks for one fails and costs nothing", async () => {
  const service = await startTestService({ environment: { QUERENT_BROWSER_PATH: "/nowhere/chromium" } });
  const account = await service.account();
  const { platforms } = (await account.get<PlatformList>("/v1/platforms")).body;
  for (const { outputs } of platforms) assert.ok(!outputs.includes("screenshot"));
  const task = await account.answerTo("a", { options: { output: "screenshot" } });
  assert.equal(task.failure?.code, "output_unavailable");
  assert.equal(task.chargedPoints, 0);
  await service.stop();
});

test("a browser that fails fails the task after three tries, with the platform asked once, and costs nothing", async () => {
  // A program that starts and is no browser.
  const service = await startTestService({ environment: { QUERENT_BROWSER_PATH: "/bin/false" } });
  const account = await service.account();
  const task = await account.answerTo("a", { options: { output: "screenshot" } });
  assert.equal(task.state, "failed");
  assert.equal(task.failure?.code, "output_unavailable");
  assert.equal(task.failure?.stage, "artifact");
  assert.equal(task.failure?.attempts, 1);
  assert.equal(task.chargedPoints, 0);
  assert.ok(service.events.some(({ event }) => event === "artifact.failed"));
  assert.equal((await account.answerTo("a")).state, "completed");
  await service.stop();
});
