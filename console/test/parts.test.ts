/** What the views are made of and can be told without a browser. */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { test } from "node:test";
import fc from "fast-check";
import { timeTicks, valueTicks } from "../src/ui/ticks.ts";
import { emptyDraft, optionsOf } from "../src/views/new-batch/asked-as-draft.ts";
import { chunkItemsMax, chunksOf, planItems } from "../src/views/new-batch/plan-items.ts";
import { readRows } from "../src/views/new-batch/read-rows.ts";
import { isLow } from "../src/app/low-points.ts";
import { standingOf } from "../src/views/platforms/standing.ts";
import { asCommand } from "../src/copy-as/as-command.ts";
import { asCurl } from "../src/copy-as/as-curl.ts";
import { asProgram } from "../src/copy-as/as-program.ts";
import { brandPattern, countBrands, readBrands } from "../src/views/batch/brand-terms.ts";
import { readable, type BatchCell } from "../src/views/batch/cell.ts";
import { sharedBy, sourceSets } from "../src/views/batch/source-sets.ts";
import { readHeaders } from "../src/views/webhooks/read-headers.ts";
import { allDays, cronOf, readCron } from "../src/views/panels/daily-times.ts";
import { layOutJson } from "../src/views/task/parts/lay-out-json.ts";
import { isAppAddress, isWebAddress } from "../src/views/task/web-address.ts";
import { corrected, readFilter, withFilter } from "../src/views/tasks/read-filter.ts";
import { whyNone } from "../src/views/figures/why-none.ts";
import { addUp, byDay, byProject, groups } from "../src/views/usage/add-up.ts";

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
  assert.deepEqual(readFilter("https://shop.example").query, { text: "https://shop.example" });
});

test("a part of a filter that is not understood is a fault, with what was most likely meant", () => {
  const meant = (text: string) => readFilter(text).faults.map(({ instead }) => instead);
  assert.deepEqual(meant("stat:failed"), ["state:failed"]);
  assert.deepEqual(meant("status:done tag:x"), ["state:completed"]);
  assert.deepEqual(meant("State:faild"), ["state:failed"]);
  assert.deepEqual(meant('platfrom:"a b"'), ['platform:"a b"']);
  assert.deepEqual(meant("colour:red"), [null]);
  assert.deepEqual(meant("batch:123 state:"), [null, null]);
  assert.deepEqual(meant("created:>2026-11-01 created:<2026-11-03"), []);
  assert.deepEqual(meant("state:failed state:completed"), [null]);
  assert.deepEqual(meant("x".repeat(201)), [null]);
  const text = "shoes stat:failed tag:x";
  const [fault] = readFilter(text).faults;
  assert.ok(fault !== undefined);
  assert.equal(text.slice(fault.start, fault.end), "stat:failed");
  assert.equal(corrected(text, fault, fault.instead ?? ""), "shoes state:failed tag:x");
});

test("whatever a filter says, its faults lie within it", () => {
  fc.assert(
    fc.property(fc.array(fc.oneof(fc.constantFrom("state:", "stat:x", '"', "a", " ", ":"), fc.string())), (parts) => {
      const text = parts.join("");
      for (const { start, end } of readFilter(text).faults) assert.ok(start >= 0 && start <= end && end <= text.length);
    }),
  );
});

test("a day is the reader's day, from its first moment to the next day's", () => {
  const { createdFrom, createdBefore } = readFilter("created:2026-11-01").query;
  assert.equal(createdFrom, new Date(2026, 10, 1).toISOString());
  assert.equal(createdBefore, new Date(2026, 10, 2).toISOString());
  assert.deepEqual(readFilter("created:>2026-11-01").query, { createdFrom });
  assert.deepEqual(readFilter("created:yesterday").faults, [
    { kind: "bad_value", key: "created", value: "yesterday", instead: null, start: 0, end: 17 },
  ]);
});

test("a country is a code in any case, and a language a tag", () => {
  assert.deepEqual(readFilter("country:de language:de-AT kettle").query, {
    country: "DE",
    language: "de-AT",
    text: "kettle",
  });
  assert.deepEqual(readFilter("country:Germany").faults, [
    { kind: "bad_value", key: "country", value: "Germany", instead: null, start: 0, end: 15 },
  ]);
});

test("one key of a filter changes, and the rest stays", () => {
  assert.equal(withFilter("state:failed beans", "state", "completed"), "state:completed beans");
  assert.equal(withFilter('tag:"a b" beans', "tag", null), "beans");
  assert.equal(withFilter("beans", "tag", "a b"), 'tag:"a b" beans');
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
    { line: 2, fault: "not_object", name: "", value: "[1]", hint: "" },
  ]);
  assert.deepEqual(readRows("question,colour\nWhy?,red").rows, [
    { line: 1, fault: "unknown_column", name: "", value: "colour", hint: "" },
    { line: 2, members: { question: "Why?" } },
  ]);
});

test("what a row says of itself goes before what was chosen for all", () => {
  const choices = {
    platforms: ["a", "b"],
    deepAnalysis: true,
    output: "answer",
    resultFormat: "json",
    tags: ["all"],
    askedAs: [{}],
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

test("a question is asked once from each country that was entered, one with a country of its own from there alone", () => {
  const draft = { ...emptyDraft, countries: "DE, fr;DE", language: "de", location: "48.1, 11.6", deny: "a.example" };
  const askedAs = optionsOf(draft, ["country", "language", "location"]);
  const place = { language: "de", location: { latitude: 48.1, longitude: 11.6 } };
  assert.deepEqual(askedAs, [
    { country: "DE", ...place },
    { country: "fr", ...place },
  ]);
  assert.deepEqual(optionsOf(draft, []), [{}]);
  const choices = { platforms: ["a"], deepAnalysis: false, output: "answer", resultFormat: "json", tags: [] } as const;
  const { rows } = readRows('{"question":"One"}\n{"question":"Two","options":{"country":"US"}}');
  assert.deepEqual(
    planItems(rows, { ...choices, askedAs }).map(({ item }) => (item["options"] as { country: string }).country),
    ["DE", "fr", "US"],
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

test("a copied command and a copied program hold the items as they are, whatever stands in them", () => {
  const items = fc.array(
    fc.string({ unit: "binary" }).map((text) => ({ question: text.toWellFormed() })),
    { minLength: 1, maxLength: 4 },
  );
  fc.assert(
    fc.property(items, (wanted) => {
      const command = `querent() { cat; }\n${asCommand(wanted, "http://localhost:1")}`;
      const lines = execFileSync("sh", ["-c", command]).toString().trimEnd().split("\n");
      assert.deepEqual(
        lines.map((line) => JSON.parse(line) as unknown),
        wanted,
      );
      const program = asProgram(wanted, "http://localhost:1");
      const list = program.slice(program.indexOf("submit(") + 7, program.indexOf(");\nawait querent.batches.wait"));
      assert.deepEqual(JSON.parse(list), wanted);
    }),
    { numRuns: 40 },
  );
});

const cell = (platformCode: string, text: string | null): BatchCell => ({
  taskId: "t",
  question: "q",
  platformCode,
  column: platformCode,
  state: "completed",
  progress: null,
  failureCode: null,
  expired: false,
  text,
  sourceCount: 0,
  cardCount: 0,
  createdAt: "2026-11-01T00:00:00.000Z",
  endedAt: null,
});

test("names are found as words, whatever the case, in scripts without spaces anywhere, and never in addresses", () => {
  const found = (name: string, text: string) => [...readable(text).matchAll(brandPattern(name))].length;
  assert.equal(found("Apple", "apple, Pineapple, APPLE’s and Apples"), 2);
  assert.equal(found("华为", "我买了华为手机，华为很好"), 2);
  assert.equal(found("Nike", "Nike鞋 nike.com"), 2);
  assert.equal(found("C++", "C++ and C"), 1);
  assert.equal(found("Stagg EKG", "the **Stagg\nEKG**"), 1);
  assert.equal(
    found("nike", "[shoes](https://nike.example/nike) https://nike.example ![nike](https://x.example/nike.png)"),
    0,
  );
  assert.equal(found("nike", "[Nike](https://x.example)"), 1);
  for (const name of ["(", "a|b", ".*", "[", "\\", "$", "^x", "{2}", "a-b", "/"])
    assert.equal(found(name, `x ${name} y`), 1, name);
});

test("an excerpt has no citation marks and no escapes of Markdown", () => {
  assert.equal(
    readable('It is so.[\\[1\\]](https://a.example/x) And [[2]](https://b.example "B") too [3](https://c.example).'),
    "It is so. And  too .",
  );
  assert.equal(readable("As said ([a\\_b](https://a.example))"), "As said (a_b)");
  assert.equal(readable("[\\[1\\]]()"), "");
  assert.equal(readable("## In short\n\nThree things\n# Why?\nSo."), "In short:\n\nThree things\nWhy?\nSo.");
  fc.assert(fc.property(fc.string({ unit: "binary-ascii" }), (text) => void readable(text)));
});

test("a name's share, its answers, and those that name it first are counted by platform", () => {
  const counts = countBrands(
    [
      cell("a", "Hario then Fellow, Hario"),
      cell("a", "Fellow"),
      cell("a", "none of them"),
      cell("a", null),
      cell("b", "hario"),
    ],
    ["Fellow", "Hario"],
  );
  assert.deepEqual(counts.get("a"), {
    answers: 3,
    brands: [
      { answers: 2, mentions: 2, first: 1 },
      { answers: 1, mentions: 2, first: 1 },
    ],
  });
  assert.deepEqual(counts.get("b")?.brands[1], { answers: 1, mentions: 1, first: 1 });
});

test("names are read from a line, each once, so many and so long at most", () => {
  assert.deepEqual(readBrands(" Fellow,fellow ，Hario; ,"), ["fellow", "Hario"]);
  assert.ok(readBrands("x,".repeat(10_000)).length === 1);
  assert.equal(readBrands(Array.from({ length: 100 }, (_, n) => `b${n}`).join(",")).length, 12);
  assert.ok((readBrands("y".repeat(100_000))[0]?.length ?? 0) <= 60);
});

test("sources are put together by site and by canonical address; what is no address stays apart", () => {
  const source = (url: string, more: object = {}) => ({ url, title: url, ...more });
  const answers = [
    {
      sources: [
        source("https://www.a.example/x/?utm_source=p#top", { canonicalUrl: "https://a.example/x" }),
        source("javascript:alert(1)"),
      ],
    },
    { sources: [source("https://a.example/x"), source("https://a.example/y"), source("https://b.example")] },
  ];
  const [site, ...others] = sourceSets(answers, "domain");
  assert.deepEqual([site?.name, site?.times], ["a.example", [1, 2]]);
  assert.deepEqual(others.map(sharedBy), [1, 1]);
  const [address, ...rest] = sourceSets(answers, "address");
  assert.deepEqual([address?.name, address?.times], ["a.example/x", [1, 1]]);
  assert.equal(rest.find(({ name }) => name.startsWith("javascript"))?.url, null);
});

test("a source whose redirect hides its page is shared by its site, and never as a page", () => {
  const redirect = (id: string, domain: string) =>
    ({ url: `https://r.example/${id}`, title: "", opaque: true, domain }) as const;
  const answers = [
    { sources: [redirect("1", "a.example"), redirect("2", "")] },
    { sources: [redirect("3", "a.example"), { url: "https://b.example/", title: "B" }] },
  ];
  assert.deepEqual(
    sourceSets(answers, "domain").map(({ name, times }) => [name, times]),
    [
      ["a.example", [1, 1]],
      ["b.example", [0, 1]],
    ],
  );
  assert.deepEqual(
    sourceSets(answers, "address").map(({ name }) => name),
    ["b.example/"],
  );
});

test("a source whose redirect hides its page stands with the pages of the host that the platform names", () => {
  const redirect = (site: string) =>
    ({ url: `https://r.example/${site}`, title: "", opaque: true, domain: "a.example", site }) as const;
  const page = { url: "https://docs.a.example/x", title: "" };
  const answers = [
    { sources: [redirect("www.Docs.a.example"), redirect("A name")] },
    { sources: [page, redirect("other-a.example")] },
  ];
  assert.deepEqual(
    sourceSets(answers, "domain").map(({ name, times }) => [name, times]),
    [
      ["a.example", [1, 1]],
      ["docs.a.example", [1, 1]],
    ],
  );
});

test("pasted headers are read as logs write them, and anything else is no header", () => {
  assert.deepEqual(
    readHeaders('< X-Service-Signature: sha256=ab\r\n"x-service-delivery": "d-1",\nnot a header\nHost = x.example'),
    { "X-Service-Signature": "sha256=ab", "x-service-delivery": "d-1", Host: "x.example" },
  );
  assert.deepEqual(readHeaders('{"x-a": ["1", "2"], "x-b": 3}'), { "x-a": "1", "x-b": "3" });
  fc.assert(fc.property(fc.string({ unit: "binary" }), (text) => void readHeaders(text)));
});

test("a figure of which no answer counts says what its answers lack, and not that there are none", () => {
  const words = {
    noAnswers: "none",
    noneCounts: (why: string) => `none counts: ${why}`,
    leftOut: {
      no_text: (count: number) => `${count} without text`,
      not_searched: (count: number) => `${count} not searched`,
    },
    leftOutOther: (count: number) => `${count} left out`,
  };
  assert.equal(whyNone({}, words), "none");
  assert.equal(whyNone({ not_searched: 0 }, words), "none");
  assert.equal(
    whyNone({ no_text: 2, not_searched: 40, something_new: 1 }, words),
    "none counts: 40 not searched, 2 without text, 1 left out",
  );
});

test("a chart's values are marked at steps that people count in, from 0 to at or above its highest", () => {
  assert.deepEqual(valueTicks(0, "count"), [0, 1]);
  assert.deepEqual(valueTicks(3, "count"), [0, 1, 2, 3]);
  assert.deepEqual(valueTicks(9, "count"), [0, 5, 10]);
  assert.deepEqual(valueTicks(159, "count"), [0, 50, 100, 150, 200]);
  assert.deepEqual(valueTicks(3_900, "count"), [0, 1000, 2000, 3000, 4000]);
  assert.deepEqual(valueTicks(7.1, "seconds"), [0, 2, 4, 6, 8]);
  assert.deepEqual(valueTicks(95, "seconds"), [0, 30, 60, 90, 120]);
  assert.deepEqual(valueTicks(0.3, "seconds"), [0, 0.1, 0.2, 0.3]);
  fc.assert(
    fc.property(fc.double({ min: 0, max: 1e12, noNaN: true }), fc.constantFrom("count", "seconds"), (value, unit) => {
      const ticks = valueTicks(value, unit);
      const top = ticks.at(-1) ?? 0;
      assert.ok(
        ticks[0] === 0 && top >= value * 0.999 && ticks.length >= 2 && ticks.length <= 5,
        `${value}: ${ticks.join()}`,
      );
      if (unit === "count") assert.ok(ticks.every(Number.isInteger));
    }),
  );
});

test("a chart's times are marked at round hours and at the beginnings of days", () => {
  const hours = Array.from({ length: 24 }, (_, index) => new Date(2026, 10, 21, 8 + index).toISOString());
  assert.deepEqual(
    timeTicks(hours, 3600).map(({ at, isDay }) => [at.getHours(), isDay]),
    [
      [12, false],
      [18, false],
      [0, true],
      [6, false],
    ],
  );
  const week = Array.from({ length: 28 }, (_, index) => new Date(2026, 10, 1, 6 * index).toISOString());
  assert.ok(timeTicks(week, 21_600).every(({ at, isDay }) => isDay && at.getHours() < 6));
  const month = Array.from({ length: 30 }, (_, index) => new Date(Date.UTC(2026, 10, 1 + index)).toISOString());
  assert.deepEqual(
    timeTicks(month, 86_400).map(({ at }) => at.getUTCDate()),
    [5, 10, 15, 20, 25, 30],
  );
});

test("a platform is called what the service says of it, and idle while nothing was asked lately", () => {
  const at = "2026-11-01T00:00:00.000Z";
  const standing = (change: Partial<Parameters<typeof standingOf>[0]>, finished = 20) =>
    standingOf({
      state: "ready",
      unavailable: null,
      breakerOpenUntil: null,
      throttledUntil: null,
      health: {
        windowSeconds: 3600,
        finished,
        successRate: finished === 0 ? null : 1,
        p50Seconds: 1,
        p95Seconds: 2,
        recent: { windowSeconds: 300, finished, successRate: finished === 0 ? null : 1 },
        queued: 0,
        running: 0,
        drift: null,
      },
      ...change,
    });
  assert.equal(standing({}).kind, "healthy");
  assert.equal(standing({}, 0).kind, "idle");
  for (const state of ["degraded", "failing", "paused", "not_configured"] as const)
    assert.equal(standing({ state }).kind, state);
  assert.deepEqual(standing({ state: "failing", breakerOpenUntil: at }), {
    kind: "breaker_open",
    until: at,
    detail: null,
  });
  assert.deepEqual(standing({ state: "throttled", throttledUntil: at }), {
    kind: "throttled",
    until: at,
    detail: null,
  });
  const unavailable = { code: "browser_unavailable", detail: "No browser." } as const;
  assert.deepEqual(standing({ state: "no_browser", unavailable }), {
    kind: "no_browser",
    until: null,
    detail: "No browser.",
  });
});

test("points are low when less than a tenth is left, or less than the last day with spending took", () => {
  const usage = (available: number, granted: number, ...spent: readonly (readonly [string, number])[]) => ({
    balance: { available, granted, held: 0, captured: granted - available },
    days: spent.map(([day, chargedPoints]) => ({
      day,
      platformCode: "p",
      completed: 1,
      failed: 0,
      canceled: 0,
      chargedPoints,
    })),
  });
  assert.equal(isLow(usage(100, 1000)), false);
  assert.equal(isLow(usage(99, 1000)), true);
  assert.equal(isLow(usage(500, 1000, ["2026-11-02", 0], ["2026-11-01", 501])), true);
  assert.equal(isLow(usage(500, 1000, ["2026-11-02", 10], ["2026-11-01", 501])), false);
  assert.equal(isLow(usage(500, 1000, ["2026-11-02", 300], ["2026-11-02", 300])), true);
  assert.equal(isLow(usage(0, 0)), false);
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
      const ofProjects = days
        .slice(1)
        .map((day) => ({ ...day, projectId: day.platformCode, projectName: day.tokenName }));
      for (const group of groups)
        assert.equal(
          (group === "project" ? byProject(usage, ofProjects) : addUp(usage, group)).reduce(
            (sum, { chargedPoints }) => sum + chargedPoints,
            0,
          ),
          points,
        );
      assert.deepEqual(
        byDay(usage).map(({ day }) => day),
        ["2026-02-26", "2026-02-27", "2026-02-28", "2026-03-01", "2026-03-02"],
      );
    }),
  );
});

test("a cron expression of days and a time is said in words and written again the same, and others are left as they are", () => {
  assert.deepEqual(readCron("0 6 * * MON"), { days: [1], hour: 6, minute: 0 });
  assert.deepEqual(readCron("30 18 * * 1-5"), { days: [1, 2, 3, 4, 5], hour: 18, minute: 30 });
  assert.deepEqual(readCron("0 0 * * 7,sat"), { days: [6, 0], hour: 0, minute: 0 });
  assert.deepEqual(readCron("5 4 * * *")?.days, allDays);
  for (const other of [
    "",
    "0 6 1 * *",
    "0 6,18 * * *",
    "*/5 * * * *",
    "0 25 * * *",
    "0 6 * * MON#1",
    "0 6 * 2 MON",
    "@daily",
  ])
    assert.equal(readCron(other), null, other);
  fc.assert(
    fc.property(
      fc.subarray([...allDays], { minLength: 1 }),
      fc.integer({ min: 0, max: 23 }),
      fc.integer({ min: 0, max: 59 }),
      (days, hour, minute) => assert.deepEqual(readCron(cronOf({ days, hour, minute })), { days, hour, minute }),
    ),
  );
});
