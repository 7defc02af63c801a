import type { Database } from "../db/index.ts";
import type { BackgroundWork } from "./background-work.ts";
import type { DispatchEvent } from "./dispatch-event.ts";

/** What the parts of one dispatcher share. */
export interface NodeContext {
  readonly database: Database;
  /** This node's id; empty while it has no lease. */
  readonly nodeId: () => string;
  /** False once the node stops: nothing new is started. */
  readonly isRunning: () => boolean;
  readonly background: BackgroundWork;
  readonly log: (event: DispatchEvent) => void;
  /** Logs a fault. What was asked of the database may have been done all the same, so that orphaned runs are looked for. */
  readonly fault: (doing: string, error: unknown) => void;
}
