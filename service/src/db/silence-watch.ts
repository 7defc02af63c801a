import { Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";

interface SilenceWatchOptions {
  /** How long a connection may owe a reply before a new connection is tried. */
  readonly silentMs: number;
  /**
   * A new connection that is not answered for this long means that the database is away. Without it, only one that fails does:
   * a busy server may take long to accept one.
   */
  readonly answerMsMax?: number | undefined;
  /** A client that is not connected yet, with a time limit for its connection and queries. */
  readonly newClient: () => pg.Client;
}

interface Watched {
  /** The primary that accepted the connection; null if it is a standby, has not replied yet, or is behind a pooler. */
  primary: string | null;
  /** Bytes written when every query was answered: with more than that, a reply is owed. */
  answeredAt: number;
  bytesRead: number;
  /** When it last received something, or owed nothing. */
  heardAt: number;
}

/**
 * Finds connections that lead nowhere. If a host dies without closing its connections, or the network does, and the address now
 * leads to another server, TCP notices after minutes, and the time limit of a query is long enough for slow ones. Meanwhile
 * every connection of the pool would make one request wait for nothing.
 *
 * Once a reply is overdue, a new connection is tried. If it reaches another primary, all connections to earlier ones are lost.
 * If it reaches no server, the silent ones are. If it reaches the same one, the query is just slow, and nothing happens.
 *
 * A pooler accepts connections, and lets statements wait, while it has no server. So a new connection that is not answered soon
 * means that the database is away, long before anything is given up: what is asked meanwhile can be refused instead of waiting.
 */
export class SilenceWatch {
  readonly #options: SilenceWatchOptions;
  readonly #connections = new Map<pg.ClientBase, Watched>();
  #timer: NodeJS.Timeout | undefined;
  #isChecking = false;
  #isAway = false;

  constructor(options: SilenceWatchOptions) {
    this.#options = options;
  }

  /** True while new connections get no answer. It is tried again until they do. */
  get isAway(): boolean {
    return this.#isAway;
  }

  /** Watches a client that is connected, until it ends. `isPooled`: through a pooler, which chooses the server each time. */
  add(client: pg.ClientBase, { isPooled = false } = {}): void {
    const socket = socketOf(client);
    if (socket === null) return;
    const watched: Watched = {
      primary: null,
      answeredAt: socket.bytesWritten,
      bytesRead: socket.bytesRead,
      heardAt: performance.now(),
    };
    this.#connections.set(client, watched);
    client.on("drain", () => (watched.answeredAt = socket.bytesWritten));
    client.once("end", () => this.#remove(client));
    if (!isPooled)
      primaryOf(client).then(
        (primary) => (watched.primary = primary),
        () => undefined, // the connection's other queries fail as well
      );
    this.#timer ??= setInterval(() => void this.#look(), this.#options.silentMs / 5).unref();
  }

  #remove(client: pg.ClientBase): void {
    this.#connections.delete(client);
    if (this.#connections.size === 0 && !this.#isAway) this.#rest();
  }

  #rest(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  async #look(): Promise<void> {
    const { silentMs, answerMsMax } = this.#options;
    if (this.#isChecking || (!this.#isAway && this.#silent(silentMs / 2).length === 0)) return;
    this.#isChecking = true;
    const unanswered =
      answerMsMax === undefined ? undefined : setTimeout(() => (this.#isAway = true), answerMsMax).unref();
    const found = await this.#tryServer();
    clearTimeout(unanswered);
    this.#isAway = found === "none";
    // If this process was busy itself, replies that have arrived are read first.
    await sleep(silentMs / 5, undefined, { ref: false });
    this.#isChecking = false;
    if (this.#connections.size === 0 && !this.#isAway) this.#rest();
    const lost =
      found === "none"
        ? this.#silent(silentMs)
        : [...this.#connections].flatMap(([client, { primary }]) =>
            found.primary !== null && primary !== null && primary !== found.primary ? [client] : [],
          );
    for (const client of lost)
      socketOf(client)?.destroy(new Error("Connection terminated: the server did not reply, and is gone"));
  }

  #silent(ms: number): pg.ClientBase[] {
    const now = performance.now();
    return [...this.#connections].flatMap(([client, watched]) => {
      const socket = socketOf(client);
      if (socket === null) return [];
      if (socket.bytesRead !== watched.bytesRead || socket.bytesWritten === watched.answeredAt) {
        watched.bytesRead = socket.bytesRead;
        watched.heardAt = now;
      }
      return now - watched.heardAt > ms ? [client] : [];
    });
  }

  /** What new connections reach. The primary is null if it is a standby, or takes no more connections, or none yet. */
  async #tryServer(): Promise<{ readonly primary: string | null } | "none"> {
    const client = this.#options.newClient();
    client.on("error", () => {});
    try {
      await client.connect();
      return { primary: await primaryOf(client) };
    } catch (error) {
      return error instanceof pg.DatabaseError ? { primary: null } : "none";
    } finally {
      void client.end().catch(() => undefined);
    }
  }
}

/**
 * Identifies a primary, because its address may lead to another one after a failover. Null for a standby: an address may lead
 * to several of them at the same time.
 */
async function primaryOf(client: pg.ClientBase): Promise<string | null> {
  const { rows } = await client.query<{ started_at: string | null }>(
    "select case when not pg_is_in_recovery() then pg_postmaster_start_time()::text end as started_at",
  );
  return rows[0]?.started_at ?? null;
}

/** The socket of a connection; null if it has none yet. */
function socketOf(client: pg.ClientBase): Socket | null {
  return client instanceof pg.Client && client.connection.stream instanceof Socket ? client.connection.stream : null;
}
