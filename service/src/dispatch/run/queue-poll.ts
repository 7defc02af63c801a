import { backoffMs } from "../../runtime/backoff.ts";
import { PollLoop } from "../../runtime/poll-loop.ts";
import type { Service } from "../../runtime/service.ts";
import type { Claimer } from "./claimer.ts";
import type { NodeContext } from "./node-context.ts";
import { platformsWithWork, promoteDue } from "../queue/requeue.ts";

const pollBusyMs = 250;
const pollIdleMs = 2000;

/**
 * The poll on which correctness depends, whatever happens to wake-ups: looks for due work of all platforms, less often when
 * there is none.
 */
export class QueuePoll implements Service {
  readonly #node: NodeContext;
  readonly #claimer: Pick<Claimer, "platforms" | "claim" | "claimAny">;
  readonly #loop: PollLoop;
  /** Consecutive polls that found nothing. */
  #idlePolls = 0;
  #pollAt = 0;

  constructor(node: NodeContext, claimer: Pick<Claimer, "platforms" | "claim" | "claimAny">) {
    this.#node = node;
    this.#claimer = claimer;
    this.#loop = new PollLoop({
      everyMs: pollIdleMs,
      look: () => this.#look(),
      onFault: (error) => node.fault("poll", error),
      faultBackoff: { firstMs: pollBusyMs, maxMs: pollIdleMs },
    });
  }

  start(): void {
    this.#loop.wake();
    this.#loop.start();
  }

  stop(): Promise<void> {
    return this.#loop.stop();
  }

  /** Looks for work of these platforms immediately, and polls often again. Cheap, and safe to call without need. */
  wake(platforms: readonly string[]): void {
    this.#idlePolls = 0;
    this.#claimer.claim(platforms);
  }

  /** The same for every platform. */
  wakeAll(): void {
    this.#idlePolls = 0;
    this.#claimer.claimAny();
  }

  /** Immediately looks for waiting tasks that are due, and for when the next one is. */
  promote(): void {
    this.#loop.wake();
  }

  /** Returns the delay until the next poll, or until the next waiting task is due. */
  async #look(): Promise<number> {
    const { platforms, nextInMs } = await promoteDue(this.#node.database);
    if (platforms.length > 0) this.wake(platforms);
    if (performance.now() >= this.#pollAt) await this.#poll();
    return Math.min(this.#pollAt - performance.now(), nextInMs === null ? pollIdleMs : nextInMs + 1);
  }

  async #poll(): Promise<void> {
    this.#idlePolls++;
    const withWork = await platformsWithWork(this.#node.database, this.#claimer.platforms());
    if (withWork.length > 0) this.wake(withWork);
    const backoff = { firstMs: pollBusyMs, maxMs: pollIdleMs, jitter: 0.25 };
    this.#pollAt = performance.now() + backoffMs(this.#idlePolls + 1, backoff);
  }
}
