/** docs/how-to/first-look.md: the demonstration, and that nothing of it remains. */
import assert from "node:assert/strict";
import { suite, test } from "node:test";
import type {
  EntityPage,
  ObservationPage,
  PanelChanges,
  PanelFigures,
  PanelRecord,
  PanelReport,
  PanelRuns,
  SourceCounts,
  TaskRecord,
  UsageRecord,
} from "@querent/contract";
import type { Database } from "../../src/db/index.ts";
import { demoDays, demoPanel, demoPlatforms, demoRepeats } from "../../src/demo/demo-panel.ts";
import { demoTruth, modelOn, sourceGoneDay } from "../../src/demo/demo-truth.ts";
import { drawAnswer } from "../../src/demo/fill-demo.ts";
import { runChecks } from "../../src/operator/check-consistency.ts";
import { runCommand, startServiceProcess, temporaryFolder } from "../harness/process.ts";
import { refused, startTestService, type TestAccount } from "../harness/service.ts";
import { until } from "../harness/wait.ts";
import { panel as realPanel, runPanel } from "./fixture.ts";

const service = await startTestService();
const { database } = service;

interface Filled {
  readonly account: string;
  readonly accountId: string;
  readonly panelId: string;
  readonly runs: number;
  readonly answers: number;
  readonly token: string | null;
}

const demo = (...words: string[]) => runCommand(service.commandEnvironment, ["demo", ...words]);
async function fill(...words: string[]): Promise<Filled> {
  const { code, stdout, stderr } = await demo("--json", ...words);
  assert.equal(code, 0, stderr);
  return JSON.parse(stdout) as Filled;
}

/**
 * Every row of every table, but of the work of the service itself and of what accounts store, which is measured again after a while;
 * without the audit log, which says that there was a demonstration; and without the last use of a token, which any request sets.
 */
async function contents(db: Database): Promise<Map<string, string>> {
  const { rows: tables } = await db.query<{ name: string }>(
    `select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition
        and relname not in ('nodes', 'node_platforms', 'node_browsers', 'platforms', 'platform_minutes', 'platform_limits', 'account_storage',
                            'audit_entries', 'audit_chains', 'evidence_keys') order by 1`,
  );
  const found = new Map<string, string>();
  for (const { name } of tables) {
    const { rows } = await db.query<{ all: string }>(
      `select coalesce(jsonb_agg(kept order by kept::text), '[]')::text as all
         from (select to_jsonb(t) - 'last_used_at' as kept from ${name} t) as rows`,
    );
    found.set(name, rows[0]?.all ?? "");
  }
  return found;
}

const violations = async () => (await runChecks(database)).flatMap((check) => check.violations);

/** The figures are those of the answers that were drawn, and the intervals contain the truth. */
async function figuresAreTrue(account: TestAccount, panelId: string): Promise<void> {
  const { body: list } = await account.get<EntityPage>("/v1/entities");
  const names = new Map(list.entities.map(({ entityId, name }) => [entityId, name.replace(" (simulated)", "")]));
  const { body: figures } = await account.get<PanelFigures>(`/v1/panels/${panelId}/figures?measure=presence`);
  assert.equal(figures.rows.length, 6);
  for (const { group, brandedPromptsLeftOut, thesePrompts, promptsLikeThese, otherInstruments } of figures.rows) {
    const name = names.get(group.entityId ?? "") ?? "";
    const what = `${group.platformCode} ${name}`;
    const truth = demoTruth().find((one) => one.platformCode === group.platformCode && one.subject === name);
    assert.ok(truth !== undefined, what);
    const isBranded = (text: string) => text.includes(name);
    const drawn = drawnAnswers(group.platformCode).filter(({ text }) => !isBranded(text));
    const share = drawn.filter(({ brands }) => brands.some((brand) => brand === name)).length / drawn.length;
    assert.equal(thesePrompts.answers, drawn.length, what);
    assert.ok(Math.abs((thesePrompts.value ?? NaN) - share) < 1e-12, `${what}: ${thesePrompts.value}, drawn ${share}`);
    assert.equal(brandedPromptsLeftOut, demoPanel.prompts.filter(({ text }) => isBranded(text)).length);
    for (const { interval, reason } of [thesePrompts, promptsLikeThese]) {
      assert.equal(reason, null, what);
      const { low = 1, high = 0 } = interval ?? {};
      assert.ok(low <= truth.percent / 100 && truth.percent / 100 <= high, `${what}: ${low} to ${high}`);
    }
    const isWeb = group.platformCode === demoPlatforms.web;
    const models = thesePrompts.instrument.map(({ modelVersion }) => modelVersion);
    assert.deepEqual(models, [isWeb ? "simulated-model-2" : "simulated-model-1"], what);
    assert.deepEqual(
      otherInstruments.map(({ instrument }) => instrument.modelVersion),
      isWeb ? ["simulated-model-1"] : [],
    );
  }
}

/** As many as were drawn. */
async function listsAreTrue(account: TestAccount, panelId: string): Promise<void> {
  const { body } = await account.get<PanelFigures>(`/v1/panels/${panelId}/figures?measure=listed`);
  const { body: list } = await account.get<EntityPage>("/v1/entities");
  assert.equal(body.rows.length, 6);
  for (const { group, thesePrompts } of body.rows) {
    const name =
      list.entities.find(({ entityId }) => entityId === group.entityId)?.name.replace(" (simulated)", "") ?? "";
    const drawn = drawnAnswers(group.platformCode).filter(({ text }) => !text.includes(name));
    const listing = drawn.filter(({ brands, listed }) => brands.slice(0, listed).some((brand) => brand === name));
    const share = listing.length / drawn.length;
    assert.ok(Math.abs((thesePrompts.value ?? NaN) - share) < 1e-12, `${name}: ${thesePrompts.value}, drawn ${share}`);
  }
}

/** The brand that rises, the site that goes, and the model that changes; and nothing else. */
async function changesAreFound(account: TestAccount, panelId: string): Promise<void> {
  const { body } = await account.get<PanelChanges>(`/v1/panels/${panelId}/changes`);
  const { body: list } = await account.get<EntityPage>("/v1/entities");
  const own = list.entities.find(({ relation }) => relation === "own")?.entityId;
  const found = body.changes.map((change) => [change.platformCode, change.entityId ?? change.domain, change.direction]);
  assert.ok(body.changes.some(({ measure }) => measure === "presence"));
  const ofSites = body.changes.filter(({ domain }) => domain !== null);
  assert.deepEqual(
    ofSites.map(({ measure, domain, before, after }) => [measure, domain, (before.value ?? 0) > 0.4, after.value]),
    [["citation_rate", "grinder-tests.example", true, 0]],
  );
  for (const one of found)
    assert.deepEqual(
      one,
      one[1] === "grinder-tests.example"
        ? [demoPlatforms.api, "grinder-tests.example", "down"]
        : [demoPlatforms.api, own, "up"],
    );
  // On the web platform it went two days before the model changed: the page and the counts of sources say until when it was cited.
  const { body: counts } = await account.get<SourceCounts>(
    `/v1/sources?panelId=${panelId}&platformCode=${demoPlatforms.web}&observedFrom=2000-01-01T00:00:00Z`,
  );
  const days = new Map(
    counts.sources.map(({ domain, firstCitedAt, lastCitedAt }) => [domain, [firstCitedAt, lastCitedAt]]),
  );
  const dayOf = (time = "") => Date.parse(time.slice(0, 10)) / 86_400_000;
  const [first = "", last = ""] = days.get("grinder-tests.example") ?? [];
  assert.equal(dayOf(last) - dayOf(first), sourceGoneDay - 1);
  const [, ofOther = ""] = days.get("coffee-forum.example") ?? [];
  assert.equal(dayOf(ofOther) - dayOf(last), demoDays - sourceGoneDay);
  const { body: report } = await account.get<PanelReport>(`/v1/panels/${panelId}/report`);
  const reported = report.changes?.find(({ domain }) => domain === "grinder-tests.example");
  assert.deepEqual(reported?.recomputed, { before: "same", after: "same", evidence: "same" });
  assert.deepEqual(
    body.instrumentChanges.map(({ platformCode, before, after }) => [
      platformCode,
      ...[...before, ...after].map(({ modelVersion }) => modelVersion),
    ]),
    [[demoPlatforms.web, "simulated-model-1", "simulated-model-2"]],
  );
}

/** An assistant is told the same, in sentences from which no figure can be taken without its interval. */
async function assistantsAreTold({ token, panelId }: Filled): Promise<void> {
  const call = async (name: string, more: object = {}) => {
    const response = await fetch(`${service.address}/mcp`, {
      method: "POST",
      headers: {
        authorization: `Bearer ${token}`,
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
      },
      body: JSON.stringify({
        jsonrpc: "2.0",
        id: 1,
        method: "tools/call",
        params: { name, arguments: { panelId, ...more } },
      }),
    });
    return response.text();
  };
  assert.match(
    await call("figures", { measures: ["presence"], platformCode: demoPlatforms.api }),
    /presence\/\d+, Ardenzo \(simulated\), on simulated-api \(api\): 43\.5 %, 95 % interval [\d.]+ % to [\d.]+ % \(2800 answers to 50 prompts from \S+ to \S+, for exactly these prompts\)/,
  );
  assert.match(
    await call("compare", {
      measures: ["presence"],
      platformCode: demoPlatforms.api,
      withPlatformCode: demoPlatforms.web,
    }),
    /presence\/\d+, Ardenzo \(simulated\): [\d.]+ % and [\d.]+ %: -?[\d.]+ points, 95 % interval -?[\d.]+ points to -?[\d.]+ points, adjusted p [\d.e-]+ \(\d+ prompts compared, 0 in only one, for exactly these prompts\)/,
  );
  const pairs = await call("pairs", { platformCode: demoPlatforms.api, limit: 3 });
  assert.match(
    pairs,
    /first_place_changes_between_runs\/\d+: \d+ of \d+ pairs of answers to the same prompt differ\. Shown: 3\./,
  );
  assert.match(pairs, /simulated-api \(api\): \S+ \(simulated\) \(.+, task .+\) and /);
  const changes = await call("changes");
  assert.match(
    changes,
    /Found: presence\/\d+, Ardenzo \(simulated\), on simulated-api \(api\): up since .+ interval .+ after: .+ interval/,
  );
  assert.match(
    changes,
    /Found: citation_rate\/1, grinder-tests\.example, on simulated-api \(api\): down since .+ after: .+/,
  );
  assert.match(
    changes,
    /the model was simulated-model-1, and is simulated-model-2\. Figures before and after cannot be compared\./,
  );
}

/** Those of the model that answers last: figures are of one model. */
function drawnAnswers(platformCode: string) {
  const platform = platformCode === demoPlatforms.web ? demoPlatforms.web : demoPlatforms.api;
  const all = Array.from({ length: demoDays }, (_, day) => day);
  const days = all.filter((day) => modelOn(platform, day) === modelOn(platform, demoDays - 1));
  return demoPanel.prompts.flatMap((prompt) =>
    days.flatMap((day) =>
      Array.from({ length: demoRepeats }, (_, repeat) => ({
        text: prompt.text,
        ...drawAnswer({ ...prompt, platform, day, repeat: repeat + 1 }),
      })),
    ),
  );
}

suite("the demonstration", () => {
  test("an account of its own shows 28 runs of simulated answers, costs nothing, and goes without a trace", async () => {
    const before = await contents(database);
    const filled = await fill();
    assert.deepEqual([filled.account, filled.runs, filled.answers], ["simulated-demo", 28, 28 * 54 * 2 * 2]);
    const account = service.as(filled.accountId, filled.token ?? "");
    const { body: panel } = await account.get<PanelRecord>(`/v1/panels/${filled.panelId}`);
    assert.match(panel.name, /simulated/);
    const { body: runs } = await account.get<PanelRuns>(`/v1/panels/${filled.panelId}/runs`);
    assert.equal(runs.runs.length, 28);
    for (const { tasks } of runs.runs) assert.equal(tasks?.completed, 54 * 2 * 2);
    const { body: page } = await account.get<ObservationPage>(
      `/v1/observations?panelId=${filled.panelId}&platformCode=simulated-web&limit=5`,
    );
    assert.equal(page.observations.length, 5);
    for (const { taskId, instrument, tags } of page.observations) {
      assert.deepEqual(
        [instrument.kind, instrument.modelVersion, tags],
        ["web", "simulated-model-2", ["demo", "simulated"]],
      );
      const { body: task } = await account.get<TaskRecord>(`/v1/tasks/${taskId}`);
      assert.match(task.content ?? "", /^This answer is simulated: no answer platform was asked\./);
    }
    assert.deepEqual(await violations(), []);
    await figuresAreTrue(account, filled.panelId);
    await listsAreTrue(account, filled.panelId);
    await changesAreFound(account, filled.panelId);
    await assistantsAreTold(filled);
    refused(await account.call("POST", `/v1/panels/${filled.panelId}/runs`), "scope_missing");
    assert.match((await demo()).stderr, /has the demonstration already/);

    assert.equal((await demo("--remove")).code, 0);
    assert.deepEqual(await contents(database), before);
    assert.match((await demo("--remove")).stderr, /has no demonstration/);
  });

  test("an account with data of its own keeps all of it, and nothing else", async () => {
    const account = await service.account();
    const { body: own } = await account.call<PanelRecord>("POST", "/v1/panels", { body: realPanel() });
    assert.equal((await runPanel(account, own.panelId)).status, 202);
    await account.answerTo("Is this mine?");
    await until("the end of its tasks, and what the service makes of it", async () => {
      const { body } = await account.get<UsageRecord>("/v1/usage");
      const { body: changes } = await account.get<PanelChanges>(`/v1/panels/${own.panelId}/changes`);
      const { rows } = await database.query("select from panel_evaluations where due_at is not null");
      return body.balance.held === 0 && changes.evaluatedAt !== null && rows.length === 0;
    });
    const before = await contents(database);
    const { rows } = await database.query<{ name: string }>("select name from accounts where id = $1", [
      account.accountId,
    ]);
    const name = rows[0]?.name ?? "";
    const filled = await fill("--account", name);
    assert.equal(filled.token, null);
    assert.deepEqual(await violations(), []);
    const { body: quote } = await account.call<{ valid: boolean }>("POST", `/v1/panels/${filled.panelId}/quote`);
    assert.equal(quote.valid, false);

    assert.equal((await demo("--remove", "--account", name)).code, 0);
    const after = await contents(database);
    // It counts the changes of the entities, so that no process takes what it has in memory for current.
    for (const all of [before, after]) all.delete("entity_versions");
    assert.deepEqual(after, before);
  });

  test("what is known of it is printed without a database", async () => {
    const { stdout } = await runCommand({ QUERENT_DATA_DIR: "/nowhere" }, ["demo", "--truth"]);
    assert.match(stdout, /simulated-api +Ardenzo +42\.5 % +rises from 25 % to 60 %/);
    assert.match(stdout, /simulated-web +grinder-tests\.example +0 % +not cited from day 19 on/);
  });
});

test("the command prints where the service is that runs on its data folder, whatever its port", async () => {
  using folder = temporaryFolder();
  const environment = { QUERENT_DATA_DIR: folder.path };
  const running = await startServiceProcess(environment);
  const { code, stdout, stderr } = await runCommand(environment, ["demo"]);
  assert.equal(code, 0, stderr);
  assert.ok(stdout.includes(`Console   ${running.address}/console/panels/`), stdout);
  assert.ok(stdout.includes(`export QUERENT_URL=${running.address}\n`), stdout);
  assert.equal(await running.end("SIGTERM"), 0);
});
