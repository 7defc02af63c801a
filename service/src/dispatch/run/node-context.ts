import type { Database } from "../../db/index.ts";

/** What the parts of a node share. */
export class NodeContext {
  readonly database: Database;
  readonly background = new BackgroundWork();
  readonly log: (event: DispatchEvent) => void;
  /** False before the node has started, and once it stops: then nothing new is started. */
  isRunning = false;
  readonly #lease: HeldLease;
  readonly #watch: FaultWatch;

  constructor(
    { database, log }: Pick<NodeContext, "database" | "log">,
    parts: { readonly lease: HeldLease; readonly watch: FaultWatch },
  ) {
    this.database = database;
    this.log = log;
    this.#lease = parts.lease;
    this.#watch = parts.watch;
  }

  /** This node's id; empty while it has no lease. */
  get nodeId(): string {
    return this.#lease.nodeId;
  }

  /** Logs an error. */
  fault(doing: string, error: unknown): void {
    this.#watch.suspect();
    this.log({ event: "dispatch.fault", doing, error });
  }
}

interface HeldLease {
  readonly nodeId: string;
}

/** Told of each error: the database may have executed the statement nevertheless. */
interface FaultWatch {
  suspect(): void;
}

/** Background work, which only a stop waits for. */
export class BackgroundWork {
  readonly #underWay = new Set<Promise<void>>();

  add(work: Promise<void>): void {
    const tracked = work.finally(() => this.#underWay.delete(tracked));
    this.#underWay.add(tracked);
  }

  /** Resolves once no work is in progress, including work added meanwhile. */
  async idle(): Promise<void> {
    while (this.#underWay.size > 0) await Promise.all(this.#underWay);
  }
}

/** The log events of a dispatcher. */
export type DispatchEvent =
  | { readonly event: "node.started" | "node.spared" | "node.lease_lost" | "node.stopped"; readonly nodeId: string }
  /** Another node's port cannot be reached. */
  | { readonly event: "node.peer_unreachable"; readonly nodeId: string; readonly url: string }
  | { readonly event: "node.orphaned_runs_returned"; readonly nodeId: string; readonly runs: number }
  | { readonly event: "node.reaped"; readonly nodes: number; readonly requeued: number }
  | {
      readonly event: "task.claimed" | "task.retried" | "task.throttled" | "task.lost";
      readonly taskId: string;
      readonly platform: string;
      readonly attempt: number;
    }
  | { readonly event: "dispatch.fault"; readonly doing: string; readonly error: unknown };
