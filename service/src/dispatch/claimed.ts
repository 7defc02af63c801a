/** A task that this node has claimed and may run once. */
export interface Claimed {
  readonly taskId: string;
  readonly accountId: string;
  readonly platform: string;
  /** 1 for the first. */
  readonly attempt: number;
  /** The end of this run must present this number. */
  readonly fence: number;
  /** The time limit of this run in milliseconds. */
  readonly runBudgetMs: number;
  readonly attemptsMax: number;
  readonly throttles: number;
  /** How often this task was lost: with its node, or with a resource of the node. */
  readonly losses: number;
  /** True for the single task that tests whether a failing platform works again. */
  readonly probe: boolean;
  /** True if the platform's last requests failed: then a success must be reported. */
  readonly platformFailing: boolean;
  /** True if the platform was throttled, and had not answered since: then its next answer must be reported. */
  readonly platformThrottled: boolean;
}
