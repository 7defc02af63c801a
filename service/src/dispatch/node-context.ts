import type { Database } from "../db/index.ts";
import type { BackgroundWork } from "./background-work.ts";
import type { DispatchEvent } from "./dispatch-event.ts";

/** The state that the parts of one dispatcher share. */
export interface NodeContext {
  readonly database: Database;
  /** This node's id; empty while it has no lease. */
  readonly nodeId: () => string;
  /** False once the node stops: nothing new is started. */
  readonly isRunning: () => boolean;
  readonly background: BackgroundWork;
  readonly log: (event: DispatchEvent) => void;
  /** Logs an error. The database may have executed the statement nevertheless, so orphaned runs are searched for. */
  readonly fault: (doing: string, error: unknown) => void;
}
