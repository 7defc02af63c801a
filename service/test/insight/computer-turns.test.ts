/** Accounts take turns at computing over many answers, and a result that is not read ends. */
import assert from "node:assert/strict";
import { mock, test } from "node:test";
import { Computer, sent, type ComputerOptions } from "../../src/computing/computer.ts";
import { PieceWriter } from "../../src/computing/piece-writer.ts";
import { testDatabase } from "../harness/database.ts";
import { until } from "../harness/wait.ts";
import { computation, refusal, textOf, writtenBytes } from "./computation.ts";

const { database } = await testDatabase();
const computerOf = (options: Partial<ComputerOptions> = {}) =>
  new Computer({ database, memoryMiB: 700, timeMs: 60_000, waitMs: 60_000, ...options });

test("two accounts with many large computations leave a third its turn, and one more is told to wait", async () => {
  const clients = new AbortController();
  const computer = computerOf({ memoryMiB: 2100, waitMs: 50 });
  const spin = (accountId: string) =>
    computer.compute(computation({ does: "spin" }, { accountId, signal: clients.signal, memoryMiB: () => 500 }));
  const asked = ["a", "b"].flatMap((who) => [1, 2, 3].map(() => spin(who)));
  const codes = (await Promise.all(asked.slice(1, 3).concat(asked.slice(4)).map(refusal))).map((error) => [
    error.code,
    error.headers["retry-after"],
  ]);
  assert.equal(codes.length, 4);
  for (const code of codes)
    assert.deepEqual(code, ["rate_limited", "5"], "more than its share is refused to the account");
  await until("both processes to run", async () => computer.processes === 2);
  const computed = await computer.compute(
    computation({ does: "write", mebibytes: 2 }, { accountId: "c", memoryMiB: () => 600 }),
  );
  assert.equal(Buffer.concat(computed).length, 2 * writtenBytes);
  clients.abort(new Error("the clients have disconnected"));
  await Promise.all([asked[0], asked[3]].map((one) => assert.rejects(one ?? Promise.resolve(), /disconnected/)));
  assert.equal(computer.large.taken, 0);
});

test("small computations do not wait for large ones", async () => {
  const clients = new AbortController();
  const computer = computerOf({ memoryMiB: 200, waitMs: 50 });
  const large = computer.compute(computation({ does: "spin" }, { signal: clients.signal }));
  await until("it has begun", async () => computer.processes === 1);
  const other = await refusal(computer.compute(computation({ does: "spin" }, { accountId: "b" })));
  assert.equal(other.code, "unavailable", "there is no memory for another large one");
  for (const accountId of ["a", "b"]) {
    const asked = computation({ does: "write", mebibytes: 0 }, { accountId, isLarge: false });
    assert.equal(textOf(await computer.compute(asked)), "");
  }
  clients.abort(new Error("the client has disconnected"));
  await assert.rejects(large, /disconnected/);
});

test("a computation may take as long as any, however long it waits for what others read", async () => {
  const computer = computerOf({ memoryMiB: 2100, timeMs: 4_000 });
  const reading = (accountId: string, statement: string) =>
    computation(
      { does: "read", name: "answers" },
      {
        accountId,
        inputs: {
          answers: async function* (db) {
            await db.query(statement);
            yield "read";
          },
        },
      },
    );
  // Nobody releases what the first one waits for, so it reads until its time is over.
  await database.transaction(async (holder) => {
    await holder.query("select pg_advisory_xact_lock(7)");
    const first = refusal(computer.compute(reading("a", "select pg_advisory_lock(7)")));
    await until("the first one to read", async () => {
      const { rows } = await database.query("select from pg_locks where locktype = 'advisory' and not granted");
      return rows.length === 1;
    });
    const second = computer.compute(reading("b", "select pg_sleep(1)"));
    assert.match((await first).message, /takes longer than 4 seconds/);
    assert.equal(textOf(await second), "4");
  });
});

test("long results that an account does not read count until it has them, and another account gets its own", async () => {
  const computer = computerOf({ waitMs: 50 });
  const long = (accountId: string) => computer.reply(computation({ does: "write", mebibytes: 31 }, { accountId }));
  const unread = [await long("a"), await long("a")];
  const { code, message } = await refusal(long("a"));
  assert.equal(code, "rate_limited");
  assert.match(message, /has not yet read/);
  const read = await long("b");
  assert.ok(!Buffer.isBuffer(read));
  let bytes = 0;
  for await (const piece of read) bytes += (piece as Buffer).length;
  assert.equal(bytes, 31 * writtenBytes);
  for (const one of unread) if (!Buffer.isBuffer(one)) one.destroy();
  await until("nothing to be counted", async () => computer.results.taken === 0);
  assert.equal(computer.large.taken, 0);
});

test("a reply whose client reads nothing is ended", async () => {
  mock.timers.enable({ apis: ["setTimeout"] });
  try {
    const closed = Promise.withResolvers<void>();
    const { signal } = new AbortController();
    const body = sent([Buffer.alloc(64 * 1024), Buffer.alloc(64 * 1024)], { signal, onClose: closed.resolve });
    mock.timers.tick(30_000);
    await closed.promise;
    assert.ok(body.destroyed);
  } finally {
    mock.timers.reset();
  }
});

test("pieces are cut between characters", () => {
  const pieces: Buffer[] = [];
  const writer = new PieceWriter((piece) => pieces.push(piece));
  const text = `x${"😀".repeat(400_000)}`;
  writer.write(text);
  writer.write("");
  writer.end();
  assert.ok(pieces.length > 2);
  assert.equal(textOf(pieces), text);
});
