import type pg from "pg";
import type { Database } from "../db/index.ts";
import { registerNode, renewLease, type NodeTimes } from "./node.ts";

interface LeaseDeps {
  readonly database: Database;
  readonly times: NodeTimes;
  readonly name: string;
  readonly version: string;
  /** The lease is lost: this node's runs no longer belong to it. */
  readonly onLost: (nodeId: string) => void;
}

/**
 * A node's lease: one row, renewed every few seconds, by the database's clock. It is given up here before it can have expired
 * there, even while a renewal is waiting, so that no work is done twice.
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

  constructor(deps: LeaseDeps) {
    this.#deps = deps;
  }

  /** Empty while there is no lease. */
  get nodeId(): string {
    return this.#nodeId;
  }

  /** Registers this process as a new node. */
  async take(): Promise<string> {
    const { name, version, times } = this.#deps;
    const askedAt = performance.now();
    this.#nodeId = await this.#ask((client) => registerNode(client, { name, version, leaseTtlMs: times.leaseTtlMs }));
    this.#holdUntil(askedAt + times.leaseTtlMs);
    return this.#nodeId;
  }

  /** Renews it. False: it had expired, or was given up meanwhile. */
  async renew(): Promise<boolean> {
    const nodeId = this.#nodeId;
    const askedAt = performance.now();
    const renewed = await this.#ask((client) => renewLease(client, nodeId, this.#deps.times.leaseTtlMs));
    if (nodeId !== this.#nodeId) return false;
    if (renewed) this.#holdUntil(askedAt + this.#deps.times.leaseTtlMs);
    else this.#lose();
    return renewed;
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

  #holdUntil(time: number): void {
    clearTimeout(this.#timer);
    if (this.#closed) return;
    const inMs = time - this.#deps.times.renewEveryMs / 2 - performance.now();
    this.#timer = setTimeout(() => this.#lose(), Math.max(0, inMs));
  }

  #lose(): void {
    clearTimeout(this.#timer);
    const nodeId = this.#nodeId;
    if (nodeId === "") return;
    this.#nodeId = "";
    this.#deps.onLost(nodeId);
  }
}
