import assert from "node:assert/strict";
import { test } from "node:test";
import { LargeAnswers } from "../../src/tasks/run/large-answers.ts";

test("no large answer is made while what the ones before it handed over fills its room", async () => {
  const roomMax = 32;
  const bytes = 17;
  let waiting = 0;
  let most = 0;
  let wake = () => {};
  const large = new LargeAnswers(async () => {
    while (waiting >= roomMax) await new Promise<void>((resolve) => (wake = resolve));
  });
  const handOver = () => {
    waiting += bytes;
    most = Math.max(most, waiting);
    if (waiting < roomMax) return;
    // What waits is written when nothing else can happen.
    setImmediate(() => {
      waiting = 0;
      wake();
    });
  };
  // As a run does: composed in one turn, serialized in another, and then handed over.
  const run = async () => {
    await large.turn(() => "composed");
    const json = await large.turn(async () => "serialized");
    handOver();
    return json;
  };
  const ends = await Promise.all(Array.from({ length: 20 }, run));
  assert.equal(ends.filter((json) => json === "serialized").length, 20);
  assert.ok(most < roomMax + bytes, `${most} bytes waited`);
});

test("a large answer that fails does not hold up the next", async () => {
  const large = new LargeAnswers(async () => undefined);
  const failed = large.turn(() => {
    throw new Error("no");
  });
  const next = large.turn(() => "next");
  await assert.rejects(failed, { message: "no" });
  assert.equal(await next, "next");
});
