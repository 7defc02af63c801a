import { fetch } from "undici";
import type { Service } from "../runtime/service.ts";
import type { Queryable } from "../db/index.ts";
import { PeerPort, type PeerAddress, type PeerCall, type PeerPortOptions, type PeerReply } from "./peer-port.ts";

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
  /** What this node says of its own lease. */
  readonly own: () => PeerReply;
  readonly onUnreachable: (peer: { readonly nodeId: string; readonly url: string }) => void;
}

interface Peer extends PeerRow {
  /** It has replied: a port of its that refuses connections now means that its process is gone. */
  reached: boolean;
  reported: boolean;
}

/** What the other nodes said to a node that cannot renew its lease. */
export interface PeerVerdict {
  /** Each of them promised not to take over this node's work for the length of a lease from the question on, or is gone. */
  readonly spared: boolean;
  /** One of them renews its lease: the server is not away for all. */
  readonly othersRenew: boolean;
}

/** The other nodes of this database, and what they and this one promised to each other. */
export class Peers implements Service {
  readonly #deps: PeersDeps;
  readonly #port: PeerPort | null;
  #address: PeerAddress | null = null;
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

  async start(): Promise<void> {
    this.#address ??= (await this.#port?.start()) ?? null;
  }

  async stop(): Promise<void> {
    await this.#port?.stop();
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
    if (this.#deps.own().nodeId === "") return [];
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
    return this.#deps.own();
  }

  async #greet(peer: Peer): Promise<void> {
    if ((await this.#call(peer, false)) !== "silent" || peer.url === null || peer.reported) return;
    peer.reported = true;
    this.#deps.onUnreachable({ nodeId: peer.nodeId, url: peer.url });
  }

  /** A node's reply. "gone": its process has ended; "silent": nothing is known of it. */
  async #call(peer: Peer, spare: boolean): Promise<PeerReply | "gone" | "silent"> {
    const { nodeId } = this.#deps.own();
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
