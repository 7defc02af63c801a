import { Listener } from "../db/index.ts";
import type { Service } from "../runtime/service.ts";
import type { EndTasksDeps } from "../tasks/index.ts";
import { hintOthers, noticeChannel, prepareDeliveries, readHint, type Notifier } from "../webhooks/index.ts";
import type { Parts } from "./parts.ts";

const dayMs = 86_400_000;
/** Ends that were written but not yet committed. Forgetting some costs those who wait a poll. */
const announcedMax = 100_000;

/**
 * Wakes whoever waits for the end of a task: requests, event streams and the notifier of this process directly, those of other processes
 * by the database. A wake-up that is lost costs a poll.
 */
export class WakeUps implements Service {
  /** What ends tasks writes their webhook deliveries with. */
  readonly ends: EndTasksDeps;
  readonly #parts: Parts;
  readonly #notifier: Notifier | null;
  readonly #listener: Listener | null;
  readonly #announced = new Map<string, { accountId: string; due: boolean }>();

  constructor(parts: Parts, roles: { readonly api: boolean; readonly notifier: Notifier | null }) {
    this.#parts = parts;
    this.#notifier = roles.notifier;
    const isWaitedForHere = roles.api || roles.notifier !== null;
    this.#listener =
      !parts.alone && isWaitedForHere
        ? new Listener(parts.database, { [noticeChannel]: (payload) => this.#received(payload) })
        : null;
    // Where one process does not have both roles, others have to be woken.
    const wakesOthers = !parts.alone && !(roles.api && roles.notifier !== null);
    this.ends = { retentionMs: parts.config.retentionDays * dayMs, announce: this.#announcer(wakesOthers) };
  }

  async start(): Promise<void> {
    await this.#listener?.start();
  }

  async stop(): Promise<void> {
    await this.#listener?.stop();
  }

  /** These ends have been committed. */
  ended(taskIds: readonly string[]): void {
    this.#parts.endWatch.ended(taskIds);
    const announced = taskIds.flatMap((taskId) => this.#announced.get(taskId) ?? []);
    for (const taskId of taskIds) this.#announced.delete(taskId);
    if (announced.some(({ due }) => due)) this.#notifier?.wake();
    this.#parts.feed.wake(new Set(announced.map(({ accountId }) => accountId)));
  }

  /** A delivery may be due. */
  deliveryDue(): void {
    if (this.#notifier === null) hintOthers(this.#parts.database).catch(this.#parts.fault("wake the notifier"));
    else this.#notifier.wake();
  }

  #announcer(wakesOthers: boolean): EndTasksDeps["announce"] {
    const { bodyBytesMax } = this.#parts;
    const inHand = this.#notifier?.inHand;
    return async (tx, ended) => {
      const { due, write } = await prepareDeliveries(tx, ended, { bodyBytesMax, ...(inHand && { inHand }) });
      if (this.#announced.size > announcedMax) this.#announced.clear();
      for (const { taskId, accountId } of ended) this.#announced.set(taskId, { accountId, due });
      if (wakesOthers) await hintOthers(tx, [...new Set(ended.map(({ accountId }) => accountId))]);
      return { write };
    };
  }

  #received(payload: string): void {
    this.#notifier?.wake();
    const accountIds = readHint(payload);
    if (accountIds.length > 0) this.#parts.feed.wake(accountIds);
    else this.#parts.feed.look();
  }
}
