/**
 * A proxy to PostgreSQL whose connections a test can break. It parses just enough of the protocol to know the statements of a
 * transaction and when the server confirmed its COMMIT, so it can let a commit through and hold back the reply.
 */
import { connect, createServer, type AddressInfo, type Socket } from "node:net";

export interface DatabaseProxy extends AsyncDisposable {
  /** The database's URL through this proxy. */
  readonly url: string;
  /** Called after each commit with the transaction's statements. True: the connection is cut before the reply. */
  cutAfterCommit: (statements: readonly string[]) => boolean;
  /** Commits whose reply was held back. */
  readonly cuts: () => number;
  /** The server announces its shutdown in the same packet as its next reply, and closes the connection. */
  goDownWithNextAnswer(): void;
  /** Connections so far. */
  readonly connections: () => number;
  /** Drops all traffic of the connections that are open, without closing them. New ones work. */
  silence(): void;
  /** Drops all traffic in both directions without closing connections, like an unplugged cable. */
  stall(): void;
  /** Hands on nothing until it is restored, and then everything, like a server whose processes are stopped. */
  freeze(): void;
  /** Closes all connections, unless they were frozen, and accepts new ones again. */
  restore(): void;
  /** Refuses and closes connections. */
  refuse(): void;
}

type Weather = "fair" | "stalled" | "frozen" | "refused";

export async function startDatabaseProxy(databaseUrl: string): Promise<DatabaseProxy> {
  const server = serverOf(databaseUrl);
  const pairs = new Set<{ client: Socket; upstream: Socket; silent: boolean }>();
  let connections = 0;
  let weather: Weather = "fair";
  let cuts = 0;
  let goingDown = false;

  const listener = createServer({ noDelay: true }, (client) => {
    if (weather === "refused") return void client.destroy();
    const upstream = connect(server);
    const pair = { client, upstream, silent: false };
    connections++;
    pairs.add(pair);
    if (weather === "frozen") client.pause();
    const end = () => {
      pairs.delete(pair);
      client.destroy();
      upstream.destroy();
    };
    // The end of a silent connection does not arrive either.
    for (const socket of [client, upstream])
      socket.on("error", () => !pair.silent && end()).on("close", () => (socket === client || !pair.silent) && end());

    let statements: string[] = [];
    const prepared = new Map<string, string>();
    const fromClient = splitMessages({ startup: true }, (type, body) => {
      if (type === "Q") {
        const { text } = textAt(body, 0);
        // Determined from the query, not from the reply: the statements after it may have been sent already.
        if (/^\s*begin/i.test(text)) statements = [];
        statements.push(text);
      }
      if (type === "P") {
        const name = textAt(body, 0);
        prepared.set(name.text, textAt(body, name.end).text);
      }
      if (type === "B") statements.push(prepared.get(textAt(body, textAt(body, 0).end).text) ?? "");
      return true;
    });
    const fromServer = splitMessages({ startup: false }, (type, body) => {
      if (type !== "C") return true;
      const tag = textAt(body, 0).text;
      if (tag === "COMMIT" && proxy.cutAfterCommit(statements)) {
        cuts++;
        end();
        return false;
      }
      return true;
    });
    client.on("data", (chunk) => {
      if (weather !== "fair" || pair.silent) return;
      fromClient(chunk);
      upstream.write(chunk);
    });
    upstream.on("data", (chunk) => {
      if (weather !== "fair" || pair.silent || !fromServer(chunk)) return;
      if (!goingDown || !chunk.subarray(-6).equals(readyForQuery)) return void client.write(chunk);
      goingDown = false;
      client.end(Buffer.concat([chunk, goesDown]));
    });
  });
  await new Promise<void>((resolve) => listener.listen(0, "127.0.0.1", resolve));

  const sockets = () => [...pairs].flatMap(({ client, upstream }) => [client, upstream]);
  const endAll = () => {
    for (const socket of sockets()) socket.destroy();
  };
  const url = new URL(databaseUrl);
  url.search = "";
  url.hostname = "127.0.0.1";
  url.port = String((listener.address() as AddressInfo).port);
  const proxy: DatabaseProxy = {
    url: url.href,
    cutAfterCommit: () => false,
    cuts: () => cuts,
    goDownWithNextAnswer: () => void (goingDown = true),
    connections: () => connections,
    silence() {
      for (const pair of pairs) pair.silent = true;
    },
    stall: () => void (weather = "stalled"),
    freeze() {
      weather = "frozen";
      for (const socket of sockets()) socket.pause();
    },
    restore() {
      if (weather === "frozen") for (const socket of sockets()) socket.resume();
      else endAll();
      weather = "fair";
    },
    refuse() {
      weather = "refused";
      endAll();
    },
    async [Symbol.asyncDispose]() {
      endAll();
      await new Promise((resolve) => listener.close(resolve));
    },
  };
  return proxy;
}

/** Idle, outside a transaction. */
const readyForQuery = Buffer.from("Z\0\0\0\x05I", "latin1");
const goesDown = errorMessage("SFATAL", "VFATAL", "C57P01", "Mterminating connection due to administrator command");

function errorMessage(...fields: readonly string[]): Buffer {
  const body = Buffer.from(`${fields.map((field) => `${field}\0`).join("")}\0`);
  const head = Buffer.from("E\0\0\0\0", "latin1");
  head.writeInt32BE(4 + body.length, 1);
  return Buffer.concat([head, body]);
}

/** Calls back with each complete message; false if a callback returned that it should stop. */
function splitMessages(options: { startup: boolean }, onMessage: (type: string, body: Buffer) => boolean) {
  let rest: Buffer = Buffer.alloc(0);
  let startup = options.startup;
  return (chunk: Buffer): boolean => {
    rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    for (;;) {
      // A client's first message has no type.
      const head = startup ? 0 : 1;
      if (rest.length < head + 4) return true;
      const length = head + rest.readInt32BE(head);
      if (rest.length < length) return true;
      const type = startup ? "" : String.fromCharCode(rest[0] ?? 0);
      const body = rest.subarray(head + 4, length);
      rest = rest.subarray(length);
      startup = false;
      if (!onMessage(type, body)) return false;
    }
  };
}

function textAt(body: Buffer, from: number): { text: string; end: number } {
  const zero = body.indexOf(0, from);
  const end = zero === -1 ? body.length : zero;
  return { text: body.toString("utf8", from, end), end: end + 1 };
}

function serverOf(databaseUrl: string): { path: string } | { host: string; port: number } {
  const url = new URL(databaseUrl);
  const port = url.port === "" ? 5432 : Number(url.port);
  const folder = url.searchParams.get("host");
  return folder === null ? { host: url.hostname, port } : { path: `${folder}/.s.PGSQL.${port}` };
}
