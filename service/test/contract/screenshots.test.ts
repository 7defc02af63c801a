/** docs/reference/api.md#open-a-screenshot. */
import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import type { PlatformList, Quote } from "@querent/contract";
import { wrapperOfChromium } from "../harness/browser.ts";
import { item, refused, startTestService } from "../harness/service.ts";
import { until } from "../harness/wait.ts";

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

for (const [what, path, why] of [
  ["is not there", "/nowhere/chromium", "there is no such file"],
  ["can't be run", "/bin/false", "`--version` ended with exit code 1"],
] as const) {
  test(`with a browser that ${what}, screenshots are refused before anything is paid: by the submission, the quote and the list of platforms`, async () => {
    const service = await startTestService({ environment: { QUERENT_BROWSER_PATH: path } });
    const account = await service.account();
    const unusable = await until("the look for a browser", () =>
      service.events.find((event) => event.event === "browser.unusable"),
    );
    assert.equal(
      unusable.why,
      `There is no browser that can be used. ${path === "/bin/false" ? path : `QUERENT_BROWSER_PATH (${path})`}: ${why}.`,
    );
    await until("the API to know", async () => {
      const { platforms } = (await account.get<PlatformList>("/v1/platforms")).body;
      return platforms.every(({ outputs }) => !outputs.includes("screenshot"));
    });
    const reason = {
      code: "browser_unavailable",
      detail:
        "A screenshot needs a browser, and no worker of this service has one that works. Ask for `answer` or `share_link`. Screenshots are accepted again once a worker has a browser.",
    } as const;
    const { platforms } = (await account.get<PlatformList>("/v1/platforms")).body;
    for (const { kind, configured, unavailable, unavailableOutputs } of platforms) {
      if (kind === "web") continue;
      assert.deepEqual(unavailableOutputs, [{ output: "screenshot", ...reason }]);
      assert.equal(configured, unavailable === null);
      assert.notEqual(unavailable?.code, "browser_unavailable");
    }

    const items = [
      item("a"),
      item("b", { options: { output: "screenshot" } }),
      item("c", { options: { output: "share_link" } }),
      item("d", { options: { output: "screenshot" } }),
    ];
    const problem = refused(await account.post(items), "validation_failed");
    assert.equal(problem.status, 422);
    assert.deepEqual(problem.errors, [
      { pointer: "/1/options/output", ...reason },
      { pointer: "/3/options/output", ...reason },
    ]);
    const { body: quote } = await account.call<Quote>("POST", "/v1/tasks/quote", { body: items });
    assert.equal(quote.valid, false);
    assert.deepEqual(
      quote.items.map(({ points, errors }) => [points !== null, errors]),
      [
        [true, []],
        [false, [{ pointer: "/1/options/output", ...reason }]],
        [true, []],
        [false, [{ pointer: "/3/options/output", ...reason }]],
      ],
    );
    assert.deepEqual(await service.counts(account.accountId), {
      tasks: 0,
      batches: 0,
      dispatch: 0,
      ledger: 1,
      idempotency_keys: 0,
      deliveries: 0,
      held: 0,
      unfinished: 0,
    });
    assert.equal((await account.answerTo("a")).state, "completed");
    await service.stop();
  });
}

test("a browser that says its version and does not start fails the task before the platform is asked, and is refused from then on", async () => {
  const folder = mkdtempSync(join(tmpdir(), "querent-broken-"));
  const path = join(folder, "chromium");
  writeFileSync(path, '#!/bin/sh\nif [ "$1" = --version ]; then echo "Chromium 1.2.3"; else exit 1; fi\n', {
    mode: 0o755,
  });
  const service = await startTestService({ environment: { QUERENT_BROWSER_PATH: path } });
  const account = await service.account();
  const task = await account.answerTo("a", { options: { output: "screenshot" } });
  assert.equal(task.state, "failed");
  assert.equal(task.failure?.code, "output_unavailable");
  assert.equal(task.failure?.stage, "artifact");
  assert.match(task.failure?.message ?? "", /Nothing was asked, nothing is charged/);
  assert.equal(task.failure?.attempts, 1);
  assert.equal(task.chargedPoints, 0);
  assert.ok(service.events.some((event) => event.event === "browser.unusable" && event.why.includes(path)));
  await until("the refusal", async () => {
    const answer = await account.post([item("b", { options: { output: "screenshot" } })]);
    return answer.status === 422;
  });
  assert.equal((await account.answerTo("a")).state, "completed");
  await service.stop();
  rmSync(folder, { recursive: true });
});

test("a browser that is installed while the service runs is found without a restart", async () => {
  const folder = mkdtempSync(join(tmpdir(), "querent-late-"));
  const path = join(folder, "chromium");
  const service = await startTestService({ environment: { QUERENT_BROWSER_PATH: path } });
  const account = await service.account();
  const withPicture = [item("a", { options: { output: "screenshot" } })];
  await until("the refusal", async () => (await account.post(withPicture)).status === 422);
  writeFileSync(path, await wrapperOfChromium(), { mode: 0o755 });
  const accepted = await until("the acceptance", async () => {
    const answer = await account.post(withPicture);
    return answer.status === 202 ? answer.body : null;
  });
  for (const { taskId } of accepted.tasks) assert.equal((await account.ended(taskId)).state, "completed");
  assert.ok(service.events.some(({ event }) => event === "browser.usable"));
  await service.stop();
  rmSync(folder, { recursive: true });
});
