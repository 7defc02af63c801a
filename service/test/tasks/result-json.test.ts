/** A long result has the same bytes when it is written in pieces. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { resultJson, resultJsonInPieces } from "../../src/tasks/run/large-answers.ts";
import { emptyResult } from "../harness/task-record.ts";

test("a result that is written in pieces has the same bytes, and others have their turn between them", async () => {
  const source = (n: number) => ({
    title: `"${n}"`,
    url: `https://site.example/${n}`,
    summary: "é\n".repeat(2000),
    site: "site.example",
    publishedAt: null,
  });
  for (const count of [0, 1, 50, 51, 100, 333]) {
    let turns = 0;
    const result = {
      ...emptyResult,
      content: "x".repeat(300_000),
      sources: Array.from({ length: count }, (_, n) => source(n)),
    };
    const written = await resultJsonInPieces(result, async () => void turns++);
    assert.ok(written.equals(resultJson(result)), `with ${count} sources`);
    assert.ok(turns >= 1 + Math.floor(count / 51), `${turns} turns with ${count} sources`);
  }
});
