/** Which mentions begin items of lists, and at which places. */
import assert from "node:assert/strict";
import { suite, test } from "node:test";
import fc from "fast-check";
import { listPositions } from "../../src/observations/entities/list-positions.ts";
import { choices, sources, warned } from "./heading-texts.ts";
import { listed, unlisted } from "./listed-texts.ts";

const brand = /Acme|Beta|Gamma|Delta|Epsilon|小米|华为|苹果/gu;

function placesIn(text: string): (number | null)[] {
  const spans = [...text.matchAll(brand)].map(({ index, 0: name }) => ({ start: index, end: index + name.length }));
  return listPositions(text, spans);
}

suite("lists", () => {
  test(`${listed.length} lists, by each way to write a rank`, () => {
    for (const [text, places] of listed) assert.deepEqual(placesIn(text), places, text);
  });

  test(`${unlisted.length} texts that list nothing, or not everything`, () => {
    for (const [text, places] of unlisted) assert.deepEqual(placesIn(text), places, text);
  });

  test(`under ${warned.length + sources.length} headings that warn, or of sources, no item has a place`, () => {
    for (const heading of [...warned, ...sources]) {
      assert.deepEqual(placesIn(`## ${heading}\n\n1. Acme\n2. Beta\n\n## Good\n- Gamma`), [null, null, 1], heading);
      assert.deepEqual(placesIn(`**${heading}**\n\n- Acme\n- Beta\n\n**Good**\n- Gamma`), [null, null, 1], heading);
      assert.deepEqual(placesIn(`${heading}\n\n- Acme\n- Beta`), [null, null], heading);
    }
  });

  test(`under ${choices.length} other headings, each item has its place`, () => {
    for (const heading of choices) {
      assert.deepEqual(placesIn(`## ${heading}\n\n1. Acme\n2. Beta`), [1, 2], heading);
      assert.deepEqual(placesIn(`${heading}\n\n- Acme\n- Beta`), [1, 2], heading);
    }
  });

  test("offsets are those of the text, whatever stands before", () => {
    for (const [text, places] of listed)
      assert.deepEqual(placesIn(`😀 Ｔｅｘｔ。\n\n# Title\n\n${text}`), places, text);
  });
});

suite("any text", () => {
  const marks = fc.constantFrom<(rank: number) => string>(
    (rank) => `${rank}. `,
    (rank) => `${rank}) `,
    (rank) => `(${rank}) `,
    (rank) => `#${rank} `,
    (rank) => `### ${rank}. **`,
    (rank) => `**${rank}. `,
    (rank) => String.fromCodePoint(0x245f + rank),
    (rank) => `${rank}\uFE0F\u20E3 `,
    () => "- ",
    () => "1. ",
  );
  const sentence = fc.stringMatching(/^[a-z ,]{0,40}$/);

  test("a list of brands has the places in which they stand, whatever is said about them", () => {
    fc.assert(
      fc.property(marks, fc.array(sentence, { minLength: 1, maxLength: 9 }), sentence, (mark, said, before) => {
        const items = said.map((text, index) => `${mark(index + 1)}Acme${text === "" ? "" : `: ${text}`}`);
        const text = `About ${before}\n\n${items.join("\n")}`;
        assert.deepEqual(
          placesIn(text),
          said.map((_, index) => index + 1),
          text,
        );
      }),
    );
  });

  test("each mention has a place from 1, or none, and the same one however often it is asked", () => {
    const piece = fc.constantFrom(
      "Acme",
      "Beta",
      "1. ",
      "2. ",
      "- ",
      "\n",
      "\n\n",
      "  ",
      "#",
      "## ",
      "**",
      "|",
      "|---|---|\n",
      "①",
      "🥇",
      "First, ",
      "Second, ",
      "Worst",
      ":",
      "```",
      ">",
      "\t",
      "\r",
      "\\",
      "一、",
      "I. ",
      "II. ",
      "a) ",
      "(",
      ")",
      "Sources",
      "\uFF11",
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 60 }), (pieces) => {
        const text = pieces.join("");
        const places = placesIn(text);
        for (const place of places) assert.ok(place === null || (Number.isInteger(place) && place >= 1), text);
        assert.deepEqual(placesIn(text), places);
      }),
      { numRuns: 2000 },
    );
  });
});

test("the time is in proportion to the length, whatever the text is made of", () => {
  // The worst of those that were tried.
  const pieces = [
    "- \n",
    "# a\n",
    "- a: Acme\n",
    "# Worst\n1. Acme\n",
    "  - Acme\n",
    "1. a 2. b ",
    "| 1 | Acme |\n",
    "First, a. Second, b. ",
    "if a to avoid, ",
    " ",
  ];
  const timeOf = (piece: string, chars: number): number => {
    const text = piece.repeat(Math.ceil(chars / piece.length)) + "\n1. Acme";
    const spans = [...text.matchAll(brand)].map(({ index }) => ({ start: index, end: index + 4 }));
    const many = spans.length > 10_000 ? [...spans.slice(0, 10_000), ...spans.slice(-1)] : spans;
    const start = process.cpuUsage();
    listPositions(text, many);
    const { user, system } = process.cpuUsage(start);
    return (user + system) / 1000;
  };
  for (const piece of pieces) {
    const time = timeOf(piece, 1024 * 1024);
    // 1 MiB in less than 6 s of processor time; what grows with the square of the length takes minutes.
    assert.ok(time < 6000, `${JSON.stringify(piece)}: ${time} ms`);
  }
});
