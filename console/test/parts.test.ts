/** What the views are made of and can be told without a browser. */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { test } from "node:test";
import fc from "fast-check";
import { niceTop } from "../src/ui/nice-top.ts";
import { chunkItemsMax, chunksOf, planItems } from "../src/views/new-batch/plan-items.ts";
import { readCsv } from "../src/views/new-batch/read-csv.ts";
import { readRows } from "../src/views/new-batch/read-rows.ts";
import { asCurl } from "../src/views/task/as-curl.ts";
import { layOutJson } from "../src/views/task/parts/lay-out-json.ts";
import { isAppAddress, isWebAddress } from "../src/views/task/web-address.ts";
import { readFilter, withFilter } from "../src/views/tasks/read-filter.ts";
import { addUp, byDay, groups } from "../src/views/usage/add-up.ts";

test("a filter's words become the parameters of the list, and other words the text", () => {
  assert.deepEqual(readFilter('state:failed platform:sample tag:"two words" ref:a:b espresso grind'), {
    query: {
      state: "failed",
      platformCode: "sample",
      tag: "two words",
      clientReference: "a:b",
      text: "espresso grind",
    },
    faults: [],
  });
  assert.deepEqual(readFilter("https://shop.example state:").query, { text: "https://shop.example" });
});

test("a day is the reader's day, from its first moment to the next day's", () => {
  const { createdFrom, createdBefore } = readFilter("created:2026-11-01").query;
  assert.equal(createdFrom, new Date(2026, 10, 1).toISOString());
  assert.equal(createdBefore, new Date(2026, 10, 2).toISOString());
  assert.deepEqual(readFilter("created:>2026-11-01").query, { createdFrom });
  assert.deepEqual(readFilter("created:yesterday").faults, [{ kind: "bad_value", key: "created", value: "yesterday" }]);
});

test("one key of a filter changes, and the rest stays", () => {
  assert.equal(withFilter("state:failed beans", "state", "completed"), "state:completed beans");
  assert.equal(withFilter('tag:"a b" beans', "tag", null), "beans");
  assert.equal(withFilter("beans", "tag", "a b"), 'tag:"a b" beans');
});

test("whatever a field holds comes back out of CSV", () => {
  const field = fc.string({ unit: "grapheme" }).filter((text) => text.trim() !== "");
  fc.assert(
    fc.property(fc.array(fc.array(field, { minLength: 2, maxLength: 4 }), { minLength: 1 }), (rows) => {
      const text = rows.map((row) => row.map((value) => `"${value.replaceAll('"', '""')}"`).join(",")).join("\r\n");
      assert.deepEqual(readCsv(`${text}\n`), rows);
    }),
  );
});

test("a file of a spreadsheet is read with its own separator and its mark of byte order", () => {
  assert.deepEqual(readCsv("\uFEFFquestion;tags\nWhy?;a|b\n"), [
    ["question", "tags"],
    ["Why?", "a|b"],
  ]);
});

test("lines, CSV and JSON lines are told apart, and each row knows its line", () => {
  assert.deepEqual(readRows("Why?\n\nHow?"), {
    format: "lines",
    rows: [
      { line: 1, members: { question: "Why?" } },
      { line: 3, members: { question: "How?" } },
    ],
  });
  assert.deepEqual(readRows("Question,tags,deepAnalysis\nWhy?,a;b,yes").rows, [
    { line: 2, members: { question: "Why?", tags: ["a", "b"], options: { deepAnalysis: true } } },
  ]);
  assert.deepEqual(readRows('{"question":"Why?"}\n[1]').rows, [
    { line: 1, members: { question: "Why?" } },
    { line: 2, fault: "not_object", detail: "[1]" },
  ]);
  assert.deepEqual(readRows("question,colour\nWhy?,red").rows, [
    { line: 1, fault: "unknown_column", detail: "colour" },
  ]);
});

test("what a row says of itself goes before what was chosen for all", () => {
  const choices = {
    platforms: ["a", "b"],
    deepAnalysis: true,
    output: "answer",
    resultFormat: "json",
    tags: ["all"],
  } as const;
  const { rows } = readRows(
    '{"question":"One"}\n{"question":"Two","platformCode":"c","tags":[],"options":{"deepAnalysis":false}}',
  );
  assert.deepEqual(
    planItems(rows, choices).map(({ item }) => [item["platformCode"], item["tags"], item["options"]]),
    [
      ["a", ["all"], { deepAnalysis: true, output: "answer", resultFormat: "json" }],
      ["b", ["all"], { deepAnalysis: true, output: "answer", resultFormat: "json" }],
      ["c", [], { deepAnalysis: false, output: "answer", resultFormat: "json" }],
    ],
  );
});

test("parts of a submission hold every item once, in order, and no more than one submission takes", () => {
  const items = Array.from({ length: 2500 }, (_, line) => ({ line, item: { question: `q${line}` } }));
  const chunks = chunksOf(items);
  assert.deepEqual(
    chunks.map((chunk) => chunk.items.length),
    [chunkItemsMax, chunkItemsMax, 500],
  );
  assert.deepEqual(
    chunks.flatMap(({ body }) => JSON.parse(body) as unknown[]),
    items.map(({ item }) => item),
  );
});

test("a shell reads nothing into a question of a copied command", () => {
  fc.assert(
    fc.property(
      fc.string({ unit: "binary-ascii" }).filter((text) => !text.includes("\0")),
      (question) => {
        const command = asCurl([{ question }], "http://localhost:1").replace(/^curl -s/, "printf '%s\\0'");
        const words = execFileSync("sh", ["-c", command], { env: { TOKEN: "t", PATH: process.env["PATH"] } })
          .toString()
          .split("\0");
        assert.deepEqual(JSON.parse(words.at(-2) ?? ""), [{ question }]);
      },
    ),
    { numRuns: 40 },
  );
});

test("JSON that is laid out is the same JSON, with every number as it was written", () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const text = JSON.stringify(value);
      const shown = layOutJson(text)
        .map(({ text }) => text)
        .join("");
      assert.deepEqual(JSON.parse(shown), JSON.parse(text));
    }),
  );
  assert.equal(
    layOutJson('{"a":12345678901234567890.10,"b":[]}')
      .map(({ text }) => text)
      .join(""),
    '{\n  "a": 12345678901234567890.10,\n  "b": []\n}',
  );
});

test("only web pages are linked, and only schemes of apps open apps", () => {
  for (const address of [
    "javascript:alert(1)",
    " javascript:alert(1)",
    "data:text/html,x",
    "file:///etc",
    "//x",
    "x",
    "",
  ]) {
    assert.equal(isWebAddress(address), false, address);
    assert.equal(isAppAddress(address), false, address);
  }
  assert.equal(isWebAddress("https://shop.example/1"), true);
  assert.equal(isAppAddress("shopapp://item/1"), true);
  assert.equal(isAppAddress("JavaScript://%0aalert(1)"), false);
  assert.equal(isAppAddress("https://shop.example"), false);
});

test("a chart's top is above its highest value, by no more than twice, and a round number as its half is", () => {
  fc.assert(
    fc.property(fc.double({ min: 1e-6, max: 1e15, noNaN: true }), (value) => {
      const top = niceTop(value);
      assert.ok(top >= value * 0.999 && top <= value * 2.001, `${value} ${top}`);
      assert.match(top.toExponential(3), /^[1246]\.000e/);
    }),
  );
  assert.equal(niceTop(0), 1);
});

test("usage adds up to the same by day, platform and token, and every day of the period is there", () => {
  const row = fc.record({
    day: fc.constantFrom("2026-02-27", "2026-02-28", "2026-03-01"),
    platformCode: fc.constantFrom("sample", "__proto__"),
    tokenId: fc.option(fc.uuid()),
    tokenName: fc.option(fc.string()),
    completed: fc.nat(),
    failed: fc.nat(),
    canceled: fc.nat(),
    chargedPoints: fc.nat(),
  });
  fc.assert(
    fc.property(fc.array(row), (days) => {
      const usage = { from: "2026-02-26", to: "2026-03-02", days };
      const points = days.reduce((sum, { chargedPoints }) => sum + chargedPoints, 0);
      for (const group of groups)
        assert.equal(
          addUp(usage, group).reduce((sum, { chargedPoints }) => sum + chargedPoints, 0),
          points,
        );
      assert.deepEqual(
        byDay(usage).map(({ day }) => day),
        ["2026-02-26", "2026-02-27", "2026-02-28", "2026-03-01", "2026-03-02"],
      );
    }),
  );
});
