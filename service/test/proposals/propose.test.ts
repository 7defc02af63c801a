import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { promptOrigins, promptProposalsMax, type PromptProposal } from "@querent/contract";
import type { EntityContent } from "../../src/observations/entities/entity-content.ts";
import { proposePrompts, type FoundText, type ProposeInput } from "../../src/proposals/engine/propose.ts";
import {
  asQuestion,
  canonicalOf,
  intentOf,
  isQuestion,
  languageOf,
  tidy,
} from "../../src/proposals/engine/read-text.ts";
import { pastedTexts } from "../../src/proposals/sources/pasted.ts";
import { readRobots } from "../../src/proposals/sources/robots.ts";
import { searchConsoleTexts } from "../../src/proposals/sources/search-console.ts";
import { Tally } from "../../src/proposals/sources/tally.ts";
import { templateTexts } from "../../src/proposals/sources/templates.ts";

const brand = (name: string, relation: EntityContent["relation"], more: Partial<EntityContent> = {}) => ({
  entityId: `id of ${name}`,
  content: {
    ...{ name, relation, kind: "brand" as const, caseSensitive: false, aliases: [], negativeContexts: [], domains: [] },
    ...more,
  },
});
const run = <Result>(steps: Generator<unknown, Result, void>): Result => {
  for (;;) {
    const { done, value } = steps.next();
    if (done === true) return value;
  }
};
const collect = <One>(steps: Generator<One | void, unknown, void>): One[] =>
  [...steps].filter((one): one is Awaited<One> & One => one !== undefined);
const pasted = (text: string): FoundText => ({ text, evidence: { origin: "pasted", line: 1 } });
const query = (text: string, clicks: number, impressions = 0): FoundText => ({
  text,
  evidence: { origin: "search_console", clicks, impressions, position: null },
});
const propose = (found: readonly FoundText[], more: Partial<ProposeInput> = {}) =>
  run(proposePrompts({ found, entities: [], asked: [], topics: [], language: null, ...more }));
const byText = (proposals: readonly PromptProposal[], text: string): PromptProposal => {
  const found = proposals.find((one) => one.text === text);
  assert.ok(found !== undefined, `${text} is none of ${proposals.map((one) => one.text).join(", ")}`);
  return found;
};

test("the language is told by letters and function words, and is null where they say nothing", () => {
  const known: [string, string | null][] = [
    ["What is the best grinder for espresso?", "en"],
    ["Welche Kaffeemühle ist die beste für Espresso?", "de"],
    ["Quel est le meilleur moulin à café ?", "fr"],
    ["¿Cuál es el mejor molinillo de café?", "es"],
    ["哪款咖啡机最好？", "zh"],
    ["おすすめのコーヒーミルは何ですか？", "ja"],
    ["커피 그라인더 추천", "ko"],
    ["espresso", null],
  ];
  for (const [text, language] of known) assert.equal(languageOf(text), language, text);
});

test("questions are told with and without their mark", () => {
  for (const text of [
    "Is it good?",
    "how do I clean it",
    "was kostet das",
    "comment choisir un moulin",
    "qué molinillo comprar",
    "哪款咖啡机好",
    "おすすめは何ですか",
  ])
    // prettier-ignore
    assert.ok(isQuestion(text, languageOf(text)), text);
  for (const text of ["coffee grinder", "I have one.", "Kaffeemühle Test", "咖啡机推荐", "コーヒーミル おすすめ"])
    assert.ok(!isQuestion(text, languageOf(text)), text);
});

test("the intent is told by the words of the language", () => {
  const cases: [string, string][] = [
    ["how do I clean a grinder?", "informational"],
    ["best coffee grinder", "comparison"],
    ["alternatives to Acme", "comparison"],
    ["buy coffee grinder", "transactional"],
    ["Acme login", "navigational"],
    ["Kaffeemühle kaufen", "transactional"],
    ["Kaffeemühle Vergleich", "comparison"],
    ["moulin à café pas cher", "transactional"],
    ["mejor molinillo de café", "comparison"],
    ["咖啡机多少钱", "transactional"],
    ["咖啡机推荐", "comparison"],
    ["コーヒーミル 比較", "comparison"],
    ["公式サイト", "navigational"],
  ];
  for (const [text, intent] of cases)
    assert.equal(intentOf(text, languageOf(text), { isBrandAlone: false }).intent, intent, text);
  assert.equal(intentOf("acme", null, { isBrandAlone: true }).intent, "navigational");
});

test("keywords become questions where a rule can, and questions stay as they are", () => {
  const cases: [string, string | null][] = [
    ["best coffee grinder", "What is the best coffee grinder?"],
    ["best coffee grinder 2025", "What is the best coffee grinder in 2025?"],
    ["best coffee grinders for espresso", "What are the best coffee grinders for espresso?"],
    ["best grinder for beginners", "What is the best grinder for beginners?"],
    ["acme vs globex", "Which is better, acme or globex?"],
    ["beste Kaffeemühle", "Welche ist die beste Kaffeemühle?"],
    ["meilleur moulin à café", "Quel est le meilleur moulin à café ?"],
    ["mejor molinillo de café", "¿Qué molinillo de café es mejor?"],
    ["咖啡机推荐", "有哪些咖啡机值得推荐？"],
    ["コーヒーミル おすすめ", "おすすめのコーヒーミルは何ですか？"],
    ["espresso machine", null],
    ["What is the best grinder?", null],
  ];
  for (const [text, question] of cases) assert.equal(asQuestion(text, languageOf(text)), question, text);
});

test("what asks the same is one proposal, with all of its origins and spellings", () => {
  const { proposals, byOrigin, more } = propose([
    query("best coffee grinders", 5, 100),
    query("Best  coffee grinder", 1),
    pasted("What is the best coffee grinder?"),
    pasted("What is the worst coffee grinder?"),
    query("acme vs globex", 1),
    query("globex vs acme", 2),
  ]);
  assert.equal(proposals.length, 3);
  assert.equal(more, 0);
  const best = byText(proposals, "best coffee grinders");
  assert.deepEqual(best.origins, ["search_console", "pasted"]);
  assert.equal(best.question, "What is the best coffee grinder?");
  assert.equal(best.evidenceCount, 3);
  assert.deepEqual(best.evidence[0], { origin: "search_console", clicks: 5, impressions: 100, position: null });
  assert.ok(
    best.evidence.some(({ origin, text }) => origin === "pasted" && text === "What is the best coffee grinder?"),
  );
  assert.deepEqual(byText(proposals, "globex vs acme").variants, ["acme vs globex"]);
  assert.deepEqual(byOrigin, { search: 0, search_console: 2, page: 0, template: 0, pasted: 2 });
});

test("names of own brands and competitors are found in any case, and by their hosts; other entities brand nothing", () => {
  const entities = [
    brand("Acme", "own", { caseSensitive: true, domains: ["acme.example"] }),
    brand("Globex", "competitor", { aliases: [{ text: "GX9", caseSensitive: true }] }),
    brand("Barista Magazine", "other"),
  ];
  const { proposals } = propose(
    ["acme grinder", "best gx9 settings", "is acme.example down", "barista magazine reviews", "best grinder", "ACME", "acmes grinder shop"].map((text) => query(text, 1)), // prettier-ignore
    { entities },
  );
  const branded = new Map(proposals.map(({ text, branded: is }) => [text, is]));
  assert.deepEqual(
    ["acme grinder", "best gx9 settings", "is acme.example down", "barista magazine reviews", "best grinder"].map((text) => branded.get(text)), // prettier-ignore
    [true, true, true, false, false],
  );
  assert.deepEqual(
    byText(proposals, "barista magazine reviews").entities.map(({ relation }) => relation),
    ["other"],
  );
  assert.equal(byText(proposals, "ACME").intent, "navigational");
});

test("topics are terms in common, without brands, and what belongs to a given topic goes there", () => {
  const { proposals } = propose(
    [
      ...["manual coffee grinder", "best manual coffee grinder", "electric kettle for tea", "which electric kettle is quiet?", "coffee grinder burrs", "acme coffee grinder burrs", "milk frother", "oat drink for coffee"].map((text) => query(text, 1)), // prettier-ignore
    ],
    { entities: [brand("Acme", "own")], topics: ["Milk frother"] },
  );
  const topicOf = (text: string) => byText(proposals, text).topic;
  assert.equal(topicOf("milk frother"), "Milk frother");
  assert.equal(topicOf("electric kettle for tea"), topicOf("which electric kettle is quiet?"));
  assert.equal(topicOf("electric kettle for tea"), "electric kettle");
  assert.ok(!proposals.some(({ topic }) => topic?.includes("acme") === true));
});

test("what a panel asks already is marked, in whatever form it does", () => {
  const { proposals } = propose([query("best coffee grinder", 1), query("milk frother", 1)], {
    asked: ["What are the best coffee grinders?"],
  });
  assert.deepEqual(Object.fromEntries(proposals.map(({ text, inPanel }) => [text, inPanel])), {
    "best coffee grinder": true,
    "milk frother": false,
  });
});

test("of more than are listed, the strongest of each origin are, and all are counted", () => {
  const many = Array.from({ length: promptProposalsMax + 500 }, (_, n) => query(`word${n} thing`, n));
  const { proposals, more, byOrigin } = propose([...many, pasted("Which one lasts longest?")]);
  assert.equal(proposals.length, promptProposalsMax);
  assert.equal(more, 501);
  assert.equal(byOrigin.search_console, promptProposalsMax + 500);
  assert.ok(proposals.some(({ text }) => text === "Which one lasts longest?"));
  assert.ok(proposals.some(({ text }) => text === `word${promptProposalsMax + 499} thing`));
  assert.ok(!proposals.some(({ text }) => text === "word3 thing"));
});

test("the same texts make the same proposals, in whatever order they come", () => {
  const text = fc.oneof(
    fc.string({ maxLength: 60, unit: "binary" }),
    fc.constantFrom(
      "best grinder",
      "Best grinders?",
      "acme vs x",
      "咖啡机推荐",
      "$1 $2",
      "(((((",
      "a".repeat(200),
      "?",
    ),
  );
  fc.assert(
    fc.property(fc.array(fc.record({ text, clicks: fc.nat(9) }), { maxLength: 20 }), (rows) => {
      const found = rows.map((row) => query(tidy(row.text), row.clicks)).filter((one) => one.text !== "");
      const texts = (of: readonly FoundText[]) => propose(of, { entities: [brand("Acme", "own")] }).proposals.map(({ text: shown, topic, branded, intent }) => [shown, topic, branded, intent]); // prettier-ignore
      assert.deepEqual(texts(found), texts(found.toReversed()));
    }),
    { numRuns: 200 },
  );
});

test("text that is made to take long does not", () => {
  const traps = [`best ${"a ".repeat(140)}`, "or ".repeat(99), "vs".repeat(149), "比较".repeat(149), "?".repeat(299), "の".repeat(299), `best ${"for ".repeat(70)}s`, " \u200b".repeat(150), "(a+)+$".repeat(49)]; // prettier-ignore
  const began = performance.now();
  propose(traps.flatMap((text) => Array.from({ length: 20 }, (_, n) => query(`${text.slice(0, 296)}${n}`, 1))));
  for (const text of traps) {
    canonicalOf(text, "en");
    asQuestion(text, "ja");
    asQuestion(text, null);
  }
  assert.ok(performance.now() - began < 20_000);
});

test("Search Console's file is read in its languages, with its separators, and without a header", () => {
  const read = (csv: string) => {
    const tally = new Tally("search_console");
    const rows = collect<FoundText>(searchConsoleTexts(csv, tally)).map(({ text, evidence: { clicks, impressions, position } }) => [text, clicks, impressions, position]); // prettier-ignore
    return { rows, facts: tally.facts };
  };
  const expected = [["best grinder", 1234, 56789, 8.2], ["grinder, manual", 3, 40, 12]]; // prettier-ignore
  const files = [
    `\uFEFFTop queries,Clicks,Impressions,CTR,Position\r\nbest grinder,"1,234","56,789",2.17%,8.2\r\n"grinder, manual",3,40,7.5%,12\r\n`,
    `Häufigste Suchanfragen;Klicks;Impressionen;CTR;Position\nbest grinder;1.234;56.789;2,17 %;8,2\n"grinder, manual";3;40;7,5 %;12`,
    `热门查询,点击次数,展示次数,点击率,排名\nbest grinder,1234,56789,2.17%,8.2\n"grinder, manual",3,40,7.5%,12`,
    `上位のクエリ\tクリック数\t表示回数\tCTR\t掲載順位\nbest grinder\t1234\t56789\t2.17%\t8.2\n"grinder, manual"\t3\t40\t7.5%\t12`,
    `best grinder,1234,56789,2.17%,8.2\n"grinder, manual",3,40,7.5%,12`,
  ];
  for (const file of files) assert.deepEqual(read(file).rows, expected, file);
  assert.deepEqual(read("Consultas principales,Clics,Impresiones,CTR,Posición\n").rows, []);
  const hostile = read(`Top queries,Clicks\n"never closed,1\n${"x".repeat(5_000)},2\n,3\n!!!,4\nfine query,5\n`);
  assert.deepEqual(hostile.rows.map(([text]) => text), ["fine query"]); // prettier-ignore
  assert.deepEqual(hostile.facts.leftOut, { faulty_row: 1, too_long: 1, too_short: 2 });
  const huge = read(
    `Top queries,Clicks\n${Array.from({ length: 50_010 }, (_, n) => `query number ${n},1`).join("\n")}`,
  );
  assert.deepEqual([huge.rows.length, huge.facts.leftOut], [50_000, { too_many: 10 }]);
});

test("of pasted text, the sentences that are questions are taken", () => {
  const tally = new Tally("pasted");
  const text = `Hi all! I have an old grinder. Which one should I buy for espresso? Thanks.
> 1. Is a burr grinder worth it?
• wie reinigt man eine Mühle
Just a statement.
${"x".repeat(3_000)}?
咖啡机推荐。哪款咖啡机最好？`;
  const found = collect<FoundText>(pastedTexts(text, null, tally));
  assert.deepEqual(
    found.map((one) => [one.text, one.evidence.line]),
    [
      ["Which one should I buy for espresso?", 1],
      ["Is a burr grinder worth it?", 2],
      ["wie reinigt man eine Mühle", 3],
      ["哪款咖啡机最好？", 6],
    ],
  );
});

test("templates are made of topics and of brands, in each language, within bounds", () => {
  const tally = new Tally("template");
  const entities = [brand("Acme", "own"), brand("Globex", "competitor"), brand("Magazine", "other")];
  const found = [...templateTexts({ topics: ["coffee grinder"], languages: ["en", "ja"], entities }, tally)];
  const texts = found.map(({ text }) => text);
  assert.ok(texts.includes("What is the best coffee grinder?"));
  assert.ok(texts.includes("What are the best alternatives to Globex?"));
  assert.ok(texts.includes("AcmeとGlobexではどちらが良いですか？"));
  assert.ok(
    !texts.some((text) => text.includes("Magazine") || text.includes("alternatives to Acme") || text.includes("{")),
  );
  const { proposals } = propose(found, { entities });
  for (const { text, branded } of proposals) assert.equal(branded, /Acme|Globex/u.test(text), text);
  const many = Array.from({ length: 300 }, (_, n) => brand(`Rival ${n}`, "competitor"));
  const bounded = [
    ...templateTexts({ topics: [], languages: ["en"], entities: [brand("Acme", "own"), ...many] }, tally),
  ];
  assert.equal(bounded.length, 400);
});

test("robots.txt is obeyed by its longest rule, by our group before that of all, and no pattern takes long", () => {
  const robots = readRobots(
    "User-agent: *\nDisallow: /\n\nUser-Agent: other\nUser-agent: QUERENT\nDisallow: /private\nAllow: /private/faq\nDisallow: /*.php$\nDisallow:\nSitemap: https://a.example/s.xml\n",
    "querent",
  );
  assert.deepEqual(robots.sitemaps, ["https://a.example/s.xml"]);
  const allowed = (path: string) => robots.allows(path);
  assert.deepEqual(["/", "/private/x", "/private/faq/1", "/a.php", "/a.php?x"].map(allowed), [true, false, true, false, true]); // prettier-ignore
  assert.equal(readRobots("User-agent: *\nDisallow: /", "querent").allows("/x"), false);
  assert.equal(readRobots("<html>no robots</html>", "querent").allows("/x"), true);
  const trap = readRobots(`User-agent: *\n${`Disallow: /${"*a".repeat(200)}$\n`.repeat(2_000)}`, "querent");
  const began = performance.now();
  assert.equal(trap.allows(`/${"a".repeat(150)}b`), true);
  assert.ok(performance.now() - began < 5_000);
});

test("every origin is in the counts", () => {
  assert.deepEqual(Object.keys(propose([]).byOrigin), [...promptOrigins]);
});
