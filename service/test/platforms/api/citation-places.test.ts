/** Where a citation stands whose place can hold no link, and how long that takes at most. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { cite } from "../../../src/platforms/api/read/cite.ts";

const pageOf = (index: number): string => `https://cited.example/page-${index}`;
const numbered = (number: number): string | null => (number <= 5 ? `https://numbered.example/${number}` : null);

describe("a citation whose place can hold no link", () => {
  const page = "https://cited.example/page-0";
  const link = `([cited.example](${page}))`;
  /** `‸` is the place. Numbers 1 to 5 are known. */
  const cases: readonly (readonly [what: string, text: string, expected: string])[] = [
    ["in a word of prose", "It is‸ so.", `It is ${link} so.`],
    ["behind a code fence", "```\na\n```‸\n\nb", `\`\`\`\na\n\`\`\`\n\n${link}\n\nb`],
    ["in a code fence", "```\na‸\n```\n\nb", `\`\`\`\na\n\`\`\`\n\n${link}\n\nb`],
    ["in a code fence between two lines of prose", "a\n```\nb‸\n```\nc", `a\n\`\`\`\nb\n\`\`\`\n\n${link}\n\nc`],
    ["in a code fence without an end", "a\n\n```\nb‸", `a\n\n${link}\n\n\`\`\`\nb`],
    ["in the code fence of a list's item", "- a\n  ```\n  b‸\n  ```\n- c", `- a ${link}\n  \`\`\`\n  b\n  \`\`\`\n- c`],
    ["in indented code", "a\n\n    b‸\n\nc", `a\n\n    b\n\n${link}\n\nc`],
    ["in a code span", "a `b‸` c.", `a \`b\` c. ${link}`],
    ["behind the last bar of a row", "|a|b|\n|-|-|\n|c|d|‸", `|a|b|\n|-|-|\n|c|d ${link}|`],
    ["in the rule of a table", "|a|b|\n|-‸|-|\n|c|d|", `|a|b ${link}|\n|-|-|\n|c|d|`],
    ["in the text of a link", "a [b‸ c](https://d.example) e", `a [b c](https://d.example) e ${link}`],
    ["in the address of a link", "a [b](https://d.ex‸ample) e", `a [b](https://d.example) e ${link}`],
    ["in an address", "a https://d.ex‸ample e", `a https://d.example e ${link}`],
    ["in a formula in brackets", "a \\[ b‸ \\] c.", `a \\[ b \\] c. ${link}`],
    ["in a formula between dollar signs", "a $b‸$ c.", `a $b$ c. ${link}`],
    ["between amounts of money", "a $5‸ b $6 c.", `a $5 ${link} b $6 c.`],
    ["in a block of formulas", "a\n\n$$\nb‸\n$$\n\nc", `a\n\n$$\nb\n$$\n\n${link}\n\nc`],
    ["in HTML", "<div>\na‸\n</div>\n\nb", `<div>\na\n</div>\n\n${link}\n\nb`],
    ["in a tag", 'a <b class="‸x">b</b> c', `a <b class="x">b</b> c ${link}`],
    ["in a definition", "a [b]\n\n[b]: /‸b", `a [b]\n\n[b]: /b\n\n${link}`],
    ["in a footnote", "a[^n]\n\n[^n]: b‸", `a[^n]\n\n[^n]: b\n\n${link}`],
    ["in a heading", "# a‸ #\n\nb", `# a ${link} #\n\nb`],
    ["in the rule under a heading", "a\n--‸-\n\nb", `a ${link}\n---\n\nb`],
    ["between the blocks", "a\n\n‸b", `a ${link}\n\nb`],
    ["in a character reference", "a &am‸p; b", `a &amp; ${link} b`],
    ["in emphasis", "a **b‸** c", `a **b** ${link} c`],
    ["in an emoji", "a \ud83d‸\ude00 b", `a \ud83d\ude00 ${link} b`],
  ]; // prettier-ignore
  for (const [what, marked, expected] of cases) {
    test(what, () => {
      const end = marked.indexOf("‸");
      const text = marked.replace("‸", "");
      assert.equal(cite({ text, citations: [{ start: 0, end, url: page }], numberings: [] }), expected);
    });
  }
});

describe("the work for a text that is made to be slow", () => {
  const size = 1 << 20;
  const texts: Readonly<Record<string, string>> = {
    "opening brackets": "[".repeat(size),
    "markers without a space": "[1]".repeat(size / 3),
    "nested quotes": "> ".repeat(size / 2),
    "nested lists": Array.from({ length: 700 }, (_, depth) => `${"  ".repeat(depth)}- a [1]`).join("\n"),
    "delimiters of emphasis": "*a **b".repeat(size / 6),
    "runs of backticks": Array.from({ length: 1400 }, (_, length) => "`".repeat(length)).join(" "),
    "underlined headings": "a\n=\n".repeat(size / 4),
    "dollar signs": "$a ".repeat(size / 3),
    "definitions": Array.from({ length: 20_000 }, (_, number) => `[${number}]: /x`).join("\n\n"),
    "white space": " ".repeat(size),
    "tables": `|a|b|\n|-|-|\n${"|a [1]|b|\n".repeat(size / 10)}`,
    "paragraphs": "It is **good** [1], and [so](https://a.example) is this [2].\n\n".repeat(size / 64),
  }; // prettier-ignore
  for (const [what, text] of Object.entries(texts)) {
    test(`is bounded: ${what}`, () => {
      const citations = Array.from({ length: 2_000 }, (_, index) => ({
        start: 0,
        end: Math.floor(((index + 1) * text.length) / 2_001),
        url: pageOf(index),
      }));
      const started = process.cpuUsage();
      const written = cite({ text, citations, numberings: [{ from: 0, addressOf: numbered }] });
      const { user, system } = process.cpuUsage(started);
      assert.ok((user + system) / 1e6 < 30, `${(user + system) / 1e6} s`);
      assert.ok(written.length < text.length * 1.5);
    });
  }
});
