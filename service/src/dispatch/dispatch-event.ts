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
