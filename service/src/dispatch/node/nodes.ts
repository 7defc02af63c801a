import { newId } from "../../kernel/ids.ts";
import type { Database, Queryable, Transaction } from "../../db/index.ts";
import { markWork } from "../queue/account-queues.ts";
import { attemptOfRow, handedBack, withEntry } from "../queue/attempt-log.ts";
import type { FencedRun } from "../queue/fence.ts";
import type { DispatchEvent } from "../run/node-context.ts";
import { fetch } from "undici";
import { once } from "node:events";
import { createServer, type IncomingMessage, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { networkInterfaces } from "node:os";
import { text } from "node:stream/consumers";
import { randomBytes } from "node:crypto";
import { isSameSecret } from "../../kernel/same-secret.ts";

export interface NodeTimes {
  /** A node that has not renewed its lease for this time, by the database's clock, is dead if no other node knows better. */
  readonly leaseTtlMs: number;
  readonly renewEveryMs: number;
}

export const nodeTimes: NodeTimes = { leaseTtlMs: 15_000, renewEveryMs: 5_000 };

/** Registers this process as a node and returns its id. */
export async function registerNode(
  database: Queryable,
  input: { name: string; version: string; leaseTtlMs: number; peer?: PeerAddress | null },
): Promise<string> {
  const id = newId();
  await database.query(
    `insert into nodes (id, name, version, lease_until, peer_url, peer_key)
     values ($1, $2, $3, now() + $4 * interval '1 millisecond', $5, $6)`,
    [id, input.name, input.version, input.leaseTtlMs, input.peer?.url ?? null, input.peer?.key ?? null],
  );
  return id;
}

/**
 * Renews a node's lease. False: others have taken over the node's work, and it must not continue. A lease that has expired is
 * renewed all the same while nobody has: a reaper deletes the node's row in the transaction that takes its work.
 */
export async function renewLease(database: Queryable, nodeId: string, leaseTtlMs: number): Promise<boolean> {
  const { rowCount } = await database.query(
    "update nodes set lease_until = now() + $2 * interval '1 millisecond' where id = $1",
    [nodeId, leaseTtlMs],
  );
  return rowCount === 1;
}

/**
 * Removes a node. Its runs return to the queue in the same transaction, at no cost: without the node's row no reaper would find
 * them.
 */
export async function removeNode(database: Database, nodeId: string): Promise<void> {
  await database.transaction(async (tx) => {
    // Locks: the node's row, so that none of its claims is in progress; its dispatch rows; then their account queues.
    await tx.query("select from nodes where id = $1 for update", [nodeId]);
    await lockRunsOf(tx, [nodeId]);
    await tx.query("delete from dispatch where node_id = $1 and state = 'aborting'", [nodeId]);
    await tx.query(
      `with queued as (
       update dispatch d set state = 'queued', attempt = d.attempt - 1,
         attempt_log = ${withEntry(`${attemptOfRow} || $2::jsonb || '{"wait": "queued"}'`)}, node_id = null, claimed_at = null
       where node_id = $1 and state = 'running' returning platform, account_id, rank, task_id
       ), ${markWork("queued")} select`,
      [nodeId, JSON.stringify(handedBack(false))],
    );
    await tx.query("delete from nodes where id = $1", [nodeId]);
  });
}

/**
 * Locks the runs of nodes, in the order of the ids, before they are returned. It waits for concurrent cancellations and then
 * sees their result: otherwise a row would be skipped as running, become `aborting`, and keep its slot forever.
 */
export async function lockRunsOf(tx: Transaction, nodeIds: readonly string[]): Promise<void> {
  // Index: dispatch_claimed, of which this is a part: at most what the platforms allow to run concurrently.
  await tx.query(
    `select from dispatch where node_id = any($1::uuid[]) and state in ('running', 'aborting') order by task_id for update`,
    [nodeIds],
  );
}

/** Runs of this node in the database that are not among the tasks it knows. */
export async function orphanedRunsOf(
  database: Database,
  nodeId: string,
  known: readonly string[],
): Promise<FencedRun[]> {
  // Index: dispatch_claimed, of which this is a part: at most what the platforms allow to run concurrently.
  const { rows } = await database.query<{ task_id: string; fence: number }>(
    "select task_id, fence from dispatch where node_id = $1 and state = 'running' and not task_id = any($2::uuid[])",
    [nodeId, known],
  );
  return rows.map((row) => ({ taskId: row.task_id, fence: row.fence }));
}

/** Tasks of this node that were canceled elsewhere: their runs must be aborted. */
export async function abortingOf(database: Database, nodeId: string): Promise<string[]> {
  const { rows } = await database.query<{ task_id: string }>(
    "select task_id from dispatch where node_id = $1 and state = 'aborting'",
    [nodeId],
  );
  return rows.map((row) => row.task_id);
}

/** Another node, as the nodes' table has it. An address of null: a process of an earlier version, which has no port. */
export interface PeerRow {
  readonly nodeId: string;
  readonly url: string | null;
  readonly key: string | null;
}

/**
 * How long to wait for a reply, in parts of a lease. A node that asks to be spared has its runs to lose, and asks early; a reaper
 * that asks whether a node lives makes that node's tasks wait.
 */
const spareTimeoutPart = 1 / 5;
const timeoutPart = 1 / 8;

interface PeersDeps {
  /** How long a promise holds: the length of a lease. */
  readonly leaseTtlMs: number;
  /** The port of this node; null for a node without one, which others judge by its lease alone. */
  readonly port: PeerPortOptions | null;
  readonly log: (event: DispatchEvent) => void;
}

interface Peer extends PeerRow {
  /** It has replied: a port of its that refuses connections now means that its process is gone. */
  reached: boolean;
  reported: boolean;
}

/** What the other nodes said to a node that cannot renew its lease. */
interface PeerVerdict {
  /** Each of them promised not to take over this node's work for the length of a lease from the question on, or is gone. */
  readonly spared: boolean;
  /** One of them renews its lease: the server is not away for all. */
  readonly othersRenew: boolean;
}

/** The other nodes of this database, and what they and this one promised to each other. */
export class Peers {
  readonly #deps: PeersDeps;
  readonly #port: PeerPort | null;
  #address: PeerAddress | null = null;
  #lease: { readonly own: PeerReply } | null = null;
  #known = new Map<string, Peer>();
  /** Nodes whose work this one will not take over, until when. */
  readonly #spared = new Map<string, number>();

  constructor(deps: PeersDeps) {
    this.#deps = deps;
    this.#port = deps.port === null ? null : new PeerPort(deps.port, (call) => this.#heard(call));
  }

  /** The address of this node; null without a port. */
  get address(): PeerAddress | null {
    return this.#address;
  }

  /** `lease`: what this node says of its own. */
  async start(lease: { readonly own: PeerReply }): Promise<void> {
    this.#lease = lease;
    this.#address ??= (await this.#port?.start()) ?? null;
  }

  async stop(): Promise<void> {
    await this.#port?.stop();
  }

  /** How many other nodes there are, as far as this one knows. */
  get others(): number {
    return this.#known.size;
  }

  get #own(): PeerReply {
    return this.#lease?.own ?? { nodeId: "", renewedMsAgo: null };
  }

  /** The nodes that the database knows. Those that are new are greeted, so that they know this one too. */
  learn(rows: readonly PeerRow[]): void {
    this.#known = new Map(
      rows.map((row) => {
        const before = this.#known.get(row.nodeId);
        return [row.nodeId, before?.url === row.url ? before : { ...row, reached: false, reported: false }];
      }),
    );
    for (const [nodeId, until] of this.#spared) if (until < performance.now()) this.#spared.delete(nodeId);
    for (const peer of this.#known.values()) if (!peer.reached) void this.#greet(peer);
  }

  /** Asks every other node not to take over this one's work. */
  async askToSpare(): Promise<PeerVerdict> {
    if (this.#address === null) return { spared: false, othersRenew: false };
    const replies = await Promise.all([...this.#known.values()].map((peer) => this.#call(peer, true)));
    return {
      spared: replies.every((reply) => reply !== "silent"),
      othersRenew: replies.some(
        (reply) => typeof reply === "object" && (reply.renewedMsAgo ?? Infinity) < this.#deps.leaseTtlMs,
      ),
    };
  }

  /**
   * Of these nodes, whose leases have expired, those that were promised nothing and do not reply that they still work. None if
   * this node has no lease itself.
   */
  async withoutLife(rows: readonly PeerRow[]): Promise<string[]> {
    if (this.#own.nodeId === "") return [];
    const judged = await Promise.all(
      rows.map(async (row) => {
        if ((this.#spared.get(row.nodeId) ?? 0) > performance.now()) return [];
        const reply = await this.#call(
          this.#known.get(row.nodeId) ?? { ...row, reached: true, reported: false },
          false,
        );
        return typeof reply === "object" && reply.nodeId === row.nodeId ? [] : [row.nodeId];
      }),
    );
    return judged.flat();
  }

  /** Called with what another node says. It is known from now on, even if the database could not say so. */
  #heard(call: PeerCall): PeerReply {
    const { nodeId, url, key, spare } = call;
    if (spare) this.#spared.set(nodeId, performance.now() + this.#deps.leaseTtlMs);
    if (!this.#known.has(nodeId)) this.#known.set(nodeId, { nodeId, url, key, reached: true, reported: false });
    return this.#own;
  }

  async #greet(peer: Peer): Promise<void> {
    if ((await this.#call(peer, false)) !== "silent" || peer.url === null || peer.reported) return;
    peer.reported = true;
    this.#deps.log({ event: "node.peer_unreachable", nodeId: peer.nodeId, url: peer.url });
  }

  /** A node's reply. "gone": its process has ended; "silent": nothing is known of it. */
  async #call(peer: Peer, spare: boolean): Promise<PeerReply | "gone" | "silent"> {
    const { nodeId } = this.#own;
    if (peer.url === null || peer.key === null || this.#address === null || nodeId === "") return "silent";
    try {
      const response = await fetch(peer.url, {
        method: "POST",
        headers: { authorization: `Bearer ${peer.key}` },
        body: JSON.stringify({ nodeId, ...this.#address, spare } satisfies PeerCall),
        signal: AbortSignal.timeout(this.#deps.leaseTtlMs * (spare ? spareTimeoutPart : timeoutPart)),
        redirect: "error",
      });
      // A node's reply has a hundred bytes; its address came from the database, and its key was accepted.
      const reply: unknown = response.ok ? await response.json() : await response.body?.cancel();
      if (!isPeerReply(reply)) return "silent";
      peer.reached = true;
      return reply;
    } catch (error) {
      return peer.reached && isRefused(error) ? "gone" : "silent";
    }
  }
}

/** The addresses of all other nodes. */
export async function readPeers(db: Queryable, nodeId: string): Promise<PeerRow[]> {
  const { rows } = await db.query<PeerRow & Record<string, unknown>>(
    `select id as "nodeId", peer_url as url, peer_key as key from nodes where id <> $1`,
    [nodeId],
  );
  return rows;
}

function isPeerReply(value: unknown): value is PeerReply {
  if (typeof value !== "object" || value === null) return false;
  const { nodeId, renewedMsAgo } = value as Record<string, unknown>;
  return typeof nodeId === "string" && (renewedMsAgo === null || typeof renewedMsAgo === "number");
}

/** Nobody listens there. */
function isRefused(error: unknown): boolean {
  const cause = error instanceof Error ? error.cause : undefined;
  return cause instanceof Error && "code" in cause && cause.code === "ECONNREFUSED";
}

/** Where other nodes reach this one. The key is only in the database: who has it may read the nodes' table. */
interface PeerAddress {
  readonly url: string;
  readonly key: string;
}

/** What a node says of itself to another: with `spare`, it asks that its work is not taken over for the length of a lease. */
interface PeerCall extends PeerAddress {
  readonly nodeId: string;
  readonly spare: boolean;
}

/** `nodeId`: empty without a lease. `renewedMsAgo`: the age of the node's last renewal; null if there was none. */
export interface PeerReply {
  readonly nodeId: string;
  readonly renewedMsAgo: number | null;
}

export interface PeerPortOptions {
  /** The address under which other machines reach this process; by default the first of this machine that is not loopback. */
  readonly host?: string | null;
  /** By default a free one. */
  readonly port?: number | null;
}

const bodyBytesMax = 2048;

/** The port on which a node replies to the other nodes while the database is silent. It reveals no more than `PeerReply`. */
export class PeerPort {
  readonly #options: PeerPortOptions;
  readonly #onCall: (call: PeerCall) => PeerReply;
  readonly #key = randomBytes(24).toString("base64url");
  #server: Server | undefined;

  constructor(options: PeerPortOptions, onCall: (call: PeerCall) => PeerReply) {
    this.#options = options;
    this.#onCall = onCall;
  }

  /** A configured host may be the address of a port mapping, and none of this machine's: then it listens on every interface. */
  async start(): Promise<PeerAddress> {
    const server = createServer({ requestTimeout: 5000, headersTimeout: 5000 }, (request, response) => {
      this.#reply(request).then(
        ({ status, body }) =>
          response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body)),
        () => response.writeHead(400).end(),
      );
    });
    const host = this.#options.host ?? ownAddress();
    this.#server = server.listen(this.#options.port ?? 0, (this.#options.host ?? null) === null ? host : undefined);
    await once(server, "listening");
    server.unref();
    const { port } = server.address() as AddressInfo;
    return { url: `http://${host.includes(":") ? `[${host}]` : host}:${port}`, key: this.#key };
  }

  async stop(): Promise<void> {
    const server = this.#server;
    if (server === undefined) return;
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }

  async #reply(request: IncomingMessage): Promise<{ status: number; body: PeerReply | null }> {
    if (!isSameSecret(request.headers.authorization ?? "", `Bearer ${this.#key}`)) return { status: 401, body: null };
    if (!(Number(request.headers["content-length"]) <= bodyBytesMax)) return { status: 413, body: null };
    const call: unknown = JSON.parse(await text(request));
    return isPeerCall(call) ? { status: 200, body: this.#onCall(call) } : { status: 400, body: null };
  }
}

function isPeerCall(value: unknown): value is PeerCall {
  if (typeof value !== "object" || value === null) return false;
  const { nodeId, url, key, spare } = value as Record<string, unknown>;
  return [nodeId, url, key].every((member) => typeof member === "string") && typeof spare === "boolean";
}

/** The address of the machine's first interface that is not loopback, IPv4 before IPv6; loopback if it has no other. */
function ownAddress(): string {
  const outer = Object.values(networkInterfaces())
    .flatMap((addresses) => addresses ?? [])
    .filter(({ internal, address }) => !internal && !address.startsWith("fe80:"));
  return (outer.find(({ family }) => family === "IPv4") ?? outer[0])?.address ?? "127.0.0.1";
}
