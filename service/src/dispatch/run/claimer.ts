import { raisePositions } from "../queue/account-queues.ts";
import { claim, type ClaimResult, type Claimed } from "../queue/claim.ts";
import type { NodeContext } from "./node-context.ts";
import { Slots, type SlotGrant, type SlotLimits } from "./slots.ts";
import { backoffMs } from "../../runtime/backoff.ts";
import { PollLoop } from "../../runtime/poll-loop.ts";
import type { Service } from "../../runtime/service.ts";
import { DelayedLook } from "../../runtime/wake-delay.ts";
import { platformsWithWork, promoteDue } from "../queue/queue.ts";

export interface ClaimerOptions extends SlotLimits {
  /** The platforms of this node. */
  readonly platforms: readonly string[];
  /** Called before every claim: false for a platform that this node cannot ask now. Its tasks are left to other nodes. */
  readonly mayClaim?: (platform: string) => boolean;
  /** Called before every claim: while it is true, the platform's tasks that need a browser are left to other nodes. */
  readonly leavesBrowserTasks?: (platform: string) => boolean;
}

/** Starts the runs of tasks that were just claimed. */
interface Launcher {
  launch(nodeId: string, claimed: readonly Claimed[]): Promise<void>;
}

/** The maximum of tasks per claim. */
const claimMax = 500;
/** After this many claimed tasks of an account, its positions in the queue are raised. */
const raiseAfter = 200;
/** The maximum of accounts whose claimed tasks are counted. */
const countedAccountsMax = 10_000;

/**
 * Claims work for this node's free slots. Each platform has its own loop, which continues while more may start. What the
 * claimer remembers about the queue only determines when it claims; the statement of `claim` decides what is claimed.
 */
export class Claimer {
  readonly #node: NodeContext;
  readonly #options: ClaimerOptions;
  /** While there are too many, nothing is claimed. */
  readonly #unwritten: UnwrittenBytes;
  #launcher: Launcher = { launch: () => Promise.reject(new Error("Nothing was set that launches what is claimed.")) };
  readonly #slots: Slots;
  /** Platforms whose claim loop is running; true: run it again afterwards. */
  readonly #claiming = new Map<string, boolean>();
  /** Platforms with waiting work at their last claim. */
  readonly #backlogged = new Set<string>();
  /** Platforms with waiting work but no slot for it, or none for its account. */
  readonly #refused = new Set<string>();
  /** A slot has become free that a refused platform may need. */
  #slotCameFree = false;
  /** A claim was postponed because too many bytes of results wait to be written. */
  #wasFull = false;
  /** Platforms whose limiter allows the next start at a known time. */
  readonly #limited = new Map<string, NodeJS.Timeout>();
  /** By platform and account: what was claimed since its positions were raised. */
  readonly #passed = new Map<string, { count: number; readonly lastOfRank: Map<number, string> }>();

  constructor(node: NodeContext, options: ClaimerOptions, unwritten: UnwrittenBytes) {
    this.#node = node;
    this.#options = options;
    this.#unwritten = unwritten;
    this.#slots = new Slots(options);
  }

  /** What it claims is launched there. */
  launchWith(launcher: Launcher): void {
    this.#launcher = launcher;
  }

  /** The number of slots of the account that has the most here. */
  get mostSlotsOfOneAccount(): number {
    return this.#slots.mostOfOneAccount;
  }

  /** The platforms whose tasks this node currently claims. */
  platforms(): string[] {
    return this.#options.platforms.filter((platform) => !this.#isLeft(platform));
  }

  /** Claims tasks of these platforms, in the background. Cheap, and safe to call without need. */
  claim(platforms: readonly string[]): void {
    for (const platform of platforms) {
      if (this.#options.platforms.includes(platform) && !this.#isLeft(platform)) this.#start(platform);
    }
  }

  /** The same for every platform of this node. */
  claimAny(): void {
    this.claim(this.#options.platforms);
  }

  /** Claims for those of these platforms that are known to have work. */
  claimBacklog(platforms: Iterable<string>): void {
    for (const platform of platforms) if (this.#backlogged.has(platform)) this.#start(platform);
  }

  /** Claims for the platforms that were refused slots, if a suitable one has become free. */
  claimRefused(except: ReadonlySet<string> = new Set()): void {
    if (this.#wasFull && !this.#unwritten.isFull) {
      this.#wasFull = false;
      this.#slotCameFree = true;
    }
    if (!this.#slotCameFree) return;
    this.#slotCameFree = false;
    this.claimBacklog([...this.#refused].filter((platform) => !except.has(platform)));
  }

  /** Claims for platforms whose ends have been written, or given up. */
  endsSettled(platforms: ReadonlySet<string>): void {
    if (!this.#node.isRunning) return;
    // A free slot may be used by every platform that was refused one; the platform that just ended a run does not go first.
    this.claimRefused(platforms);
    this.claimBacklog(platforms);
  }

  /** Claims after a run that ended without anything to write, and only freed a slot. */
  slotFreed(platform: string): void {
    if (this.#node.isRunning) this.claimBacklog([platform]);
  }

  /** A run no longer uses what its platform shares: the next one need not wait until its result is written. */
  leaveShared(claimed: Claimed): void {
    if (!this.#node.isRunning || !this.#slots.leaveShared(claimed)) return;
    this.#slotCameFree = true;
    // As after the end of a run, its platform does not go first.
    this.claimRefused(new Set([claimed.platform]));
    this.claimBacklog([claimed.platform]);
  }

  /** A run has ended, and its slot is free. */
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
      for (let again = true; again && this.#node.isRunning;) {
        this.#claiming.set(platform, false);
        again = (await this.#claimOnce(platform)) || this.#claiming.get(platform) === true;
      }
    } catch (error) {
      this.#node.fault("claim", error);
    } finally {
      this.#claiming.delete(platform);
    }
  }

  /** One claim. True: more may start immediately. */
  async #claimOnce(platform: string): Promise<boolean> {
    if (this.#isLeft(platform)) return false;
    // If several platforms claim concurrently, each requests a part: otherwise one would be granted all slots of an account.
    const atMost = this.#claiming.size === 1 ? claimMax : Math.min(claimMax, this.#slots.partMax);
    this.#wasFull ||= this.#unwritten.isFull;
    const grant = this.#unwritten.isFull ? null : await this.#slots.grant(platform, atMost);
    if (grant === null) {
      this.#backlogged.add(platform);
      this.#refused.add(platform);
      return false;
    }
    const result = await this.#claimGranted(platform, grant);
    if (!grant.isReduced || !result.backlog || result.claimed.length >= grant.slots) return result.more;
    // This grant excluded what other claims might have taken, but they may not have taken it.
    const whole = await this.#slots.grant(platform, claimMax, true);
    if (whole === null) {
      this.#refused.add(platform);
      return false;
    }
    return (await this.#claimGranted(platform, whole)).more;
  }

  async #claimGranted(platform: string, grant: SlotGrant): Promise<ClaimResult> {
    const nodeId = this.#node.isRunning ? this.#node.nodeId : "";
    let result: ClaimResult = { claimed: [], more: false, backlog: false, limitedForMs: null };
    try {
      if (nodeId === "") return result;
      const leaveBrowserTasks = this.#options.leavesBrowserTasks?.(platform) === true;
      result = await claim(this.#node.database, { platform, nodeId, ...grant, leaveBrowserTasks });
    } finally {
      this.#slots.settle(grant, result.claimed);
    }
    if (result.backlog) this.#backlogged.add(platform);
    else this.#backlogged.delete(platform);
    if (result.backlog && result.claimed.length < grant.slots) this.#refused.add(platform);
    else this.#refused.delete(platform);
    if (result.limitedForMs !== null) this.#claimLater(platform, result.limitedForMs);
    await this.#launcher.launch(nodeId, result.claimed);
    this.#raisePositions(platform, result.claimed);
    return result;
  }

  /** Counts what was claimed, and raises the positions of accounts of which it was much, in the background. */
  #raisePositions(platform: string, claimed: readonly Claimed[]): void {
    if (this.#passed.size > countedAccountsMax) this.#passed.clear();
    const due = new Set<string>();
    for (const { accountId, rank, taskId } of claimed) {
      const key = `${platform} ${accountId}`;
      const passed = this.#passed.get(key) ?? { count: 0, lastOfRank: new Map<number, string>() };
      this.#passed.set(key, passed);
      passed.count++;
      const last = passed.lastOfRank.get(rank);
      if (last === undefined || last < taskId) passed.lastOfRank.set(rank, taskId);
      if (passed.count >= raiseAfter) due.add(accountId);
    }
    if (due.size === 0) return;
    const raised = [...due].flatMap((accountId) => {
      const key = `${platform} ${accountId}`;
      const ofRanks = [...(this.#passed.get(key)?.lastOfRank ?? [])];
      this.#passed.delete(key);
      return ofRanks.map(([rank, taskId]) => ({ accountId, rank, taskId }));
    });
    const raising = raisePositions(this.#node.database, platform, raised);
    this.#node.background.add(raising.catch((error: unknown) => this.#node.fault("raise positions", error)));
  }

  /** True while its tasks are left to nodes that can ask it. */
  #isLeft(platform: string): boolean {
    return this.#options.mayClaim?.(platform) === false;
  }

  /** Claims again when the limiter allows the next start. */
  #claimLater(platform: string, inMs: number): void {
    if (!this.#node.isRunning || this.#limited.has(platform)) return;
    const timer = setTimeout(
      () => {
        this.#limited.delete(platform);
        if (this.#node.isRunning) this.claim([platform]);
      },
      Math.min(inMs, 60_000),
    );
    this.#limited.set(platform, timer);
  }
}

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
  readonly #delayed: DelayedLook;
  /** The platforms that messages named meanwhile; null: all. */
  #heard: Set<string> | null = new Set();
  /** Consecutive polls that found nothing. */
  #idlePolls = 0;
  #pollAt = 0;

  constructor(node: NodeContext, claimer: Pick<Claimer, "platforms" | "claim" | "claimAny">, delayMs: () => number) {
    this.#node = node;
    this.#claimer = claimer;
    this.#delayed = new DelayedLook(delayMs, () => this.#lookAtHeard());
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
    this.#delayed.stop();
    return this.#loop.stop();
  }

  /** A message to all nodes says that these platforms, or any (null), have work. */
  hear(platforms: readonly string[] | null): void {
    if (platforms === null) this.#heard = null;
    else for (const platform of platforms) this.#heard?.add(platform);
    this.#delayed.hear();
  }

  #lookAtHeard(): void {
    const heard = this.#heard;
    this.#heard = new Set();
    if (heard === null) this.wakeAll();
    else this.wake([...heard]);
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

/** The bytes of results that wait to be written, and how many there may be. */
export class UnwrittenBytes {
  readonly #bytesMax: number;
  #bytes = 0;
  #waiters: (() => void)[] = [];

  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax;
  }

  get bytes(): number {
    return this.#bytes;
  }

  get isFull(): boolean {
    return this.#bytes >= this.#bytesMax;
  }

  /** Resolves when there is room, or they are fewer than this part of the maximum. */
  async room(part = 1): Promise<void> {
    while (this.#bytes >= this.#bytesMax * part) await new Promise<void>((resolve) => this.#waiters.push(resolve));
  }

  add(bytes: number): void {
    this.#bytes += bytes;
  }

  remove(bytes: number): void {
    this.#bytes -= bytes;
    for (const resolve of this.#waiters.splice(0)) resolve();
  }
}
