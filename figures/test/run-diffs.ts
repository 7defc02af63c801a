/**
 * Pairs of runs of one cell, and what their diff is. Each run is a list of answers, and an answer is written as
 * `text | brands | sources | cards`, where `k1=9` is a card with a price, and `@x` at its end the instrument. `-` is not known: a text that has expired, sources that could not be parsed.
 */
export interface DiffCase {
  readonly name: string;
  /** All runs in the order of time; an empty one did not answer. `compared`: the positions of the two, by default the last two. */
  readonly runs: readonly (readonly string[])[];
  readonly compared?: readonly [number, number];
  /** One line per change: aspect, item, answers before and after, and reruns that differ as much. Empty: identical. */
  readonly expected: readonly string[];
}

const same = "Try the Niche. | Niche | a.com/1 | ";
const many = (count: number, ...answers: string[]) => Array.from({ length: count }, () => answers);

export const runDiffs: readonly DiffCase[] = [
  { name: "the same answer", runs: [[same], [same]], expected: [] },
  {
    name: "the same answers of three repeats",
    runs: [
      [same, same, same],
      [same, same, same],
    ],
    expected: [],
  },
  { name: "both without anything", runs: [["|||"], ["|||"]], expected: [] },
  { name: "both expired, otherwise the same", runs: [["- | A | x | "], ["- | A | x | "]], expected: [] },
  {
    name: "a second place that changes",
    runs: [["| A B | | "], ["| A C | | "]],
    expected: ["brands B 1>0 0/0", "brands C 0>1 0/0"],
  },
  { name: "a brand that is gone", runs: [["| A B | | "], ["| A | | "]], expected: ["brands B 1>0 0/0"] },
  { name: "a brand that is new", runs: [["| A | | "], ["| A B | | "]], expected: ["brands B 0>1 0/0"] },
  {
    name: "another first place, the same brands",
    runs: [["| A B | | "], ["| B A | | "]],
    expected: ["first A 1>0 0/0", "first B 0>1 0/0"],
  },
  { name: "no brand any more", runs: [["| A | | "], ["| | | "]], expected: ["brands A 1>0 0/0", "first A 1>0 0/0"] },
  { name: "a brand named twice counts once", runs: [["| A A | | "], ["| A | | "]], expected: [] },
  { name: "a source that is gone", runs: [["| | x y | "], ["| | x | "]], expected: ["sources y 1>0 0/0"] },
  { name: "the same sources in another order", runs: [["| | x y | "], ["| | y x | "]], expected: [] },
  { name: "all sources new", runs: [["| | x | "], ["| | y | "]], expected: ["sources x 1>0 0/0", "sources y 0>1 0/0"] },
  { name: "a card that is gone", runs: [["| | | k1 k2"], ["| | | k1"]], expected: ["cards k2 1>0 0/0"] },
  { name: "a price that rises", runs: [["| | | k1=9"], ["| | | k1=10"]], expected: ["prices k1 9>10 0/0"] },
  { name: "the same price", runs: [["| | | k1=9"], ["| | | k1=9"]], expected: [] },
  { name: "a price that is not known any more", runs: [["| | | k1=9"], ["| | | k1"]], expected: [] },
  {
    name: "a priced card that is gone has no price to compare",
    runs: [["| | | k1=9"], ["| | | "]],
    expected: ["cards k1 1>0 0/0"],
  },
  {
    name: "prices that differ between repeats alike",
    runs: [
      ["| | | k1=9", "| | | k1=10"],
      ["| | | k1=10", "| | | k1=9"],
    ],
    expected: [],
  },
  {
    name: "one more price among repeats",
    runs: [
      ["| | | k1=9", "| | | k1=9"],
      ["| | | k1=9", "| | | k1=8"],
    ],
    expected: ["prices k1 9>8,9 0/0"],
  },
  {
    name: "another text",
    runs: [["one two three four | | | "], ["one two three five | | | "]],
    expected: ["text 0.75 0/0"],
  },
  { name: "the same words in another order", runs: [["one two | | | "], ["two one | | | "]], expected: ["text 1 0/0"] },
  { name: "another case only", runs: [["One two | | | "], ["one two | | | "]], expected: ["text 1 0/0"] },
  { name: "no word in common", runs: [["one | | | "], ["two | | | "]], expected: ["text 0 0/0"] },
  { name: "Chinese, by characters", runs: [["我买咖啡 | | | "], ["我买茶叶 | | | "]], expected: ["text 0.5 0/0"] },
  { name: "a text that has expired on one side", runs: [["- | | | "], ["one | | | "]], expected: [] },
  {
    name: "two of three repeats instead of all",
    runs: [
      ["| A | | ", "| A | | ", "| A | | "],
      ["| A | | ", "| A | | ", "| | | "],
    ],
    expected: ["brands A 3>2 0/0", "first A 3>2 0/0"],
  },
  { name: "the same share of fewer answers", runs: [["| A | | ", "| A | | "], ["| A | | "]], expected: [] },
  {
    name: "the repeats swapped, with the same brands",
    runs: [
      ["| A | | ", "| B | | "],
      ["| B | | ", "| A | | "],
    ],
    expected: [],
  },
  {
    name: "reruns that never differ",
    runs: [...many(4, "| A | | "), ["| A | | "], ["| | | "]],
    expected: ["brands A 1>0 0/3", "first A 1>0 0/3"],
  },
  {
    name: "reruns that differ each time",
    runs: [["| A | | "], ["| | | "], ["| A | | "], ["| A | | "], ["| | | "]],
    expected: ["brands A 1>0 2/2", "first A 1>0 2/2"],
  },
  {
    name: "reruns in which the item never was",
    runs: [...many(3, "| | x | "), ["| | x | "], ["| | x z | "]],
    expected: ["sources z 0>1 0/2"],
  },
  {
    name: "a small change happens more often than a large one",
    runs: [
      ["| | x | ", "| | x | "],
      ["| | x | ", "| | | "],
      ["| | x | ", "| | x | "],
      ["| | x | ", "| | x | "],
      ["| | | ", "| | | "],
    ],
    expected: ["sources x 2>0 0/2"],
  },
  {
    name: "a change as small as those of reruns",
    runs: [
      ["| | x | ", "| | x | "],
      ["| | x | ", "| | | "],
      ["| | x | ", "| | x | "],
      ["| | x | ", "| | x | "],
      ["| | x | ", "| | | "],
    ],
    expected: ["sources x 2>1 2/2"],
  },
  {
    name: "a run between the two is no rerun across either of them",
    runs: [["| A | | "], ["| A | | "], ["| | | "], ["| | | "]],
    compared: [0, 3],
    expected: ["brands A 1>0 1/1", "first A 1>0 1/1"],
  },
  {
    name: "a real change between the two is not the noise that it is compared with",
    runs: [["| A | | "], ["| A | | "], ["| A | | "], ["| | | "], ["| | | "], ["| | | "]],
    compared: [2, 3],
    expected: ["brands A 1>0 0/2", "first A 1>0 0/2"],
  },
  {
    name: "reruns with another instrument do not count",
    runs: [["| A | | @old"], ["| | | @old"], ["| A | | "], ["| A | | "], ["| | | "]],
    expected: ["brands A 1>0 0/0", "first A 1>0 0/0"],
  },
  {
    name: "a change of the instrument is told, and reruns with either count",
    runs: [["| | x | @old"], ["| | | @old"], ["| | x | @old"], ["| | | "], ["| | x | "], ["| | x | "]],
    compared: [2, 3],
    expected: ["instruments @old>", "sources x 1>0 1/2"],
  },
  { name: "a run that did not answer", runs: [["| A | | "], []], expected: ["only before"] },
  { name: "a cell that is new", runs: [[], ["| A | | "]], expected: ["only after"] },
  {
    name: "reruns skip runs that did not answer",
    runs: [["| A | | "], [], ["| | | "], ["| A | | "], ["| | | "]],
    expected: ["brands A 1>0 1/1", "first A 1>0 1/1"],
  },
  {
    name: "texts that differ as much in reruns",
    runs: [["one two | | | "], ["one three | | | "], ["one three | | | "], ["one four | | | "], ["one five | | | "]],
    expected: ["text 0.5 1/2"],
  },
  {
    name: "prices that change in reruns",
    runs: [["| | | k=1"], ["| | | k=2"], ["| | | "], ["| | | k=2"], ["| | | k=3"]],
    expected: ["prices k 2>3 1/1"],
  },
  {
    name: "sources that could not be read are not sources that are gone",
    runs: [["| | x | "], ["| | - | "]],
    expected: [],
  },
  {
    name: "answers whose sources are not known do not count",
    runs: [
      ["| | x | ", "| | x | "],
      ["| | x | ", "| | - | "],
    ],
    expected: [],
  },
  { name: "brands that nobody looked for", runs: [["| - | | "], ["| A | | "]], expected: [] },
  {
    name: "cards that could not be read in reruns",
    runs: [["| | | k"], ["| | | -"], ["| | | k"], ["| | | k"], ["| | | "]],
    expected: ["cards k 1>0 0/0"],
  },
];
