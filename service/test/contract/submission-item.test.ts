/** docs/reference/api.md#submissionitem. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { SubmissionItem, type TaskRecord } from "@querent/contract";
import { invalidAt, item, startTestService } from "../harness/service.ts";

const service = await startTestService();
/** Whose items are refused: nothing of that stays. */
const refusing = await service.account();

/** Submits one item; what it says is wrong with it. */
async function refusedItem(more: object, places: Parameters<typeof invalidAt>[1]): Promise<void> {
  invalidAt(await refusing.post([item("Why?", more)]), places);
}

/** Submits one item and reads its record at once. */
async function accepted(more: object, question = "Why?"): Promise<TaskRecord> {
  const account = await service.account();
  return account.task(await account.ask(question, more));
}

for (const member of ["question", "platformCode"] as const) {
  test(`${member} is required`, async () => {
    const account = await service.account();
    const { [member]: _, ...rest } = item();
    invalidAt(await account.post([rest]), { [`/0/${member}`]: "required" });
  });
}

test("webhookUrl, clientReference, tags and the other additive members are not required", async () => {
  assert.equal((await accepted({})).clientReference, null);
});

for (const value of [null, 1, true, [], {}]) {
  test(`question is a string, not ${JSON.stringify(value)}`, () =>
    refusedItem({ question: value }, { "/0/question": "wrong_type" }));
  test(`platformCode is a string, not ${JSON.stringify(value)}`, () =>
    refusedItem({ platformCode: value }, { "/0/platformCode": "wrong_type" }));
}

for (const value of [1, true, [], "answer"]) {
  test(`options is an object, not ${JSON.stringify(value)}`, () =>
    refusedItem({ options: value }, { "/0/options": "wrong_type" }));
}

test("a platformCode that no platform has is refused", () =>
  refusedItem({ platformCode: "no-such-platform" }, { "/0/platformCode": "unknown_platform" }));

test("the name of a member of every object is not a platform", () =>
  refusedItem({ platformCode: "constructor" }, { "/0/platformCode": "unknown_platform" }));

for (const deepAnalysis of [true, false]) {
  test(`options.deepAnalysis takes ${deepAnalysis} and echoes it`, async () => {
    assert.equal((await accepted({ options: { deepAnalysis } })).options.deepAnalysis, deepAnalysis);
  });
}

for (const output of ["answer", "screenshot", "share_link"] as const) {
  test(`options.output takes ${output} and echoes it`, async () => {
    assert.equal((await accepted({ options: { output } })).options.output, output);
  });
}

for (const resultFormat of ["json", "html", "all"] as const) {
  test(`options.resultFormat takes ${resultFormat} and echoes it`, async () => {
    assert.equal((await accepted({ options: { resultFormat } })).options.resultFormat, resultFormat);
  });
}

test("the members of options are optional, and echoed complete with their defaults", async () => {
  assert.deepEqual((await accepted({ options: {} })).options, {
    deepAnalysis: false,
    output: "answer",
    resultFormat: "json",
  });
});

test("each member of options has its type and values", () =>
  refusedItem(
    { options: { deepAnalysis: "true", output: "Answer", resultFormat: "xml" } },
    {
      "/0/options/deepAnalysis": "wrong_type",
      "/0/options/output": "not_allowed",
      "/0/options/resultFormat": "not_allowed",
    },
  ));

test("unknown members are refused, in the item and in its options, with the name that was meant", async () => {
  const account = await service.account();
  const answer = await account.post([item("Why?", { webhookURL: "x", options: { outputs: "answer" } })]);
  const problem = invalidAt(answer, { "/0/webhookURL": "unknown_field", "/0/options/outputs": "unknown_field" });
  assert.match(
    problem.errors?.map((error) => error.detail).join() ?? "",
    /`webhookUrl`.*`output`|`output`.*`webhookUrl`/s,
  );
});

for (const url of [
  "http://example.com/hook",
  "ftp://example.com/",
  "example.com",
  "",
  "https://",
  "https://u:p@example.com/",
  "https:///example.com/",
  "https:example.com",
  "https:\\\\example.com",
  "https://?x",
  "https://#x",
  "https://:443/",
  "https://a..example.com/",
  "https://.example.com/",
  "https://-a.example.com/",
  "https://a.example.com-/",
  `https://${"a".repeat(64)}.example.com/`,
  `https://${"a.".repeat(130)}example.com/`,
  "https://exa*mple.com/",
  "https://300.1.1.1/",
  "javascript:alert(1)",
]) {
  test(`webhookUrl is an HTTPS URL without credentials: ${JSON.stringify(url)} is refused`, () =>
    refusedItem({ webhookUrl: url }, { "/0/webhookUrl": "malformed" }));
}

test("webhookUrl may be 2,048 characters long, and not one more", async () => {
  const url = (length: number) => `https://example.com/${"a".repeat(length - 20)}`;
  await accepted({ webhookUrl: url(2048) });
  await refusedItem({ webhookUrl: url(2049) }, { "/0/webhookUrl": "too_long" });
});

test("a question has 1 to 10,000 characters after trimming", async () => {
  assert.equal((await accepted({}, "?")).question, "?");
  const longest = `  ${"é".repeat(9_999)}🙂\n`;
  assert.equal((await accepted({}, longest)).question, longest);
  await refusedItem({ question: "a".repeat(10_001) }, { "/0/question": "too_long" });
  await refusedItem({ question: "" }, { "/0/question": "too_short" });
});

test("a question holds something other than white space", () =>
  refusedItem({ question: " \t\r\n\u00a0\u2003\u3000" }, { "/0/question": "too_short" }));

for (const [name, text] of [
  ["U+0000", "a\0b"],
  ["a lone high surrogate", "a\ud83d"],
  ["a lone low surrogate", "\ude00a"],
] as const) {
  test(`a question, a reference or a tag with ${name} is refused, since it could not be given back as it was sent`, () =>
    refusedItem(
      { question: text, clientReference: text, tags: [text] },
      { "/0/question": "unstorable_text", "/0/clientReference": "unstorable_text", "/0/tags/0": "unstorable_text" },
    ));
}

test("any other text is echoed as it was sent", async () => {
  const question = "\u0001\u001f\u007f\u2028\ufeff\uffff 中文 العربية 🧑‍🚀 \\u0000 'quoted' \"twice\" $1 %s </script>";
  const record = await accepted({ clientReference: question.slice(0, 60), tags: [question.slice(0, 60)] }, question);
  assert.equal(record.question, question);
  assert.equal(record.clientReference, question.slice(0, 60));
  assert.deepEqual(record.tags, [question.slice(0, 60)]);
});

test("clientReference is returned as sent, in the submission's answer and in the record", async () => {
  const account = await service.account();
  const { tasks } = await account.submit([item("Why?", { clientReference: "  Order 7 " })]);
  assert.equal(tasks[0]?.clientReference, "  Order 7 ");
  assert.equal((await account.task(tasks[0]?.taskId ?? "")).clientReference, "  Order 7 ");
});

test("clientReference has 1 to 255 characters", async () => {
  assert.equal((await accepted({ clientReference: "🙂".repeat(255) })).clientReference?.length, 510);
  await refusedItem({ clientReference: "🙂".repeat(256) }, { "/0/clientReference": "too_long" });
  await refusedItem({ clientReference: "" }, { "/0/clientReference": "too_short" });
});

test("tags are up to 10 strings of up to 64 characters", async () => {
  const tags = Array.from({ length: 10 }, (_, index) => `${index}`.repeat(64));
  assert.deepEqual((await accepted({ tags })).tags, tags);
  await refusedItem({ tags: [...tags, "x"] }, { "/0/tags": "too_many" });
  await refusedItem(
    { tags: ["x".repeat(65), "", 7] },
    {
      "/0/tags/0": "too_long",
      "/0/tags/1": "too_short",
      "/0/tags/2": "wrong_type",
    },
  );
});

for (const member of ["notBefore", "startBefore"]) {
  test(`${member} is ISO 8601 UTC`, async () => {
    for (const good of ["2999-01-31T09:30:00Z", "2999-01-31T09:30:00.123456Z"]) await accepted({ [member]: good });
    for (const bad of [
      "2999-01-31",
      "2999-01-31T09:30:00",
      "2999-01-31T09:30:00+01:00",
      "2999-02-30T09:30:00Z",
      "2999-01-31T25:00:00Z",
      "tomorrow",
      "",
    ])
      await refusedItem({ [member]: bad }, { [`/0/${member}`]: "malformed" });
    await refusedItem({ [member]: 1_700_000_000 }, { [`/0/${member}`]: "wrong_type" });
  });
}

test("a task does not start before its notBefore, and says when it will", async () => {
  const record = await accepted({ notBefore: "2999-01-31T09:30:00Z" });
  assert.deepEqual(record.progress, {
    phase: "queued",
    attempt: 0,
    startedAt: null,
    nextAttemptAt: "2999-01-31T09:30:00.000Z",
    reason: "not_before",
    lastFailure: null,
  });
});

test("a notBefore that has passed holds nothing back", async () => {
  const account = await service.account();
  assert.equal((await account.answerTo("Why?", { notBefore: "2001-01-31T09:30:00Z" })).state, "completed");
});

test("a task that has not started by its startBefore ends failed with start_deadline_passed, uncharged; also when its notBefore is later", async () => {
  const account = await service.account();
  // It may not start before its time is over.
  const soon = new Date(Date.now() + 300).toISOString();
  const record = await account.answerTo("Why?", { notBefore: "2999-01-31T09:30:00Z", startBefore: soon });
  assert.equal(record.state, "failed");
  assert.equal(record.failure?.code, "start_deadline_passed");
  assert.equal(record.failure?.stage, "queue");
  assert.equal(record.failure?.attempts, 0);
  assert.equal(record.chargedPoints, 0);
  assert.equal(record.startedAt, null);
});

test("a startBefore that has passed is refused: the task could only fail", () =>
  refusedItem({ startBefore: "2001-01-31T09:30:00Z" }, { "/0/startBefore": "not_allowed" }));

test("runTimeoutSeconds is a whole number from 5 to 1800", async () => {
  for (const good of [5, 1800]) await accepted({ runTimeoutSeconds: good });
  for (const bad of [4, 1801, -1, 1e300])
    await refusedItem({ runTimeoutSeconds: bad }, { "/0/runTimeoutSeconds": "out_of_range" });
  for (const bad of [5.5, "60"])
    await refusedItem({ runTimeoutSeconds: bad }, { "/0/runTimeoutSeconds": "wrong_type" });
});

test("priority is a whole number from 0 to 9", async () => {
  for (const good of [0, 9]) await accepted({ priority: good });
  for (const bad of [-1, 10]) await refusedItem({ priority: bad }, { "/0/priority": "out_of_range" });
  for (const bad of [0.5, "5"]) await refusedItem({ priority: bad }, { "/0/priority": "wrong_type" });
});

test("every wrong place of an item is told at once", () =>
  refusedItem(
    { question: "", platformCode: 7, priority: 10, tags: "x", nope: 1 },
    {
      "/0/question": "too_short",
      "/0/platformCode": "wrong_type",
      "/0/priority": "out_of_range",
      "/0/tags": "wrong_type",
      "/0/nope": "unknown_field",
    },
  ));

test("null for an optional member is its absence", async () => {
  const account = await service.account();
  const nothing = Object.fromEntries(
    Object.entries(SubmissionItem.properties)
      .filter(([name]) => !["question", "platformCode"].includes(name))
      .map(([name]) => [name, null]),
  );
  assert.equal(Object.keys(nothing).length, 8);
  const { tasks } = await account.submit([
    item("A?", nothing),
    item("B?", { options: { deepAnalysis: null, output: null, resultFormat: null } }),
    { question: "C?", platformCode: "simulator" },
  ]);
  for (const { taskId, clientReference } of tasks) {
    const task = await account.ended(taskId);
    assert.equal(clientReference, null);
    assert.deepEqual(task.options, { deepAnalysis: false, output: "answer", resultFormat: "json" });
    assert.deepEqual(task.tags, []);
    assert.equal(task.state, "completed");
  }
  const quote = await account.call<{ valid: boolean }>("POST", "/v1/tasks/quote", { body: [item("A?", nothing)] });
  assert.equal(quote.body.valid, true);
  invalidAt(await account.post([{ question: null, platformCode: null }]), {
    "/0/question": "wrong_type",
    "/0/platformCode": "wrong_type",
  });
});
