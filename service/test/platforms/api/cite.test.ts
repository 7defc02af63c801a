/**
 * Citations change nothing of an answer but where they stand: for any Markdown and any offsets, the tree without our links is
 * the tree before. The trees here are those of the renderers: GitHub's dialect, and the same with formulas.
 */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import type { Nodes, Parents, Root } from "mdast";
import { fromMarkdown, type Options } from "mdast-util-from-markdown";
import { gfmFromMarkdown } from "mdast-util-gfm";
import { mathFromMarkdown } from "mdast-util-math";
import { gfm } from "micromark-extension-gfm";
import { math } from "micromark-extension-math";
import { type CitedText, cite } from "../../../src/platforms/api/read/cite.ts";

/** `npm run test:all` sets 1,500. */
const runs = Number(process.env["FUZZ_RUNS"] ?? 500);

const dialect: Options = { extensions: [gfm()], mdastExtensions: [gfmFromMarkdown()] };
const withFormulas: Options = {
  extensions: [gfm(), math()],
  mdastExtensions: [gfmFromMarkdown(), mathFromMarkdown()],
};

const pageOf = (index: number): string => `https://cited.example/page-${index}`;
const numbered = (number: number): string | null => (number <= 5 ? `https://numbered.example/${number}` : null);

/** What every kind of block and every kind of inline text begins, ends or contains. */
const word = fc.constantFrom(
  ...["word", "Zenda", "is fine.", "*em*", "**strong**", "_em_", "a*b*c", "snake_case_name", "~~gone~~", "`code`"],
  ...[
    "``a`b``",
    "[link](https://a.example)",
    "[ref][a]",
    "[a]",
    "[1]",
    "[2]",
    "[^1]",
    "![alt](https://a.example/x.png)",
  ],
  ...[
    "<https://auto.example>",
    "https://bare.example/x",
    "www.bare.example",
    "mail@bare.example",
    "&amp;",
    "&#35;",
    "\\*",
  ],
  ...[
    "\\[",
    "\\]",
    "\\|",
    "\\\\",
    "😀",
    "中文。",
    "é",
    "<b>bold</b>",
    '<a href="x">in a link</a>',
    "<br>",
    "$x[1]$",
    "costs $5 ",
  ],
  ...[
    "\\(y[1]\\)",
    "*",
    "_",
    "`",
    "[",
    "]",
    "(",
    ")",
    "!",
    "#",
    "|",
    "~",
    "&",
    "\\",
    "[^2^]",
    "【1】",
    "【4:0†source】",
    "[1, 2]",
  ],
  ...["**[1]**", "a[1]b", "[[1]](https://a.example)", "[1](https://a.example)", "([2])", "turn0search1", "<!-- x -->"],
);
const line = fc
  .tuple(fc.array(word, { minLength: 1, maxLength: 6 }), fc.constantFrom(" ", " ", " ", "", "  "))
  .map(([words, space]) => words.join(space));
const paragraph = fc
  .tuple(fc.array(line, { minLength: 1, maxLength: 3 }), fc.constantFrom("\n", "\n", "  \n", "\\\n", "\r\n"))
  .map(([lines, end]) => lines.join(end));
const cells = fc
  .array(line, { minLength: 2, maxLength: 3 })
  .map((row) => `| ${row.map((cell) => cell.replace(/\|/gu, "")).join(" | ")} |`);
const table = fc.tuple(cells, fc.array(cells, { maxLength: 3 })).map(([head, rows]) => {
  const rule = `|${"-|".repeat(head.split("|").length - 2)}`;
  return [head, rule, ...rows].join("\n");
});
const code = fc
  .tuple(
    fc.constantFrom("```", "```js", "~~~", "````"),
    fc.array(line, { maxLength: 3 }),
    fc.constantFrom("", "`", "~"),
  )
  .map(([fence, lines, more]) => {
    const mark = /^[`~]+/u.exec(fence)?.[0] ?? "";
    return [fence, ...lines, mark + (mark.startsWith(more) ? more : "")].join("\n");
  });
const leaf = fc.oneof(
  { weight: 6, arbitrary: paragraph },
  { weight: 3, arbitrary: code },
  { weight: 2, arbitrary: table },
  fc.tuple(fc.constantFrom("# ", "## ", "###### "), line, fc.constantFrom("", " #")).map((parts) => parts.join("")),
  fc.tuple(line, fc.constantFrom("\n===", "\n---")).map((parts) => parts.join("")),
  line.map((text) => `    ${text}\n    more ${text}`),
  fc.constantFrom(
    "---",
    "***",
    "<div>\n[1] text\n</div>",
    "<!-- [1]\n\nx -->",
    "<pre>\na[1]\n\nb\n</pre>",
    "<details>",
  ),
  fc.constantFrom(
    "[a]: /a",
    "[1]: /manual/grind",
    "[2]: https://real.example 'title'",
    "[^1]: A note [1].",
    "[^1]: Two\n\n    paragraphs",
  ),
  fc.constantFrom("$$\nv = a[1]\n$$", "\\[ v = [1, 1, 2] \\]", "$$M[1][2]$$", "\\[\na[1]\n\nb[2]\n\\]"),
);
const prefixed = (first: string, rest: string) => (text: string) => first + text.replaceAll("\n", `\n${rest}`);
const block: fc.Arbitrary<string> = fc.oneof(
  { weight: 5, arbitrary: leaf },
  {
    weight: 2,
    arbitrary: fc
      .array(leaf, { minLength: 1, maxLength: 3 })
      .map((items) => items.map(prefixed("- ", "  ")).join("\n")),
  },
  fc
    .array(leaf, { minLength: 1, maxLength: 2 })
    .map((items) => items.map((item, index) => prefixed(`${index + 1}. `, "   ")(item)).join("\n\n")),
  fc.array(leaf, { minLength: 1, maxLength: 2 }).map((parts) => prefixed("> ", "> ")(parts.join("\n\n"))),
  leaf.map((item) => prefixed("> - ", ">   ")(item)),
);
const markdown = fc
  .tuple(
    fc.array(fc.tuple(block, fc.constantFrom("\n\n", "\n\n", "\n\n", "\n", "\r\n\r\n", "\n\n\n")), {
      minLength: 1,
      maxLength: 8,
    }),
    fc.constantFrom("", "", "", "```\nopen [1]", "~~~", "<!-- open", "\n\n"),
  )
  .map(([blocks, end]) => blocks.flat().join("") + end);

const cited = markdown.chain((text) =>
  fc.array(fc.tuple(fc.nat(text.length), fc.nat(text.length)), { maxLength: 8 }).map((places): CitedText => ({
    text,
    citations: places.map(([a, b], index) => ({ start: Math.min(a, b), end: Math.max(a, b), url: pageOf(index) })),
    numberings: [{ from: 0, addressOf: numbered }],
  })),
);

type Shape = string | readonly Shape[];

function withoutOurs(parent: Parents): void {
  for (const [index, child] of parent.children.entries()) {
    if (child.type === "link" && child.url.startsWith("https://cited.example/"))
      parent.children[index] = { type: "text", value: "\uE001" };
    else if (child.type === "link" && child.url.startsWith("https://numbered.example/"))
      parent.children[index] = { type: "text", value: "\uE000" };
    else if ("children" in child) withoutOurs(child);
  }
}

/** Markers in a text are links in the other, or are gone. White space is where a link stood. */
const words = (value: string): string =>
  value
    .replace(/\(\uE001(?:, \uE001)*\)|\uE000/gu, "")
    .replace(/\[\^?\d(?:, \d)*\^?\]|【\d】|【4:0†source】|turn0search1/gu, "")
    .replace(/\s+/gu, "");

function shapeOf(node: Nodes): Shape {
  const { type, position: _, children, ...rest } = node as Nodes & { children?: Nodes[]; value?: string };
  if (type === "text") return words(rest.value ?? "");
  const below: Shape[] = [];
  let text = "";
  for (const child of [...(children ?? []), null]) {
    if (child?.type === "text") {
      text += child.value;
      continue;
    }
    if (words(text) !== "") below.push(words(text));
    text = "";
    if (child !== null) below.push(shapeOf(child));
  }
  return [JSON.stringify([type, rest]), ...below];
}

function treeOf(text: string, options: Options): Shape[] {
  const tree: Root = fromMarkdown(text, options);
  withoutOurs(tree);
  return tree.children.map(shapeOf).filter((shape) => shape.length > 1 || !String(shape[0]).includes('"paragraph"'));
}

function assertUnharmed(given: CitedText): void {
  const written = cite(given);
  assert.deepEqual(treeOf(written, dialect), treeOf(given.text, dialect), written);
  // Two amounts of money have no formula between them. The renderers that see one there are left alone.
  const ways = [
    ...(given.text.split("$5").length > 2 ? [] : ["$"]),
    // Not where the amount may begin a formula: `$5 and x$`.
    ...(/\$5[^$]*\S\$(?![\d$])/u.test(given.text) ? [] : ["%"]),
  ];
  for (const amount of ways) {
    const [after, before] = [written, given.text].map((text) =>
      text.replace(/\$(?=(?: \((?:\[cited\.example\]\([^)\n]*\)(?:, )?)+\))?5)/gu, () => amount),
    );
    assert.deepEqual(treeOf(after ?? "", withFormulas), treeOf(before ?? "", withFormulas), `with formulas: ${after}`);
  }
  for (const { url, start, end } of given.citations) {
    const isGiven = end > 0 && start <= end && end <= given.text.length && given.text.slice(0, end).trim() !== "";
    const count = written.split(`](${url})`).length - 1;
    if (isGiven) assert.equal(count, 1, `${url} in ${JSON.stringify(written)}`);
  }
}

describe("citations at any offsets of any Markdown", () => {
  test("leave its tree as it is, and each of them stands in the text once", () => {
    fc.assert(fc.property(cited, assertUnharmed), { numRuns: runs });
  });

  test("leave code, formulas and HTML to the letter", () => {
    fc.assert(
      fc.property(cited, (given) => {
        const written = cite(given);
        for (const kept of ["$x[1]$", "\\(y[1]\\)", "$$M[1][2]$$", "\\[ v = [1, 1, 2] \\]", "$$\nv = a[1]\n$$"]) {
          const count = (text: string) => text.split(kept).length;
          assert.ok(count(written) >= count(given.text) || /`|~~~/u.test(given.text), written);
        }
      }),
      { numRuns: Math.ceil(runs / 5) },
    );
  });
});
