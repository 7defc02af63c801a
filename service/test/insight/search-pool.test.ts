/** Searches in processes: bounded in number, time and memory, and fair between accounts. */
import assert from "node:assert/strict";
import { after, test } from "node:test";
import {
  SearchPool,
  type PoolResult,
  type SearchJob,
  type SearchPoolLimits,
} from "../../src/observations/entities/search-pool.ts";
import type { StoredEntity } from "../../src/observations/entities/search-process.ts";

const pools: SearchPool[] = [];
after(() => Promise.all(pools.map((pool) => pool.stop())));

function poolOf(limits: Partial<SearchPoolLimits>): SearchPool {
  const pool = new SearchPool({ timeoutMs: 120_000, ...limits });
  pools.push(pool);
  return pool;
}

const entity = (id: string, name: string): StoredEntity => ({
  id,
  content: JSON.stringify({ name, kind: "brand", relation: "own", caseSensitive: false, aliases: [], negativeContexts: [], domains: [] }), // prettier-ignore
});

function jobOf(accountId: string, text: string, more: Partial<SearchJob> = {}): SearchJob {
  const entities = async function* () {
    yield [entity("e", "Acme")];
  };
  return { accountId, key: accountId, text, as: "mentions", entities, ...more };
}

const mentionsIn = (result: PoolResult) => ("found" in result ? result.found.mentions.length : result.notSearched);

/** More names, each of other signs, than a process keeps. */
async function* tooMany(): AsyncGenerator<StoredEntity[]> {
  for (let page = 0; page < 250; page++)
    yield Array.from({ length: 40 }, (_, nth) => {
      const first = 0x4e00 + ((page * 40 + nth) % 20_000);
      return entity(`${page}-${nth}`, `${String.fromCodePoint(first)}${"中".repeat(199)}`);
    });
}

test("entities that take more memory than there is for an account are refused at once from then on, and others are searched", async () => {
  const pool = poolOf({ processes: 1 });
  let reads = 0;
  const poisoned = jobOf("poisoned", "Acme", {
    entities: () => {
      reads++;
      return tooMany();
    },
  });
  const [first, second, other] = await Promise.all([
    pool.search(poisoned),
    pool.search(poisoned),
    pool.search(jobOf("other", "Acme and Acme")),
  ]);
  assert.deepEqual([first, second].map(mentionsIn), ["limit", "limit"]);
  assert.equal(mentionsIn(other), 2);
  assert.equal(mentionsIn(await pool.search(poisoned)), "limit");
  assert.equal(reads, 1);
});

test("a search that takes too long ends with its process, and the next one has another", async () => {
  const pool = poolOf({ processes: 1, timeoutMs: 3_000 });
  const never = jobOf("slow", "Acme", {
    async *entities() {
      for (let page = 0; ; page++) yield Array.from({ length: 40 }, (_, nth) => entity(`${page}-${nth}`, "Acme"));
    },
  });
  const results = await Promise.all([pool.search(never), pool.search(jobOf("other", "Acme"))]);
  // By its time, or by its size if this machine is fast.
  assert.deepEqual(results.map(mentionsIn), ["limit", 1]);
});

test(
  "a search that waits for longer than it may work is completed: only the time of the processor counts",
  { skip: process.platform !== "linux" && "Only Linux says how much a process has used." },
  async () => {
    const timeoutMs = 1_500;
    const pool = poolOf({ processes: 1, timeoutMs });
    assert.equal(mentionsIn(await pool.search(jobOf("first", "Acme"))), 1);
    const slow = jobOf("slow", "Acme", {
      async *entities() {
        await new Promise((resolve) => setTimeout(resolve, timeoutMs + 500));
        yield [entity("e", "Acme")];
      },
    });
    assert.equal(mentionsIn(await pool.search(slow)), 1);
  },
);

test("the account that has taken the least time is next: an account with many long texts does not make another wait for them", async () => {
  const pool = poolOf({ processes: 1 });
  const order: string[] = [];
  const search = async (accountId: string, text: string) => {
    assert.equal(mentionsIn(await pool.search(jobOf(accountId, text))), 1);
    order.push(accountId);
  };
  const long = `Acme${" or".repeat(100_000)}`;
  const flood = Array.from({ length: 30 }, () => search("flood", long));
  await flood[0];
  await Promise.all([search("quiet", "Acme"), search("quiet", "Acme"), ...flood]);
  // One of the others may have been under way.
  assert.ok(order.lastIndexOf("quiet") < 6, order.join(" "));
});

test("texts beyond the queue, after an abort and after the stop are not searched, and say so at once", async () => {
  const pool = poolOf({ processes: 1, waitingMax: 2, accountCharsMax: 1_000 });
  const abort = new AbortController();
  const running = pool.search(jobOf("a", "Acme"));
  const waiting = [pool.search(jobOf("a", "Acme")), pool.search(jobOf("a", "Acme"), abort.signal)];
  assert.equal(mentionsIn(await pool.search(jobOf("a", "Acme"))), "busy");
  assert.equal(mentionsIn(await pool.search(jobOf("b", "x".repeat(1_001)))), "busy");
  abort.abort();
  assert.deepEqual((await Promise.all([running, ...waiting])).map(mentionsIn), [1, 1, "busy"]);
  assert.equal(pool.waiting, 0);
  const last = pool.search(jobOf("c", "Acme"));
  await pool.stop();
  assert.equal(mentionsIn(await last), "busy");
  assert.equal(mentionsIn(await pool.search(jobOf("d", "Acme"))), "busy");
});

test("a failure to read entities is counted against nobody, and the next search reads them again", async () => {
  const pool = poolOf({ processes: 1 });
  const unread = jobOf("a", "Acme", {
    // eslint-disable-next-line require-yield
    async *entities() {
      throw new Error("The database is away.");
    },
  });
  assert.equal(mentionsIn(await pool.search(unread)), "busy");
  assert.equal(mentionsIn(await pool.search(jobOf("a", "Acme"))), 1);
});
