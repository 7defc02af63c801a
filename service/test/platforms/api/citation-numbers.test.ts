/** `[2]` in a text leads to the page with the number 2. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { PlatformAnswer, Outcome } from "../../../src/platforms/index.ts";
import { observedAt, platformAt, question } from "./ask-api.ts";

function read(api: string, document: unknown): Outcome {
  const mediaType = `application/json; api=${api}`;
  return platformAt(api, "http://127.0.0.1:9").reread(
    { mediaType, body: JSON.stringify(document) },
    question("?", false),
    observedAt,
  );
}

function answerOf(outcome: Outcome): PlatformAnswer & { readonly text: string } {
  assert.ok(outcome.kind === "answered", JSON.stringify(outcome));
  const text = outcome.answer.parts.map((part) => (part.type === "markdown" ? part.markdown : "")).join("");
  return { ...outcome.answer, text };
}

describe("numbers of citations, in every form that annotates its text", () => {
  const page = (name: string) => `https://${name}.example/`;
  const link = (number: number, name: string) => `[\\[${number}\\]](${page(name)})`;
  const forms: Readonly<Record<string, (content: string, annotations: readonly object[]) => Outcome>> = {
    "chat completions": (content, annotations) => {
      const message = { role: "assistant", content, annotations: annotations.map((one) => ({ url_citation: one })) };
      return read("openrouter", { choices: [{ index: 0, finish_reason: "stop", message }] });
    },
    Responses: (text, given) => {
      const annotations = given.map((one) => ({ type: "url_citation", ...one }));
      const output = [{ type: "message", role: "assistant", content: [{ type: "output_text", text, annotations }] }];
      return read("xai", { object: "response", status: "completed", output });
    },
  };
  for (const [form, answer] of Object.entries(forms)) {
    const textOf = (text: string, annotations: readonly object[]) => answerOf(answer(text, annotations)).text;

    test(`${form}: pages are counted, not annotations`, () => {
      const annotations = ["a", "a", "b", "a", "b", "c"].map((name) => ({ url: page(name), title: name }));
      assert.equal(textOf("One [1], two [2], three [3], four [4].", annotations), `One ${link(1, "a")}, two ${link(2, "b")}, three ${link(3, "c")}, four [4].`); // prettier-ignore
    });

    test(`${form}: a number in the place of the title is the page's, and no title`, () => {
      const annotations = [
        { url: page("b"), title: "2" },
        { url: page("a"), title: "[1]" },
        { url: page("b"), title: "2" },
      ];
      const outcome = answerOf(answer("Later [2] then [1].", annotations));
      assert.equal(outcome.text, `Later ${link(2, "b")} then ${link(1, "a")}.`);
      assert.deepEqual(
        outcome.sources.map(({ url, title }) => [url, title]),
        [
          [page("b"), ""],
          [page("a"), ""],
        ],
      );
    });

    test(`${form}: a marker that an annotation covers states the page's number`, () => {
      const text = "Later [2] then [1], and again [2].";
      const at = (url: string, marker: string, from = 0) => {
        const start = text.indexOf(marker, from);
        return { url, title: "A page", start_index: start, end_index: start + marker.length };
      };
      const annotations = [at(page("b"), "[2]"), at(page("a"), "[1]")];
      assert.equal(
        textOf(text, annotations),
        `Later ([b.example](${page("b")})) then ([a.example](${page("a")})), and again ${link(2, "b")}.`,
      );
    });
  }
});
