import assert from "node:assert/strict";
import { test, type TestContext } from "node:test";
import { compileEntities, type EntityDefinition } from "../../src/observations/entities/compile-entities.ts";
import { findMentions } from "../../src/observations/entities/find-mentions.ts";
import { readKinds, readLabelled, readUnseen, type LabelledSet } from "./labelled/read-labelled.ts";

test("a thousand spans that a person labelled are found with precision 0.99 and recall 0.97", (t) => {
  const { labelled, precision, recall } = measure(readLabelled(), t);
  assert.ok(labelled >= 1_000, `${labelled} spans`);
  assert.ok(precision >= 0.99, `precision ${precision}`);
  assert.ok(recall >= 0.97, `recall ${recall}`);
});

for (const [name, read] of Object.entries({ readKinds, readUnseen })) {
  test(`names in other spellings are found with precision 0.97 and recall 0.95: ${name}`, (t) => {
    const { precision, recall } = measure(read(), t);
    assert.ok(precision >= 0.97, `precision ${precision}`);
    assert.ok(recall >= 0.95, `recall ${recall}`);
  });
}

/** Tells each mention that was missed, and each that is none. */
function measure({ entities, texts }: LabelledSet, t: TestContext) {
  const compiled = compileEntities(entities);
  const wrong: string[] = [];
  let [labelled, mentions, found, right] = [0, 0, 0, 0];
  for (const { text, spans } of texts) {
    const expected = new Set<string>();
    for (const { entityId, start, end, isMention } of spans) {
      labelled++;
      if (!isMention) continue;
      expected.add(`${entityId} ${start}-${end}`);
    }
    mentions += expected.size;
    const hits = findMentions(text, compiled).mentions.map(({ entityId, start, end }) => `${entityId} ${start}-${end}`);
    found += hits.length;
    for (const hit of hits) {
      if (expected.delete(hit)) right++;
      else wrong.push(`not a mention: ${shown(text, hit)}`);
    }
    wrong.push(...[...expected].map((missed) => `missed: ${shown(text, missed)}`));
  }
  const [precision, recall] = [right / found, right / mentions];
  t.diagnostic(
    `${labelled} spans, ${mentions} of them mentions; ${found} found: precision ${precision.toFixed(4)}, recall ${recall.toFixed(4)}`,
  );
  for (const line of wrong) t.diagnostic(line);
  return { labelled, precision, recall };
}

function shown(text: string, hit: string): string {
  const [, entityId = "", start = "", end = ""] = /^(\S+) (\d+)-(\d+)$/u.exec(hit) ?? [];
  return `${entityId} "${text.slice(Number(start), Number(end))}" in ${JSON.stringify(text)}`;
}

const named = (entityId: string, ...names: string[]) => ({
  entityId,
  variants: names.map((text) => ({ text, isCaseSensitive: false })),
  negativeContexts: [],
});
const found = (text: string, ...entities: EntityDefinition[]) =>
  findMentions(text, compileEntities(entities)).mentions.map(({ entityId, start, end }) => [
    entityId,
    text.slice(start, end),
  ]);

test("where mentions overlap the first and longest counts, and entities of one name are all mentioned", () => {
  assert.deepEqual(found("Delta Faucet and Delta", named("a", "Delta"), named("b", "Delta Faucet")), [
    ["b", "Delta Faucet"],
    ["a", "Delta"],
  ]);
  assert.deepEqual(found("Delta", named("a", "Delta"), named("b", "DELTA")), [
    ["a", "Delta"],
    ["b", "Delta"],
  ]);
  assert.deepEqual(found("Delta", named("a", "Delta", "delta")), [["a", "Delta"]]);
});

test("offsets are UTF-16 units of the text as it is stored, also beside emoji and decomposed letters", () => {
  const text = "👩‍🚀 TOTE\u0302ME 🚀 Toteme\u0301";
  assert.deepEqual(findMentions(text, compileEntities([named("a", "Totême")])).mentions, [
    { entityId: "a", variant: "Totême", start: 6, end: 13 },
    { entityId: "a", variant: "Totême", start: 17, end: 24 },
  ]);
});

test("two entities of one name are both translated in brackets, and a host that is a name is not another one's", () => {
  assert.deepEqual(found("小米（Xiaomi）", named("a", "小米", "Xiaomi"), named("b", "Xiaomi", "小米")), [
    ["a", "小米（Xiaomi）"],
    ["b", "小米（Xiaomi）"],
  ]);
  assert.deepEqual(found("Booking.com", named("a", "Booking"), named("b", "Booking.com")), [["b", "Booking.com"]]);
  assert.deepEqual(found("Booking.com", named("a", "Booking")), [["a", "Booking.com"]]);
});

test("a mention names the variant as it is defined, also where it is written in another spelling", () => {
  const { mentions } = findMentions("Dr Martens, NodeJS", compileEntities([named("a", "Dr. Martens", "Node.js")]));
  assert.deepEqual(
    mentions.map(({ variant }) => variant),
    ["Dr. Martens", "Node.js"],
  );
});

test("hostile texts with five thousand entities take a time in proportion to their length", (t) => {
  const length = 256 * 1024;
  const entities = Array.from({ length: 5_000 }, (_, index) =>
    named(
      `e${index}`,
      `Brand ${index}`,
      `brand-${index} company`,
      "a ".repeat(1 + (index % 60)),
      "か".repeat(1 + (index % 60)),
    ),
  );
  const compiled = compileEntities([...entities, named("kinds", "Notion", "小米", "Xiaomi", "3M", "中".repeat(100))]);
  const units = [
    "The Brand 12 and brand-77 are sold by many. ",
    "a ",
    "`",
    "`` ` ",
    "](",
    "<a ",
    "a.",
    "a@a.",
    "か",
    "字",
    "\u0301",
    "*",
    "&amp;",
    "&amp;amp;eacute;",
    "amp;",
    "&#x10ffff;",
    "–",
    "—",
    "Notion.so ",
    "小米（Xiaomi）",
    "在小米ストア",
    "3M nearly ",
    "中",
    "中路",
    "بX",
    "https://",
    "\\",
    "_a",
    "\ud83d",
    "ﷺ",
    "> ",
    "~~~\n",
    "و",
    "가",
  ];
  for (const unit of units) {
    const text = unit.repeat(Math.ceil(length / unit.length));
    const startedAt = performance.now();
    const { mentions, isComplete } = findMentions(text, compiled);
    const ms = performance.now() - startedAt;
    t.diagnostic(`${JSON.stringify(unit)}: ${mentions.length} mentions, complete ${isComplete}, ${Math.round(ms)} ms`);
    for (const { start, end } of mentions) assert.ok(start < end && end <= text.length);
  }
});
