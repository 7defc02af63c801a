import assert from "node:assert/strict";
import { suite, test } from "node:test";
import fc from "fast-check";
import stringWidth from "string-width";
import { answersBeside } from "../src/output/answer.ts";
import { beside, cut, table, wrap } from "../src/output/columns.ts";
import { CommandOutput } from "../src/output/output.ts";
import { printable, printableJson, printableLine } from "../src/output/printable.ts";
import { taskRecord } from "../../service/test/harness/task-record.ts";

/** What a terminal would act on, or would not show. */
// eslint-disable-next-line no-control-regex
const acted = /[\u0000-\u0009\u000B-\u001F\u007F-\u009F\u200E\u200F\u202A-\u202E\u2066-\u2069\uFEFF]/;

const hostile: readonly (readonly [string, string])[] = [
  ["a link that leads elsewhere (OSC 8)", "\u001B]8;;https://evil.example\u0007bank\u001B]8;;\u0007"],
  ["clearing the screen (CSI)", "\u001B[2J\u001B[H"],
  ["an 8-bit CSI", "\u009B2J"],
  ["writing to the clipboard (OSC 52)", "\u001B]52;c;cm0gLXJm\u001B\\"],
  ["a window title", "\u001B]0;root@host\u0007"],
  ["a DCS string", "\u001BP$qm\u001B\\"],
  ["turning letters around", "abc\u202Egpj.exe\u202C"],
  ["isolates", "\u2066a\u2069"],
  ["overwriting the line", "wrong\rright"],
  ["erasing backwards", "ab\b\bxy\u007F"],
  ["a bell and a shift out", "\u0007\u000E"],
];

suite("other people's text on a terminal", () => {
  for (const [what, text] of hostile) {
    test(`${what} is shown, not done`, () => {
      assert.doesNotMatch(printable(text), acted);
      assert.doesNotMatch(printableLine(text), acted);
      const json = printableJson({ text });
      assert.doesNotMatch(json, acted);
      assert.deepEqual(JSON.parse(json), { text });
    });
  }

  test("any text at all comes out without anything that a terminal acts on, and as JSON unchanged", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 200 }), (text) => {
        assert.doesNotMatch(printable(text), acted);
        assert.doesNotMatch(printableLine(text), /\n/);
        assert.doesNotMatch(printableJson(text), acted);
        assert.equal(JSON.parse(printableJson(text)), text);
      }),
    );
  });

  test("ordinary text of any script stays as it is", () => {
    for (const text of ["Ünïcode, 你好, こんにちは, 안녕, مرحبا, שלום", "👩‍👩‍👧 🇨🇭 é", "| a | b |\n- c"])
      assert.equal(printable(text), text);
  });

  test("a hostile task shows nothing of it, wherever it stands", () => {
    const evil = hostile.map(([, text]) => text).join(" ");
    const source = { title: evil, url: evil, summary: evil, site: evil, publishedAt: null };
    const failure = {
      code: "internal",
      message: evil,
      stage: "platform",
      retryable: true,
      attempts: 1,
      platformStatus: null,
    } as const;
    const tasks = [
      taskRecord({ content: evil, sources: [source], platformCode: evil, shareUrl: evil }),
      taskRecord({ state: "failed", failure }),
    ];
    for (const line of answersBeside(tasks, new CommandOutput({ format: "text" }))) assert.doesNotMatch(line, acted);
  });
});

suite("columns", () => {
  test("lines keep within their width, and no letter is lost", () => {
    const unit = fc.constantFrom("a", "bc", " ", " ", "你", "👩‍👩‍👧", "é", "- ", "long-word-that-goes-on", "\n", "> ");
    fc.assert(
      fc.property(fc.string({ unit, maxLength: 60 }), fc.integer({ min: 6, max: 40 }), (text, width) => {
        const lines = wrap(text, width);
        for (const line of lines) assert.ok(stringWidth(line) <= width, JSON.stringify(line));
        const letters = (all: string) => all.replaceAll(/[\s>]/g, "");
        assert.equal(letters(lines.join("")), letters(text));
      }),
    );
  });

  test("blocks stand beside each other in line, whatever the script", () => {
    const lines = beside([wrap("你好 world", 8), ["a", "b", "c"]], 8);
    assert.deepEqual(lines, ["你好     │ a", "world    │ b", "         │ c"]);
    assert.deepEqual(table([{ head: "A" }, { head: "POINTS", align: "right" }], [["你", "1"]]), [
      "A   POINTS",
      "你       1",
    ]);
    assert.equal(cut("你好世界", 5), "你好…");
  });
});
