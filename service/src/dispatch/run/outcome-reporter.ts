import type { Claimed } from "../queue/claim.ts";
import { platformFailureOf, throttledFault } from "./decide-retry.ts";
import {
  countFailure,
  countSuccess,
  endThrottle,
  noteFailure,
  pausePlatform,
  throttlePlatform,
} from "../queue/limiter.ts";
import type { NodeContext } from "./node-context.ts";
import type { WorkEnd } from "./work.ts";

/** Reports the platforms' outcomes to their limiters. */
export class OutcomeReporter {
  readonly #node: NodeContext;
  /** Platforms that failed here since their last success. */
  readonly #failing = new Set<string>();

  constructor(node: NodeContext) {
    this.#node = node;
  }

  /**
   * Consecutive failures of a platform open its breaker; a success is reported if it failed before this run was claimed, or
   * here since. Resolves once the limiter is updated, or the report has failed.
   */
  async report(nodeId: string, claimed: Claimed, end: WorkEnd<unknown>): Promise<void> {
    const { platform, probe, platformFailing, platformThrottled } = claimed;
    const { database } = this.#node;
    if (end.kind === "throttled") {
      const fault = throttledFault(end.platformStatus);
      const pause = end.ownPace === true ? pausePlatform : throttlePlatform;
      return this.#write(pause(database, nodeId, platform, end.retryAfterMs, fault));
    }
    const writes: Promise<void>[] = [];
    const failure = platformFailureOf(end);
    if (failure !== null) {
      this.#failing.add(platform);
      writes.push(
        failure.counted
          ? countFailure(database, nodeId, platform, probe, failure.fault)
          : noteFailure(database, nodeId, platform, failure.fault),
      );
    } else if (end.kind === "completed" && (platformFailing || this.#failing.has(platform))) {
      this.#failing.delete(platform);
      writes.push(countSuccess(database, nodeId, platform));
    }
    const answered = end.kind === "completed" || (end.kind === "failed" && failure?.counted !== true);
    if (platformThrottled && answered) writes.push(endThrottle(database, nodeId, platform));
    await Promise.all(writes.map((write) => this.#write(write)));
  }

  #write(write: Promise<void>): Promise<void> {
    const written = write.catch((error: unknown) => this.#node.fault("limiter", error));
    this.#node.background.add(written);
    return written;
  }
}
