/** A task that this node has claimed, and may run once. */
export interface Claimed {
  readonly taskId: string;
  readonly accountId: string;
  readonly platform: string;
  /** 1 for the first. */
  readonly attempt: number;
  /** Whoever ends this run must show this number. */
  readonly fence: number;
  /** Milliseconds that this run may take. */
  readonly runBudgetMs: number;
  readonly attemptsMax: number;
  readonly throttles: number;
  /** How often what ran this task was lost: its node, or what the node ran it with. */
  readonly losses: number;
  /** True for the one task that is let through to see whether a failing platform is well again. */
  readonly probe: boolean;
  /** True when the platform's last asks failed: a success is news then. */
  readonly platformFailing: boolean;
}
