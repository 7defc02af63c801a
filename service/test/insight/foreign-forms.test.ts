/**
 * The documented forms of SerpApi and DataForSEO, each in a body of our own, and what goes wrong with them. The addresses of the
 * documents stand with the readers.
 */
import assert from "node:assert/strict";
import { suite, test } from "node:test";
import type { ImportedAnswer, ImportFormat, ProblemItem } from "@querent/contract";
import fc from "fast-check";
import { ProblemError } from "../../src/api/problem-error.ts";
import { readImported } from "./read-imported.ts";

const at = "2026-06-05 12:00:00";
const read = (format: ImportFormat, ...bodies: unknown[]): Promise<readonly ImportedAnswer[]> =>
  readImported(bodies.map((body) => `${JSON.stringify(body)}\n`).join(""), format);
async function errorsOf(format: ImportFormat, ...bodies: unknown[]): Promise<readonly ProblemItem[]> {
  try {
    await read(format, ...bodies);
  } catch (error) {
    if (error instanceof ProblemError && error.errors !== undefined) return error.errors;
    throw error;
  }
  throw new Error("the lines were accepted");
}

const search = (engine: string, more: object = {}) => ({
  search_metadata: { id: "s", status: "Success", created_at: `${at} UTC`, processed_at: `${at} UTC` },
  search_parameters: { engine, q: "best grinder" },
  ...more,
});
const overview = {
  text_blocks: [
    { type: "paragraph", snippet: "Grinders differ.", snippet_highlighted_words: ["differ"], reference_indexes: [0] },
    { type: "expandable", title: "Burrs", text_blocks: [{ type: "list", list: [{ title: "Flat", snippet: "even" }] }] },
    { type: "list", list: [{ snippet: "Outer", list: [{ snippet: "inner" }] }] },
  ],
  references: [{ title: "A", link: "https://a.example/", snippet: "…", source: "A", index: 0 }],
};

suite("SerpApi", () => {
  test("an overview within a search and one fetched separately are the same answer of the same platform", async () => {
    const [within, separate] = await read(
      "serpapi",
      search("google", { ai_overview: overview }),
      search("google_ai_overview", { ai_overview: overview }),
    );
    assert.equal(within?.content, "Grinders differ.\n\nBurrs\n- Flat: even\n\n- Outer\n  - inner");
    assert.deepEqual(within.sources, [{ url: "https://a.example/", title: "A" }]);
    assert.deepEqual([within.platformCode, separate?.platformCode], ["google-ai-overview", "google-ai-overview"]);
    assert.equal(separate?.content, within.content);
  });

  test("a response of Bing Copilot is an answer, with its header, tables and code", async () => {
    const [answer] = await read(
      "serpapi",
      search("bing_copilot", {
        header: "Grinders",
        text_blocks: [
          { type: "paragraph", snippet: "Two of them." },
          { type: "table", table: [["Name", "Price"], ["Acme", 10]] }, // prettier-ignore
          { type: "code_block", language: "js", code: "grind()" },
        ],
        references: overview.references,
      }),
    );
    assert.deepEqual(
      [answer?.platformCode, answer?.content, answer?.sources?.length],
      ["bing-copilot", "Grinders\n\nTwo of them.\n\n| Name | Price |\n| Acme | 10 |\n\ngrind()", 1],
    );
  });

  test("products of AI Mode have their price and shop, and questions beside it are kept", async () => {
    const [answer] = await read(
      "serpapi",
      search("google_ai_mode", {
        ...overview,
        shopping_results: [
          { title: "Acme", product_link: "https://g.example/p", price: "$12.00", source: "Corner" },
          {},
        ],
        related_questions: [{ question: "Which burrs?" }, { question: 7 }],
      }),
    );
    assert.deepEqual(answer?.products, [
      { title: "Acme", url: "https://g.example/p", price: "$12.00", shop: "Corner" },
    ]);
    assert.deepEqual(answer.relatedQuestions, ["Which burrs?"]);
  });

  test("what was not fetched is no answer without text, but an error that says what to do", async () => {
    const { search_parameters: _parameters, ...withoutQuery } = search("google_ai_overview");
    const announced = { page_token: "t", serpapi_link: "https://serpapi.com/search" };
    const [unread] = await read("serpapi", search("google", { ai_overview: announced }));
    assert.deepEqual([unread?.unread, unread?.content, unread?.sources], [true, null, []]);
    const errors = await errorsOf(
      "serpapi",
      search("google", { ai_overview: { error: "It is not available." } }),
      search("google", { search_metadata: { id: "s", status: "Processing", created_at: `${at} UTC` } }),
      search("google", {
        search_metadata: { id: "s", status: "Error", created_at: `${at} UTC` },
        error: "No credits.",
      }),
      { ...withoutQuery, search_parameters: { engine: "google_ai_overview", page_token: "t" }, ai_overview: overview },
      search("google"),
    );
    assert.deepEqual(
      errors.map(({ pointer }) => pointer),
      ["/1/ai_overview/error", "/2/search_metadata/status", "/3/search_metadata/status", "/4/search_parameters/q"],
    );
    assert.match(errors[2]?.detail ?? "", /"Error" \(No credits\.\)/);
  });
});

const task = (path: string, result: unknown, more: object = {}) => ({
  id: "d",
  status_code: 20000,
  status_message: "Ok.",
  path: path.split("/"),
  data: { keyword: "best grinder", location_code: 2840, language_code: "en" },
  result: [result],
  ...more,
});
const page = (result: object) => ({ tasks: [task("v3/serp/google/organic/live/advanced", result)] });
const datetime = `${at} +00:00`;

suite("DataForSEO", () => {
  test("of an LLM response, the messages are the answer, without what the model thought before it", async () => {
    const result = {
      model_name: "gpt-5-2026-01-01",
      datetime,
      items: [
        { type: "reasoning", sections: [{ type: "summary_text", text: "The user wants …" }] },
        {
          type: "message",
          sections: [{ type: "text", text: "Acme.", annotations: [{ title: "A", url: "https://a.example/" }] }],
        },
      ],
      fan_out_queries: ["best grinder 2026", 7, "acme review"],
    };
    const body = task("v3/ai_optimization/chat_gpt/llm_responses/live", result, {
      data: { user_prompt: "Which?", web_search_country_iso_code: "FR" },
    });
    const [answer] = await read("dataforseo", { tasks: [body] });
    assert.deepEqual(answer, {
      id: "d/0",
      question: "Which?",
      platformCode: "chat-gpt-api",
      observedAt: "2026-06-05T12:00:00.000Z",
      content: "Acme.",
      sources: [{ url: "https://a.example/", title: "A" }],
      products: null,
      modelVersion: "gpt-5-2026-01-01",
      locale: "FR/",
      searches: ["best grinder 2026", "acme review"],
    });
  });

  test("of the LLM scraper, Markdown, sources, products and searches are kept", async () => {
    const items = [
      {
        type: "chat_gpt_text",
        markdown: "Acme.",
        sources: [{ url: "https://b.example/" }, { url: "https://a.example/" }],
      },
      {
        type: "chat_gpt_products",
        items: [
          {
            title: "Acme One",
            url: "https://shop.example/1",
            price: { current: 99, currency: "USD", displayed_price: "$99" },
          },
          { title: "Acme Two", url: null, price: { current: 5, currency: "EUR" } },
          {},
        ],
      },
    ];
    const scraped = (markdown: string | null) =>
      task("v3/ai_optimization/chat_gpt/llm_scraper/live/advanced", {
        keyword: "best grinder",
        model: "gpt-5",
        datetime,
        markdown,
        sources: [{ type: "chat_gpt_source", title: "A", url: "https://a.example/", domain: "a.example" }],
        fan_out_queries: ["grinders"],
        items,
      });
    const [whole, parts] = await read("dataforseo", { tasks: [scraped("**Acme.**"), scraped(null)] });
    assert.deepEqual([whole?.content, parts?.content], ["**Acme.**", "Acme."]);
    assert.deepEqual(whole?.sources, [{ url: "https://a.example/", title: "A", site: "a.example" }, { url: "https://b.example/", title: null }]); // prettier-ignore
    assert.deepEqual(whole.products, [{ title: "Acme One", url: "https://shop.example/1", price: "$99" }, { title: "Acme Two", url: null, price: "5 EUR" }]); // prettier-ignore
    assert.deepEqual([whole.searches, whole.modelVersion], [["grinders"], "gpt-5"]);
    assert.equal(whole.platformCode, "chat-gpt", "not that of the model's API");
  });

  test("of an AI overview, every element and reference is kept, also within the knowledge graph", async () => {
    const reference = (url: string) => ({ type: "ai_overview_reference", url, title: null });
    const elements = [
      { type: "ai_overview_element", text: "One.", references: [reference("https://b.example/")] },
      { type: "ai_overview_table_element", markdown: "| A |", references: null },
      {
        type: "ai_overview_expanded_element",
        text: "More",
        components: [
          { type: "ai_overview_expanded_component", text: "Two.", references: [reference("https://c.example/")] },
        ],
      },
    ];
    const body = { markdown: null, items: elements, references: [reference("https://a.example/")] };
    const [own, inGraph] = await read(
      "dataforseo",
      page({ datetime, items: [{ type: "organic" }, { type: "ai_overview", ...body }] }),
      page({
        datetime,
        items: [{ type: "knowledge_graph", items: [{ type: "knowledge_graph_ai_overview_item", ...body }] }],
      }),
    );
    assert.equal(own?.content, "One.\n\n| A |\n\nMore\n\nTwo.");
    assert.deepEqual(
      own.sources?.map(({ url }) => url),
      ["https://a.example/", "https://b.example/", "https://c.example/"],
    );
    assert.deepEqual([inGraph?.content, inGraph?.sources], [own.content, own.sources]);
  });

  test("of AI Mode, advertisements and the words that lead to them are no part of the answer, and are kept as such", async () => {
    const paid = {
      ...{
        type: "ai_overview_paid",
        text: "To get an estimate:",
        markdown: "To get an estimate: [Globex](https://globex.example/)",
      },
      items: [
        {
          ...{ type: "ai_overview_paid_element", title: "Grinders", url: "https://globex.example/", ad_aclk: "x" },
          ...{ domain: "globex.example", website_name: "Globex", breadcrumb: "globex.example › shop", snippet: "Buy." },
        },
      ],
    };
    const overview = (...more: object[]) => ({
      ...{ type: "ai_overview", markdown: null, references: [] },
      items: [{ type: "ai_overview_element", text: "Acme." }, ...more],
    });
    const path = "v3/serp/google/ai_mode/live/advanced";
    const of = (time: string, ...items: object[]) => task(path, { datetime: `${time} 12:00:00 +00:00`, items });
    const answers = await read("dataforseo", {
      tasks: [
        of("2026-08-01", overview(paid)),
        of("2026-08-01", overview(), paid),
        of("2026-08-01", overview()),
        of("2026-07-01", overview()),
      ],
    });
    const ad = {
      ...{ advertiser: "Globex", title: "Grinders", url: "https://globex.example/", displayUrl: "globex.example" },
      placement: "in_answer",
    };
    assert.deepEqual(
      answers.map(({ content, ads, sources }) => [content, ads, sources]),
      [
        ["Acme.", [ad], []],
        ["Acme.", [ad], []],
        ["Acme.", [], []],
        // Before its responses had any, it is not known.
        ["Acme.", undefined, []],
      ],
    );
  });

  test("a page without an overview is an answer without text; one whose overview was not loaded is not read", async () => {
    const organic = { type: "organic", title: "Acme", text: "An organic result.", markdown: "no" };
    const [none] = await read("dataforseo", page({ datetime, items: [organic] }));
    assert.deepEqual([none?.platformCode, none?.content, none?.sources], ["google-ai-overview", null, []]);
    const unloaded = {
      type: "ai_overview",
      asynchronous_ai_overview: true,
      markdown: null,
      items: null,
      references: null,
    };
    const failed = { id: "d", status_code: 40501, status_message: "Invalid Field.", result: null };
    const [unread] = await read("dataforseo", page({ datetime, items: [unloaded] }));
    assert.deepEqual([unread?.unread, unread?.content, unread?.sources], [true, null, []]);
    const errors = await errorsOf(
      "dataforseo",
      { tasks: [failed] },
      { tasks: Array.from({ length: 1001 }, () => task("v3/serp/google/organic/live/advanced", { datetime })) },
    );
    assert.deepEqual(
      errors.map(({ pointer }) => pointer),
      ["/1/tasks/0/result", "/2/tasks"],
    );
    assert.match(errors[0]?.detail ?? "", /Invalid Field/);
  });
});

test("whatever stands where, a line is answers or an error with its number, and never anything else", async () => {
  const odd = fc.oneof(
    fc.constantFrom<unknown>(null, 1, -1, true, "", "text", [], {}, [[]], [null], [{ text: 1 }], { text: [] }),
    fc.jsonValue({ maxDepth: 4 }),
  );
  const serp = fc.record({
    search_metadata: fc.oneof(fc.record({ status: odd, created_at: fc.constant(`${at} UTC`), id: odd }), odd),
    search_parameters: fc.oneof(fc.record({ engine: odd, q: fc.constantFrom<unknown>("q", 1, null) }), odd),
    ai_overview: fc.oneof(fc.record({ text_blocks: fc.array(odd), references: fc.array(odd) }), odd),
    text_blocks: odd,
    references: odd,
  });
  const result = fc.record({
    datetime: fc.constantFrom<unknown>(datetime, 1),
    markdown: odd,
    items: fc.oneof(fc.array(fc.record({ type: fc.constantFrom("ai_overview", "message", "chat_gpt_products", "x"), sections: odd, items: odd, components: odd, references: odd, markdown: odd })), odd), // prettier-ignore
    sources: odd,
    fan_out_queries: odd,
  });
  const seo = fc.record({
    tasks: fc.oneof(
      fc.array(fc.record({ path: odd, data: fc.oneof(fc.constant({ keyword: "k" }), odd), result: fc.oneof(fc.array(result), odd) })), // prettier-ignore
      odd,
    ),
  });
  const holds = async (format: ImportFormat, line: unknown) => {
    try {
      await read(format, line);
    } catch (error) {
      assert.ok(error instanceof ProblemError && error.code === "validation_failed", String(error));
      assert.ok(error.errors?.every(({ pointer }) => pointer.startsWith("/1")));
    }
  };
  await fc.assert(
    fc.asyncProperty(serp, (line) => holds("serpapi", line)),
    { numRuns: 500 },
  );
  await fc.assert(
    fc.asyncProperty(seo, (line) => holds("dataforseo", line)),
    { numRuns: 500 },
  );
});
