/** What the steps of a search are, in every form of response: queries with what they found, and pages that were opened. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { answerOf, read } from "./reread.ts";

describe("pages that were opened", () => {
  const step = (url: string, title = "") => ({ query: "", results: [{ title, url, site: "" }] });
  const page = "https://bar.example/nine";

  test("are steps of the search in Messages, unless they could not be opened", () => {
    const fetched = (content: object) => ({ type: "web_fetch_tool_result", tool_use_id: "srvtoolu_1", content });
    const document = {
      type: "message",
      stop_reason: "end_turn",
      content: [
        { type: "server_tool_use", id: "srvtoolu_1", name: "web_fetch", input: { url: page } },
        fetched({ type: "web_fetch_result", url: page, content: { type: "document", title: "Nine bars" } }),
        { type: "server_tool_use", id: "srvtoolu_2", name: "web_fetch", input: { url: "https://bar.example/gone" } },
        fetched({ type: "web_fetch_tool_result_error", error_code: "url_not_accessible" }),
        { type: "deepseek_read_url_tool_result", content: { url: "https://bar.example/two", title: "Two" } },
        { type: "text", text: "Nine bars." },
      ],
    };
    const { search, sources, consumption } = answerOf(read("anthropic", document));
    assert.deepEqual(search, [step(page, "Nine bars"), step("https://bar.example/two", "Two")]);
    assert.equal(sources.length, 2);
    assert.equal(consumption?.searches ?? null, null);
  });

  test("are steps of the search at Gemini, in both of its forms", () => {
    const candidate = {
      finishReason: "STOP",
      content: { parts: [{ text: "Nine bars." }] },
      urlContextMetadata: {
        urlMetadata: [
          { retrievedUrl: page, urlRetrievalStatus: "URL_RETRIEVAL_STATUS_SUCCESS" },
          { retrievedUrl: "https://bar.example/gone", urlRetrievalStatus: "URL_RETRIEVAL_STATUS_ERROR" },
        ],
      },
    };
    assert.deepEqual(answerOf(read("gemini", { candidates: [candidate] })).search, [step(page)]);
    const steps = [
      { type: "url_context_call", id: "1", arguments: { urls: [page] } },
      { type: "url_context_result", call_id: "1", result: [{ url: page, status: "success" }] },
      { type: "model_output", content: [{ type: "text", text: "Nine bars." }] },
    ];
    const interaction = answerOf(read("gemini", { object: "interaction", status: "completed", steps }));
    assert.deepEqual(interaction.search, [step(page)]);
    assert.equal(interaction.consumption?.searches ?? 0, 0);
  });

  test("are steps of the search at Mistral and in Perplexity's older form", () => {
    const outputs = [
      { type: "tool.execution", name: "open_url", arguments: JSON.stringify({ url: page }) },
      { type: "message.output", content: "Nine bars." },
    ];
    assert.deepEqual(answerOf(read("mistral", { outputs })).search, [step(page)]);
    const message = {
      content: "Nine bars.",
      reasoning_steps: [{ thought: "Hm.", fetch_url_content: { contents: [{ url: page, title: "Nine" }] } }],
    };
    const choices = [{ finish_reason: "stop", message }];
    assert.deepEqual(answerOf(read("perplexity", { choices })).search, [step(page, "Nine")]);
  });
});

describe("queries", () => {
  test("that are empty are no searches", () => {
    const candidate = {
      finishReason: "STOP",
      content: { parts: [{ text: "Nine bars." }] },
      groundingMetadata: { webSearchQueries: ["", " ", "espresso pressure"] },
    };
    const { search, consumption } = answerOf(read("gemini", { candidates: [candidate] }));
    assert.deepEqual(
      search?.map(({ query }) => query),
      ["espresso pressure"],
    );
    assert.equal(consumption?.searches ?? 1, 1);
    const steps = [
      { type: "google_search_call", id: "1", arguments: { queries: ["", "espresso pressure"] } },
      { type: "model_output", content: [{ type: "text", text: "Nine bars." }] },
    ];
    assert.equal(answerOf(read("gemini", { object: "interaction", status: "completed", steps })).search?.length, 1);
  });

  test("of one result of Perplexity's share no pages: it does not say which found a page", () => {
    const results = [{ id: 1, url: "https://bar.example/nine", title: "Nine" }];
    const said = { type: "message", content: [{ type: "output_text", text: "Nine bars." }] };
    const of = (queries: readonly string[]) =>
      answerOf(
        read("perplexity", {
          object: "response",
          status: "completed",
          output: [{ type: "search_results", queries, results }, said],
        }),
      );
    assert.deepEqual(
      of(["one", "two"]).search?.map(({ query, results: found }) => [query, found.length]),
      [
        ["one", 0],
        ["two", 0],
      ],
    );
    assert.equal(of(["one", "two"]).sources.length, 1);
    assert.equal(of(["one"]).search?.[0]?.results.length, 1);
  });
});
