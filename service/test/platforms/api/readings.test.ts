/**
 * Shapes that answers were misread in, written by hand. Where a shape was looked up, the page and the day stand beside it; the
 * others are those of the files in `responses`.
 */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { answerOf, read } from "./reread.ts";

const message = (text: string, phase?: string) => ({
  type: "message",
  role: "assistant",
  ...(phase === undefined ? {} : { phase }),
  content: [{ type: "output_text", text, annotations: [] }],
});

describe("Responses", () => {
  // https://openrouter.ai/docs/agent-sdk/typescript/api-reference/models/outputmessagephaseunion (2026-11-22).
  test("commentary is reasoning, not answer text", () => {
    const output = [
      message("I'll quickly check reliable sources.", "commentary"),
      message("Nine bars.", "final_answer"),
    ];
    const { text, reasoning } = answerOf(read("openai", { object: "response", status: "completed", output }));
    assert.equal(text, "Nine bars.");
    assert.deepEqual(reasoning, [{ text: "I'll quickly check reliable sources." }]);
  });

  test("commentary alone is no answer, and is asked again", () => {
    const output = [message("I'll quickly check reliable sources.", "commentary")];
    assert.equal(read("openai", { object: "response", status: "completed", output }).kind, "retryable");
  });

  // https://github.com/openai/openai-python: response_function_web_search.py (2026-11-22).
  test("opened pages and finds in a page are steps of the search, and are not counted as searches", () => {
    const action = (made: object) => ({ type: "web_search_call", status: "completed", action: made });
    const output = [
      action({ type: "search", query: "espresso pressure" }),
      action({ type: "open_page", url: "https://bar.example/nine" }),
      action({ type: "find_in_page", url: "https://bar.example/nine", pattern: "nine bars" }),
      message("Nine bars."),
    ];
    const { search, sources, consumption } = answerOf(
      read("openai", { object: "response", status: "completed", output }),
    );
    const page = { title: "", url: "https://bar.example/nine", site: "" };
    assert.deepEqual(search, [
      { query: "espresso pressure", results: [] },
      { query: "", results: [page] },
      { query: "nine bars", results: [page] },
    ]);
    assert.equal(sources.length, 1);
    assert.equal(consumption?.searches, 1);
  });

  // Not in https://api-docs.deepseek.com/guides/web_tools, but reported and stripped by public clients (2026-11-22).
  test("DeepSeek's id of a call is neither a query nor part of an address", () => {
    const output = [
      { type: "web_search_call", action: { type: "search", queries: ["ws_call_id=call_1", "espresso pressure"] } },
      { type: "web_search_call", action: { type: "open_page", url: "https://bar.example/nine#ws_call_id=call_2_ab" } },
      message("Nine bars.", "final_answer"),
    ];
    const { search, sources } = answerOf(read("deepseek", { object: "response", status: "completed", output }));
    assert.deepEqual(
      search?.map(({ query }) => query),
      ["espresso pressure", ""],
    );
    assert.deepEqual(
      sources.map(({ url }) => url),
      ["https://bar.example/nine"],
    );
  });

  // https://docs.apiyi.com/en/api-capabilities/grok/web-search, on xAI's usage by tool (2026-11-22).
  test("xAI's searches of X count too", () => {
    const usage = {
      input_tokens: 1,
      output_tokens: 2,
      server_side_tool_usage_details: { web_search_calls: 2, x_search_calls: 3, code_interpreter_calls: 4 },
    };
    const document = { object: "response", status: "completed", output: [message("Yes.")], usage };
    assert.equal(answerOf(read("xai", document)).consumption?.searches, 5);
  });
});

describe("searches of xAI", () => {
  test("have the pages that each of them found", () => {
    const search = (query: string, ...pages: string[]) => ({
      type: "web_search_call",
      status: "completed",
      action: { type: "search", query, sources: pages.map((url) => ({ type: "url", url })) },
    });
    const output = [
      search("burr grinder", "https://grind.example/burr", "https://grind.example/both"),
      search("blade grinder", "https://grind.example/blade", "https://grind.example/both"),
      message("Burr."),
    ];
    const { search: steps, sources } = answerOf(read("xai", { object: "response", status: "completed", output }));
    assert.deepEqual(
      steps?.map(({ query, results }) => [query, ...results.map(({ url }) => url)]),
      [
        ["burr grinder", "https://grind.example/burr", "https://grind.example/both"],
        ["blade grinder", "https://grind.example/blade", "https://grind.example/both"],
      ],
    );
    assert.equal(sources.length, 3);
  });
});

describe("Messages", () => {
  const found = { type: "web_search_result", url: "https://grind.example/burr", title: "Burr grinders" };
  const turn = (stop: string, ...content: object[]) => ({
    type: "message",
    model: "claude-sonnet-5",
    content,
    stop_reason: stop,
    usage: { input_tokens: 1, output_tokens: 1 },
  });

  test("a search whose results come after a pause is one search", () => {
    const outcome = read(
      "anthropic",
      turn("pause_turn", { type: "server_tool_use", id: "s1", name: "web_search", input: { query: "burr or blade" } }),
      turn(
        "end_turn",
        { type: "web_search_tool_result", tool_use_id: "s1", content: [{ ...found, page_age: "2 days ago" }] },
        { type: "text", text: "Burr." },
      ),
    );
    const { search, sources } = answerOf(outcome);
    assert.deepEqual(search, [
      { query: "burr or blade", results: [{ title: "Burr grinders", url: "https://grind.example/burr", site: "" }] },
    ]);
    assert.equal(sources[0]?.publishedAt, "2026-11-19");
  });

  // https://platform.claude.com/docs/en/agents-and-tools/tool-use/web-search-tool (2026-11-22): searches that code makes.
  test("searches that are filtered with code are read like others, and the code is none", () => {
    const caller = { type: "code_execution_20260120", tool_id: "c1" };
    const outcome = read(
      "anthropic",
      turn(
        "end_turn",
        { type: "server_tool_use", id: "c1", name: "code_execution", input: { code: "search(query='no query')" } },
        { type: "server_tool_use", id: "s1", name: "web_search", input: { query: "burr or blade" }, caller },
        {
          type: "web_search_tool_result",
          tool_use_id: "s1",
          content: [{ ...found, page_age: "3 months ago" }],
          caller,
        },
        {
          type: "code_execution_tool_result",
          tool_use_id: "c1",
          content: { type: "code_execution_result", stdout: "" },
        },
        { type: "text", text: "Burr." },
      ),
    );
    const { search, sources, text } = answerOf(outcome);
    assert.deepEqual([search?.length, search?.[0]?.query, search?.[0]?.results.length], [1, "burr or blade", 1]);
    assert.deepEqual([sources.length, sources[0]?.publishedAt, text], [1, "2026-08-21", "Burr."]);
  });

  test("every cited passage of a page is kept, once", () => {
    const cited = (text: string) => ({
      type: "web_search_result_location",
      url: found.url,
      title: found.title,
      cited_text: text,
    });
    const outcome = read(
      "anthropic",
      turn(
        "end_turn",
        { type: "text", text: "Even", citations: [cited("It crushes evenly.")] },
        { type: "text", text: " and quiet.", citations: [cited("It is quiet."), cited("It crushes evenly.")] },
      ),
    );
    assert.equal(answerOf(outcome).sources[0]?.summary, "It crushes evenly.\n\nIt is quiet.");
  });
});

describe("Gemini", () => {
  // https://docs.cloud.google.com/gemini-enterprise-agent-platform/reference/rest/v1beta1/Usage (2026-11-22).
  test("an interaction's sites are those of the pages, and tools and thoughts are counted", () => {
    const redirect = "https://vertexaisearch.cloud.google.com/grounding-api-redirect/abc";
    const { sources, text, consumption } = answerOf(
      read("gemini", {
        object: "interaction",
        status: "completed",
        steps: [
          {
            type: "model_output",
            content: [
              {
                type: "text",
                text: "Nine bars.",
                annotations: [
                  { type: "url_citation", url: redirect, title: "bar.example", start_index: 0, end_index: 9 },
                ],
              },
            ],
          },
        ],
        usage: {
          total_input_tokens: 10,
          total_tool_use_tokens: 5,
          total_output_tokens: 20,
          total_thought_tokens: 7,
          total_tokens: 42,
        },
      }),
    );
    assert.equal(sources[0]?.site, "bar.example");
    assert.equal(text, `Nine bars ([bar.example](${redirect})).`);
    assert.deepEqual(consumption, { inputTokens: 15, outputTokens: 27, searches: 0 });
  });

  // https://pub.dev/documentation/google_cloud_aiplatform_v1beta1: Candidate_FinishReason.modelArmor (2026-11-22).
  test("a block by Model Armor is a refusal", () => {
    const blocked = { promptFeedback: { blockReason: "MODEL_ARMOR" } };
    const stopped = { candidates: [{ finishReason: "MODEL_ARMOR", content: { parts: [] } }] };
    for (const document of [blocked, stopped]) {
      const outcome = read("gemini", document);
      assert.ok(outcome.kind === "permanent" && outcome.code === "platform_refused", JSON.stringify(outcome));
    }
  });
});

describe("chat completions", () => {
  test("a citation without a scheme is a source and a link; what is no web address is neither", () => {
    const citations = ["www.example.com/a", "//example.org/x", "https://exa mple.com/b", "javascript:alert(1)"];
    const message = { role: "assistant", content: "See [1][2][3][4]." };
    const document = { object: "chat.completion", citations, choices: [{ index: 0, finish_reason: "stop", message }] };
    const { sources, text } = answerOf(read("perplexity", document));
    assert.equal(sources.map(({ url }) => url).join(" "), "https://www.example.com/a https://example.org/x");
    assert.match(text, /^(?!.*javascript:).*\(https:\/\/www\.example\.com\/a\).*\(https:\/\/example\.org\/x\)/);
  });

  const chat = (said: object, more: object = {}) => ({
    model: "m",
    choices: [{ index: 0, finish_reason: "stop", message: { role: "assistant", ...said } }],
    ...more,
  });

  test("reasoning that xAI counts apart from the answer is output, too", () => {
    const usage = (completion: number, total: number) => ({
      prompt_tokens: 10,
      completion_tokens: completion,
      total_tokens: total,
      completion_tokens_details: { reasoning_tokens: 300 },
    });
    const output = (given: object) => answerOf(read("xai", chat({ content: "Yes." }, { usage: given }))).consumption;
    assert.equal(output(usage(20, 330))?.outputTokens, 320);
    // As OpenAI counts.
    assert.equal(output(usage(320, 330))?.outputTokens, 320);
  });

  test("Groq's searches and the usage of its streams are counted", () => {
    const tool = (index: number) => ({ index, type: "search", arguments: `{"query":"brew ${index}"}` });
    const { consumption } = answerOf(
      read(
        "groq",
        chat(
          { content: "Twelve hours.", executed_tools: [tool(0), tool(1)] },
          { x_groq: { usage: { prompt_tokens: 30, completion_tokens: 70 } } },
        ),
      ),
    );
    assert.deepEqual(consumption, { inputTokens: 30, outputTokens: 70, searches: 2 });
  });

  test("a number in the text refers to the annotation of this place", () => {
    const url = (name: string) => ({
      type: "url_citation",
      url_citation: { url: `https://${name}.example/`, title: name },
    });
    const { text } = answerOf(
      read("openrouter", chat({ content: "Nine bars [2], or six [1].", annotations: [url("a"), url("b"), url("a")] })),
    );
    assert.equal(text, "Nine bars [\\[2\\]](https://b.example/), or six [\\[1\\]](https://a.example/).");
  });

  test("OpenRouter's summaries are steps of their own", () => {
    const detail = (index: number, summary: string) => ({ type: "reasoning.summary", index, summary });
    const { reasoning } = answerOf(
      read(
        "openrouter",
        chat({
          content: "Nine.",
          reasoning: "**Plan** I look.**Check** I compare.",
          reasoning_details: [detail(0, "**Plan** "), detail(0, "I look."), detail(1, "**Check** I compare.")],
        }),
      ),
    );
    assert.deepEqual(reasoning, [{ text: "**Plan** I look." }, { text: "**Check** I compare." }]);
  });
});
