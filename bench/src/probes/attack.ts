import type { Installation } from "../contenders/querent.ts";
import type { BenchChild } from "../processes/child.ts";

export interface Victim {
  readonly installation: Installation;
  readonly address: string;
  readonly attacker: BenchChild<undefined>;
  /** Of the account that attacks. */
  readonly token: string;
  readonly accountId: string;
  /** Another one, which attacks beside it. */
  readonly second: { readonly accountId: string; readonly token: string };
}

export interface Attack {
  readonly name: string;
  readonly what: string;
  /** Omitted by `--quick`. */
  readonly isLong?: boolean;
  readonly needsBrowser?: boolean;
  /** The figures of a third account are measured beside it. */
  readonly computes?: boolean;
  /** Its tasks must complete. The tasks of the others are canceled afterwards. */
  readonly completes?: boolean;
  /** What else it did, once it has ended. */
  tells?(victim: Victim): Promise<string>;
  /** Resolves when it is under way, with the batches that it submitted. It goes on until the attacker is stopped. */
  start(victim: Victim): Promise<readonly string[]>;
}
