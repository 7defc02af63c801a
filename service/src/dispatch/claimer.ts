import { claim, type ClaimResult } from "./claim.ts";
import type { Claimed } from "./claimed.ts";
import type { NodeContext } from "./node-context.ts";
import { Slots, type SlotGrant, type SlotLimits } from "./slots.ts";

export interface ClaimerOptions extends SlotLimits {
  /** Platforms this node asks. */
  readonly platforms: readonly string[];
  /** Asked before every claim: while it is true, what needs a browser is left to other nodes, all tasks of these platforms included. */
  readonly browserTasks?: { readonly platforms: ReadonlySet<string>; readonly areLeft: () => boolean };
}

interface ClaimerDeps {
  /** True while too many bytes of results wait to be written: nothing is claimed then. */
  readonly isFull: () => boolean;
  readonly launch: (nodeId: string, claimed: readonly Claimed[]) => Promise<void>;
}

/** At most so many tasks in one claim. */
const claimMax = 500;

/**
 * Claims work for this node's free slots. Each platform has a loop of its own, which goes on while there may be more to start. What the
 * claimer remembers of the queue only decides when it asks; what is true is decided by the statement of `claim`.
 */
export class Claimer {
  readonly #node: NodeContext;
  readonly #options: ClaimerOptions;
  readonly #deps: ClaimerDeps;
  readonly #slots: Slots;
  /** Platforms whose claim loop is running; true: look again when it is done. */
  readonly #claiming = new Map<string, boolean>();
  /** Platforms that had work waiting when they were last asked. */
  readonly #backlogged = new Set<string>();
  /** Platforms that had work waiting when there was no slot for it, or none for its account. */
  readonly #refused = new Set<string>();
  /** A slot has come free that a refused platform may want. */
  #slotCameFree = false;
  /** A claim was put off because too many bytes of results wait to be written. */
  #wasFull = false;
  /** Platforms whose limiter lets the next task start at a known time. */
  readonly #limited = new Map<string, NodeJS.Timeout>();

  constructor(node: NodeContext, options: ClaimerOptions, deps: ClaimerDeps) {
    this.#node = node;
    this.#options = options;
    this.#deps = deps;
    this.#slots = new Slots(options);
  }

  /** Slots of the account that has the most of them here. */
  get mostSlotsOfOneAccount(): number {
    return this.#slots.mostOfOneAccount;
  }

  /** Platforms of which this node takes tasks now. */
  platforms(): string[] {
    return this.#options.platforms.filter((platform) => !this.#isLeft(platform));
  }

  /** Claims tasks of these platforms, in the background. Cheap, and safe to call for nothing. */
  claim(platforms: readonly string[]): void {
    for (const platform of platforms) {
      if (this.#options.platforms.includes(platform) && !this.#isLeft(platform)) this.#start(platform);
    }
  }

  /** Claims for these platforms where they are known to have work. */
  claimBacklog(platforms: Iterable<string>): void {
    for (const platform of platforms) if (this.#backlogged.has(platform)) this.#start(platform);
  }

  /** Claims for the platforms that were refused slots, if one has come free that may be for them. */
  claimRefused(except: ReadonlySet<string> = new Set()): void {
    if (this.#wasFull && !this.#deps.isFull()) {
      this.#wasFull = false;
      this.#slotCameFree = true;
    }
    if (!this.#slotCameFree) return;
    this.#slotCameFree = false;
    this.claimBacklog([...this.#refused].filter((platform) => !except.has(platform)));
  }

  /** A run is over, and its slot free. */
  releaseSlot(claimed: Claimed): void {
    if (this.#slots.free(claimed)) this.#slotCameFree = true;
  }

  stop(): void {
    for (const timer of this.#limited.values()) clearTimeout(timer);
  }

  #start(platform: string): void {
    this.#node.background.add(this.#claimAll(platform));
  }

  async #claimAll(platform: string): Promise<void> {
    if (this.#claiming.has(platform)) {
      this.#claiming.set(platform, true);
      return;
    }
    this.#claiming.set(platform, false);
    try {
      for (let again = true; again && this.#node.isRunning();) {
        this.#claiming.set(platform, false);
        again = (await this.#claimOnce(platform)) || this.#claiming.get(platform) === true;
      }
    } catch (error) {
      this.#node.fault("claim", error);
    } finally {
      this.#claiming.delete(platform);
    }
  }

  /** One claim. True: there may be more that could start at once. */
  async #claimOnce(platform: string): Promise<boolean> {
    if (this.#isLeft(platform)) return false;
    // Where several platforms claim at once, each asks for a part: otherwise one would be granted all that an account may have.
    const atMost = this.#claiming.size === 1 ? claimMax : Math.min(claimMax, this.#slots.partMax);
    this.#wasFull ||= this.#deps.isFull();
    const grant = this.#deps.isFull() ? null : await this.#slots.grant(platform, atMost);
    if (grant === null) {
      this.#backlogged.add(platform);
      this.#refused.add(platform);
      return false;
    }
    const result = await this.#claimGranted(platform, grant);
    if (!grant.isReduced || !result.backlog || result.claimed.length >= grant.slots) return result.more;
    // What other claims might have taken was left out of this grant, and they may not have taken it.
    const whole = await this.#slots.grant(platform, claimMax, true);
    if (whole === null) {
      this.#refused.add(platform);
      return false;
    }
    return (await this.#claimGranted(platform, whole)).more;
  }

  async #claimGranted(platform: string, grant: SlotGrant): Promise<ClaimResult> {
    const nodeId = this.#node.isRunning() ? this.#node.nodeId() : "";
    let result: ClaimResult = { claimed: [], more: false, backlog: false, limitedForMs: null };
    try {
      if (nodeId === "") return result;
      const leaveBrowserTasks = this.#options.browserTasks?.areLeft() === true;
      result = await claim(this.#node.database, { platform, nodeId, ...grant, leaveBrowserTasks });
    } finally {
      this.#slots.settle(grant, result.claimed);
    }
    if (result.backlog) this.#backlogged.add(platform);
    else this.#backlogged.delete(platform);
    if (result.backlog && result.claimed.length < grant.slots) this.#refused.add(platform);
    else this.#refused.delete(platform);
    if (result.limitedForMs !== null) this.#claimLater(platform, result.limitedForMs);
    await this.#deps.launch(nodeId, result.claimed);
    return result;
  }

  /** True while its tasks are left to nodes with a browser. */
  #isLeft(platform: string): boolean {
    const { browserTasks } = this.#options;
    return browserTasks?.platforms.has(platform) === true && browserTasks.areLeft();
  }

  /** Claims again when the limiter lets the next task start. */
  #claimLater(platform: string, inMs: number): void {
    if (!this.#node.isRunning() || this.#limited.has(platform)) return;
    const timer = setTimeout(
      () => {
        this.#limited.delete(platform);
        if (this.#node.isRunning()) this.claim([platform]);
      },
      Math.min(inMs, 60_000),
    );
    this.#limited.set(platform, timer);
  }
}
