/** Reads the text of answers from responses: `read-response.ts`, and the page as their witness. */
import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { load } from "cheerio/slim";
import { parseRecipe } from "../../../src/platforms/web/recipe/load-recipe.ts";
import { extractAnswer } from "../../../src/platforms/web/extract/extract-answer.ts";
import { eventsOf, responseXml, responseText } from "../../../src/platforms/web/extract/read-response.ts";
import { captured } from "./captured.ts";

const sse = (...data: readonly unknown[]) =>
  data.map((each) => `data: ${typeof each === "string" ? each : JSON.stringify(each)}\n\n`).join("");
const textOf = (body: string, rule: { text: string; join?: "append" | "last" }) =>
  responseText(load(responseXml(body), { xml: true }, false), rule);

const answer = 'Grind **finer** 咖啡 😀, e.g. `{"a": [1]}`.\n\n- Weigh "the" beans.';
const pieces = answer.match(/[\s\S]{1,9}/gu) ?? [];

/** The same answer in the forms in which public descriptions and the libraries' documents say that pages get it. */
const forms: Readonly<Record<string, { body: string; text: string; join?: "append" | "last" }>> = {
  "chunks of a chat API": {
    body: sse(...pieces.map((content) => ({ choices: [{ index: 0, delta: { content } }] })), "[DONE]"),
    text: "message > choices > delta > content",
  },
  "named events with reasoning among them": {
    body: sse(
      { type: "reasoning-delta", delta: "Let me think." },
      ...pieces.map((delta) => ({ type: "text-delta", id: "1", delta })),
      { type: "finish" },
    ),
    text: "message[type='text-delta'] > delta",
  },
  "events of several data lines": {
    body: pieces
      .map((text) => `event: delta\r\ndata: {"a": 1,\r\ndata:  "text": ${JSON.stringify(text)}}\r\n\r\n`)
      .join(""),
    text: "message[event=delta] > text",
  },
  "patches with paths that later ones leave out": {
    body: sse(
      { p: "", o: "add", v: { message: { content: { parts: [""] }, metadata: {} } }, c: 0 },
      { p: "/message/content/parts/0", o: "append", v: pieces[0] },
      ...pieces.slice(1, -1).map((v) => ({ v })),
      {
        o: "patch",
        v: [
          { p: "/message/content/parts/0", o: "append", v: pieces.at(-1) },
          { p: "/message/status", o: "replace", v: "finished_successfully" },
        ],
      },
    ),
    text: "message > content > parts",
  },
  "patches with negative places": {
    body: sse(
      { v: { response: { message_id: 2, fragments: [{ type: "THINK", content: "" }] } } },
      { p: "response/fragments/-1/content", o: "APPEND", v: "Hm." },
      { p: "response/fragments", o: "APPEND", v: [{ type: "RESPONSE", content: pieces[0] }] },
      { p: "response/fragments/-1/content", v: pieces[0] },
      ...pieces.slice(1).map((v) => ({ v })),
      { p: "response", o: "BATCH", v: [{ p: "status", v: "FINISHED" }] },
    ),
    text: "fragments[type=RESPONSE] > content",
  },
  "standard patches": {
    body: sse(
      { op: "add", path: "", value: { chunks: [] } },
      ...pieces.map((value) => [{ op: "add", path: "/chunks/-", value }]),
    ),
    text: "message > chunks",
  },
  "blocks as patches of their members": {
    body: sse(
      {
        blocks: [
          {
            intended_usage: "ask_text",
            diff_block: { field: "markdown_block", patches: [{ op: "replace", path: "", value: { chunks: [] } }] },
          },
        ],
      },
      ...pieces.map((value, at) => ({
        blocks: [
          {
            intended_usage: "ask_text",
            diff_block: { field: "markdown_block", patches: [{ op: "add", path: `/chunks/${at}`, value }] },
          },
        ],
      })),
    ),
    text: "blocks[intended_usage=ask_text] > markdown_block > chunks",
  },
  "states of the whole text": {
    body: sse(...pieces.map((_, at) => ({ answer: pieces.slice(0, at + 1).join("") }))),
    text: "message > answer",
    join: "last",
  },
  "JSON in strings in strings": {
    body: sse(
      ...pieces.map((text) => ({
        event_type: 2001,
        event_data: JSON.stringify({ message: { content: JSON.stringify({ text, kind: "text" }) } }),
      })),
    ),
    text: "event_data > message > content > text",
  },
  "rows of an AI SDK data stream": {
    body: [
      `f:{"messageId":"m"}`,
      ...pieces.map((text) => `0:${JSON.stringify(text)}`),
      `d:{"finishReason":"stop"}`,
      "",
    ].join("\n"),
    text: "message[row='0']",
  },
  "rows of React": {
    body: [
      '0:{"a":"$@1","f":""}',
      `1:{"diff":[0,${JSON.stringify(pieces[0])}],"next":"$@2"}`,
      ...pieces
        .slice(1)
        .map((text, at) => `${(at + 2).toString(16)}:{"diff":[0,${JSON.stringify(text)}],"next":"$@9"}`),
      "",
    ].join("\n"),
    text: "diff[at='1']",
  },
  "a row of text with its length": {
    body: `2:I["x"]\n3:T${Buffer.byteLength(answer).toString(16)},${answer}4:null\n`,
    text: "message[row='3']",
  },
  "documents one after the other": {
    body: pieces.map((token) => JSON.stringify({ result: { response: { token } } })).join(""),
    text: "result > response > token",
  },
  "chunks with their lengths": {
    body: `)]}'\n\n${pieces.map((_, at) => `${at + 10}\n${JSON.stringify([["wrb.fr", null, JSON.stringify([null, ["c"], null, null, [["rc", [pieces.slice(0, at + 1).join("")]]]])]])}\n`).join("")}`,
    text: "message[at='2'] > message[at='4'] > message[at='0'] > message[at='1'] > message[at='0']",
    join: "last",
  },
  "messages of a WebSocket": {
    body: pieces.map((text) => `42${JSON.stringify(["delta", { text }])}`).join("\n"),
    text: "message[at='1'] > text",
  },
};

suite("the text of an answer is read from a response of", () => {
  for (const [name, { body, text, join }] of Object.entries(forms))
    test(name, () => assert.equal(textOf(body, { text, ...(join && { join }) }), answer));

  // With lengths in them, other line ends are another body.
  const crlf = Object.entries(forms).filter(([name]) => !name.includes("length"));
  for (const [name, { body, text, join }] of crlf)
    test(`${name}, with carriage returns`, () =>
      assert.equal(textOf(body.replaceAll(/(?<!\r)\n/g, "\r\n"), { text, ...(join && { join }) }), answer));

  test("each of them, cut at every byte: then it is a beginning of the text", () => {
    const withReturns = crlf.map(
      ([name, form]) => [name, { ...form, body: form.body.replaceAll(/(?<!\r)\n/g, "\r\n") }] as const,
    );
    for (const [name, { body, text, join }] of [...Object.entries(forms), ...withReturns]) {
      const bytes = Buffer.from(body);
      for (let end = 0; end < bytes.length; end++) {
        // As the captured body is decoded.
        const read = textOf(
          bytes
            .subarray(0, end)
            .toString("utf8")
            .replace(/\uFFFD+$/, ""),
          { text, ...(join && { join }) },
        );
        assert.ok(answer.startsWith(read), `${name} at ${end}: ${read}`);
      }
    }
  });
});

test("a body that is nothing but brackets takes no long time", () => {
  const before = process.cpuUsage().user;
  eventsOf(`x${"[{".repeat(200_000)}`);
  assert.ok(process.cpuUsage().user - before < 5_000_000);
});

test("marks in the text become links to what the response says of them, and others are left out", () => {
  const mark = "\ue200cite\ue202turn0search0\ue201";
  const body = sse(
    { p: "", o: "add", v: { message: { content: { parts: [""] }, metadata: { content_references: [] } } } },
    { p: "/message/content/parts/0", o: "append", v: `Prices differ by shop.${mark} So be it\ue200x\ue201.` },
    {
      p: "/message/metadata/content_references",
      o: "append",
      v: [{ matched_text: mark, items: [{ title: "Coffee Guide", url: "https://one.example/guide" }] }],
    },
  );
  const $ = load(responseXml(body), { xml: true }, false);
  const citations = { each: "content_references", mark: "matched_text", url: "items > url", title: "items > title" };
  assert.equal(
    responseText($, { text: "content > parts", citations }),
    "Prices differ by shop. ([Coffee Guide](https://one.example/guide)) So be it.",
  );
});

suite("the page is the witness of the response", () => {
  const rules = parseRecipe(`
recipe: 1
name: Test
version: 1
verified: true
entry: https://assistant.example/
composer: { input: textarea, submit: { press: Enter } }
turn: { each: .turn, text: .text, response: { text: "message > text" } }
network: { answer: { url: /answer$ } }
complete: { done: .done }
`);
  const read = (page: string | null, text: string) => {
    const snapshots = captured(page ?? "", {
      response: { url: "", status: 200, mediaType: "text/event-stream", body: sse({ text }) },
    });
    return extractAnswer(rules, page === null ? { ...snapshots, turn: null } : snapshots);
  };
  test("both the same: the text is the response's", () => {
    const { text, differs } = read(
      `<div class="text"><p>Grind finer, then weigh.</p></div>`,
      "Grind *finer*, then weigh.",
    );
    assert.deepEqual([text, differs], ["Grind *finer*, then weigh.", false]);
  });
  test("the page shows another text: the page counts, and the difference is told", () => {
    const { text, differs } = read(
      `<div class="text"><p>I can't talk about that.</p></div>`,
      "Grind finer, then weigh.",
    );
    assert.deepEqual([text, differs], ["I can't talk about that.", true]);
  });
  test("the page shows a part of it: the text is the response's", () => {
    const { text } = read(`<div class="text"><p>Grind finer</p></div>`, "Grind finer, then weigh the beans twice.");
    assert.equal(text, "Grind finer, then weigh the beans twice.");
  });
  test("there is no turn of it on the page: the text is the response's, and the recipe's turn is told", () => {
    const { text, unmatched } = read(null, "Grind finer.");
    assert.deepEqual([text, unmatched], ["Grind finer.", ["turn.each"]]);
  });
});
