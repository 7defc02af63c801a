/** Advertisements after their results: in observations, their exports and the measures of a panel, against what was counted by hand. */
import assert from "node:assert/strict";
import { after, suite, test } from "node:test";
import type { EntityRecord, ObservationPage, PanelFigures, TaskRecord } from "@querent/contract";
import { parse } from "csv-parse/sync";
import { request } from "undici";
import { startTestService, type TestAccount } from "../harness/service.ts";
import { until } from "../harness/wait.ts";
import { createPanel, runPanel } from "./fixture.ts";

suite("advertisements beside answers", async () => {
  const service = await startTestService();
  after(() => service.stop());

  const observed = async (account: TestAccount) =>
    (await account.get<ObservationPage>("/v1/observations?limit=200")).body.observations;
  const csv = async (account: TestAccount, path: string) => {
    const response = await request(`${service.address}${path}`, {
      headers: { authorization: `Bearer ${account.token}`, accept: "text/csv" },
    });
    return parse(await response.body.text(), { columns: true }) as Record<string, string>[];
  };
  const entity = async (account: TestAccount, name: string, relation: string, domain: string) =>
    (await account.call<EntityRecord>("POST", "/v1/entities", { body: { name, relation, domains: [domain] } })).body
      .entityId;

  test("the simulator shows as many as it is told, or says why there are none, and the observation keeps that", async () => {
    const account = await service.account();
    const tasks: TaskRecord[] = [];
    for (const directive of [
      "ads=2",
      "ads=0",
      "ads=not_exposed",
      "ads=parse_failed",
      "ads=signed_in_state",
      "ads=country_without_ads",
      "advertisers=acme.example:1,globex.example:0",
    ])
      tasks.push(await account.answerTo(`Which grinder? ${directive}`));
    const found = tasks.map(({ ads, availability }) => [availability?.ads, ads.map(({ url }) => url)]);
    const wanted = [
      ["shown", ["https://advertiser-1.example/offer", "https://advertiser-2.example/offer"]],
      ["none", []],
      ["not_exposed", []],
      ["parse_failed", []],
      ["signed_in_state", []],
      ["country_without_ads", []],
      ["shown", ["https://acme.example/offer"]],
    ];
    assert.deepEqual(found, wanted);
    const byTask = new Map((await observed(account)).map((one) => [one.taskId, one]));
    assert.deepEqual(
      tasks.map(({ taskId }) => {
        const { adAvailability, ads = [] } = byTask.get(taskId) ?? {};
        return [adAvailability, ads.map(({ url }) => url)];
      }),
      wanted,
    );
    const [first] = byTask.get(tasks[0]?.taskId ?? "")?.ads ?? [];
    assert.deepEqual(first, {
      ...{ position: 1, advertiser: "Simulated advertiser 1", title: "Simulated advertisement 1" },
      ...{ url: "https://advertiser-1.example/offer", host: "advertiser-1.example", domain: "advertiser-1.example" },
      placement: "below_answer",
    });
  });

  test("a directive that is not valid is refused with how it is written", async () => {
    const account = await service.account();
    for (const directive of ["ads=51", "ads=none", "advertisers=acme.example/path:1", "advertisers=acme.example:2"]) {
      const { failure } = await account.answerTo(`Which? ${directive}`);
      assert.match(failure?.message ?? "", /^The directive "(ads|advertisers)=.* is invalid: write /);
    }
  });

  test("the table of a batch and that of observations have them, with the reason where there are none", async () => {
    const account = await service.account();
    const { batchId, tasks } = await account.submit(
      ["ads=1", "ads=country_without_ads"].map((words) => ({
        question: `Which? ${words}`,
        platformCode: "simulator",
        options: {},
      })),
    );
    for (const { taskId } of tasks) await account.ended(taskId);
    const results = (await csv(account, `/v1/batches/${batchId}/results`)).toSorted((one, other) =>
      (one["question"] ?? "") < (other["question"] ?? "") ? -1 : 1,
    );
    assert.deepEqual(
      results.map((row) => [row["adAvailability"], row["ads"]?.includes("advertiser-1.example")]),
      [
        ["shown", true],
        ["country_without_ads", false],
      ],
    );
    const rows = await csv(account, "/v1/observations");
    assert.deepEqual(
      new Map(rows.map((row) => [row["adAvailability"], row["ads"] === "[]"])),
      new Map([
        ["shown", false],
        ["country_without_ads", true],
      ]),
    );
  });

  test("tools that read the database see one row for each, and the answers of each account alone", async () => {
    const account = await service.account();
    await account.answerTo("ads=2");
    const { rows } = await service.database.query<{ position: number; domain: string; ad_availability: string }>(
      `select a.position, a.domain, o.ad_availability from bi_ads a
         join bi_observations o using (account_id, observation_id) where a.account_id = $1 order by 1`,
      [account.accountId],
    );
    assert.deepEqual(rows, [
      { position: 1, domain: "advertiser-1.example", ad_availability: "shown" },
      { position: 2, domain: "advertiser-2.example", ad_availability: "shown" },
    ]);
    assert.deepEqual(await observed(await service.account()), []);
  });

  test("the measures are those counted by hand, by platform and prompt; answers of earlier versions count as not known", async () => {
    const account = await service.account();
    const acme = await entity(account, "Acme", "own", "mills.example");
    const globex = await entity(account, "Globex", "competitor", "kettles.example");
    const { panelId } = await createPanel(account, {
      prompts: [
        { text: "Which grinder? advertisers=mills.example:0.5,kettles.example:0.7", promptId: "open" },
        { text: "Is Acme any good? advertisers=kettles.example:0.6,other.example:0.5", promptId: "named" },
        { text: "Which kettle? ads=not_exposed", promptId: "hidden" },
      ],
    });
    const runs = 8;
    for (let run = 0; run < runs; run++) await runPanel(account, panelId);
    await until("every answer is observed", async () => (await observed(account)).length === 3 * runs);
    const answers = await observed(account);
    const hostsOf = (promptId: string) =>
      answers.filter(({ cell }) => cell.promptId === promptId).map(({ ads }) => ads.map(({ host }) => host));
    const [open, named] = [hostsOf("open"), hostsOf("named")];
    const figures = async (query: string) => {
      const to = new Date(Date.now() + 3_600_000).toISOString();
      const { body, status, text } = await account.get<PanelFigures>(`/v1/panels/${panelId}/figures?to=${to}&${query}`);
      assert.equal(status, 200, text);
      return body.rows;
    };
    // Each prompt is a cell, and cells count the same.
    const rateOf = (cells: readonly (readonly (readonly string[])[])[], isIt: (hosts: readonly string[]) => boolean) =>
      cells.reduce((sum, cell) => sum + cell.filter(isIt).length / cell.length, 0) / cells.length;
    const shareOf = (cells: readonly (readonly (readonly string[])[])[], host: string) => {
      const all = cells.flat(2);
      return all.filter((one) => one === host).length / all.length;
    };
    const near = (value: number | null | undefined, wanted: number, what: string) =>
      assert.ok(
        value !== null && value !== undefined && Math.abs(value - wanted) < 1e-9,
        `${what}: ${value} ${wanted}`,
      );

    const [rate] = await figures("measure=ad_rate");
    near(
      rate?.thesePrompts.value,
      rateOf([open, named], ({ length }) => length > 0),
      "ad rate",
    );
    assert.ok(rate?.thesePrompts.interval);
    assert.deepEqual(rate.leftOut, { ads_not_known: runs });
    const byPrompt = await figures("measure=ad_rate&by=prompt");
    const hidden = byPrompt.find(({ group }) => group.promptId === "hidden");
    assert.deepEqual(
      [hidden?.thesePrompts.value, hidden?.thesePrompts.reason?.code, hidden?.leftOut],
      [null, "too_few_answers", { ads_not_known: runs }],
    );
    const shares = await figures("measure=ad_share");
    const domains = ["kettles.example", "mills.example", "other.example"];
    assert.deepEqual(shares.map(({ group }) => group.domain ?? "").toSorted(), domains);
    for (const { group, thesePrompts } of shares)
      near(thesePrompts.value, shareOf([open, named], group.domain ?? ""), `share of ${group.domain}`);
    const of = async (measure: string, entityId: string) => {
      const [row] = await figures(`measure=${measure}&entityId=${entityId}`);
      return row;
    };
    near(
      (await of("own_ad_rate", acme))?.thesePrompts.value,
      rateOf([open], (hosts) => hosts.includes("mills.example")),
      "acme",
    );
    near((await of("own_ad_share", acme))?.thesePrompts.value, shareOf([open], "mills.example"), "acme's share");
    const rival = await of("rival_ad_rate", acme);
    near(
      rival?.thesePrompts.value,
      rateOf([named], (hosts) => hosts.includes("kettles.example")),
      "rival",
    );
    assert.deepEqual(rival?.leftOut, { unbranded_prompt: 2 * runs });
    assert.equal((await of("rival_ad_rate", globex))?.thesePrompts.value, null);

    await service.database.query(
      "update observations set ad_availability = null, ads = null where account_id = $1 and panel_id = $2",
      [account.accountId, panelId],
    );
    const [before] = await figures("measure=ad_rate");
    assert.deepEqual([before?.thesePrompts.value, before?.leftOut], [null, { ads_not_known: 3 * runs }]);
  });
});
