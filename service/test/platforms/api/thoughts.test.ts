/** Reasoning that a model wrote into its text: it goes to the reasoning, and nothing of the answer goes with it. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import { splitThoughts } from "../../../src/platforms/api/read/thoughts.ts";
import { observedAt, platformAt, question } from "./ask-api.ts";

const split = (text: string) => {
  const { answer, thoughts } = splitThoughts(text);
  return [answer, ...thoughts.map((thought) => thought.trim())];
};

/** The marks that models in use emit, as the reasoning parsers of vLLM, SGLang, llama.cpp and Open WebUI know them. */
const pairs: readonly (readonly [open: string, close: string])[] = [
  ...["think", "thinking", "thought", "thoughts", "reason", "reasoning", "reflection", "scratchpad"].map(
    (name) => [`<${name}>`, `</${name}>`] as const,
  ),
  ["<THINK>", "</THINK>"],
  ["<think>", "</thinking>"],
  ["<antThinking>", "</antThinking>"],
  ["<inner_monologue>", "</inner_monologue>"],
  ["<seed:think>", "</seed:think>"],
  ["<mm:think>", "</mm:think>"],
  ["<longcat_think>", "</longcat_think>"],
  ['<thought signature="a1">', "</thought>"],
  ["◁think▷", "◁/think▷"],
  ["[THINK]", "[/THINK]"],
  ["<|begin_of_thought|>", "<|end_of_thought|>"],
  ["<|START_THINKING|>", "<|END_THINKING|>"],
  ["<|inner_prefix|>", "<|inner_suffix|>"],
  ["<|channel>thought", "<channel|>"],
  ["[unused16]", "[unused17]"],
];

describe("reasoning in the text", () => {
  for (const [open, close] of pairs) {
    test(`${open}…${close}, in front, in between and at the end`, () => {
      assert.deepEqual(split(`${open}\nplan\n${close}\n\nThe answer.`), ["The answer.", "plan"]);
      assert.deepEqual(split(`First.${open}one${close}Second.${open}two${close}`), ["First.\n\nSecond.", "one", "two"]);
      assert.deepEqual(split(`${open}one${close}${open}two${close}The answer.`), ["The answer.", "one", "two"]);
    });
    test(`${open} without an end is reasoning to the end`, () => {
      assert.deepEqual(split(`${open}\nplan`), ["", "plan"]);
      assert.deepEqual(split(`The answer.\n\n${open}\nplan`), ["The answer.\n\n", "plan"]);
      assert.deepEqual(split(`The answer. ${open}plan`), ["The answer. ", "plan"]);
    });
    test(`${close} without a beginning ends the reasoning that a chat template began`, () => {
      assert.deepEqual(split(`plan\n${close}\n\nThe answer.`), ["The answer.", "plan"]);
    });
    test(`${open} and ${close} in code are the answer's own`, () => {
      for (const text of [
        `Use \`${close}\` to end it.`,
        `Use \`${open}\` and \`${close}\`.`,
        `\`\`\`xml\n${open}a${close}\n\`\`\`\n\nSo it is.`,
        `Like this:\n\n    ${open}a${close}\n\nSo it is.`,
        `- item\n  \`\`\`\n  ${open}a${close}\n  \`\`\``,
      ]) {
        assert.deepEqual(split(text), [text]);
        const behind = `${open}plan${close}\n\n${text}`;
        assert.deepEqual(split(behind), [text, "plan"]);
      }
    });
  }

  const cases: readonly (readonly [what: string, text: string, ...expected: string[]])[] = [
    ["nested reasoning ends with the outer one", "<think>a<think>b</think>c</think>D.", "D.", "a<think>b</think>c"],
    ["a tag in the reasoning's code does not end it", "<think>use `</think>` here</think>D.", "D.", "use `</think>` here"],
    ["a quoted tag in the reasoning does not end it", '<think>say "</think>" now</think>D.', "D.", 'say "</think>" now'],
    ["a fence that reasoning leaves open is closed", "<think>a\n```\nb</think>\n\n`c` <think>d</think>E.", "`c` E.", "a\n```\nb", "d"],
    ["another tag in it is a part of it", "<think>a <reflection>b</reflection> c</think>D.", "D.", "a <reflection>b</reflection> c"],
    ["a tag that a sentence speaks of", "The <think> tag begins it.", "The <think> tag begins it."],
    ["two tags that a sentence speaks of", "Between <think> and </think> it plans.", "Between <think> and </think> it plans."],
    ["a second end, before anything else", "<think>a</think>b\n</think>\nC.", "C.", "a", "b"],
    ["what the model wrote around its answer", "<think>a</think><answer>B.</answer>", "B.", "a"],
    ["OpenAI's harmony format", "<|channel|>analysis<|message|>a<|end|><|start|>assistant<|channel|>final<|message|>B.<|return|>", "B.", "a"],
    ["what a server leaves of it", "analysisWe plan.assistantfinalB.", "B.", "We plan."],
    ["Granite's headings", "Here is my thought process:\na\n\nHere is my response:\nB.", "B.", "a"],
    ["a comparison", "If a<b and c>d, think.", "If a<b and c>d, think."],
  ]; // prettier-ignore
  for (const [what, text, ...expected] of cases) test(what, () => assert.deepEqual(split(text), expected));

  test("offsets into the text lead to the same character of the answer, and none into the reasoning", () => {
    const pieces = fc.array(fc.constantFrom("a", "bc ", "<think>", "</think>", "d\n", "◁think▷", "◁/think▷", "`"), {
      maxLength: 20,
    });
    fc.assert(
      fc.property(pieces, (given) => {
        const text = given.join("");
        const { answer, place, thoughts } = splitThoughts(text);
        for (let offset = 0; offset < text.length; offset += 1) {
          const at = place(offset);
          if (at !== null && place(offset + 1) === at + 1) assert.equal(answer[at], text[offset]);
        }
        const letters = (value: string) => value.replace(/[^abcd]/gu, "");
        const tags = letters("<think></think>");
        assert.ok(letters(answer).length + letters(thoughts.join("")).length <= letters(text).length + tags.length);
      }),
    );
  });
});

describe("an answer with reasoning in its text", () => {
  const read = (body: string, mediaType: string) =>
    platformAt("openai-compatible", "http://127.0.0.1:9").reread(
      { mediaType: `${mediaType}; api=openai-compatible`, body },
      question("?", false),
      observedAt,
    );
  const text = "First.<thought>Acme?</thought> Second `</think>`.\n<reasoning>Acme!</reasoning>\nThird.";
  const expected = ["First. Second `</think>`.\n\nThird.", "Acme?", "Acme!"];
  const shown = (outcome: ReturnType<typeof read>) => {
    assert.ok(outcome.kind === "answered", JSON.stringify(outcome));
    const { parts, reasoning } = outcome.answer;
    const content = parts.map((part) => (part.type === "markdown" ? part.markdown : "")).join("");
    return [content, ...(reasoning ?? []).map((step) => step.text)];
  };

  test("is the same in one piece and in a stream of any pieces", () => {
    const choice = { index: 0, finish_reason: "stop", message: { role: "assistant", content: text } };
    assert.deepEqual(shown(read(JSON.stringify({ choices: [choice] }), "application/json")), expected);
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 12 }), (size) => {
        const pieces = text.match(new RegExp(`[^]{1,${size}}`, "gu")) ?? [];
        const events = pieces.map((content) => ({ choices: [{ index: 0, delta: { content } }] }));
        const last = { choices: [{ index: 0, delta: {}, finish_reason: "stop" }] };
        const lines = [...events, last].map((event) => `data: ${JSON.stringify(event)}\n\n`);
        assert.deepEqual(shown(read(`${lines.join("")}data: [DONE]\n\n`, "text/event-stream")), expected);
      }),
    );
  });

  test("that is nothing but reasoning without an end breaks off", () => {
    const choice = { index: 0, finish_reason: "stop", message: { role: "assistant", content: "<think>\nAcme" } };
    assert.equal(read(JSON.stringify({ choices: [choice] }), "application/json").kind, "retryable");
  });
});
