import assert from "node:assert/strict";
import { test } from "node:test";
import { setImmediate as turn } from "node:timers/promises";
import { Batcher, type BatcherOptions } from "../../src/runtime/batcher.ts";

/** A batcher whose writes end when they are told to; each result is the item's double. */
function batcherOf(options: Partial<BatcherOptions<number, number>> = {}) {
  const writes: { items: readonly number[]; end: (error?: Error) => void }[] = [];
  const batcher = new Batcher<number, number>({
    delayMs: 0,
    itemsMax: 100,
    write(items) {
      const { promise, resolve, reject } = Promise.withResolvers<number[]>();
      const end = (error?: Error) => (error === undefined ? resolve(items.map((item) => item * 2)) : reject(error));
      writes.push({ items, end });
      return promise;
    },
    ...options,
  });
  return { batcher, writes, written: () => writes.map(({ items }) => items) };
}

test("items of one turn of the event loop are written together, and each gets its own result", async () => {
  const { batcher, writes, written } = batcherOf();
  const results = Promise.all([batcher.add(1), batcher.add(2), batcher.add(3)]);
  await turn();
  writes[0]?.end();
  assert.deepEqual(await results, [2, 4, 6]);
  assert.deepEqual(written(), [[1, 2, 3]]);
});

test("no more writes than allowed are under way, and what arrives meanwhile goes into the next", async () => {
  const { batcher, writes, written } = batcherOf({ concurrency: 2, itemsMax: 2 });
  for (const item of [1, 2, 3, 4, 5]) void batcher.add(item);
  await turn();
  void batcher.add(6);
  await turn();
  assert.deepEqual(written(), [
    [1, 2],
    [3, 4],
  ]);
  writes[1]?.end();
  await turn();
  assert.deepEqual(written()[2], [5, 6]);
});

test("with a delay, items wait for others until there are enough of them, or until they are flushed", async () => {
  const { batcher, writes, written } = batcherOf({ delayMs: 1_000_000, itemsMax: 2 });
  void batcher.add(1);
  await turn();
  assert.deepEqual(written(), []);
  void batcher.add(2);
  assert.deepEqual(written(), [[1, 2]]);
  writes[0]?.end();
  await turn();
  void batcher.add(3);
  const flushed = batcher.flush();
  assert.deepEqual(written(), [[1, 2], [3]]);
  writes[1]?.end();
  await flushed;
});

test("an item is written after the delay, without others", async () => {
  const { batcher, writes } = batcherOf({ delayMs: 1 });
  const result = batcher.add(4);
  while (writes.length === 0) await turn();
  writes[0]?.end();
  assert.equal(await result, 8);
});

test("long items are written one write at a time, beside the writes of short items and never with them", async () => {
  const { batcher, writes, written } = batcherOf({ bytesMax: 10, bytesOf: (item) => item, longBytes: 5 });
  for (const item of [20, 8, 3, 4, 2]) void batcher.add(item);
  await turn();
  assert.deepEqual(written(), [[3, 4, 2], [20]]);
  writes[0]?.end();
  void batcher.add(1);
  await turn();
  assert.deepEqual(written().slice(2), [[1]], "what is short does not wait for what is long");
  let isIdle = false;
  const flushed = batcher.flush().then(() => (isIdle = true));
  writes[1]?.end();
  writes[2]?.end();
  await turn();
  assert.deepEqual(written().slice(3), [[8]]);
  assert.equal(isIdle, false);
  writes[3]?.end();
  await flushed;
});

test("an item longer than a write may be is written alone", async () => {
  const { batcher, writes, written } = batcherOf({ bytesMax: 10, bytesOf: (item) => item });
  for (const item of [20, 8, 2]) void batcher.add(item);
  await turn();
  writes[0]?.end();
  await turn();
  assert.deepEqual(written(), [[20], [8, 2]]);
});

test("a write that fails fails its own items, and no others", async () => {
  const { batcher, writes } = batcherOf({ itemsMax: 1 });
  const failed = assert.rejects(batcher.add(1), { message: "no" });
  const other = batcher.add(2);
  await turn();
  writes[0]?.end(new Error("no"));
  await failed;
  writes[1]?.end();
  assert.equal(await other, 4);
});

test("a stop writes what waits, and takes nothing more", async () => {
  const { batcher, writes } = batcherOf({ delayMs: 1_000_000 });
  const result = batcher.add(1);
  const stopped = batcher.stop();
  writes[0]?.end();
  assert.equal(await result, 2);
  await stopped;
  await assert.rejects(batcher.add(2));
});
