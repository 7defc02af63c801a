import { Listener, readAnnounced } from "../db/index.ts";
import type { Service } from "../runtime/service.ts";
import type { Finish } from "../tasks/index.ts";
import { wakeUpChannel, type Notifier } from "../webhooks/index.ts";
import type { Parts } from "./parts.ts";

/**
 * Wakes what waits for the end of a task: requests, event streams and the notifier, in this process directly and in others
 * through the database. A lost wake-up costs one poll interval.
 */
export class WakeUps implements Service {
  readonly #parts: Parts;
  readonly #notifier: Notifier | null;
  readonly #listener: Listener | null;
  readonly #wakesOthers: boolean;

  constructor(parts: Parts, roles: { readonly api: boolean; readonly notifier: Notifier | null }) {
    this.#parts = parts;
    this.#notifier = roles.notifier;
    const isWaitedForHere = roles.api || roles.notifier !== null;
    this.#listener =
      !parts.alone && isWaitedForHere
        ? new Listener(parts.database, { [wakeUpChannel]: (payload) => this.#received(payload) })
        : null;
    // If one process does not have both roles, others must be woken.
    this.#wakesOthers = !parts.alone && !(roles.api && roles.notifier !== null);
  }

  async start(): Promise<void> {
    await this.#listener?.start();
  }

  async stop(): Promise<void> {
    await this.#listener?.stop();
  }

  /** Called after the commit of a transaction that ended tasks. */
  announce({ taskIds, accountIds, ends, due }: Finish): void {
    if (taskIds.length === 0) return;
    for (const { platform, state, code } of ends)
      this.#parts.metrics.add("querent_tasks_ended_total", { platform, state, code: code ?? "" });
    const { endWatch, feed } = this.#parts;
    endWatch.ended(taskIds);
    if (due) this.#notifier?.wake();
    feed.wake(accountIds);
    if (this.#wakesOthers) this.#wakeOthers(accountIds);
  }

  /** A delivery may be due. */
  deliveryDue(): void {
    if (this.#notifier === null) this.#wakeOthers();
    else this.#notifier.wake();
  }

  #wakeOthers(accountIds: readonly string[] = []): void {
    this.#parts.database.announce(wakeUpChannel, accountIds);
  }

  #received(payload: string): void {
    this.#notifier?.hear();
    const accountIds = readAnnounced(payload);
    if (accountIds.length > 0) this.#parts.feed.wake(accountIds);
    else this.#parts.feed.look();
  }
}
