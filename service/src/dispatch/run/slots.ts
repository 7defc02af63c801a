import type { Claimed } from "../queue/claim.ts";

export interface SlotLimits {
  /** The maximum of concurrent tasks on this node, over all platforms. */
  readonly slotsMax: number;
  /** The maximum of these for one account. */
  readonly accountSlotsMax: number;
  /** Platforms that share a resource scarcer than slots, such as browsers, and the maximum of their tasks together. */
  readonly shared: { readonly platforms: ReadonlySet<string>; readonly slotsMax: number } | null;
}

/** Slots that are reserved for one claim until it completes. */
export interface SlotGrant {
  readonly slots: number;
  /** The maximum of them for one account. */
  readonly accountSlots: number;
  /** Lower maxima for accounts that have runs here. */
  readonly accountSlotsOf: Readonly<Record<string, number>>;
  readonly isShared: boolean;
  /** Other claims were in progress, and what they might take was excluded from this grant. */
  readonly isReduced: boolean;
}

/** The account and platform of a run with a slot. */
type Holder = Pick<Claimed, "accountId" | "platform">;

/**
 * The slots of this node, and their holders. One account gets at most `accountSlotsMax` of them. The last tenth is reserved for
 * accounts, and for platforms, that run nothing here; if one account may have every slot, there is no reserve.
 *
 * A claim is granted slots before it queries the database, and what claims in progress may take counts as taken, so no limit is
 * ever exceeded.
 */
export class Slots {
  readonly #limits: SlotLimits;
  readonly #reserve: number;
  readonly #byAccount = new Map<string, number>();
  readonly #byPlatform = new Map<string, number>();
  /** Runs that use what their platforms share. */
  readonly #sharing = new Set<Holder>();
  #taken = 0;
  #granted = 0;
  #grantedShared = 0;
  #waiting: (() => void)[] = [];

  constructor(limits: SlotLimits) {
    this.#limits = limits;
    const beyondOneAccount = Math.max(0, limits.slotsMax - limits.accountSlotsMax);
    this.#reserve = Math.min(Math.ceil(limits.slotsMax / 10), beyondOneAccount);
  }

  /** How much one claim requests while several are in progress. */
  get partMax(): number {
    return Math.max(1, Math.ceil(this.#limits.accountSlotsMax / 4));
  }

  /** The number of slots of the account that has the most. */
  get mostOfOneAccount(): number {
    return Math.max(0, ...this.#byAccount.values());
  }

  /**
   * Slots for a claim of this platform, or null if there are none. Waits while claims in progress may take all of them.
   * `isAlone`: waits until no other claim is in progress.
   */
  async grant(platform: string, atMost: number, isAlone = false): Promise<SlotGrant | null> {
    for (;;) {
      const grant = isAlone && this.#granted > 0 ? null : this.#grantNow(platform, atMost);
      if (grant !== null) {
        this.#granted += grant.slots;
        if (grant.isShared) this.#grantedShared += grant.slots;
        return grant;
      }
      if (this.#granted === 0) return null;
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    }
  }

  /** The claim has completed: what it took is taken, the rest is free again. */
  settle(grant: SlotGrant, claimed: readonly Holder[]): void {
    this.#granted -= grant.slots;
    if (grant.isShared) this.#grantedShared -= grant.slots;
    for (const holder of claimed) {
      this.#taken++;
      add(this.#byAccount, holder.accountId, 1);
      add(this.#byPlatform, holder.platform, 1);
      if (this.#isShared(holder.platform)) this.#sharing.add(holder);
    }
    for (const resolve of this.#waiting.splice(0)) resolve();
  }

  /** A run no longer uses what its platform shares, although it has not ended. True: a refused claim may get a slot now. */
  leaveShared(holder: Holder): boolean {
    return this.#sharing.delete(holder);
  }

  /** A run has ended. True: a refused claim may get a slot now. */
  free(holder: Holder): boolean {
    this.#sharing.delete(holder);
    const wasFull = this.#unreserved() <= 0 || this.#accountHas(holder.accountId) >= this.#limits.accountSlotsMax;
    this.#taken--;
    add(this.#byAccount, holder.accountId, -1);
    add(this.#byPlatform, holder.platform, -1);
    return wasFull || this.#isShared(holder.platform);
  }

  #grantNow(platform: string, atMost: number): SlotGrant | null {
    const isShared = this.#isShared(platform);
    const ofAccount = this.#limits.accountSlotsMax - this.#granted;
    const most = Math.min(atMost, isShared ? this.#sharedRoom() : Number.POSITIVE_INFINITY);
    const unreserved = this.#unreserved();
    if (most <= 0 || ofAccount <= 0) return null;
    const grant = { isShared, isReduced: this.#granted > 0 };
    if (unreserved > 0) {
      return {
        ...grant,
        slots: Math.min(most, unreserved),
        ...this.#accountSlots(ofAccount, (has) => ofAccount - has),
      };
    }
    const left = unreserved + this.#reserve;
    // What claims in progress leave may not have to be taken from the reserve.
    if (left <= 0 || this.#granted > 0) return null;
    const newcomerMax = Math.max(1, Math.floor(this.#reserve / 10));
    if ((this.#byPlatform.get(platform) ?? 0) === 0) {
      const slots = Math.min(most, left, newcomerMax);
      return { ...grant, slots, ...this.#accountSlots(ofAccount, (has) => ofAccount - has) };
    }
    return { ...grant, slots: Math.min(most, left), ...this.#accountSlots(newcomerMax, () => 0) };
  }

  #accountSlots(accountSlots: number, ofAccount: (has: number) => number) {
    const accountSlotsOf: Record<string, number> = {};
    for (const [accountId, has] of this.#byAccount) accountSlotsOf[accountId] = Math.max(0, ofAccount(has));
    return { accountSlots, accountSlotsOf };
  }

  /** Slots outside the reserve. */
  #unreserved(): number {
    return this.#limits.slotsMax - this.#taken - this.#granted - this.#reserve;
  }

  #accountHas(accountId: string): number {
    return this.#byAccount.get(accountId) ?? 0;
  }

  #isShared(platform: string): boolean {
    return this.#limits.shared?.platforms.has(platform) === true;
  }

  #sharedRoom(): number {
    const { shared } = this.#limits;
    return shared === null ? 0 : shared.slotsMax - this.#sharing.size - this.#grantedShared;
  }
}

function add(counts: Map<string, number>, key: string, change: number): void {
  const count = (counts.get(key) ?? 0) + change;
  if (count === 0) counts.delete(key);
  else counts.set(key, count);
}
