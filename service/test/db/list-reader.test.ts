/** A replica that does harm, or is something else: lists go on from the primary, and the log says why. */
import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, type AddressInfo, type Socket } from "node:net";
import { test, type TestContext } from "node:test";
import pg from "pg";
import { Database, ReplicaReader, type Queryable } from "../../src/db/index.ts";
import { until } from "../harness/wait.ts";

type Reply = () => Promise<Record<string, unknown>[]>;

/** Answers comparisons and lists as told. */
function server(replies: { compare: Reply; list: Reply }) {
  const asked = { compare: 0, list: 0 };
  const query = async (config: pg.QueryConfig | string) => {
    const text = typeof config === "string" ? config : config.text;
    const kind = text.includes("pg_control_system") ? "compare" : "list";
    asked[kind]++;
    return { rows: await replies[kind]() };
  };
  return { asked, query: query as unknown as Queryable["query"] };
}

const rows =
  (row: Record<string, unknown>): Reply =>
  async () => [row];
const fails =
  (error: Error): Reply =>
  async () => {
    throw error;
  };
const serverError = (code: string) => Object.assign(new pg.DatabaseError("It says so.", 0, "error"), { code });
const newPrimary = () =>
  server({
    compare: async () => [{ identity: "1 2", position: "100", at: new Date() }],
    list: rows({ from: "the primary" }),
  });
const current = rows({ identity: "1 2", position: "100", streaming: true });

function start(t: TestContext, primary: Queryable, replica: Queryable) {
  const whys: (string | null)[] = [];
  const reader = new ReplicaReader({ primary, replica, behindMsMax: 5_000, onChange: (why) => whys.push(why) });
  reader.start();
  t.after(() => reader.stop());
  const list = async () => {
    const { db, asOf } = reader.source();
    const { rows: found } = await db.query<{ from: string }>("select list");
    return { from: found[0]?.from, isFromReplica: asOf !== null };
  };
  return { reader, whys, list };
}

test("a replica whose statements break is left for longer each time, although it compares well", async (t) => {
  const primary = newPrimary();
  const replica = server({ compare: current, list: fails(new Error("Connection terminated unexpectedly")) });
  const { reader, whys, list } = start(t, primary, replica);
  const usable = () => reader.source().asOf !== null;
  const rests: number[] = [];
  for (let time = 0; time < 2; time++) {
    await until("the replica to be usable", usable);
    const from = performance.now();
    assert.equal((await list()).from, "the primary", "The statement is repeated there.");
    const compared = replica.asked.compare;
    // It is compared all the while, and not read.
    await until("some comparisons", () => replica.asked.compare >= compared + 2 || usable());
    await until("the replica to be usable again", usable);
    rests.push(performance.now() - from);
  }
  const [first = 0, second = 0] = rests;
  assert.ok(first >= 2_000 && second >= 4_000, `${first} and ${second} ms`);
  assert.equal(replica.asked.list, 2);
  assert.deepEqual(
    whys.map((why) => why === null),
    [true, false, true, false, true],
  );
});

test("a replica that cancels statements, or fails them, makes no request fail", async (t) => {
  for (const code of ["57014", "40001", "53200", "XX000"]) {
    const replica = server({ compare: current, list: fails(serverError(code)) });
    const { reader, list } = start(t, newPrimary(), replica);
    await until("the replica to be usable", () => reader.source().asOf !== null);
    assert.equal((await list()).from, "the primary", code);
    assert.equal(replica.asked.list, 1);
  }
});

test("while the primary is away, a replica that was compared goes on, and no other server", async (t) => {
  const away = fails(new Error("Connection terminated unexpectedly"));
  const replies: { compare: Reply; list: Reply } = { compare: current, list: rows({ from: "the replica" }) };
  const at = new Date();
  const atPrimary: { compare: Reply; list: Reply } = {
    compare: async () => [{ identity: "1 2", position: "100", at }],
    list: rows({ from: "the primary" }),
  };
  const primary = server(atPrimary);
  const replica = server(replies);
  const { reader, whys, list } = start(t, primary, replica);
  const identities = async () => (await reader.identities.query<{ from: string }>("select token")).rows[0]?.from;
  const compared = async () => {
    const before = replica.asked.compare;
    await until("two comparisons", () => replica.asked.compare >= before + 2);
  };
  await until("the replica to be usable", () => reader.source().asOf !== null);
  assert.equal(await identities(), "the primary");

  // The statement that finds it out is repeated on the replica.
  atPrimary.list = away;
  assert.equal(await identities(), "the replica");
  atPrimary.compare = away;
  await compared();
  const asked = primary.asked.list;
  assert.equal(await identities(), "the replica");
  assert.equal(primary.asked.list, asked, "The primary is not asked while it is away.");
  assert.deepEqual(await list(), { from: "the replica", isFromReplica: true });
  assert.equal(reader.source().asOf, at, "It shows nothing newer than the last comparison.");
  assert.deepEqual(whys, [null]);

  for (const [other, why] of [
    [{ identity: "1 3", position: "100", streaming: false }, /another server/],
    [{ identity: "1 2", position: null, streaming: false }, /not a replica/],
  ] as const) {
    replies.compare = rows(other);
    await until("it to be left", () => reader.source().asOf === null);
    assert.match(whys.at(-1) ?? "", why);
    await assert.rejects(identities(), /terminated/);
    replies.compare = rows({ identity: "1 2", position: "100", streaming: false });
    await until("it to be read again", () => reader.source().asOf !== null);
  }
  replies.compare = rows({ identity: "1 2", position: "99", streaming: false });
  await until("a replica that lacks what was compared to be left", () => reader.source().asOf === null);
});

test("what a replica says of itself is not believed beyond its form, and logged in part", async (t) => {
  const lies: readonly [Reply, RegExp][] = [
    [rows({ identity: "1 3", position: "100", streaming: true }), /another server/],
    [rows({ identity: "1 2", position: null, streaming: true }), /not a replica/],
    [rows({ identity: "1 2", position: "100", streaming: false }), /receives nothing/],
    [rows({ identity: "1 2", position: "many", streaming: true }), /BigInt/],
    [rows({ identity: "1 2", position: "100n".repeat(1_000), streaming: true }), /^Cannot convert/],
    [async () => [], /did not report/],
    [rows({}), /BigInt/],
    [fails(new Error("x".repeat(1_000_000))), /^x+$/],
  ];
  for (const [compare, expected] of lies) {
    const { reader, whys, list } = start(t, newPrimary(), server({ compare, list: rows({ from: "the liar" }) }));
    await until("the log to say why", () => whys.length > 0);
    assert.match(whys[0] ?? "", expected);
    assert.ok((whys[0] ?? "").length <= 300);
    assert.deepEqual(await list(), { from: "the primary", isFromReplica: false });
    await reader.stop();
  }
});

test("servers that are no PostgreSQL are never read", async (t) => {
  const manners: Record<string, (socket: Socket) => void> = {
    "closes every connection": (socket) => socket.destroy(),
    "speaks something else": (socket) => socket.end("HTTP/1.1 400 Bad Request\r\n\r\n"),
    "accepts everybody, and then sends noise": (socket) =>
      socket.write(Buffer.concat([Buffer.from("5200000008000000005a0000000549", "hex"), Buffer.alloc(10_000, 0x7f)])),
    "says nothing": () => undefined,
  };
  for (const [manner, onConnection] of Object.entries(manners)) {
    const sockets = new Set<Socket>();
    const hostile = createServer((socket) => {
      sockets.add(socket.on("error", () => undefined));
      onConnection(socket);
    }).listen(0, "127.0.0.1");
    await once(hostile, "listening");
    const replica = new Database({
      connection: { connectionString: `postgresql://a:b@127.0.0.1:${(hostile.address() as AddressInfo).port}/c` },
      connectionsMax: 2,
      connectTimeoutMs: 500,
      statementTimeoutMs: 1,
    });
    const { reader, whys, list } = start(t, newPrimary(), replica);
    await until(`the log to say why the server is not read that ${manner}`, () => whys.length > 0, 60_000);
    assert.notEqual(whys[0], null, manner);
    assert.deepEqual(await list(), { from: "the primary", isFromReplica: false }, manner);
    await reader.stop();
    for (const socket of sockets) socket.destroy();
    await replica.close();
    hostile.close();
  }
});
