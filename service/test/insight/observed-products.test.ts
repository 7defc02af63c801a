/** Product cards after their results: in observations, and in the measures of a panel, against what was counted by hand. */
import assert from "node:assert/strict";
import { after, suite, test } from "node:test";
import type { EntityRecord, ObservationPage, PanelFigures } from "@querent/contract";
import { describeAnswer } from "../../src/observations/records/describe-answer.ts";
import { startTestService, type TestAccount } from "../harness/service.ts";
import { until } from "../harness/wait.ts";
import { createPanel, runPanel } from "./fixture.ts";

suite("products of answers", async () => {
  const service = await startTestService();
  after(() => service.stop());
  const observed = async (account: TestAccount) =>
    (await account.get<ObservationPage>("/v1/observations?limit=200")).body.observations;

  test("an observation keeps where the heading of each card stands, its price, its shop and where it leads", async () => {
    const account = await service.account();
    const task = await account.answerTo("Which? cards=video,image deeplink=1 products=Acme_Mill:1@mills.example");
    const [observation] = await observed(account);
    assert.ok(observation !== undefined && task.content !== null);
    const headings = observation.cards.map(({ start, end }) => task.content?.slice(start, end));
    assert.deepEqual(
      headings.map((heading) => heading?.split("](")[0]),
      [
        "> **product** · [Acme Mill",
        "> **product** · [Simulated product 1",
        "> **video** · [Simulated video 2",
        "> **image** · [Simulated image 3",
      ],
    );
    const [product, , video] = observation.cards;
    assert.deepEqual(
      [product?.price, product?.priceUnit, product?.shop, product?.domain, product?.title],
      ["10.90", "EUR", "mills.example", "mills.example", "Acme Mill"],
    );
    assert.deepEqual([video?.price, video?.domain], [undefined, undefined]);
    const { rows } = await service.database.query(
      "select kind, start_offset, price, price_unit, shop, domain from bi_cards where account_id = $1 and position = 1",
      [account.accountId],
    );
    assert.deepEqual(rows, [
      {
        ...{ kind: "product", start_offset: product?.start, price: "10.90", price_unit: "EUR" },
        ...{ shop: "mills.example", domain: "mills.example" },
      },
    ]);
  });

  test("a text that only looks like a card has no heading, and one that has not all cards gives no places", () => {
    const shown = (content: string, products: number) =>
      describeAnswer(
        {
          content,
          sources: [],
          products: Array.from({ length: products }, (_, index) => ({
            position: index + 1,
            title: `Mill ${index + 1}`,
            url: `https://shop.example/${index + 1}`,
          })),
          videos: [],
          media: [],
          searchProcess: null,
          availability: null,
        },
        { entities: null, notSearched: "busy" },
      ).cards.map(({ start, end, domain }) => [start, end, domain]);
    const card = (n: number) => `> **product** · [Mill ${n}](https://shop.example/${n} "card ${n}")\n>\n> **9 €**`;
    const quoted = `> A reader writes\n> **product** · [Mill](https://x.example/ "card 1")`;
    const text = `${quoted}\n\n${card(1)}\n\nBetween\n\n${card(2)}`;
    const places = shown(text, 2);
    assert.deepEqual(
      places.map(([start, end]) => text.slice(Number(start), Number(end)).slice(0, 24)),
      ["> **product** · [Mill 1]", "> **product** · [Mill 2]"],
    );
    assert.deepEqual(shown(card(1), 2), [
      [undefined, undefined, "shop.example"],
      [undefined, undefined, "shop.example"],
    ]);
    assert.deepEqual(shown("No cards", 0), []);
    const hostile = `> **product** · ${"[".repeat(50_000)}\n`.repeat(10);
    const started = performance.now();
    shown(hostile, 1);
    assert.ok(performance.now() - started < 2_000);
  });

  test("the measures are those counted by hand, and a recount finds the products of a brand that came later", async () => {
    const account = await service.account();
    const entity = async (name: string, relation: string) =>
      (await account.call<EntityRecord>("POST", "/v1/entities", { body: { name, relation } })).body.entityId;
    const acme = await entity("Acme", "own");
    const { panelId } = await createPanel(account, {
      prompts: [
        {
          text: "Which grinder? products=Ardenzo_One:0.5,Meadow_Mill:0.6@mills.example,Ardenzo_Two:0.4",
          promptId: "one",
        },
        { text: "Which mill? products=Meadow_Mill:0.5,Brook:0.7@brook.example", promptId: "two" },
      ],
    });
    const runs = 8;
    for (let run = 0; run < runs; run++) await runPanel(account, panelId);
    await until("every answer is observed", async () => (await observed(account)).length === 2 * runs);
    const cells = ["one", "two"].map(async (promptId) =>
      (await observed(account)).filter(({ cell }) => cell.promptId === promptId).map(({ cards }) => cards),
    );
    const [one = [], two = []] = await Promise.all(cells);
    const figure = async (query: string) => {
      const to = new Date(Date.now() + 3_600_000).toISOString();
      const { body, status, text } = await account.get<PanelFigures>(`/v1/panels/${panelId}/figures?to=${to}&${query}`);
      assert.equal(status, 200, text);
      return body.rows;
    };
    const value = async (query: string) => (await figure(query))[0]?.thesePrompts.value;
    const near = (found: number | null | undefined, wanted: number, what: string) =>
      assert.ok(typeof found === "number" && Math.abs(found - wanted) < 1e-9, `${what}: ${found}, not ${wanted}`);
    assert.equal(await value(`measure=product_rate&entityId=${acme}`), 0);

    // A directive writes it with an underscore, so no prompt names it.
    const meadow = await entity("Meadow Mill", "own");
    assert.equal(await value(`measure=product_rate&entityId=${meadow}`), null);
    await account.call("POST", "/v1/observations/recount", {});
    const isMeadow = ({ title }: { title: string }) => title === "Meadow Mill";
    const rate = (cell: readonly (readonly { title: string }[])[]) =>
      cell.filter((cards) => cards.some(isMeadow)).length / cell.length;
    near(await value(`measure=product_rate&entityId=${meadow}`), (rate(one) + rate(two)) / 2, "rate");
    const places = [one, two].map((cell) => cell.map((cards) => cards.findIndex(isMeadow) + 1).filter((at) => at > 0));
    const [all, named] = [places.flat().length, places.flat().reduce((sum, at) => sum + at, 0)];
    near(await value(`measure=product_position&entityId=${meadow}`), named / all, "position");
    const cards = [...one, ...two].flat();
    near(
      await value(`measure=product_share&entityId=${meadow}`),
      cards.filter(isMeadow).length / cards.length,
      "share",
    );
    const shops = await figure("measure=shop_share");
    const expected = ["brook.example", "mills.example", "shop.example"];
    assert.deepEqual(shops.map(({ group }) => group.domain ?? "").toSorted(), expected);
    for (const { group, thesePrompts } of shops)
      near(
        thesePrompts.value,
        cards.filter(({ domain }) => domain === group.domain).length / cards.length,
        `shop ${group.domain}`,
      );
    assert.ok(shops[0]?.thesePrompts.interval);
  });
});
