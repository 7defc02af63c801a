import type pg from "pg";
import type { DispatchEvent } from "../run/node-context.ts";
import type { Database } from "../../db/index.ts";
import { registerNode, renewLease, type NodeTimes, readPeers, type PeerReply, type Peers } from "./nodes.ts";

interface LeaseDeps {
  readonly database: Database;
  readonly times: NodeTimes;
  readonly name: string;
  readonly version: string;
  /** True if no other process can use this database: nobody can take over this node's work. */
  readonly alone: boolean;
  readonly peers: Pick<Peers, "address" | "learn" | "askToSpare">;
  readonly log: (event: DispatchEvent) => void;
  /** What is told when the lease is lost: this node's runs no longer belong to it. */
  readonly holders: readonly { leaseLost(): void }[];
}

/** A node that cannot renew its lease while others can gives up after this many lengths of a lease. */
const cutOffTtls = 2;
/** When the other nodes are asked, before the lease is given up, and how often; in parts of a lease. */
const askBeforePart = 0.4;
const askEveryPart = 1 / 15;

/**
 * A node's lease: one row, renewed every few seconds, by the database's clock. It is given up here before another node may take
 * over its work, even while a renewal is waiting, so that no work is done twice: before the lease can have expired at the
 * database, or, if every other node has promised to spare this one, before the first of those promises ends. So an outage of the
 * server, which nobody can renew a lease on, costs no run; a node that alone is cut off from it gives up after a while, or
 * immediately if it cannot reach the other nodes either.
 *
 * It has its own connection, so that a pool with only busy connections does not cost the lease. It does not need its own
 * thread: no step of the main thread takes more than a fraction of a second, and a renewal may be ten seconds late.
 */
export class NodeLease {
  readonly #deps: LeaseDeps;
  #nodeId = "";
  #timer: NodeJS.Timeout | undefined;
  #closed = false;
  #connection: Promise<pg.Client> | null = null;
  #asking = 0;
  #renewedAt = Number.NEGATIVE_INFINITY;
  /** Until then nobody takes over this node's work. */
  #heldUntil = Number.NEGATIVE_INFINITY;
  /** Since when other nodes renew their leases and this one cannot. */
  #cutOffSince: number | null = null;

  constructor(deps: LeaseDeps) {
    this.#deps = deps;
  }

  /** Empty while there is no lease. */
  get nodeId(): string {
    return this.#nodeId;
  }

  /** The node's id while nobody may take over its work; empty otherwise, even if the event loop was too busy to notice. */
  get #heldNodeId(): string {
    return performance.now() < this.#heldUntil ? this.#nodeId : "";
  }

  /** The age of the last renewal; null if there was none. */
  get #renewedMsAgo(): number | null {
    return Number.isFinite(this.#renewedAt) ? performance.now() - this.#renewedAt : null;
  }

  /** What this node says of itself to the others. */
  get own(): PeerReply {
    return { nodeId: this.#heldNodeId, renewedMsAgo: this.#renewedMsAgo };
  }

  /** Registers this process as a new node. */
  async take(): Promise<string> {
    const { name, version, times, peers } = this.#deps;
    const { leaseTtlMs } = times;
    let askedAt = 0;
    this.#nodeId = await this.#ask((client) => {
      askedAt = performance.now();
      return registerNode(client, { name, version, leaseTtlMs, peer: peers.address });
    });
    this.#renewed(askedAt);
    await this.#learnPeers().catch(() => undefined);
    return this.#nodeId;
  }

  /** Renews it. False: others have taken over this node's work, or it was given up meanwhile. */
  async renew(): Promise<boolean> {
    const nodeId = this.#nodeId;
    let askedAt = 0;
    const renewed = await this.#ask((client) => {
      askedAt = performance.now();
      return renewLease(client, nodeId, this.#deps.times.leaseTtlMs);
    });
    if (nodeId !== this.#nodeId) return false;
    if (!renewed) {
      this.#lose();
      return false;
    }
    this.#renewed(askedAt);
    await this.#learnPeers();
    return true;
  }

  /** Gives it up, and returns its node's id. The caller removes the node's row. */
  close(): string {
    const nodeId = this.#nodeId;
    this.#closed = true;
    this.#nodeId = "";
    clearTimeout(this.#timer);
    // Queries in progress are allowed to complete.
    if (this.#asking === 0) this.#disconnect();
    return nodeId;
  }

  /** Uses the lease's connection. One that failed is closed; the next query gets another. */
  async #ask<Answer>(question: (client: pg.Client) => Promise<Answer>): Promise<Answer> {
    const connection = (this.#connection ??= this.#deps.database.connect({
      timeoutMs: Math.ceil(this.#deps.times.leaseTtlMs / 2),
    }));
    this.#asking++;
    try {
      return await question(await connection);
    } catch (error) {
      if (this.#connection === connection) this.#disconnect();
      throw error;
    } finally {
      if (--this.#asking === 0 && this.#closed) this.#disconnect();
    }
  }

  #disconnect(): void {
    void this.#connection?.then((client) => client.end()).catch(() => undefined);
    this.#connection = null;
  }

  /** `askedAt`: when the statement was sent. Its connection may have taken longer than a lease. */
  #renewed(askedAt: number): void {
    this.#renewedAt = askedAt;
    this.#cutOffSince = null;
    this.#holdFrom(askedAt);
  }

  async #learnPeers(): Promise<void> {
    this.#deps.peers.learn(await this.#ask((client) => readPeers(client, this.#nodeId)));
  }

  /**
   * Others leave this node's work alone for a lease from this time on; it is given up a little earlier. A renewal
   * shortens no earlier promise: it may have been sent before the server froze, and executed when the server went on.
   */
  #holdFrom(time: number): void {
    const { leaseTtlMs, renewEveryMs } = this.#deps.times;
    this.#heldUntil = Math.max(this.#heldUntil, time + leaseTtlMs - renewEveryMs / 2);
    this.#later(this.#heldUntil - leaseTtlMs * askBeforePart, () => void this.#extend());
  }

  #later(time: number, work: () => void): void {
    clearTimeout(this.#timer);
    if (!this.#closed) this.#timer = setTimeout(work, Math.max(0, time - performance.now()));
  }

  /** Asks the other nodes to spare this one until they all promise it, the lease is renewed, or the time is over. */
  async #extend(): Promise<void> {
    const { leaseTtlMs } = this.#deps.times;
    const [nodeId, renewedAt, askedAt] = [this.#nodeId, this.#renewedAt, performance.now()];
    if (nodeId === "") return;
    if (askedAt >= this.#heldUntil) return this.#lose();
    const isSpared = await this.#isSpared(askedAt);
    if (nodeId !== this.#nodeId || renewedAt !== this.#renewedAt) return;
    if (isSpared) {
      if (!this.#deps.alone) this.#deps.log({ event: "node.spared", nodeId });
      return this.#holdFrom(askedAt);
    }
    this.#later(Math.min(this.#heldUntil, askedAt + leaseTtlMs * askEveryPart), () => void this.#extend());
  }

  async #isSpared(askedAt: number): Promise<boolean> {
    const { alone, peers, times } = this.#deps;
    if (alone) return true;
    const { spared, othersRenew } = await peers.askToSpare();
    this.#cutOffSince = othersRenew ? (this.#cutOffSince ?? askedAt) : null;
    return spared && (this.#cutOffSince === null || askedAt - this.#cutOffSince < cutOffTtls * times.leaseTtlMs);
  }

  #lose(): void {
    clearTimeout(this.#timer);
    const nodeId = this.#nodeId;
    if (nodeId === "") return;
    this.#nodeId = "";
    this.#deps.log({ event: "node.lease_lost", nodeId });
    for (const holder of this.#deps.holders) holder.leaseLost();
  }
}
