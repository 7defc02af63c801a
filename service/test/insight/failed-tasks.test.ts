/** Failed tasks of panels: written with their ends, listed, counted in figures, and deleted as observations are. */
import assert from "node:assert/strict";
import { after, suite, test } from "node:test";
import type {
  DeletedObservations,
  FailedTaskPage,
  FailedTaskRecord,
  MeasureId,
  PanelFigures,
  PanelRecord,
} from "@querent/contract";
import { parse } from "csv-parse/sync";
import { parquetReadObjects } from "hyparquet";
import { request } from "undici";
import { forgetObservations } from "../../src/observations/index.ts";
import { firstIdAt, timeOfId } from "../../src/kernel/ids.ts";
import { item, startTestService, type TestAccount } from "../harness/service.ts";
import { until } from "../harness/wait.ts";
import { createPanel, runPanel } from "./fixture.ts";

suite("failed tasks of panels", async () => {
  const service = await startTestService();
  after(() => service.stop());
  const { database } = service;

  const prompts = [
    { text: "Which grinder?", promptId: "grinder", topic: "grinders" },
    { text: "Which kettle? fail=platform_refused", promptId: "kettle", topic: "kettles" },
    { text: "Which pan? fail=platform_auth", promptId: "pan", topic: "pans" },
  ];
  const allEnded = (panelId: string) =>
    until("every run to end", async () => {
      const { rows } = await database.query("select from panel_runs where panel_id = $1 and ended_at is null", [
        panelId,
      ]);
      return rows.length === 0;
    });
  const panelThatRan = async (account: TestAccount, runs: number, more: object = {}): Promise<PanelRecord> => {
    const panel = await createPanel(account, { prompts, ...more });
    for (let run = 0; run < runs; run++) assert.equal((await runPanel(account, panel.panelId)).status, 202);
    await allEnded(panel.panelId);
    return panel;
  };
  const list = async (account: TestAccount, query = ""): Promise<FailedTaskRecord[]> => {
    const { status, body, text } = await account.get<FailedTaskPage>(`/v1/observations/failures${query}`);
    assert.equal(status, 200, text);
    return body.failures;
  };
  const figures = async (account: TestAccount, panelId: string, measure: MeasureId, query = "") => {
    const { status, body, text } = await account.get<PanelFigures>(
      `/v1/panels/${panelId}/figures?measure=${measure}${query}`,
    );
    assert.equal(status, 200, text);
    return body.rows;
  };

  test("are recorded with their cell and code; those of no panel, and canceled ones, are not", async () => {
    const account = await service.account();
    await account.answerTo("fail=platform_refused");
    const { panelId } = await panelThatRan(account, 1, { tags: ["mills"] });
    const canceled = await createPanel(account, { prompts: [{ text: "Slow? delay=30m" }] });
    const { body: run } = await runPanel(account, canceled.panelId);
    await account.call("POST", `/v1/batches/${run.batches[0]?.batchId}/cancellation`);
    await allEnded(canceled.panelId);
    const failures = await list(account);
    assert.deepEqual(
      failures
        .map(({ cell, kind, code, tags, attempts, stage }) => [cell.promptId, kind, code, tags, attempts, stage])
        .toSorted(([one = ""], [other = ""]) => (one < other ? -1 : 1)),
      [
        ["kettle", "sample", "platform_refused", ["mills"], 1, "platform"],
        ["pan", "sample", "platform_auth", ["mills"], 1, "platform"],
      ],
    );
    for (const { failureId, failedAt, cell } of failures) {
      assert.equal(timeOfId(failureId).toISOString(), failedAt);
      assert.deepEqual([cell.panelId, cell.panelRevision, cell.repeat, cell.probability], [panelId, 1, 1, null]);
    }
    const { text } = await account.get("/v1/observations/failures");
    assert.ok(!text.includes("Which"), "no question is kept");
    assert.deepEqual(await list(await service.account()), []);
  });

  test("are those that never started in time, too", async () => {
    const account = await service.account();
    const notBefore = new Date(Date.now() + 3_600_000).toISOString();
    const { tasks } = await account.submit([1, 2].map((n) => item(`Late? ${n}`, { notBefore })));
    const ids = tasks.map(({ taskId }) => taskId);
    // As tasks of a panel that waited in the queue until the last moment at which they might have started.
    await database.query(
      `insert into panel_tasks (account_id, task_id, panel_id, revision, run_id, prompt_id, platform, locale, persona, repeat, probability)
       select $1, id, $1, 1, $1, 'late', 'simulator', 'DE', 'student', n, 0.5 from unnest($2::uuid[]) with ordinality as t(id, n)`,
      [account.accountId, ids],
    );
    await database.query("update dispatch set start_before = now() where task_id = any($1)", [ids]);
    await until("both to end", async () => (await list(account)).length === 2);
    assert.deepEqual(
      (await list(account))
        .map(({ code, stage, attempts, cell: { repeat, probability, locale, persona } }) =>
          [code, stage, attempts, repeat, probability, locale, persona].join(" "),
        )
        .toSorted(),
      [1, 2].map((repeat) => `start_deadline_passed queue 0 ${repeat} 0.5 DE student`),
    );
  });

  test("have figures with both scopes, whose links list them, and other figures are of the answers alone", async () => {
    const account = await service.account();
    const { panelId } = await panelThatRan(account, 5);
    const [failed] = await figures(account, panelId, "failure_rate");
    assert.ok(failed !== undefined);
    assert.ok(Math.abs((failed.thesePrompts.value ?? 0) - 2 / 3) < 1e-12);
    assert.deepEqual([failed.thesePrompts.cells, failed.thesePrompts.answers, failed.leftOut], [3, 15, {}]);
    assert.equal(failed.thesePrompts.definition, "failure_rate/1");
    assert.ok(failed.thesePrompts.interval !== null);
    assert.equal(failed.promptsLikeThese.reason?.code, "too_few_topics");
    assert.equal(failed.thesePrompts.instrument.length, 1);
    assert.equal((await account.get<FailedTaskPage>(failed.thesePrompts.observations)).body.failures.length, 10);
    const [refused] = await figures(account, panelId, "refusal_rate");
    assert.ok(Math.abs((refused?.thesePrompts.value ?? 0) - 1 / 3) < 1e-12);
    const linked = await account.get<FailedTaskPage>(refused?.thesePrompts.observations ?? "");
    assert.deepEqual(
      linked.body.failures.map(({ code }) => code),
      Array(5).fill("platform_refused"),
    );
    const byRun = await figures(account, panelId, "failure_rate", "&by=run");
    assert.deepEqual(
      byRun.map(({ seam, thesePrompts }) => [seam, Math.round(3 * (thesePrompts.value ?? 0))]),
      Array.from({ length: 5 }, () => [false, 2]),
    );
    const [empty] = await figures(account, panelId, "empty_rate");
    assert.deepEqual([empty?.thesePrompts.value, empty?.thesePrompts.answers], [0, 5]);

    await database.query("update panels set failures_since = now() where id = $1", [panelId]);
    const [unknown] = await figures(account, panelId, "failure_rate");
    assert.deepEqual(
      [unknown?.thesePrompts.value, unknown?.thesePrompts.reason?.code, unknown?.leftOut],
      [null, "too_few_answers", { failures_not_recorded: 15 }],
    );
  });

  test("are the same on every page and in each stream, and filters choose among them", async () => {
    const account = await service.account();
    const { panelId } = await panelThatRan(account, 3);
    const all = await list(account);
    assert.equal(all.length, 6);
    const paged: FailedTaskRecord[] = [];
    for (let cursor: string | null = ""; cursor !== null;) {
      const path: string = `/v1/observations/failures?limit=4${cursor === "" ? "" : `&cursor=${cursor}`}`;
      const { body } = await account.get<FailedTaskPage>(path);
      paged.push(...body.failures);
      cursor = body.nextCursor;
    }
    assert.deepEqual(paged, all);
    const stream = async (accept: string) => {
      const response = await request(`${service.address}/v1/observations/failures`, {
        headers: { authorization: `Bearer ${account.token}`, accept },
      });
      assert.equal(response.statusCode, 200);
      return Buffer.from(await response.body.arrayBuffer());
    };
    const lines = (await stream("application/x-ndjson")).toString("utf8").trimEnd().split("\n");
    assert.deepEqual(
      lines.map((line) => JSON.parse(line) as unknown),
      all,
    );
    const rows = parse(await stream("text/csv"), { columns: true, bom: true }) as { failureId: string; code: string }[];
    assert.deepEqual(
      rows.map(({ failureId, code }) => [failureId, code]),
      all.map(({ failureId, code }) => [failureId, code]),
    );
    const parquet = await stream("application/vnd.apache.parquet");
    const file = Uint8Array.from(parquet).buffer;
    assert.deepEqual(
      (await parquetReadObjects({ file })).map((row) => row["failureId"]),
      all.map(({ failureId }) => failureId),
    );
    const [first] = all;
    for (const [query, expected] of [
      [`?panelId=${panelId}&code=platform_refused`, 3],
      [`?runId=${first?.cell.runId}`, 2],
      [`?taskId=${first?.taskId}`, 1],
      ["?promptId=pan", 3],
      ["?platformCode=simulator&tag=none", 0],
      [
        `?observedBefore=${first?.failedAt}`,
        all.filter(({ failedAt }) => first !== undefined && failedAt < first.failedAt).length,
      ],
    ] as const)
      assert.equal((await list(account, query)).length, expected, query);
    for (const wrong of ["?code=none", "?entityId=x", "?domain=a.example", "?limit=0"])
      assert.equal((await account.get(`/v1/observations/failures${wrong}`)).status, 422, wrong);
  });

  test("are deleted with the observations of their tag, their panel and their time", async () => {
    const account = await service.account();
    const kept = await panelThatRan(account, 1);
    const tagged = await panelThatRan(account, 1, { tags: ["gone"] });
    const remove = async (query: string) =>
      (await account.call<DeletedObservations>("DELETE", `/v1/observations?${query}`)).body;
    // Failed tasks name and cite nothing.
    assert.deepEqual(await remove("domain=none.example"), { deletedCount: 0, deletedFailureCount: 0 });
    assert.deepEqual(await remove("tag=gone"), { deletedCount: 1, deletedFailureCount: 2 });
    assert.deepEqual(await list(account, `?panelId=${tagged.panelId}`), []);
    const other = await panelThatRan(account, 1);
    assert.equal((await account.call("DELETE", `/v1/panels/${other.panelId}`)).status, 204);
    assert.equal((await list(account)).length, 2);

    const old = new Date(Date.now() - 40 * 86_400_000);
    await database.query(
      "update panel_failures set id = ($2::text || substring(id::text from 14))::uuid, failed_at = $3 where panel_id = $1 and prompt_id = 'pan'",
      [kept.panelId, firstIdAt(old).slice(0, 13), old],
    );
    assert.ok((await forgetObservations(database, 30)).deleted >= 1);
    assert.deepEqual(
      (await list(account)).map(({ cell }) => cell.promptId),
      ["kettle"],
    );
  });
});
