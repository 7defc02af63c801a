/** Two arms of panels and imports that were asked the same prompts. */
import assert from "node:assert/strict";
import { after, suite, test } from "node:test";
import type { EntityRecord, ImportRecord, PanelComparison, PanelFigures, Problem } from "@querent/contract";
import { place } from "../../../cli/test/place.ts";
import { startTestService, type TestAccount } from "../harness/service.ts";
import { createPanel } from "./fixture.ts";
import { march, send } from "./imported-answers.ts";

suite("comparisons", async () => {
  const service = await startTestService();
  after(() => service.stop());
  const prompts = Array.from({ length: 24 }, (_, index) => `Which grinder, number ${index}?`);

  /** Whether an answer names the brand: by prompt and run, from a pattern without chance. */
  type Names = (prompt: number, run: number) => boolean;
  const some: Names = (prompt, run) => (prompt * 7 + run * 3) % 10 < 4;
  const more: Names = (prompt, run) => (prompt * 7 + run * 3) % 10 < 7;
  const answersOf = (platformCode: string, names: Names, extra: object = {}, runs = 6) =>
    prompts.flatMap((question, prompt) =>
      Array.from({ length: runs }, (_, run) => ({
        ...{ question, platformCode, topic: `t${prompt}`, id: `${platformCode} ${prompt} ${run}`, ...extra },
        observedAt: `2026-03-${String(run + 1).padStart(2, "0")}T10:00:00Z`,
        content: names(prompt, run) ? "Acme Mills is good." : "Globex is good.",
        sources: [{ url: (prompt + run) % 2 === 0 ? "https://a.example/" : "https://b.example/" }],
      })),
    );

  async function withBrands(account: TestAccount): Promise<string> {
    const ids = [];
    for (const [name, relation] of [
      ["Acme Mills", "own"],
      ["Globex", "competitor"],
    ])
      ids.push((await account.call<EntityRecord>("POST", "/v1/entities", { body: { name, relation } })).body.entityId);
    return ids[0] ?? "";
  }
  const imported = async (account: TestAccount, values: readonly unknown[], query: string): Promise<ImportRecord> => {
    const { status, body, text } = await send(account, values, query);
    assert.equal(status, 200, text);
    return body;
  };
  const compare = (account: TestAccount, panelId: string | null, query: string) =>
    account.get<PanelComparison & Problem>(`/v1/panels/${panelId}/comparison?${march}&${query}`);

  test("platforms of a panel are compared over its prompts; the values are those of its figures", async () => {
    using here = await place(service);
    const { account } = here;
    const acme = await withBrands(account);
    const all = [...answersOf("alpha", some), ...answersOf("beta", more)];
    const { panelId } = await imported(account, all, "name=all&panel=Arms");
    const query = "measure=presence,cited_answers,citation_rate&platformCode=alpha&withPlatformCode=beta";
    const { status, body, text } = await compare(account, panelId, query);
    assert.equal(status, 200, text);
    assert.deepEqual(
      [body.one, body.other].map(({ platformCode, kind, answers, panelId: id }) => [platformCode, kind, answers, id]),
      [
        ["alpha", "imported", 144, panelId],
        ["beta", "imported", 144, panelId],
      ],
    );
    assert.equal(body.commonPrompts, 24);
    const row = body.rows.find(({ measure, entityId }) => measure === "presence" && entityId === acme);
    const { body: figures } = await account.get<PanelFigures>(
      `/v1/panels/${panelId}/figures?measure=presence&entityId=${acme}&${march}`,
    );
    const [alpha, beta] = figures.rows.map(({ thesePrompts }) => thesePrompts.value ?? Number.NaN);
    assert.ok(alpha !== undefined && beta !== undefined && beta - alpha > 0.25);
    assert.deepEqual([row?.one.value, row?.other.value], [alpha, beta]);
    for (const one of [row?.thesePrompts, row?.promptsLikeThese]) {
      assert.ok(Math.abs((one?.value ?? 0) - (beta - alpha)) < 1e-12);
      assert.ok(one?.interval && one.interval.low > 0 && one.interval.high < 1);
      assert.ok((one.p ?? 1) < (one.adjustedP ?? 0) && (one.adjustedP ?? 1) < 0.01);
    }
    assert.deepEqual([row?.prompts, row?.unpaired, row?.topics, row?.one.runs], [24, 0, 24, 6]);
    // Where nothing differs, the interval has a width, and nothing is found.
    const sites = body.rows.filter(({ measure }) => measure === "citation_rate");
    assert.deepEqual(new Set(sites.map(({ domain }) => domain)), new Set(["a.example", "b.example"]));
    for (const { thesePrompts } of sites) {
      assert.equal(thesePrompts.value, 0);
      assert.ok((thesePrompts.interval?.low ?? 0) < 0 && (thesePrompts.interval?.high ?? 0) > 0);
      assert.ok((thesePrompts.adjustedP ?? 0) > 0.9);
    }
    const [low = 0, high = 0] = body.rows.map(({ thesePrompts: { p } }) => p ?? 1).toSorted((a, b) => a - b);
    const adjusted = body.rows.map(({ thesePrompts: { adjustedP } }) => adjustedP ?? 1).toSorted((a, b) => a - b);
    assert.equal(body.rows.length, 5);
    assert.ok(Math.abs((adjusted[0] ?? 0) - Math.min(low * 5, (high * 5) / 2)) < 1e-12);

    const words = ["--platform", "alpha", "--with-platform", "beta", "--measure", "presence", "--entity", "Acme Mills"];
    const window = ["--from", "2026-03-01", "--to", "2026-03-29"];
    const shown = await here.run(["panel", "compare", panelId ?? "", ...words, ...window, "--text"]);
    assert.equal(shown.code, 0, shown.stderr);
    assert.match(shown.stdout, /^one: alpha \(imported\), panel .+, 144 answers/m);
    assert.match(
      shown.stdout,
      /presence +Acme Mills +[\d.]+ % +[\d.]+ % +\+[\d.]+ points +\+[\d.]+ points to \+[\d.]+ points +< 0\.001/,
    );
  });

  test("of two panels, prompts with the same text are compared; two imports of one panel are arms, too", async () => {
    const account = await service.account();
    const acme = await withBrands(account);
    const first = await imported(account, answersOf("alpha", some), "name=first&panel=First");
    const second = await imported(
      account,
      // Other ids, and only half of the prompts.
      answersOf("alpha", more)
        .map((one, at) => ({ ...one, id: `second ${at}`, promptId: `x${Math.floor(at / 6)}` }))
        .slice(72),
      "name=second&panel=Second",
    );
    const { body } = await compare(
      account,
      first.panelId,
      `measure=presence&entityId=${acme}&withPanelId=${second.panelId}`,
    );
    const [row] = body.rows;
    assert.deepEqual([body.commonPrompts, row?.prompts, row?.one.answers, row?.other.answers], [12, 12, 72, 72]);
    assert.ok((row?.thesePrompts.value ?? 0) > 0.2 && row?.thesePrompts.interval !== null);
    assert.deepEqual(
      [row?.promptsLikeThese.interval, row?.promptsLikeThese.reason?.code, row?.promptsLikeThese.reason?.there],
      [null, "too_few_topics", 12],
    );
    const again = await imported(
      account,
      answersOf("alpha", more, {}, 3).map((one) => ({ ...one, id: `again ${one.id}` })),
      `name=again&panel=First`,
    );
    const of = `measure=presence&entityId=${acme}&importId=${first.importId}&withImportId=${again.importId}`;
    const { body: imports } = await compare(account, first.panelId, of);
    assert.deepEqual([imports.one.importId, imports.other.importId], [first.importId, again.importId]);
    assert.deepEqual([imports.one.answers, imports.other.answers], [144, 72]);
    const [ofImports] = imports.rows;
    assert.deepEqual(
      [
        ofImports?.thesePrompts.reason?.code,
        ofImports?.thesePrompts.reason?.arm,
        ofImports?.thesePrompts.reason?.there,
      ],
      ["too_few_runs", "other", 3],
    );
    assert.ok(ofImports?.promptsLikeThese.interval !== null, "prompts like these need topics, not runs");
  });

  test("what cannot be compared is refused, with what to choose", async () => {
    const account = await service.account();
    await withBrands(account);
    const all = [
      ...answersOf("alpha", some, { locale: "DE/de" }, 2),
      ...answersOf("alpha", some, { locale: "FR/fr", id: undefined }, 2),
      ...answersOf("beta", more, { locale: "DE/de" }, 2),
    ];
    const { panelId } = await imported(account, all, "name=all&panel=Arms");
    const refused = async (query: string, of = panelId) => {
      const { status, body } = await compare(account, of, query);
      return [status, body.errors?.[0]?.pointer];
    };
    assert.deepEqual(await refused(""), [422, "?platformCode"]);
    assert.deepEqual(await refused("platformCode=alpha"), [422, "?locale"]);
    assert.deepEqual(await refused("platformCode=alpha&locale=DE/de"), [422, "?withPlatformCode"]);
    assert.deepEqual(await refused("platformCode=alpha&locale=DE/de&withPlatformCode=gamma"), [
      422,
      "?withPlatformCode",
    ]);
    assert.deepEqual(await refused("platformCode=beta&withPlatformCode=alpha"), [422, "?withLocale"]);
    assert.deepEqual(await refused(`withPanelId=${account.accountId}`), [422, "?withPanelId"]);
    assert.deepEqual(await refused("measure=platform_source_agreement"), [422, "?measure"]);
    const ends = "platformCode=alpha&locale=DE/de&withFrom=2026-01-02T00:00:00Z&withTo=2026-01-01T00:00:00Z";
    assert.deepEqual(await refused(ends), [422, "?withTo"]);
    assert.deepEqual(await refused("", account.accountId), [404, undefined]);
    const { body } = await compare(
      account,
      panelId,
      "platformCode=alpha&locale=DE/de&withLocale=FR/fr&measure=presence",
    );
    assert.deepEqual([body.one.locale, body.other.locale, body.rows[0]?.thesePrompts.value], ["DE/de", "FR/fr", 0]);
    const other = await service.account();
    const strange = await createPanel(other);
    assert.deepEqual(await refused(`withPanelId=${strange.panelId}`), [422, "?withPanelId"]);
  });
});
