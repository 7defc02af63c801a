/** The searches behind the answers of a panel, and the prices of the products that they show, against what was counted by hand. */
import assert from "node:assert/strict";
import { after, suite, test } from "node:test";
import type { EntityRecord, ObservationPage, PanelPrices, PanelSearches } from "@querent/contract";
import { place } from "../../../cli/test/place.ts";
import { startTestService } from "../harness/service.ts";
import { until } from "../harness/wait.ts";
import { createPanel, runPanel } from "./fixture.ts";
import { day, march, send } from "./imported-answers.ts";

suite("the parts of a panel's answers", async () => {
  const service = await startTestService();
  after(() => service.stop());

  const setUp = async () => {
    const here = await place(service);
    const entity = async (name: string, relation: string) =>
      (await here.account.call<EntityRecord>("POST", "/v1/entities", { body: { name, relation } })).body.entityId;
    const [acme, globex] = [await entity("Acme Mills", "own"), await entity("Globex", "competitor")];
    return { here, account: here.account, acme, globex };
  };
  const line = (n: number, prompt: string, more: object) => ({
    ...{ id: `${prompt} ${n}`, question: prompt, promptId: prompt.replaceAll(/\W/g, ""), platformCode: "alpha" },
    ...{ observedAt: day(n), content: "An answer.", locale: "US/en" },
    ...more,
  });

  test("searches are counted by answer, with the brands that they name, and new and gone ones are told from chance", async () => {
    const { here, account, acme, globex } = await setUp();
    using _ = here;
    const lines = [
      ...Array.from({ length: 16 }, (_each, n) =>
        line(n + 1, "Which grinder?", {
          searches: [
            "best grinder",
            ...(n % 2 === 0 ? ["Best  GRINDER"] : []),
            n < 8 ? "acme mills review" : "globex review",
            ...(n === 3 ? ["once"] : []),
          ],
          relatedQuestions: n < 4 ? ["Is Globex good?"] : [],
        }),
      ),
      line(5, "Is Acme Mills good?", { searches: ["acme mills review"] }),
      line(6, "Which grinder?", { id: "unknown" }),
      line(7, "Which grinder?", { id: "none", searches: [] }),
    ];
    const { body: record, status, text } = await send(account, lines, "name=s&panel=Searches");
    assert.equal(status, 200, text);
    const panelId = record.panelId ?? "";
    const read = async (query: string) => {
      const reply = await account.get<PanelSearches>(`/v1/panels/${panelId}/searches?${march}&${query}`);
      assert.equal(reply.status, 200, reply.text);
      return reply.body;
    };
    const { rows } = await read("");
    assert.equal(rows.length, 1);
    const [row] = rows;
    assert.deepEqual([row?.answers, row?.leftOut, row?.queryCount], [18, { not_reported: 1 }, 4]);
    // One that is asked for need not be a brand of the panel.
    const { body: thing } = await account.call<EntityRecord>("POST", "/v1/entities", {
      body: { name: "best grinder", relation: "other" },
    });
    const [ofThing] = (await read(`entityId=${thing.entityId}`)).rows;
    assert.deepEqual([ofThing?.queryCount, ofThing?.searches[0]?.query], [1, "best grinder"]);
    const seen = new Map(row?.searches.map((one) => [one.query, one]));
    const best = seen.get("best grinder");
    assert.deepEqual(
      [best?.answers, best?.times, best?.share, best?.trend, best?.prompts],
      [16, 24, 16 / 18, "in_both", 1],
    );
    const [review, rival, once] = ["acme mills review", "globex review", "once"].map((query) => seen.get(query));
    assert.deepEqual([review?.answers, review?.prompts, review?.entityIds, review?.trend], [9, 2, [acme], "gone"]);
    assert.deepEqual([rival?.answers, rival?.entityIds, rival?.trend], [8, [globex], "new"]);
    assert.deepEqual([once?.trend, once?.pValue], ["not_distinguishable", null]);
    assert.ok((review?.pValue ?? 1) < 0.01, String(review?.pValue));
    assert.deepEqual(
      new Map(row?.entities.map((one) => [one.entityId, [one.answers, one.of]])),
      new Map([
        // The prompt that names it does not count for it.
        [acme, [8, 17]],
        [globex, [8, 18]],
      ]),
    );

    const byPrompt = await read("by=prompt&limit=1");
    assert.deepEqual(
      byPrompt.rows.map(({ promptId, answers, searches }) => [promptId, answers, searches.length]),
      [
        ["IsAcmeMillsgood", 1, 1],
        ["Whichgrinder", 17, 1],
      ],
    );
    const named = await read(`entityId=${globex}`);
    assert.deepEqual(
      named.rows[0]?.searches.map(({ query }) => query),
      ["globex review"],
    );
    const related = await read("kind=related_question");
    assert.deepEqual(
      related.rows[0]?.searches.map(({ query, answers, entityIds }) => [query, answers, entityIds]),
      [["Is Globex good?", 4, [globex]]],
    );
    // A name that is added now counts at once.
    const renamed = await account.call("PUT", `/v1/entities/${globex}`, {
      body: { name: "Globex", relation: "competitor", aliases: [{ text: "best grinder" }] },
    });
    assert.equal(renamed.status, 200, renamed.text);
    assert.equal((await read(`entityId=${globex}`)).rows[0]?.searches.length, 2);
    assert.equal((await account.get(`/v1/panels/${account.accountId}/searches`)).status, 404);
    assert.equal((await account.get(`/v1/panels/${panelId}/searches?entityId=${account.accountId}`)).status, 422);
    const other = await service.account();
    assert.equal((await other.get(`/v1/panels/${panelId}/searches`)).status, 404);

    const window = ["--from", "2026-03-01", "--to", "2026-03-29", "--text"];
    const shown = await here.run(["panel", "searches", panelId, ...window]);
    assert.equal(shown.code, 0, shown.stderr);
    assert.match(shown.stdout, /4 different in 18 answers/);
    assert.match(shown.stdout, /acme mills review +9 +Acme Mills +gone/);
  });

  test("prices are series of one product, shop and currency by day, and what is no price is counted", async () => {
    const { here, account, acme } = await setUp();
    using _ = here;
    const offer = (price: string, more: object = {}) => ({
      ...{ title: "Acme Mill", url: "https://shop.example/mill", price },
      ...more,
    });
    const lines = [
      ...[100, 110, 120, 130, 140].map((price, n) =>
        line(2, "Which grinder?", { id: `a${n}`, products: [offer(`$${price}.00`)] }),
      ),
      line(3, "Which grinder?", { id: "b", products: [offer("$90"), offer("€ 95,50"), offer("from $80")] }),
      line(3, "Which grinder?", {
        id: "c",
        products: [offer("$9/mo"), offer("$1", { title: "ACME  mill", price: null })],
      }),
      line(3, "Which grinder?", { id: "d", products: [offer("7,50 €", { url: null, shop: "Corner Shop" })] }),
      line(3, "Which kettle?", { products: [offer("$20", { title: "Kettle" })] }),
    ];
    const { body: record, status, text } = await send(account, lines, "name=p&panel=Prices");
    assert.equal(status, 200, text);
    const panelId = record.panelId ?? "";
    const read = async (query: string) => {
      const reply = await account.get<PanelPrices>(`/v1/panels/${panelId}/prices?${march}&${query}`);
      assert.equal(reply.status, 200, reply.text);
      return reply.body;
    };
    const all = await read("");
    assert.deepEqual([all.offers, all.seriesCount], [12, 4]);
    assert.deepEqual(all.leftOut, { not_one_price: 1, recurring: 1, no_price: 1 });
    const [dollars] = all.series;
    assert.deepEqual(
      [dollars?.product, dollars?.shop, dollars?.currency, dollars?.offers, dollars?.answers],
      ["Acme Mill", "shop.example", "USD", 6, 6],
    );
    assert.deepEqual(
      dollars?.days.map(({ day: of, lowest, lowerQuartile, median, upperQuartile, highest, reason }) => [
        ...[of, lowest, lowerQuartile, median, upperQuartile, highest, reason],
      ]),
      [
        ["2026-03-02", 100, 110, 120, 130, 140, null],
        ["2026-03-03", 90, null, null, null, 90, { code: "too_few_prices", there: 1, needed: 5 }],
      ],
    );
    assert.deepEqual(all.series.map(({ shop, currency, lowest }) => `${shop} ${currency} ${lowest}`).toSorted(), [
      "Corner Shop EUR 7.5",
      "shop.example EUR 95.5",
      "shop.example USD 20",
      "shop.example USD 90",
    ]);
    assert.equal((await read("currency=EUR&shop=shop.example")).seriesCount, 1);
    assert.equal((await read("promptId=Whichkettle")).seriesCount, 1);
    assert.equal((await read("limit=1")).series.length, 1);
    // Imported cards have no headings in the text, so nothing says whom they name.
    assert.equal((await read(`entityId=${acme}`)).seriesCount, 0);
    const shown = await here.run([
      ...["panel", "prices", panelId, "--currency", "USD"],
      ...["--from", "2026-03-01", "--to", "2026-03-29", "--text"],
    ]);
    assert.equal(shown.code, 0, shown.stderr);
    assert.match(
      shown.stdout,
      /Acme Mill +shop\.example +alpha +(imported +)?US\/en +2026-03-02 +USD +100 +120 +140 +5/,
    );
    assert.match(shown.stdout, /2026-03-03 +USD +90 +too few +90 +1/);
  });

  test("advertisements of imported answers are observed without what identifies a click", async () => {
    const { account } = await setUp();
    const ads = [{ advertiser: "Globex", url: "https://globex.example/offer?gclid=7&a=1", placement: "in_answer" }];
    const { status, text } = await send(
      account,
      [line(1, "Which?", { ads }), line(2, "Which?", { ads: [] }), line(3, "Which?", {})],
      "name=a",
    );
    assert.equal(status, 200, text);
    const { observations } = (
      await account.get<ObservationPage>("/v1/observations?limit=10&observedFrom=2026-03-01T00:00:00Z")
    ).body;
    assert.deepEqual(
      observations
        .toSorted((one, other) => (one.observedAt < other.observedAt ? -1 : 1))
        .map((one) => [one.adAvailability, one.ads.map(({ url, domain }) => [url, domain]), one.searches]),
      [
        ["shown", [["https://globex.example/offer?a=1", "globex.example"]], null],
        ["none", [], null],
        [null, [], null],
      ],
    );
  });

  test("answers of a panel's own runs keep their searches, and those without a panel do not", async () => {
    const { account } = await setUp();
    await account.answerTo("Which? sources=1");
    const { panelId } = await createPanel(account, { prompts: [{ text: "Which? sources=1", promptId: "p" }] });
    await runPanel(account, panelId);
    const observed = async () => (await account.get<ObservationPage>("/v1/observations?limit=10")).body.observations;
    await until("both are observed", async () => (await observed()).length === 2);
    const [own, alone] = [true, false].map(
      (isOwn) => async () => (await observed()).find(({ cell }) => (cell.panelId !== null) === isOwn),
    );
    assert.equal((await alone?.())?.searches, null);
    const searches = (await own?.())?.searches;
    assert.equal(searches?.length, 1);
    const { rows } = (await account.get<PanelSearches>(`/v1/panels/${panelId}/searches`)).body;
    assert.deepEqual(
      rows[0]?.searches.map(({ query }) => query),
      searches?.map(({ query }) => query),
    );
    const bi = await service.database.query<{ kind: string }>("select kind from bi_searches where account_id = $1", [
      account.accountId,
    ]);
    assert.deepEqual(bi.rows, [{ kind: "search" }]);
  });
});
