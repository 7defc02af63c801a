import { Listener } from "../db/index.ts";
import type { Service } from "../runtime/service.ts";
import type { Finish } from "../tasks/index.ts";
import { readWakeUp, wakeOthers, wakeUpChannel, type Notifier } from "../webhooks/index.ts";
import type { Parts } from "./parts.ts";

/**
 * Wakes whoever waits for the end of a task: requests, event streams and the notifier of this process directly, those of other processes
 * by the database. A wake-up that is lost costs a poll.
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
    // Where one process does not have both roles, others have to be woken.
    this.#wakesOthers = !parts.alone && !(roles.api && roles.notifier !== null);
  }

  async start(): Promise<void> {
    await this.#listener?.start();
  }

  async stop(): Promise<void> {
    await this.#listener?.stop();
  }

  /** What a transaction ended has been committed. */
  ended({ taskIds, accountIds, due }: Finish): void {
    if (taskIds.length === 0) return;
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

  #wakeOthers(accountIds?: readonly string[]): void {
    wakeOthers(this.#parts.database, accountIds).catch(this.#parts.fault("wake other processes"));
  }

  #received(payload: string): void {
    this.#notifier?.wake();
    const accountIds = readWakeUp(payload);
    if (accountIds.length > 0) this.#parts.feed.wake(accountIds);
    else this.#parts.feed.look();
  }
}
