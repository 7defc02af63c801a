/** Responses that are complete and unusual, that are of another kind, and that are wrong in several places. */
import assert from "node:assert/strict";
import { suite, test } from "node:test";
import type { ImportedAnswer, ImportFormat, ProblemItem } from "@querent/contract";
import { ProblemError } from "../../src/api/problem-error.ts";
import { readImported } from "./read-imported.ts";

const at = "2026-06-05 12:00:00";

async function read(format: ImportFormat, ...bodies: readonly unknown[]): Promise<readonly ImportedAnswer[]> {
  const text = bodies.map((body) => `${JSON.stringify(body)}\n`).join("");
  return readImported(text, format);
}

async function errorsOf(format: ImportFormat, ...bodies: readonly unknown[]): Promise<readonly ProblemItem[]> {
  const error: unknown = await read(format, ...bodies).catch((reason: unknown) => reason);
  assert.ok(error instanceof ProblemError && error.errors !== undefined, String(error));
  return error.errors;
}

const pointersOf = async (format: ImportFormat, ...bodies: readonly unknown[]) =>
  (await errorsOf(format, ...bodies)).map(({ pointer }) => pointer);

const search = (engine: string, more: object = {}, created = `${at} UTC`) => ({
  search_metadata: { id: "s", status: "Success", created_at: created },
  search_parameters: { engine, q: "best grinder" },
  ...more,
});
const task = (path: string, result: unknown, more: object = {}) => ({
  id: "d",
  path: path.split("/"),
  data: { keyword: "best grinder" },
  result: [result],
  ...more,
});

suite("SerpApi", () => {
  test("a comparison is a table, and what is shown to buy is a product", async () => {
    const [answer] = await read(
      "serpapi",
      search("google_ai_mode", {
        text_blocks: [
          {
            type: "comparison",
            product_labels: ["Acme", "Globex"],
            comparison: [{ feature: "Price", values: ["10", 20] }, { feature: "Burrs" }],
          },
        ],
        shopping_results: [
          { title: "Acme One", product_link: "https://shop.example/1" },
          { title: "Globex Two", link: "https://shop.example/2", product_link: "https://elsewhere.example" },
          { price: "$1" },
        ],
      }),
    );
    assert.equal(answer?.content, "|  | Acme | Globex |\n| Price | 10 | 20 |\n| Burrs |");
    assert.deepEqual(answer.products, [
      { title: "Acme One", url: "https://shop.example/1" },
      { title: "Globex Two", url: "https://shop.example/2" },
    ]);
  });

  test("products beside an overview are not the overview's", async () => {
    const [answer] = await read(
      "serpapi",
      search("google", {
        ai_overview: { text_blocks: [{ type: "paragraph", snippet: "Acme." }] },
        shopping_results: [{ title: "Globex" }],
      }),
    );
    assert.deepEqual([answer?.content, answer?.products], ["Acme.", undefined]);
  });

  test("an engine without answers is refused, and another one with an overview is a platform of its own", async () => {
    assert.deepEqual(await pointersOf("serpapi", search("google_maps", { local_results: [] }), search("youtube")), [
      "/1/search_parameters/engine",
      "/2/search_parameters/engine",
    ]);
    const overview = { ai_overview: { text_blocks: [{ snippet: "Acme." }] } };
    const text = { text_blocks: [{ snippet: "Acme." }] };
    const answers = await read("serpapi", search("bing", overview), search("brave_ai_mode", text));
    assert.deepEqual(
      answers.map(({ platformCode, content }) => [platformCode, content]),
      [
        ["bing-ai-overview", "Acme."],
        ["brave-ai-mode", "Acme."],
      ],
    );
  });
});

suite("DataForSEO", () => {
  test("every failed task and result of a line is named", async () => {
    const organic = "v3/serp/google/organic/live/advanced";
    const body = {
      tasks: [
        task(organic, { datetime: "never" }),
        { id: "d", status_message: "No Search Results.", result: null },
        task(organic, { datetime: `${at} +00:00`, items: [] }),
        { ...task(organic, null), result: [{ datetime: 1 }, { datetime: `${at} +00:00` }, {}] },
      ],
    };
    assert.deepEqual(await pointersOf("dataforseo", body), [
      "/1/tasks/0/result/0/datetime",
      "/1/tasks/1/result",
      "/1/tasks/3/result/0/datetime",
      "/1/tasks/3/result/2/datetime",
    ]);
    const many = { tasks: Array.from({ length: 500 }, () => ({ result: null })) };
    assert.equal((await errorsOf("dataforseo", many)).length, 100);
  });

  test("an endpoint whose results leave out answers is refused, instead of counted as a search without one", async () => {
    const result = { datetime: `${at} +00:00`, items: [{ type: "organic", title: "Acme" }] };
    const paths = [
      "v3/serp/google/organic/live/regular",
      "v3/serp/google/organic/task_get/html/05281810",
      "v3/ai_optimization/chat_gpt/llm_scraper/task_get/html",
      "v3/serp/google/maps/live/advanced",
    ];
    assert.deepEqual(
      await pointersOf("dataforseo", ...paths.map((path) => ({ tasks: [task(path, result)] }))),
      paths.map((_, index) => `/${index + 1}/tasks/0/path`),
    );
  });

  test("the title of an expanded element and the words of a video are text of the overview", async () => {
    const items = [
      { type: "ai_overview_expanded_element", title: "Burrs", components: [{ text: "Flat." }] },
      { type: "ai_overview_video_element", title: "Acme reviewed", snippet: "It grinds." },
    ];
    const result = { datetime: `${at} +00:00`, items: [{ type: "ai_overview", items }] };
    const [answer] = await read("dataforseo", { tasks: [task("v3/serp/google/organic/live/advanced", result)] });
    assert.equal(answer?.content, "Burrs\n\nFlat.\n\nAcme reviewed: It grinds.");
  });
});

test("times are read as UTC in any time zone of the service, and no other text is a time", async () => {
  const zone = process.env["TZ"];
  process.env["TZ"] = "America/New_York";
  try {
    const times = [`${at} UTC`, at, "2026-06-05T12:00:00Z", "2026-06-05 14:00:00 +02:00", "2026-06-05 12:00:00.5"];
    const answers = await read("serpapi", ...times.map((time) => search("google", {}, time)));
    assert.deepEqual(
      answers.map(({ observedAt }) => observedAt),
      [...Array.from({ length: 4 }, () => "2026-06-05T12:00:00.000Z"), "2026-06-05T12:00:00.500Z"],
    );
    const others = ["5", "June 5, 2026", "2026-06-05", "2026-13-05 12:00:00 UTC", "2026-06-05 12:00:00 CET"];
    assert.deepEqual(
      await pointersOf("serpapi", ...others.map((time) => search("google", {}, time))),
      others.map((_, index) => `/${index + 1}/search_metadata/created_at`),
    );
  } finally {
    if (zone === undefined) delete process.env["TZ"];
    else process.env["TZ"] = zone;
  }
});

test("an answer of the last century, or of tomorrow's tomorrow, has a wrong time", async () => {
  const answer = { question: "q", platformCode: "p", content: null };
  const dated = (observedAt: string) => ({ ...answer, observedAt });
  const tomorrow = new Date(Date.now() + 3_600_000).toISOString();
  assert.equal((await read("querent", dated("2000-01-01T00:00:00Z"), dated(tomorrow))).length, 2);
  const wrong = ["1970-01-21T12:00:00Z", "1900-01-01T00:00:00Z", "9999-12-31T23:59:59Z"];
  const errors = await errorsOf("querent", ...wrong.map(dated));
  assert.deepEqual(
    errors.map(({ pointer, code }) => [pointer, code]),
    wrong.map((_, index) => [`/${index + 1}/observedAt`, "out_of_range"]),
  );
  const late = search("google_ai_mode", {}, "9999-01-01 00:00:00 UTC");
  assert.deepEqual(await pointersOf("serpapi", late), ["/1/observedAt"]);
});
