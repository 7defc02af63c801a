/** Web platforms in a running service: the options of 2.4, and a browser that is killed in the middle. */
import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import type { PlatformList, PlatformRecord } from "@querent/contract";
import { readPublicKeys, verifyEvidence } from "@querent/evidence";
import { stringify } from "yaml";
import { browserProcesses, nothingLeft } from "../../harness/browser.ts";
import { startTestService } from "../../harness/service.ts";
import { until } from "../../harness/wait.ts";
import { createBrowserPool } from "../../../src/app/browsers.ts";
import { readConfig } from "../../../src/app/config.ts";
import { runChecks } from "../../../src/operator/check-consistency.ts";
import { ask, examplePage, platformOf, recipeFile } from "./fixture.ts";
import { loadRecipe } from "../../../src/platforms/index.ts";

const page = await examplePage();
const folder = mkdtempSync(join(tmpdir(), "querent-web-"));
const { recipe: example } = loadRecipe(recipeFile);
// A browser that starts with ten pages on a busy machine shows none of them for a while.
writeFileSync(
  join(folder, "example.yaml"),
  stringify({
    ...example,
    entry: page.address,
    composer: { ...example.composer, timeoutSeconds: 120 },
    complete: { ...example.complete, startSeconds: 600 },
  }),
);
writeFileSync(
  join(folder, "drifted.yaml"),
  stringify({
    ...example,
    entry: page.address,
    composer: { ...example.composer, input: ["#before", "textarea"] },
    turn: { each: ".turn.assistant", text: ".before" },
    checks: [{ of: "products", count: "button.show-sources", settleSeconds: 0 }],
  }),
);
writeFileSync(
  join(folder, "no-answer.yaml"),
  stringify({
    ...example,
    entry: page.address,
    turn: { each: "#overview" },
    complete: { done: "#overview .done", none: { visible: "button.deep", afterSeconds: 0 } },
  }),
);
writeFileSync(join(folder, "broken.yaml"), "recipe: 1\nname: [");
writeFileSync(
  join(folder, "platforms.yaml"),
  stringify({
    platforms: {
      "example-web": { recipe: "./example.yaml", runningMax: 10, price: { base: 3, pageHtml: 2 } },
      "drifted-web": { recipe: "./drifted.yaml" },
      "paid-web": { recipe: "./no-answer.yaml", price: { base: 3 } },
      "free-web": { recipe: "./no-answer.yaml", price: { base: 3 }, freeWithoutAnswer: true },
      "broken-web": { recipe: "./broken.yaml" },
      "missing-web": { recipe: "./not-there.yaml" },
    },
  }),
);
after(() => rmSync(folder, { recursive: true }));
const service = await startTestService({
  environment: {
    QUERENT_CONFIG: join(folder, "platforms.yaml"),
    QUERENT_BROWSER_EGRESS_ALLOW: "127.0.0.0/8",
    QUERENT_BROWSER_CONTEXTS: "5",
    QUERENT_DATA_DIR: folder,
    ...(process.env["QUERENT_BROWSER_PATH"] === undefined
      ? {}
      : { QUERENT_BROWSER_PATH: process.env["QUERENT_BROWSER_PATH"] }),
  },
});
const web = (options: object = {}) => ({ platformCode: "example-web", options });

test("no browser runs before the first question", () => assert.deepEqual(browserProcesses(), []));

for (const [resultFormat, content, pageHtml, points] of [
  ["json", "present", "not_requested", 3],
  ["html", "not_requested", "present", 5],
  ["all", "present", "present", 5],
] as const) {
  test(`resultFormat ${resultFormat}: content ${content}, page ${pageHtml}; output is answer whatever was asked`, async () => {
    const account = await service.account();
    const record = await account.answerTo("Why?", web({ resultFormat, output: "screenshot" }));
    assert.equal(record.state, "completed", JSON.stringify(record.failure));
    assert.equal(record.options.output, "answer");
    assert.equal(record.availability?.content, content);
    assert.equal(record.availability.pageHtml, pageHtml);
    assert.equal(record.content === null, content !== "present");
    assert.equal(record.pageHtml === null, pageHtml !== "present");
    assert.equal(record.sources.length, content === "present" ? 3 : 0);
    assert.equal(record.chargedPoints, points);
    assert.equal(record.provenance?.kind, "web");
  });
}

for (const [platformCode, points] of [
  ["paid-web", 3],
  ["free-web", 0],
] as const)
  test(`a question to which the page has no answer completes without content, and costs ${points} on ${platformCode}`, async () => {
    const account = await service.account();
    const record = await account.answerTo("Why?", { platformCode, options: {} });
    assert.deepEqual([record.state, record.content, record.chargedPoints], ["completed", null, points]);
    assert.equal(record.availability?.content, "none_on_platform");
    const { rows } = await service.database.query<{ captured: number; held: number }>(
      `select a.points_captured::int as captured, a.points_held::int as held
         from accounts a join tasks t on t.account_id = a.id where t.id = $1`,
      [record.taskId],
    );
    assert.deepEqual(rows, [{ captured: points, held: 0 }]);
    assert.deepEqual(
      (await runChecks(service.database)).flatMap(({ violations }) => violations),
      [],
    );
  });

test("a missing or broken recipe disables only its platform, which says why", async () => {
  const account = await service.account();
  const { body } = await account.get<PlatformList>("/v1/platforms");
  for (const code of ["broken-web", "missing-web"]) {
    const platform = body.platforms.find(({ platformCode }) => platformCode === code);
    assert.equal(platform?.state, "not_configured");
    assert.notEqual(platform.unavailable, null);
  }
});

test("a web page that ships and that nobody has chosen is listed as not configured", async () => {
  const account = await service.account();
  const { body } = await account.get<PlatformList>("/v1/platforms");
  const of = (code: string) => body.platforms.find(({ platformCode }) => platformCode === code);
  for (const code of ["chatgpt-web", "gemini-web"])
    assert.deepEqual([of(code)?.kind, of(code)?.configured], ["web", false]);
  assert.deepEqual(of("chatgpt-web")?.recipe, { status: "from_source", checkedOn: "2026-10-15" });
  assert.equal(of("example-web")?.configured, true);
  assert.deepEqual(of("example-web")?.recipe, { status: "checked_live", checkedOn: null });
  assert.equal(of("sample")?.recipe, null);
});

test("a page that is not as its recipe says any more is told as drift, in the list, the log and the metrics", async () => {
  const account = await service.account();
  const from = Date.now();
  const drifted = { platformCode: "drifted-web", options: {} };
  for (const { state, failure } of [
    await account.answerTo("One?", drifted),
    await account.answerTo("Two?", drifted),
    await account.answerTo("Three?", web()),
  ])
    assert.equal(state, "completed", JSON.stringify(failure));
  const driftOf = async (code: string) => {
    const { body } = await account.get<{ platforms: PlatformRecord[] }>("/v1/platforms");
    return body.platforms.find(({ platformCode }) => platformCode === code)?.health.drift;
  };
  const expected = [
    ["checks.products", "check", 1],
    ["composer.input", "fallback", 1],
    ["turn.text", "unmatched", 1],
  ];
  const drift = await until("the drift to be written", async () => {
    const now = await driftOf("drifted-web");
    return now?.length === expected.length ? now : null;
  });
  assert.deepEqual(
    drift.map(({ what, sign, share }) => [what, sign, share]),
    expected,
  );
  assert.ok(drift.every(({ since }) => Date.parse(since) >= from && Date.parse(since) <= Date.now()));
  assert.deepEqual(await driftOf("example-web"), []);
  assert.equal(await driftOf("sample"), null);

  const told = service.events.flatMap((event) => (event.event === "platform.drift" ? [event] : []));
  assert.deepEqual(
    new Set(told.map(({ platform, what, sign }) => `${platform} ${what} ${sign}`)),
    new Set(expected.map(([what, sign]) => `drifted-web ${what} ${sign}`)),
  );
  assert.equal(told.length, expected.length);
  const { text: metrics } = await account.get("/metrics");
  assert.match(
    metrics,
    /querent_platform_drift_total\{platform="drifted-web",sign="fallback",what="composer.input"\} 2\n/,
  );
});

test("the service's own API and its database's port are out of a page's reach, though their address is allowed", async (t) => {
  const own = Number(new URL(page.address).port);
  for (const variables of [
    { QUERENT_PORT: String(own) },
    { DATABASE_URL: `postgresql://user:password@127.0.0.1:${own}/database` },
  ]) {
    const config = readConfig({ QUERENT_BROWSER_EGRESS_ALLOW: "127.0.0.0/8", QUERENT_DATA_DIR: folder, ...variables });
    const pool = createBrowserPool(config, { onEvent: () => undefined });
    t.after(() => pool.close());
    const outcome = await ask(platformOf(loadRecipe(join(folder, "example.yaml")), pool), "Why?");
    assert.ok(outcome.kind === "permanent" && outcome.code === "platform_not_configured", JSON.stringify(outcome));
  }
});

test("Chromium killed in the middle of ten tasks: all ten end right, and none has lost an attempt", async () => {
  const account = await service.account();
  const { tasks } = await account.submit(
    Array.from({ length: 10 }, (_, index) => ({ question: `stall=2 question ${index}`, ...web() })),
  );
  for (let kill = 0; kill < 2; kill++) {
    const asked = page.asked();
    const leader = await until("pages at work", () =>
      page.asked() >= asked + 3 ? browserProcesses().find(({ type }) => type === "browser") : null,
    );
    process.kill(leader.pid, "SIGKILL");
    await until("its end", () => !browserProcesses().some(({ pid }) => pid === leader.pid));
  }
  for (const { taskId } of tasks) {
    const record = await until(
      "the end of a task",
      async () => {
        const now = await account.task(taskId);
        return now.state === "pending" ? null : now;
      },
      120_000,
    );
    assert.equal(record.state, "completed", JSON.stringify(record.failure));
    assert.match(record.content ?? "", /That is the end of the answer\.$/);
  }
  const ids = new Set(tasks.map(({ taskId }) => taskId));
  const runs = service.events.flatMap((event) =>
    (event.event === "task.claimed" || event.event === "task.lost") && ids.has(event.taskId) ? [event] : [],
  );
  assert.ok(runs.some(({ event }) => event === "task.lost"));
  const { rows: failures } = await service.database.query(
    `select e ->> 'code' as code, e ->> 'message' as message, e ->> 'startedAt' as "startedAt", e ->> 'endedAt' as "endedAt"
       from task_attempts, jsonb_array_elements(entries) e where task_id = any($1) and e ->> 'outcome' = 'failed'`,
    [[...ids]],
  );
  assert.deepEqual(failures, []);
  assert.ok(runs.every(({ attempt }) => attempt === 1));
});

test("evidence of a web task holds what was captured as files, sealed when it ended", async () => {
  const account = await service.account();
  const { taskId } = await account.answerTo("Why?", web());
  const response = await fetch(`${service.address}/v1/tasks/${taskId}/evidence`, {
    headers: { authorization: `Bearer ${account.token}` },
  });
  const keys = readPublicKeys((await service.call("GET", "/.well-known/querent-evidence-keys")).text);
  const verdict = verifyEvidence(Buffer.from(await response.arrayBuffer()), keys);
  assert.ok(verdict.verdict === "authentic", verdict.sentence);
  const parts = ["expanded-queries.html", "expanded-sources.html", "page.html", "response.txt", "turn.html"];
  const names = parts.map((name) => `captures/${name}`);
  assert.deepEqual(
    verdict.manifest.files.map(({ name }) => name),
    [...names, "page.html", "raw-answer.json", "record.json", "seal.json", "seal.sig"],
  );
  assert.deepEqual(
    verdict.seal?.files.map(({ name }) => name),
    [...names, "raw-answer.json"],
  );
});

test("after the service nothing of a browser is left", async () => {
  await service.stop();
  await nothingLeft();
});
