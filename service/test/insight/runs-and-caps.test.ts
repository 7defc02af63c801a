/** docs/reference/api.md#run-a-panel-now: what a run of a panel creates and charges, and what caps allow. */
import assert from "node:assert/strict";
import { suite, test } from "node:test";
import type { Caps, PanelQuote, PanelRuns, UsageRecord } from "@querent/contract";
import type { Static } from "typebox";
import { item, refused, startTestService, type TestAccount } from "../harness/service.ts";
import { until } from "../harness/wait.ts";
import { createPanel, runPanel } from "./fixture.ts";

const service = await startTestService();

suite("a run of a panel", () => {
  test("asks every cell as often as `repeats` says, with its tags, and ties each task to its cell", async () => {
    const account = await service.account({ points: 100 });
    const { panelId } = await createPanel(account, { repeats: 3, tags: ["coffee"] });
    const answer = await runPanel(account, panelId);
    assert.equal(answer.status, 202, answer.text);
    const { body } = answer;
    assert.deepEqual([body.state, body.cellCount, body.taskCount, body.points], ["started", 2, 6, 6]);
    const { rows } = await service.database.query<{ cell: string; tasks: number; repeats: number[] }>(
      `select prompt_id || ' ' || c.platform || ' ' || locale || ' ' || persona as cell, count(*)::int as tasks,
              array_agg(repeat order by repeat) as repeats
         from panel_tasks c join tasks t on t.account_id = c.account_id and t.id = c.task_id and t.tags = '{coffee}'
        where c.account_id = $1 and c.run_id = $2 and c.revision = 1 group by 1`,
      [account.accountId, body.runId],
    );
    assert.deepEqual(
      rows.map(({ tasks, repeats }) => [tasks, repeats]),
      [
        [3, [1, 2, 3]],
        [3, [1, 2, 3]],
      ],
    );
    await until("the run to end", async () => {
      const { body: list } = await account.get<PanelRuns>(`/v1/panels/${panelId}/runs`);
      return list.runs[0]?.batches.every(({ state }) => state === "finished") === true;
    });
    const { body: usage } = await account.get<Static<typeof UsageRecord>>("/v1/usage");
    assert.deepEqual([usage.balance.held, usage.balance.available], [0, 94]);
  });

  test("asks each locale and persona in their options, and names them in the cell", async () => {
    const account = await service.account();
    const { panelId, cellCount, locales } = await createPanel(account, {
      locales: [
        { country: "de", language: "DE-de", location: { city: "Berlin" } },
        { country: "US", language: null, location: {} },
      ],
      personas: [{ name: "parent", text: "A parent of two." }],
      options: { deepAnalysis: true },
    });
    assert.equal(cellCount, 4);
    assert.deepEqual(locales, [{ country: "DE", language: "de-DE", location: { city: "Berlin" } }, { country: "US" }]);
    const { body } = await runPanel(account, panelId);
    const { rows } = await service.database.query<{ task_id: string; locale: string; persona: string }>(
      "select task_id, locale, persona from panel_tasks where account_id = $1 and run_id = $2 order by locale, prompt_id",
      [account.accountId, body.runId],
    );
    assert.deepEqual(
      rows.map(({ locale, persona }) => [locale, persona]),
      [
        ["DE/de-DE/Berlin", "parent"],
        ["DE/de-DE/Berlin", "parent"],
        ["US/", "parent"],
        ["US/", "parent"],
      ],
    );
    const { options } = await account.task(rows[0]?.task_id ?? "");
    assert.deepEqual(
      [options.country, options.language, options.location, options.persona, options.deepAnalysis],
      ["DE", "de-DE", { city: "Berlin" }, "A parent of two.", true],
    );
  });

  test("is as many batches as it takes, in one transaction", async () => {
    const account = await service.account({ points: 10_000 });
    const prompts = Array.from({ length: 500 }, (_, index) => ({ text: `Question ${index}?` }));
    const { panelId } = await createPanel(account, { prompts, repeats: 5 });
    const { body } = await runPanel(account, panelId);
    assert.deepEqual(
      body.batches.map(({ taskCount }) => taskCount).toSorted((a, b) => a - b),
      [500, 1000, 1000],
    );
    assert.deepEqual([body.taskCount, body.points], [2500, 2500]);
  });

  test("happens once for one key, also for requests at the same moment", async () => {
    const account = await service.account();
    const { panelId } = await createPanel(account);
    const headers = { "idempotency-key": "monday" };
    const answers = await Promise.all(Array.from({ length: 5 }, () => runPanel(account, panelId, headers)));
    assert.equal(new Set(answers.map(({ body }) => body.runId)).size, 1);
    assert.equal(answers.filter((answer) => answer.headers["idempotent-replayed"] === undefined).length, 1);
    const { rows } = await service.database.query("select 1 from tasks where account_id = $1", [account.accountId]);
    assert.equal(rows.length, 2);
    assert.equal((await account.get<PanelRuns>(`/v1/panels/${panelId}/runs`)).body.runs.length, 1);
  });

  test("is refused whole for lack of points, and above X-Max-Points, with both figures", async () => {
    const account = await service.account({ points: 3 });
    const { panelId } = await createPanel(account, { repeats: 2 });
    const before = await service.counts(account.accountId);
    refused(await runPanel(account, panelId), "points_short");
    const { detail } = refused(await runPanel(account, panelId, { "x-max-points": "3" }), "max_points_exceeded");
    assert.match(detail, /costs 4 points, and `X-Max-Points` allows 3: 1 over/);
    refused(await runPanel(account, panelId, { "x-max-points": "-3" }), "validation_failed");
    assert.deepEqual(await service.counts(account.accountId), before);
    assert.deepEqual((await account.get<PanelRuns>(`/v1/panels/${panelId}/runs`)).body.runs, []);
  });

  test("leaves nothing of the panel when the panel is deleted; its tasks go on", async () => {
    const account = await service.account();
    const { panelId } = await createPanel(account);
    const { body } = await runPanel(account, panelId);
    await until("the run to be observed", async () => {
      const { rows } = await service.database.query("select 1 from observations where panel_id = $1", [panelId]);
      return rows.length === 2;
    });
    assert.equal((await account.call("DELETE", `/v1/panels/${panelId}`)).status, 204);
    assert.equal((await account.get(`/v1/panels/${panelId}`)).status, 404);
    for (const table of ["panels", "panel_revisions", "panel_runs", "panel_tasks", "observations"]) {
      const { rows } = await service.database.query(`select 1 from ${table} where account_id = $1`, [
        account.accountId,
      ]);
      assert.equal(rows.length, 0, table);
    }
    assert.equal((await account.get(`/v1/batches/${body.batches[0]?.batchId}`)).status, 200);
  });
});

suite("caps", () => {
  const setCaps = async (account: TestAccount, caps: object[]) => {
    const answer = await account.call<Caps>("PUT", "/v1/caps", { body: { caps } });
    assert.equal(answer.status, 200, answer.text);
    return answer.body.caps;
  };
  const read = async (account: TestAccount) => (await account.get<Caps>("/v1/caps")).body.caps;

  test("a batch above X-Max-Points is refused whole, with both figures; one that is not is accepted", async () => {
    const account = await service.account();
    const before = await service.counts(account.accountId);
    const answer = await account.post([item(), item()], { "idempotency-key": "k", "x-max-points": "1" });
    assert.match(refused(answer, "max_points_exceeded").detail, /costs 2 points, and `X-Max-Points` allows 1/);
    assert.deepEqual(await service.counts(account.accountId), before);
    assert.equal((await account.post([item(), item()], { "idempotency-key": "k", "x-max-points": "2" })).status, 202);
    refused(await account.post([item()], { "idempotency-key": "l", "x-max-points": "many" }), "validation_failed");
  });

  test("ordinary batches count, and over a cap nothing is accepted or held, and it says by how much", async () => {
    const account = await service.account({ points: 100 });
    await setCaps(account, [{ kind: "account", dayPoints: 3 }]);
    await account.submit([item(), item()]);
    const written = async () => {
      const { tasks, batches, idempotency_keys: keys } = await service.counts(account.accountId);
      return { tasks, batches, keys };
    };
    const before = await written();
    const { detail } = refused(await account.post([item(), item()], { "idempotency-key": "k" }), "cap_exceeded");
    assert.match(detail, /cap of the account is 3 points a day \(UTC\), of which 2 are used; this needs 2: 1 over\./);
    assert.deepEqual(await written(), before);
    assert.deepEqual(
      (await read(account)).map(({ dayHeld, monthHeld }) => [dayHeld, monthHeld]),
      [[2, 2]],
    );
    await account.submit([item()]);
    refused(await account.post([item()], { "idempotency-key": "m" }), "cap_exceeded");
  });

  test("caps of a tag count its tasks, those of a panel its runs", async () => {
    const account = await service.account({ points: 100 });
    const { panelId } = await createPanel(account, { tags: ["coffee"], repeats: 2 });
    await setCaps(account, [
      { kind: "tag", subject: "coffee", monthPoints: 5 },
      { kind: "panel", subject: panelId, runPoints: 4 },
      { kind: "account", monthPoints: 1000 },
    ]);
    assert.equal((await runPanel(account, panelId)).status, 202);
    const { detail } = refused(await runPanel(account, panelId), "cap_exceeded");
    assert.match(detail, /the tag "coffee" is 5 points a month \(UTC\), of which 4 are used; this needs 4: 3 over/);
    const { body: quote } = await account.call<PanelQuote>("POST", `/v1/panels/${panelId}/quote`);
    assert.match(quote.capExceeded ?? "", /the tag "coffee"/);
    await account.submit([item("A?", { tags: ["coffee", "coffee"] }), item("B?")]);
    assert.deepEqual(
      (await read(account)).map(({ kind, monthHeld }) => [kind, monthHeld]),
      [
        ["account", 6],
        ["panel", 4],
        ["tag", 5],
      ],
    );
    await setCaps(account, [{ kind: "panel", subject: panelId, runPoints: 3 }]);
    assert.match(
      refused(await runPanel(account, panelId), "cap_exceeded").detail,
      /panel is 3 points a run or batch; this needs 4: 1 over/,
    );
  });

  test("requests at the same moment never exceed a cap together", async () => {
    const account = await service.account({ points: 100 });
    await setCaps(account, [
      { kind: "account", dayPoints: 7 },
      { kind: "tag", subject: "a", dayPoints: 50 },
      { kind: "tag", subject: "b", dayPoints: 50 },
    ]);
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        account.post([item("Why?", { tags: index % 2 === 0 ? ["a", "b"] : ["b", "a"] })], {
          "idempotency-key": `${index}`,
        }),
      ),
    );
    assert.equal(answers.filter(({ status }) => status === 202).length, 7);
    for (const answer of answers) if (answer.status !== 202) refused(answer, "cap_exceeded");
  });

  test("sums begin anew with the day and the month, and stay while a cap is changed", async () => {
    const account = await service.account({ points: 100 });
    await setCaps(account, [{ kind: "account", dayPoints: 2, monthPoints: 3 }]);
    await account.submit([item(), item()]);
    await service.database.query("update caps set day = day - 1 where account_id = $1", [account.accountId]);
    assert.deepEqual(
      (await read(account)).map(({ dayHeld, monthHeld }) => [dayHeld, monthHeld]),
      [[0, 2]],
    );
    await account.submit([item()]);
    refused(await account.post([item()], { "idempotency-key": "n" }), "cap_exceeded");
    const [changed] = await setCaps(account, [{ kind: "account", monthPoints: 4 }]);
    assert.deepEqual([changed?.dayPoints, changed?.monthPoints, changed?.monthHeld], [null, 4, 3]);
    await account.submit([item()]);
    await service.database.query("update caps set month = month - interval '1 month' where account_id = $1", [
      account.accountId,
    ]);
    assert.equal((await read(account))[0]?.monthHeld, 0);
    assert.deepEqual(await setCaps(account, []), []);
    await account.submit([item(), item(), item(), item(), item()]);
  });

  test("caps that make no sense are refused, each with a pointer", async () => {
    const account = await service.account();
    const caps = [
      { kind: "account", subject: "x", dayPoints: 1 },
      { kind: "tag", dayPoints: 1 },
      { kind: "account" },
      { kind: "tag", subject: "a", dayPoints: 1 },
      { kind: "tag", subject: "a", dayPoints: 2 },
    ];
    const { errors } = refused(await account.call("PUT", "/v1/caps", { body: { caps } }), "validation_failed");
    assert.deepEqual(
      errors?.map(({ pointer }) => pointer),
      ["/caps/0/subject", "/caps/1/subject", "/caps/2", "/caps/4"],
    );
    for (const body of [
      {},
      { caps: {} },
      { caps: [5] },
      { caps: [{ kind: "all", dayPoints: 1 }] },
      { caps: [{ kind: "account", dayPoints: -1 }] },
    ])
      refused(await account.call("PUT", "/v1/caps", { body }), "validation_failed");
  });
});
