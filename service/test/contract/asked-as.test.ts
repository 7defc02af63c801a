/** docs/reference/api.md#submit-a-batch-of-questions: from where, as whom and with what a question is asked. */
import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { api, askedAsMembers, type AskedAs, type TaskRecord } from "@querent/contract";
import { readZip } from "../../../evidence/src/read-zip.ts";
import { compileCheck } from "../../src/kernel/validate.ts";
import { optionSupport, type Platform } from "../../src/platforms/index.ts";
import { runTask } from "../../src/tasks/run/run-task.ts";
import { canonicalSubmission } from "../../src/tasks/submit/idempotency.ts";
import { readItem, type ItemRules } from "../../src/tasks/submit/read-items.ts";
import { makingNothing } from "../harness/engine.ts";
import { invalidAt, item, refused, startTestService } from "../harness/service.ts";

const service = await startTestService();
const all = {
  country: "de",
  language: "DE-de",
  location: { city: "Munich", latitude: 48.1, longitude: 11.6, region: null },
  persona: "I am a nurse.\nI work nights.",
  model: "simulator-2",
  searchDepth: "high",
  domains: { allow: ["Example.com", "münchen.de", "example.com."], deny: [] },
  since: "2026-01-31",
};
const canonical = {
  country: "DE",
  language: "de-DE",
  location: { city: "Munich", latitude: 48.1, longitude: 11.6 },
  persona: "I am a nurse.\nI work nights.",
  model: "simulator-2",
  searchDepth: "high",
  domains: { allow: ["example.com", "xn--mnchen-3ya.de"] },
  since: "2026-01-31",
} as const;

suite("a task", () => {
  test("has the options in canonical form, and what was in force for each", async () => {
    const account = await service.account();
    const record: TaskRecord = await account.answerTo("Why?", { options: all });
    assert.deepEqual(record.options, {
      deepAnalysis: false,
      output: "answer",
      resultFormat: "json",
      ...canonical,
      onUnsupported: "refuse",
    });
    const how = (member: string) => (member === "language" ? "prompted" : "native");
    assert.deepEqual(
      record.effective,
      Object.fromEntries(Object.entries(canonical).map(([member, value]) => [member, { value, how: how(member) }])),
    );
    assert.equal(record.modelVersion, "simulator-2");
    assert.match(record.content ?? "", /country: "DE" \(native\)/);
    const check = compileCheck(api.getTask.replies[200].content["application/json"]);
    assert.deepEqual(check(record), []);
  });

  test("has them in lists, results and notifications, too", async () => {
    const account = await service.account();
    const { taskId, batchId } = await account.answerTo("Why?", { options: { country: "FR" } });
    const list = await account.get<{ tasks: { taskId: string; options: AskedAs }[] }>("/v1/tasks");
    assert.equal(list.body.tasks.find((task) => task.taskId === taskId)?.options.country, "FR");
    const results = await account.get(`/v1/batches/${batchId}/results`);
    assert.match(results.text, /"country":"FR"/);
    assert.match(results.text, /"effective":\{"country":\{"value":"FR","how":"native"\}\}/);
  });

  test("is found by its country and language", async () => {
    const account = await service.account();
    const german = await account.ask("Why?", { options: { country: "de", language: "DE-at" } });
    await account.ask("Why?", { options: { country: "fr" } });
    await account.ask("Why?");
    const found = async (query: string) => {
      const { body } = await account.get<{ tasks: { taskId: string }[] }>(`/v1/tasks?${query}`);
      return body.tasks.map(({ taskId }) => taskId);
    };
    assert.deepEqual(await found("country=DE"), [german]);
    assert.deepEqual(await found("country=de&language=de-AT"), [german]);
    assert.deepEqual(await found("country=FR&language=de-AT"), []);
    invalidAt(await account.get("/v1/tasks?country=Germany"), { "?country": "malformed" });
  });

  test("has them in its evidence", async () => {
    const account = await service.account();
    const { taskId } = await account.answerTo("Why?", { options: { country: "FR", language: "fr" } });
    const response = await fetch(`${service.address}/v1/tasks/${taskId}/evidence`, {
      headers: { authorization: `Bearer ${account.token}` },
    });
    const file = readZip(new Uint8Array(await response.arrayBuffer())).files.get("record.json");
    const { options, effective } = JSON.parse(String(file)) as TaskRecord;
    assert.equal(options.country, "FR");
    assert.deepEqual(effective, {
      country: { value: "FR", how: "native" },
      language: { value: "fr", how: "prompted" },
    });
  });

  test("without such options has none, and nothing in force", async () => {
    const account = await service.account();
    const options = { country: null, location: {}, domains: { allow: [], deny: null }, onUnsupported: "ignore" };
    const record = await account.answerTo("Why?", { options });
    assert.deepEqual(Object.keys(record.options).sort(), ["deepAnalysis", "output", "resultFormat"]);
    assert.deepEqual(record.effective, {});
  });
});

const wrong: Readonly<Record<string, readonly [options: object, pointer: string, code: string]>> = {
  "a code that no country has": [{ country: "UK" }, "country", "malformed"],
  "a union of countries": [{ country: "EU" }, "country", "malformed"],
  "a number as country": [{ country: 49 }, "country", "wrong_type"],
  "an invented language": [{ language: "xx-klingon" }, "language", "malformed"],
  "a language with an extension": [{ language: "de-u-co-phonebk" }, "language", "malformed"],
  "a language that is none": [{ language: "*;q=0.5" }, "language", "malformed"],
  "a header in a language": [{ language: "de\r\nX-Evil: 1" }, "language", "malformed"],
  "a persona with a control character": [{ persona: "a\u001B[31m" }, "persona", "malformed"],
  "a blank persona": [{ persona: " \n" }, "persona", "malformed"],
  "a persona that is too long": [{ persona: "a".repeat(2001) }, "persona", "too_long"],
  "half of a character": [{ persona: "\uD800" }, "persona", "malformed"],
  "latitude without longitude": [{ location: { latitude: 1 } }, "location/longitude", "required"],
  "a latitude beyond the pole": [{ location: { latitude: 91, longitude: 0 } }, "location/latitude", "out_of_range"],
  "an unknown member of a location": [{ location: { street: "A" } }, "location/street", "unknown_field"],
  "an address as domain": [{ domains: { allow: ["https://example.com/"] } }, "domains/allow/0", "malformed"],
  "an IP address as domain": [{ domains: { deny: ["127.0.0.1"] } }, "domains/deny/0", "malformed"],
  "a host without a dot as domain": [{ domains: { deny: ["localhost"] } }, "domains/deny/0", "malformed"],
  "too many domains": [{ domains: { allow: Array(101).fill("example.com") } }, "domains/allow", "too_many"],
  "a domain that is allowed and denied": [
    { domains: { allow: ["A.example"], deny: ["a.example"] } },
    "domains",
    "not_allowed",
  ],
  "a day that does not exist": [{ since: "2026-02-30" }, "since", "malformed"],
  "a day in the future": [{ since: "2999-01-01" }, "since", "not_allowed"],
  "a depth that does not exist": [{ searchDepth: "deepest" }, "searchDepth", "not_allowed"],
  "a model that the platform lacks": [{ model: "simulator-3" }, "model", "option_unsupported"],
  "an unknown policy": [{ country: "DE", onUnsupported: "drop" }, "onUnsupported", "not_allowed"],
};

for (const [what, [options, pointer, code]] of Object.entries(wrong)) {
  test(`${what} is refused with a pointer`, async () => {
    const account = await service.account();
    invalidAt(await account.post([item("Why?", { options })]), { [`/0/options/${pointer}`]: code as "malformed" });
  });
}

suite("a platform that supports nothing", () => {
  const rules: ItemRules = {
    platforms: new Map([
      [
        "bare",
        {
          code: "bare",
          kind: "api",
          pageHtml: false,
          options: optionSupport({ language: "prompted", model: "native" }, { model: ["m-1"] }),
          price: { base: 1, deepAnalysis: 0, screenshot: 0, shareLink: 0, pageHtml: 0 },
          runTimeoutSeconds: 60,
          missing: null,
        },
      ],
    ]),
    itemsMax: 1,
    refuseWebhookUrl: () => null,
    browserUsable: true,
    now: new Date("2026-11-22T12:00:00Z"),
  };
  const verdictOf = (options: object) => readItem(item("Why?", { platformCode: "bare", options }), 0, rules);

  test("refuses each option, and names what to do", () => {
    const { onUnsupported: _, ...asked } = { ...all, model: "m-2", language: null, onUnsupported: null };
    const verdict = verdictOf(asked);
    assert.ok("errors" in verdict);
    assert.deepEqual(
      verdict.errors.map(({ pointer, code }) => [pointer, code]),
      askedAsMembers
        .filter((member) => member !== "language")
        .map((member) => [`/0/options/${member}`, "option_unsupported"]),
    );
    const model = verdict.errors.find(({ pointer }) => pointer.endsWith("/model"));
    assert.match(model?.detail ?? "", /m-1.*onUnsupported/);
  });

  test("accepts them if the client says so, and the quote warns of each", () => {
    const verdict = verdictOf({ country: "DE", language: "de", onUnsupported: "ignore" });
    assert.ok("item" in verdict);
    assert.deepEqual(
      verdict.warnings.map(({ pointer, code }) => [pointer, code]),
      [["/0/options/country", "option_ignored"]],
    );
    assert.equal(verdict.item.options.country, "DE");
  });
});

test("GET /v1/platforms states for every platform and option how it is supported", async () => {
  const account = await service.account();
  const { body } = await account.get<{ platforms: { platformCode: string; options: object; optionValues: object }[] }>(
    "/v1/platforms",
  );
  for (const { platformCode, options } of body.platforms)
    assert.deepEqual(Object.keys(options).sort(), [...askedAsMembers].sort(), platformCode);
  const simulator = body.platforms.find(({ platformCode }) => platformCode === "simulator");
  assert.deepEqual(simulator?.optionValues, {
    country: null,
    location: ["city", "region", "latitude", "longitude"],
    model: ["simulator-1", "simulator-2"],
    domains: { allowMax: 100, denyMax: 100, together: true },
  });
});

test("a repeat that means the same gets the first response, one that asks from elsewhere is refused", async () => {
  const account = await service.account();
  const key = "asked-as-1";
  const first = await account.post([item("Why?", { options: { country: "DE", domains: { allow: ["a.example"] } } })], {
    "idempotency-key": key,
  });
  assert.equal(first.status, 202);
  const same = { domains: { deny: [], allow: ["a.example"] }, country: "de", persona: null, onUnsupported: "refuse" };
  const again = await account.post([item("Why?", { options: same })], { "idempotency-key": key });
  assert.deepEqual([again.status, again.body], [202, first.body]);
  refused(
    await account.post([item("Why?", { options: { ...same, country: "FR" } })], { "idempotency-key": key }),
    "idempotency_key_reused",
  );
});

test("the canonical form of a submission without these options is what it was", () => {
  assert.equal(
    canonicalSubmission([{ platformCode: "p", question: "?", options: { output: "answer", deepAnalysis: true } }]),
    '[{"options":{"deepAnalysis":true},"platformCode":"p","question":"?"}]',
  );
  assert.equal(canonicalSubmission([{ question: "?", options: { deepAnalysis: [] } }]), null);
  assert.equal(canonicalSubmission([{ question: "?", options: { domains: { allow: [{}] } } }]), null);
});

test("a question whose option the platform no longer supports is not asked without it", async () => {
  let asked = 0;
  const platform: Platform = {
    code: "p",
    name: "P",
    kind: "api",
    returns: {
      sources: false,
      products: false,
      videos: false,
      media: false,
      reasoningProcess: false,
      searchProcess: false,
      pageHtml: false,
    },
    outputs: ["answer"],
    resultFormats: ["json"],
    options: optionSupport(),
    missing: null,
    ask: () => {
      asked += 1;
      return Promise.resolve({ kind: "canceled" });
    },
  };
  const run = (onUnsupported: "refuse" | "ignore") => {
    const options = {
      deepAnalysis: false,
      output: "answer",
      resultFormat: "json",
      country: "DE",
      onUnsupported,
    } as const;
    const question = { taskId: "t", text: "Why?", options, attempt: 1 };
    return runTask(platform, question, { signal: new AbortController().signal }, makingNothing);
  };
  const end = await run("refuse");
  assert.ok(end.kind === "failed");
  assert.deepEqual([end.fault.code, end.retryable, asked], ["platform_not_configured", false, 0]);
  assert.match(end.fault.message, /country.*Nothing was asked, nothing is charged/);
  await run("ignore");
  assert.equal(asked, 1);
});
