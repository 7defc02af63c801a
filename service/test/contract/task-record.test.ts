/** docs/reference/api.md#taskrecord. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { api, type TaskRecord, type TaskSummary } from "@querent/contract";
import { startTestService } from "../harness/service.ts";
import { until } from "../harness/wait.ts";

const service = await startTestService();
/** Answers with everything a record can hold. */
const rich = "cards=product,video,image sources=3 html=1";
const specified = ["taskId", "clientReference", "question", "platformCode", "options", "state", "content", "pageHtml", "modelVersion", "observedAt", "sources", "products", "videos", "media", "reasoningProcess", "searchProcess", "screenshotUrl", "shareUrl", "failure", "chargedPoints", "revision", "expired", "createdAt", "completedAt"]; // prettier-ignore
const additive = ["batchId", "tags", "webhookUrl", "priority", "notBefore", "startBefore", "runTimeoutSeconds", "startedAt", "expiresAt", "canceledAt", "progress", "availability", "provenance", "effective", "durationMs", "truncatedBy", "evidence", "ads", "alternatives", "relatedQuestions", "relatedSearches"]; // prettier-ignore

test("the record always has every documented member", async () => {
  const account = await service.account();
  const members = [...specified, ...additive].sort();
  const pending = await account.task(await account.ask("Later?", { notBefore: "2999-01-01T00:00:00Z" }));
  assert.deepEqual(Object.keys(pending).sort(), members);
  assert.deepEqual(Object.keys(await account.answerTo(rich)).sort(), members);
  assert.deepEqual(Object.keys(await account.answerTo("fail=platform_auth")).sort(), members);
  assert.deepEqual(Object.keys(api.getTask.replies[200].content["application/json"].properties).sort(), members);
});

test("question, platformCode, options, clientReference and tags are echoed", async () => {
  const account = await service.account();
  const options = { deepAnalysis: true, output: "answer", resultFormat: "all" };
  const record = await account.answerTo(" Why? ", { options, clientReference: "r-1", tags: ["b", "a", "b"] });
  assert.equal(record.question, " Why? ");
  assert.equal(record.platformCode, "simulator");
  assert.deepEqual(record.options, options);
  assert.equal(record.clientReference, "r-1");
  assert.deepEqual(record.tags, ["b", "a", "b"]);
});

test("before completion, content and the additional results are empty and the nullable members null", async () => {
  const account = await service.account();
  const record = await account.task(await account.ask(rich, { notBefore: "2999-01-01T00:00:00Z" }));
  assert.equal(record.state, "pending");
  for (const member of [
    "content",
    "pageHtml",
    "modelVersion",
    "observedAt",
    "reasoningProcess",
    "searchProcess",
    "screenshotUrl",
    "shareUrl",
    "failure",
    "availability",
    "provenance",
    "effective",
    "startedAt",
    "completedAt",
    "canceledAt",
    "expiresAt",
  ] as const)
    assert.equal(record[member], null, member);
  for (const member of ["sources", "products", "videos", "media", "evidence", "ads", "alternatives"] as const)
    assert.deepEqual(record[member], [], member);
  assert.equal(record.chargedPoints, 0);
  assert.equal(record.revision, 0);
  assert.equal(record.expired, false);
});

test("after completion, the record carries answer, sources, cards, page, processes, points and times", async () => {
  const account = await service.account();
  const record = await account.answerTo(rich, { options: { deepAnalysis: true } });
  assert.equal(record.state, "completed");
  assert.ok((record.content ?? "").length > 0);
  assert.equal(record.sources.length, 3);
  assert.deepEqual([record.products.length, record.videos.length, record.media.length], [1, 1, 1]);
  assert.match(record.pageHtml ?? "", /^<!doctype html>/i);
  assert.equal(typeof record.modelVersion, "string");
  assert.ok((record.reasoningProcess ?? []).length > 0);
  assert.ok((record.searchProcess ?? []).length > 0);
  assert.deepEqual(
    record.reasoningProcess?.map((step) => step.position),
    record.reasoningProcess?.map((_, index) => index + 1),
  );
  assert.equal(record.failure, null);
  assert.equal(record.progress, null);
  assert.equal(record.chargedPoints, 1);
  assert.equal(record.revision, 1);
  assert.equal(record.canceledAt, null);
});

test("the record shows what the task was submitted with, before its end and after it", async () => {
  const account = await service.account();
  const given = {
    webhookUrl: "https://hooks.example.com/a?b=c",
    priority: 7,
    notBefore: "2020-01-31T09:30:00.123456Z",
    startBefore: "2999-01-31T09:30:00Z",
    runTimeoutSeconds: 30,
  };
  const shown = { ...given, notBefore: "2020-01-31T09:30:00.123Z", startBefore: "2999-01-31T09:30:00.000Z" };
  const pick = ({ webhookUrl, priority, notBefore, startBefore, runTimeoutSeconds }: TaskSummary) => ({
    webhookUrl,
    priority,
    notBefore,
    startBefore,
    runTimeoutSeconds,
  });
  const pending = await account.task(await account.ask("delay=30m", given));
  assert.deepEqual(pick(pending), shown);
  await account.call("POST", `/v1/tasks/${pending.taskId}/cancellation`);
  assert.deepEqual(pick(await account.answerTo("Why?", given)), shown);
  const { body: list } = await account.get<{ tasks: TaskSummary[] }>("/v1/tasks");
  for (const task of list.tasks) assert.deepEqual(pick(task), shown);
  const { webhookUrl, priority, notBefore, startBefore, runTimeoutSeconds } = await account.answerTo("Why?");
  assert.deepEqual([webhookUrl, priority, notBefore, startBefore], [null, 5, null, null]);
  assert.equal(typeof runTimeoutSeconds, "number");
});

test("only a task that had a result expires: one that failed or was canceled has none to lose", async () => {
  const account = await service.account();
  const completed = await account.answerTo("Why?");
  const failed = await account.answerTo("fail=platform_refused");
  const { body: canceled } = await account.call<TaskRecord>(
    "POST",
    `/v1/tasks/${await account.ask("delay=30m")}/cancellation`,
  );
  assert.notEqual(completed.expiresAt, null);
  for (const record of [failed, canceled]) assert.equal(record.expiresAt, null);
  await service.database.query("update tasks set expires_at = now() where account_id = $1", [account.accountId]);
  assert.equal((await account.task(completed.taskId)).expired, true);
  for (const { taskId } of [failed, canceled]) assert.equal((await account.task(taskId)).expired, false);
  const { body: list } = await account.get<{ tasks: TaskSummary[] }>("/v1/tasks");
  assert.deepEqual(
    list.tasks.filter(({ expired }) => expired).map(({ taskId }) => taskId),
    [completed.taskId],
  );
});

test("the times of a task are in order, and its result expires 7 days after its completion", async () => {
  const account = await service.account();
  const record = await account.answerTo("Why?");
  const times = [record.createdAt, record.startedAt, record.completedAt].map((time) => Date.parse(time ?? ""));
  assert.deepEqual(
    times.toSorted((a, b) => a - b),
    times,
  );
  assert.equal(Date.parse(record.expiresAt ?? "") - Date.parse(record.completedAt ?? ""), 7 * 86_400_000);
});

test("content is Markdown in which each card stands as a block quote with its type label in bold", async () => {
  const account = await service.account();
  const { content } = await account.answerTo("cards=product,video,image");
  assert.deepEqual(
    content?.match(/(?<=\n\n|^)> \*\*[^*]+\*\*/g)?.map((label) => label.toLowerCase().replace(/[^a-z]/g, "")),
    ["product", "video", "image"],
  );
});

test("the arrays are empty when the platform returned none, and availability says why", async () => {
  const account = await service.account();
  const record = await account.answerTo("Why?");
  for (const member of ["sources", "products", "videos", "media"] as const) {
    assert.deepEqual(record[member], []);
    assert.equal(record.availability?.[member], "none_on_platform");
  }
  assert.equal(record.availability?.content, "present");
  assert.equal(record.availability?.reasoningProcess, "not_requested");
  assert.equal(record.availability?.screenshot, "not_requested");
  assert.equal(record.availability?.share, "not_requested");
});

test("a platform that gave no answer completes the task with content null and says so", async () => {
  const account = await service.account();
  const record = await account.answerTo("empty=1");
  assert.equal(record.state, "completed");
  assert.equal(record.content, null);
  assert.equal(record.availability?.content, "none_on_platform");
});

test("what a platform never gives is not_exposed", async () => {
  const account = await service.account();
  const record = await account.answerTo("How is coffee ground?", { platformCode: "sample" });
  assert.equal(record.state, "completed");
  assert.equal(record.availability?.pageHtml, "not_exposed");
});

test("provenance tells where the answer came from", async () => {
  const account = await service.account();
  const { provenance } = await account.answerTo("Why?");
  assert.equal(provenance?.kind, "sample");
  assert.equal(provenance?.platform, "simulator");
});

for (const code of [
  "platform_unavailable",
  "platform_timeout",
  "platform_rate_limited",
  "platform_auth",
  "platform_human_check",
  "platform_refused",
  "platform_bad_response",
  "platform_not_configured",
  "run_timeout",
  "start_deadline_passed",
  "output_unavailable",
  "internal",
]) {
  const retried = [
    "platform_unavailable",
    "platform_timeout",
    "platform_rate_limited",
    "platform_bad_response",
  ].includes(code);
  if (retried) continue;
  test(`a task that fails with ${code} has a failure object, no result, and costs 0 points`, async () => {
    const account = await service.account();
    const record = await account.answerTo(`fail=${code}`);
    assert.equal(record.state, "failed");
    assert.equal(record.failure?.code, code);
    assert.equal(record.failure?.attempts, 1);
    assert.ok((record.failure?.message ?? "").length > 0);
    assert.equal(record.content, null);
    // No word of availability would be true: the failure says why everything is empty.
    assert.deepEqual([record.availability, record.provenance], [null, null]);
    assert.equal(record.chargedPoints, 0);
    assert.equal(record.revision, 1);
    assert.notEqual(record.completedAt, null);
  });
}

test("a canceled task has no result, and nothing is said about its fields", async () => {
  const account = await service.account();
  const taskId = await account.ask(rich, { notBefore: "2999-01-01T00:00:00Z" });
  await account.call("POST", `/v1/tasks/${taskId}/cancellation`);
  const record = await account.task(taskId);
  assert.deepEqual(
    [record.state, record.availability, record.provenance, record.failure],
    ["canceled", null, null, null],
  );
});

test("a result with a field that could not be read says parse_failed of that field alone", async () => {
  const account = await service.account();
  const record = await account.answerTo("sources=2 cards=product,video unread=sources,products,media");
  assert.deepEqual([record.sources, record.products], [[], []]);
  assert.equal(record.availability?.sources, "parse_failed");
  assert.equal(record.availability?.products, "parse_failed");
  assert.equal(record.availability?.videos, "present");
  assert.equal(record.availability?.media, "none_on_platform", "what was not there was not lost");
});

test("a failure that passes is tried again, and the task completes", async () => {
  const account = await service.account();
  assert.equal((await account.answerTo("fail=platform_unavailable@1")).state, "completed");
});

test("progress of a running task tells its phase, attempt and start", async () => {
  const account = await service.account();
  const taskId = await account.ask("delay=30m");
  const record = await until("the task to run", async () => {
    const task = await account.task(taskId);
    return task.progress?.phase === "running" ? task : null;
  });
  assert.equal(record.state, "pending");
  assert.equal(record.progress?.attempt, 1);
  assert.notEqual(record.progress?.startedAt, null);
  assert.equal(record.startedAt, record.progress?.startedAt);
  await account.call("POST", `/v1/tasks/${taskId}/cancellation`);
});

test("chargedPoints is the price that the task was accepted with", async () => {
  const account = await service.account();
  const record = await account.answerTo("How is coffee ground?", {
    platformCode: "sample",
    options: { deepAnalysis: true },
  });
  assert.equal(record.chargedPoints, 5);
});

test("advertisements are in a field of their own and in no other, without identifiers of clicks", async () => {
  const account = await service.account();
  const { ads, availability, sources, content } = await account.answerTo("Why? ads=2");
  assert.deepEqual(
    ads.map(({ position, url, removed }) => [position, url, removed]),
    [
      [1, "https://advertiser-1.example/offer", ["gclid"]],
      [2, "https://advertiser-2.example/offer", ["gclid"]],
    ],
  );
  assert.equal(availability?.ads, "shown");
  assert.deepEqual(sources, []);
  assert.doesNotMatch(content ?? "", /advertiser-1/);
});
