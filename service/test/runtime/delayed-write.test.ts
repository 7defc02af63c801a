/** `DelayedWrite`: requests of a while are one write. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { setImmediate as turn } from "node:timers/promises";
import { DelayedWrite } from "../../src/runtime/batcher.ts";
import { until } from "../harness/wait.ts";

/** A write that ends when it is told to. */
function delayed(delayMs: number) {
  const writes: PromiseWithResolvers<void>[] = [];
  const writing = new DelayedWrite(delayMs, () => {
    const write = Promise.withResolvers<void>();
    writes.push(write);
    return write.promise;
  });
  return { writing, writes };
}

test("many requests are one write, and a later one is another", async () => {
  const { writing, writes } = delayed(1);
  for (let n = 0; n < 10; n++) writing.schedule();
  await until("a write", () => writes.length === 1);
  writing.schedule();
  writes[0]?.resolve();
  await until("another write", () => writes.length === 2);
  writes[1]?.resolve();
});

test("a flush writes after the write in progress, and waits for both", async () => {
  const { writing, writes } = delayed(1);
  writing.schedule();
  await until("a write", () => writes.length === 1);
  writing.schedule();
  let isWritten = false;
  const flushed = writing.flush().then(() => (isWritten = true));
  await turn();
  assert.deepEqual([writes.length, isWritten], [1, false]);
  writes[0]?.resolve();
  await until("the next write", () => writes.length === 2);
  assert.equal(isWritten, false);
  writes[1]?.resolve();
  await flushed;
  assert.equal(writes.length, 2);
});

test("a write that fails is its caller's error, and the next one is made", async () => {
  const { writing, writes } = delayed(1_000_000);
  writing.schedule();
  const first = writing.flush();
  const second = writing.flush();
  await until("a write", () => writes.length === 1);
  writes[0]?.reject(new Error("full"));
  await assert.rejects(first, /full/);
  await until("the next write", () => writes.length === 2);
  writes[1]?.resolve();
  await second;
});
