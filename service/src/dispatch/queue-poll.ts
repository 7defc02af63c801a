import { backoffMs } from "../runtime/backoff.ts";
import { PollLoop } from "../runtime/poll-loop.ts";
import type { Service } from "../runtime/service.ts";
import type { NodeContext } from "./node-context.ts";
import { platformsWithWork, promoteDue } from "./requeue.ts";

interface QueuePollDeps {
  /** The platforms whose tasks this node currently claims. */
  readonly platforms: () => readonly string[];
  /** Called with platforms that have work. */
  readonly onWork: (platforms: readonly string[]) => void;
}

const pollBusyMs = 250;
const pollIdleMs = 2000;

/**
 * The poll on which correctness depends, whatever happens to wake-ups: looks for due work of all platforms, less often when
 * there is none.
 */
export class QueuePoll implements Service {
  readonly #node: NodeContext;
  readonly #deps: QueuePollDeps;
  readonly #loop: PollLoop;
  /** Consecutive polls that found nothing. */
  #idlePolls = 0;
  #pollAt = 0;

  constructor(node: NodeContext, deps: QueuePollDeps) {
    this.#node = node;
    this.#deps = deps;
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

  /** There is work: polls often again. */
  expectWork(): void {
    this.#idlePolls = 0;
  }

  /** Immediately looks for waiting tasks that are due, and for when the next one is. */
  promote(): void {
    this.#loop.wake();
  }

  /** Returns the delay until the next poll, or until the next waiting task is due. */
  async #look(): Promise<number> {
    const { platforms, nextInMs } = await promoteDue(this.#node.database);
    if (platforms.length > 0) this.#deps.onWork(platforms);
    if (performance.now() >= this.#pollAt) await this.#poll();
    return Math.min(this.#pollAt - performance.now(), nextInMs === null ? pollIdleMs : nextInMs + 1);
  }

  async #poll(): Promise<void> {
    this.#idlePolls++;
    const withWork = await platformsWithWork(this.#node.database, this.#deps.platforms());
    if (withWork.length > 0) this.#deps.onWork(withWork);
    const backoff = { firstMs: pollBusyMs, maxMs: pollIdleMs, jitter: 0.25 };
    this.#pollAt = performance.now() + backoffMs(this.#idlePolls + 1, backoff);
  }
}
