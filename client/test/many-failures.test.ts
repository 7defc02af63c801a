import assert from "node:assert/strict";
import { test } from "node:test";
import { manyFailures, type FigureRow } from "../src/index.ts";

type Row = Parameters<typeof manyFailures>[0][number];

const row = (measure: FigureRow["measure"], platformCode: string, value: number | null): Row =>
  ({
    measure,
    group: { platformCode, kind: "api", locale: "", persona: "", day: null },
    thesePrompts: { value, answers: 40 },
  }) as unknown as Row;

test("a warning is of the surfaces on which one in twenty tasks failed, most first, with what was refused", () => {
  const rows = [
    row("presence", "one", 0.9),
    row("failure_rate", "one", 0.0499),
    row("failure_rate", "two", 0.05),
    row("failure_rate", "three", 0.5),
    row("failure_rate", "unknown", null),
    row("refusal_rate", "one", 0.9),
    row("refusal_rate", "three", 0.25),
  ];
  assert.deepEqual(
    manyFailures(rows).map(({ group, ...numbers }) => [group.platformCode, numbers]),
    [
      ["three", { failed: 0.5, refused: 0.25, tasks: 40 }],
      ["two", { failed: 0.05, refused: null, tasks: 40 }],
    ],
  );
  assert.deepEqual(manyFailures([]), []);
});
