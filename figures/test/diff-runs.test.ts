import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { diffRuns, type CellDiff, type ComparedAnswer } from "../src/index.ts";
import { runDiffs } from "./run-diffs.ts";

suite("the diff of two runs", () => {
  assert.ok(runDiffs.length >= 40);
  for (const { name, runs, compared = [runs.length - 2, runs.length - 1], expected } of runDiffs)
    test(name, () => {
      const order = runs.map((_, index) => `r${index}`);
      const answers = runs.flatMap((list, run) => list.map((written, index) => read(written, `r${run}`, index + 1)));
      const diff = diffRuns(answers, { before: `r${compared[0]}`, after: `r${compared[1]}`, order });
      assert.deepEqual(diff.changes.flatMap(lines), expected);
    });

  test("counts cells and reruns that differ, by aspect", () => {
    const cells = ["c1", "c2", "c3"].flatMap((cell, index) =>
      [..."abcd"].map((run, nth) => ({ ...read(nth >= index ? "| A | x | " : "| | x | ", run, 1), cell })),
    );
    const diff = diffRuns(cells, { before: "a", after: "d", order: [..."abcd"] });
    assert.deepEqual(diff.cells, { both: 3, onlyBefore: 0, onlyAfter: 0 });
    assert.deepEqual(
      diff.aspects.map(({ aspect, changed, cells: count, reruns }) => [
        aspect,
        changed,
        count,
        reruns.differ,
        reruns.pairs,
      ]),
      [
        ["text", 0, 3, 0, 3],
        ["brands", 2, 3, 1, 3],
        ["first", 2, 3, 1, 3],
        ["sources", 0, 3, 0, 3],
        ["cards", 0, 3, 0, 3],
        ["prices", 0, 0, 0, 0],
      ],
    );
  });
});

function read(written: string, run: string, repeat: number): ComparedAnswer {
  const [body = "", instrument = ""] = written.split("@");
  const [text = "", brands = "", sources = "", cards = ""] = body.split("|");
  const list = (part: string) => (part.trim() === "-" ? null : words(part));
  const words = (part: string) =>
    part
      .trim()
      .split(" ")
      .filter((item) => item !== "");
  return {
    cell: "c",
    run,
    repeat,
    instrument,
    text: text.trim() === "-" ? null : text.trim(),
    brands: list(brands),
    sources: list(sources),
    cards:
      list(cards)?.map((card) => {
        const [key = "", price = null] = card.split("=");
        return { key, price };
      }) ?? null,
  };
}

function lines(diff: CellDiff): string[] {
  if (diff.answers.after === 0) return ["only before"];
  if (diff.answers.before === 0) return ["only after"];
  const [before, after] = [diff.instruments.before.join(), diff.instruments.after.join()];
  const noise = ({ differ, pairs }: { differ: number; pairs: number }) => `${differ}/${pairs}`;
  return [
    ...(before === after ? [] : [`instruments @${before}>${after}`]),
    ...(diff.text === null ? [] : [`text ${diff.text.similarity} ${noise(diff.text.reruns)}`]),
    ...(["brands", "first", "sources", "cards"] as const).flatMap((aspect) =>
      diff[aspect].map((one) => `${aspect} ${one.item} ${one.before}>${one.after} ${noise(one.reruns)}`),
    ),
    ...diff.prices.map((one) => `prices ${one.item} ${one.before.join()}>${one.after.join()} ${noise(one.reruns)}`),
  ];
}
