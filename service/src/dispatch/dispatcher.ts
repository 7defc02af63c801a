import { setImmediate as yieldToEventLoop } from "node:timers/promises";
import { isTransient, Listener, type Database } from "../db/index.ts";
import { racePoint } from "../runtime/race-points.ts";
import { claim, type Claimed, type ClaimResult } from "./claim.ts";
import { Finisher, type PendingEnd } from "./finisher.ts";
import { handedBack, lostAttempt, type AttemptEnd } from "./attempt-log.ts";
import { countFailure, countSuccess, holdPlatform, noteFailure } from "./gate.ts";
import { attemptEnd, judgeRun, platformFailureOf, throttledFault } from "./judge-run.ts";
import { NodeLease } from "./lease.ts";
import { abortingOf, nodeTimes, removeNode, type NodeTimes } from "./node.ts";
import { reap, type Lost } from "./reap.ts";
import { platformsWithWork, promoteDue, requeue, type Return } from "./requeue.ts";
import { Runs, type Run } from "./runs.ts";
import { Slots, type SlotGrant } from "./slots.ts";
import { Strays } from "./strays.ts";
import type { RunEnd, TaskEnd, Work } from "./work.ts";

/** Channel that tells of new work: its payload names the platforms, separated by commas. */
export const dispatchChannel = "querent_dispatch";
/** Channel that tells of canceled runs: its payload lists task ids, separated by commas. */
export const abortChannel = "querent_abort";

export interface DispatcherOptions {
  /** Platforms this node asks. */
  readonly platforms: readonly string[];
  /** Tasks this node runs at once, over all platforms. */
  readonly slotsMax: number;
  /** Of these, tasks of one account; all of them when left out. */
  readonly accountSlotsMax?: number;
  /** Results that wait to be written, in bytes: above it nothing is claimed or started until some are. */
  readonly waitingBytesMax?: number;
  /** Platforms that share something scarcer than slots, such as browsers: together they run so many at the most. */
  readonly shared?: { readonly platforms: ReadonlySet<string>; readonly slotsMax: number };
  /** Asked before every claim: while it is true, what needs a browser is left to other nodes, all tasks of these platforms included. */
  readonly browserTasks?: { readonly platforms: ReadonlySet<string>; readonly areLeft: () => boolean };
  readonly name: string;
  readonly version: string;
  /** True when no other process can use this database: whatever other nodes left is taken over at once. */
  readonly alone: boolean;
  readonly times?: NodeTimes;
  readonly random?: () => number;
}

export interface DispatcherDeps<Job, Result> {
  readonly database: Database;
  readonly work: Work<Job, Result>;
  readonly log: (event: DispatchEvent) => void;
}

export type DispatchEvent =
  | { readonly event: "node.started" | "node.lease_lost" | "node.stopped"; readonly nodeId: string }
  | { readonly event: "node.strays_returned"; readonly nodeId: string; readonly runs: number }
  | { readonly event: "node.reaped"; readonly nodes: number; readonly requeued: number }
  | {
      readonly event: "task.claimed" | "task.retried" | "task.throttled" | "task.lost";
      readonly taskId: string;
      readonly platform: string;
      readonly attempt: number;
    }
  | { readonly event: "dispatch.fault"; readonly doing: string; readonly error: unknown };

/** At most so many tasks in one claim. */
const claimMax = 500;
/** Results that wait to be written, in bytes. */
export const waitingBytesMaxDefault = 64 * 1024 * 1024;
/** Runs that have their answer at once are started for so long before others get their turn on the main thread. */
const launchMs = 10;
const pollBusyMs = 250;
const pollIdleMs = 2000;

/**
 * A node of the engine: claims tasks, runs them, writes their ends, and keeps the node's lease. Everything it believes
 * about the queue is a hint; what is true is decided by the statements of `claim`, `takeOut` and `requeue`.
 */
export class Dispatcher<Job, Result> {
  readonly #deps: DispatcherDeps<Job, Result>;
  readonly #options: DispatcherOptions;
  readonly #times: NodeTimes;
  readonly #random: () => number;
  readonly #runs: Runs<Job, Result>;
  readonly #finisher: Finisher<Result>;
  readonly #listener: Listener;
  /** Platforms whose claim loop is running; true: look again when it is done. */
  readonly #claiming = new Map<string, boolean>();
  /** Platforms that had work waiting when they were last asked. */
  readonly #backlogged = new Set<string>();
  /** Platforms that failed here since their last success. */
  readonly #failing = new Set<string>();
  /** Platforms that had work waiting when there was no slot for it, or none for its account. */
  readonly #refused = new Set<string>();
  /** A slot has come free that a refused platform may want. */
  #slotCameFree = false;
  /** A claim was put off because too many bytes of results wait to be written. */
  #heldByBytes = false;
  readonly #slots: Slots;
  /** Claimed tasks whose run has not begun. */
  readonly #launching = new Set<string>();
  readonly #gateTimers = new Map<string, NodeJS.Timeout>();
  readonly #timers = new Set<NodeJS.Timeout>();
  /** Claims, returns and other writes under way that nobody waits for, save a stop. */
  readonly #underWay = new Set<Promise<void>>();
  /** Tasks that are being given back. */
  readonly #returning = new Set<string>();
  readonly #lease: NodeLease;
  readonly #strays: Strays;
  #running = false;
  #stopped = false;
  #pollMs = pollBusyMs;

  constructor(deps: DispatcherDeps<Job, Result>, options: DispatcherOptions) {
    this.#deps = deps;
    this.#options = options;
    this.#times = options.times ?? nodeTimes;
    this.#random = options.random ?? Math.random;
    this.#lease = new NodeLease({
      database: deps.database,
      times: this.#times,
      name: options.name,
      version: options.version,
      onLost: (nodeId) => this.#onLeaseLost(nodeId),
    });
    this.#strays = new Strays(deps.database);
    this.#slots = new Slots({
      slotsMax: options.slotsMax,
      accountSlotsMax: Math.min(options.slotsMax, options.accountSlotsMax ?? options.slotsMax),
      shared: options.shared ?? null,
    });
    this.#runs = new Runs(deps.work, (run, end) => this.#ranTo(run, end));
    this.#finisher = new Finisher<Result>({
      database: deps.database,
      nodeId: () => this.#lease.nodeId,
      waitingBytesMax: options.waitingBytesMax ?? waitingBytesMaxDefault,
      work: deps.work,
      settled: (ends) => this.#settled(ends),
      onError: (error) => this.#fault("finish", error),
    });
    this.#listener = new Listener(deps.database, {
      [dispatchChannel]: (payload) => this.wake(payload.split(",")),
      [abortChannel]: (payload) => this.abort(payload.split(",")),
    });
  }

  /** This node's id; empty while it has no lease. */
  get nodeId(): string {
    return this.#lease.nodeId;
  }

  /** Tasks that run on this node right now. */
  get inFlight(): number {
    return this.#runs.size;
  }

  /** Bytes of results that wait to be written. */
  get waitingBytes(): number {
    return this.#finisher.waitingBytes;
  }

  /** Slots of the account that has the most of them here. */
  get mostSlotsOfOneAccount(): number {
    return this.#slots.mostOfOneAccount;
  }

  /** Resolves when a large result may be made: while less waits than keeps others from starting, so that large ones alone never do. */
  roomForLargeResult(): Promise<void> {
    return this.#finisher.room(0.5);
  }

  async start(): Promise<void> {
    await this.#register();
    this.#running = true;
    await this.#reap(this.#options.alone);
    if (!this.#options.alone) await this.#listener.start();
    this.#every(this.#times.renewEveryMs, () => this.#renew());
    this.#every(this.#times.renewEveryMs, () => this.#upkeep());
    this.#every(Math.min(2000, this.#times.renewEveryMs), () => this.#reap(false));
    this.#poll();
    this.wake(this.#options.platforms);
  }

  /** Looks for work of these platforms at once. Cheap, and safe to call for nothing. */
  wake(platforms: readonly string[]): void {
    this.#pollMs = pollBusyMs;
    for (const platform of platforms) {
      if (this.#options.platforms.includes(platform) && !this.#isLeft(platform)) this.#follow(this.#claimAll(platform));
    }
  }

  /** Aborts the runs of tasks that were canceled, if this node has them. */
  abort(taskIds: readonly string[]): void {
    for (const taskId of taskIds) if (!this.#launching.delete(taskId)) this.#runs.abort(taskId, "canceled");
  }

  /** Claims nothing more, lets runs end for `drainMs`, then hands the rest back, and writes what there is to write. */
  async stop(drainMs: number): Promise<void> {
    this.#running = false;
    await this.#listener.stop();
    for (const timer of this.#gateTimers.values()) clearTimeout(timer);
    await this.#runs.idle(drainMs);
    this.#runs.abortAll("stopping");
    await this.#runs.idle(2000);
    // A claim that was under way may start runs even now, and aborts them itself.
    await withTimeout(this.#quiet(), 10_000);
    await this.#runs.idle(2000);
    await withTimeout(
      this.#finisher.idle().then(() => this.#quiet()),
      10_000,
    );
    this.#finisher.abandon();
    this.#stopped = true;
    for (const timer of this.#timers) clearTimeout(timer);
    const nodeId = this.#lease.close();
    if (nodeId !== "")
      await removeNode(this.#deps.database, nodeId).catch((error: unknown) => this.#fault("remove node", error));
    this.#deps.log({ event: "node.stopped", nodeId });
  }

  async #register(): Promise<void> {
    const nodeId = await this.#lease.take();
    this.#deps.log({ event: "node.started", nodeId });
  }

  async #claimAll(platform: string): Promise<void> {
    if (this.#claiming.has(platform)) {
      this.#claiming.set(platform, true);
      return;
    }
    this.#claiming.set(platform, false);
    try {
      for (let again = true; again && this.#running;) {
        this.#claiming.set(platform, false);
        again = (await this.#claimOnce(platform)) || this.#claiming.get(platform) === true;
      }
    } catch (error) {
      this.#fault("claim", error);
    } finally {
      this.#claiming.delete(platform);
    }
  }

  /** One claim. True: there may be more that could start at once. */
  async #claimOnce(platform: string): Promise<boolean> {
    if (this.#isLeft(platform)) return false;
    // Where several platforms claim at once, each asks for a part: otherwise one would be granted all that an account may have.
    const atMost = this.#claiming.size === 1 ? claimMax : Math.min(claimMax, this.#slots.partMax);
    this.#heldByBytes ||= this.#finisher.isFull;
    const grant = this.#finisher.isFull ? null : await this.#slots.grant(platform, atMost);
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
    const nodeId = this.#running ? this.#lease.nodeId : "";
    let result: ClaimResult = { claimed: [], more: false, backlog: false, gateOpensInMs: null };
    try {
      if (nodeId === "") return result;
      result = await claim(this.#deps.database, {
        platform,
        nodeId,
        ...grant,
        leaveBrowserTasks: this.#options.browserTasks?.areLeft() === true,
      });
    } finally {
      this.#slots.settle(grant, result.claimed);
    }
    for (const { taskId } of result.claimed) this.#launching.add(taskId);
    await racePoint("claim.committed", nodeId);
    if (result.backlog) this.#backlogged.add(platform);
    else this.#backlogged.delete(platform);
    if (result.backlog && result.claimed.length < grant.slots) this.#refused.add(platform);
    else this.#refused.delete(platform);
    if (result.gateOpensInMs !== null) this.#wakeLater(platform, result.gateOpensInMs);
    if (result.claimed.length > 0) await this.#launch(nodeId, result.claimed);
    return result;
  }

  /** True while its tasks are left to nodes with a browser. */
  #isLeft(platform: string): boolean {
    const { browserTasks } = this.#options;
    return browserTasks?.platforms.has(platform) === true && browserTasks.areLeft();
  }

  async #launch(nodeId: string, claimed: readonly Claimed[]): Promise<void> {
    let jobs: ReadonlyMap<string, Job>;
    try {
      jobs = await this.#deps.work.load(claimed);
    } catch (error) {
      this.#fault("load", error);
      for (const task of claimed) {
        this.#launching.delete(task.taskId);
        this.#freeSlot(task);
      }
      await this.#giveBack(
        nodeId,
        claimed.map((task) => ({ ...task, back: { kind: "handed_back" }, ended: handedBack(task.probe) })),
      );
      return;
    }
    let since = performance.now();
    for (const task of claimed) {
      // What has its answer at once would otherwise be answered five hundred times before anybody else has a turn.
      if (this.#finisher.isFull || performance.now() - since > launchMs) {
        await this.#finisher.room();
        await yieldToEventLoop();
        since = performance.now();
      }
      if (!this.#launching.delete(task.taskId)) {
        // Canceled before it began.
        this.#freeSlot(task);
        this.#follow(this.#letGoOfAborting());
        continue;
      }
      this.#deps.log({ event: "task.claimed", taskId: task.taskId, platform: task.platform, attempt: task.attempt });
      this.#runs.start(nodeId, task, jobs.get(task.taskId));
      // A lease lost while the claim was under way: this run is no longer ours.
      if (nodeId !== this.#lease.nodeId) this.#runs.abort(task.taskId, "lost");
      else if (!this.#running) this.#runs.abort(task.taskId, "stopping");
    }
  }

  #freeSlot(claimed: Claimed): void {
    if (this.#slots.free(claimed)) this.#slotCameFree = true;
  }

  /** Decides what the end of a run means. */
  #ranTo(run: Run, end: RunEnd<Result>): void {
    const { claimed } = run;
    this.#freeSlot(claimed);
    if (run.nodeId !== this.#lease.nodeId || run.abortedFor === "lost") {
      // Its place here is free.
      if (this.#running && this.#backlogged.has(claimed.platform)) this.#follow(this.#claimAll(claimed.platform));
      return;
    }
    if (run.abortedFor === "stopping" && end.kind === "aborted") {
      const back = { ...claimed, back: { kind: "handed_back" }, ended: handedBack(claimed.probe) } as const;
      this.#follow(this.#giveBack(run.nodeId, [back]));
      return;
    }
    const told = this.#tellGate(run, end);
    const verdict = judgeRun(claimed, end, this.#random);
    if (verdict.kind === "end") {
      const { fence, platform, probe } = claimed;
      const bytes = end.kind === "completed" ? (end.bytes ?? 0) : 0;
      this.#finisher.push({ fence, platform, probe, bytes, ...verdict.end });
      return;
    }
    const { taskId, platform, attempt } = claimed;
    this.#deps.log({ event: verdict.event, taskId, platform, attempt });
    const ended = attemptEnd(claimed, end);
    this.#returning.add(taskId);
    // The gate first: given back before it, the task could be asked again at once, and would not know what it waits for.
    this.#follow(
      told.then(() => this.#giveBack(run.nodeId, [{ ...claimed, back: verdict.back, ended, waitedMs: run.waitedMs }])),
    );
  }

  /**
   * A platform's failures in a row open its breaker; a success is news when it failed before this run was claimed, or here since.
   * Resolves once the gate knows, or could not be told.
   */
  #tellGate({ nodeId, claimed }: Run, end: RunEnd<Result>): Promise<void> {
    const { database } = this.#deps;
    const { platform, probe, platformFailing } = claimed;
    if (end.kind === "throttled") {
      const fault = throttledFault(end.platformStatus);
      return this.#note(holdPlatform(database, nodeId, platform, end.retryAfterMs, fault));
    }
    const failure = platformFailureOf(end);
    if (failure !== null) {
      this.#failing.add(platform);
      return this.#note(
        failure.counted
          ? countFailure(database, nodeId, platform, probe, failure.fault)
          : noteFailure(database, nodeId, platform, failure.fault),
      );
    }
    if (end.kind === "completed" && (platformFailing || this.#failing.has(platform))) {
      this.#failing.delete(platform);
      return this.#note(countSuccess(database, nodeId, platform));
    }
    return Promise.resolve();
  }

  /** Gives runs back to the queue, however long the database is away, as long as this node has its lease. */
  async #giveBack(
    nodeId: string,
    returns: readonly (Claimed & { back: Return; ended: AttemptEnd; waitedMs?: number })[],
  ): Promise<void> {
    for (const task of returns) this.#returning.add(task.taskId);
    for (let failures = 0; nodeId === this.#lease.nodeId; failures++) {
      try {
        await requeue(this.#deps.database, nodeId, returns);
        break;
      } catch (error) {
        this.#fault("requeue", error);
        if (!isTransient(error) || (!this.#running && failures > 5)) break;
        await new Promise((resolve) => setTimeout(resolve, Math.min(2000, 50 * 2 ** failures)));
      }
    }
    for (const task of returns) this.#returning.delete(task.taskId);
    // A run that was canceled before it was given back is still held as aborting.
    await this.#letGoOfAborting();
    if (this.#running) {
      this.#claimRefused();
      this.wake([...new Set(returns.map((task) => task.platform))]);
      this.#promote();
    }
  }

  #settled(ends: readonly PendingEnd<Result>[]): void {
    if (!this.#running) return;
    const ended = new Set(ends.map((end) => end.platform));
    if (this.#heldByBytes && !this.#finisher.isFull) {
      this.#heldByBytes = false;
      this.#slotCameFree = true;
    }
    // A slot that is free is so for all that were refused one, and those whose turn it was not go first.
    this.#claimRefused(ended);
    for (const platform of ended) if (this.#backlogged.has(platform)) this.#follow(this.#claimAll(platform));
  }

  /** Claims for the platforms that were refused slots, if one has come free that may be for them. */
  #claimRefused(except: ReadonlySet<string> = new Set()): void {
    if (!this.#slotCameFree) return;
    this.#slotCameFree = false;
    for (const platform of this.#refused) {
      if (!except.has(platform) && this.#backlogged.has(platform)) this.#follow(this.#claimAll(platform));
    }
  }

  /** The truth behind every hint: looks for due work of all platforms; rarely when there is nothing to do. */
  #poll(): void {
    const timer = setTimeout(
      () => {
        this.#timers.delete(timer);
        if (this.#running) this.#follow(this.#look());
      },
      this.#pollMs * (0.75 + this.#random() / 2),
    );
    this.#timers.add(timer);
  }

  async #look(): Promise<void> {
    try {
      await this.#promoteNow();
      const withWork = await platformsWithWork(
        this.#deps.database,
        this.#options.platforms.filter((platform) => !this.#isLeft(platform)),
      );
      if (withWork.length > 0) this.wake(withWork);
      else this.#pollMs = Math.min(pollIdleMs, this.#pollMs * 2);
    } catch (error) {
      this.#fault("poll", error);
    }
    if (this.#running) this.#poll();
  }

  async #promoteNow(): Promise<void> {
    const { platforms, nextInMs } = await promoteDue(this.#deps.database);
    if (platforms.length > 0) this.wake(platforms);
    if (nextInMs !== null && nextInMs < pollIdleMs) this.#wakeLater("", nextInMs + 1);
  }

  #promote(): void {
    this.#follow(this.#promoteNow().catch((error: unknown) => this.#fault("promote", error)));
  }

  /** Looks again when a gate opens; for the empty name, when the next waiting task is due. */
  #wakeLater(platform: string, inMs: number): void {
    if (!this.#running || this.#gateTimers.has(platform)) return;
    const timer = setTimeout(
      () => {
        this.#gateTimers.delete(platform);
        if (!this.#running) return;
        if (platform === "") this.#promote();
        else this.wake([platform]);
      },
      Math.min(inMs, 60_000),
    );
    this.#gateTimers.set(platform, timer);
  }

  /** Renews the lease, or gets a new one after it was lost. */
  async #renew(): Promise<void> {
    try {
      const { nodeId } = this.#lease;
      if ((nodeId === "" || !(await this.#lease.renew())) && this.#lease.nodeId === "" && this.#running) {
        await this.#register();
        this.wake(this.#options.platforms);
      }
    } catch (error) {
      this.#fault("renew", error);
    }
  }

  /** Aborts what was canceled elsewhere, frees its places, looks for strays. Apart from the renewal, which waits for none of it. */
  async #upkeep(): Promise<void> {
    const { nodeId } = this.#lease;
    if (nodeId === "") return;
    try {
      this.abort(await abortingOf(this.#deps.database, nodeId));
      await this.#letGoOfAborting();
      await this.#takeBackStrays(nodeId);
    } catch (error) {
      this.#fault("upkeep", error);
    }
  }

  #onLeaseLost(nodeId: string): void {
    this.#deps.log({ event: "node.lease_lost", nodeId });
    this.#strays.forget();
    this.#runs.abortAll("lost");
    this.#finisher.drop();
  }

  async #takeBackStrays(nodeId: string): Promise<void> {
    const astray = await this.#strays.look(nodeId, () => [
      ...this.#launching,
      ...this.#runs.taskIds(),
      ...this.#finisher.taskIds(),
      ...this.#returning,
    ]);
    if (astray.length === 0) return;
    await requeue(
      this.#deps.database,
      nodeId,
      astray.map((run) => ({ ...run, back: { kind: "stray" }, ended: lostAttempt(false) })),
    );
    this.#deps.log({ event: "node.strays_returned", nodeId, runs: astray.length });
    if (this.#running) this.wake(this.#options.platforms);
  }

  /** Frees the places of canceled tasks whose run is no longer here. */
  async #letGoOfAborting(): Promise<void> {
    if (this.#lease.nodeId === "") return;
    await this.#deps.database
      .query("delete from dispatch where node_id = $1 and state = 'aborting' and not task_id = any($2::uuid[])", [
        this.#lease.nodeId,
        [...this.#launching, ...this.#runs.taskIds()],
      ])
      .catch((error: unknown) => this.#fault("let go", error));
  }

  async #reap(allNodes: boolean): Promise<void> {
    try {
      let committed: (() => void) | undefined;
      const { nodes, requeued } = await reap(
        this.#deps.database,
        { nodeId: this.#lease.nodeId || null, allNodes, leaseTtlMs: this.#times.leaseTtlMs },
        async (tx, lost) => void (committed = await this.#deps.work.end(tx, lost.map(lostEnd))),
      );
      committed?.();
      if (nodes > 0) {
        this.#deps.log({ event: "node.reaped", nodes, requeued });
        this.wake(this.#options.platforms);
      }
    } catch (error) {
      this.#fault("reap", error);
    }
  }

  #every(intervalMs: number, work: () => Promise<void>): void {
    const arm = () => {
      const timer = setTimeout(() => {
        this.#timers.delete(timer);
        this.#follow(
          work()
            .catch((error: unknown) => this.#fault("periodic", error))
            .then(() => void (this.#stopped || arm())),
        );
      }, intervalMs);
      this.#timers.add(timer);
    };
    arm();
  }

  #note(write: Promise<void>): Promise<void> {
    const noted = write.catch((error: unknown) => this.#fault("gate", error));
    this.#follow(noted);
    return noted;
  }

  #follow(work: Promise<void>): void {
    const followed = work.finally(() => this.#underWay.delete(followed));
    this.#underWay.add(followed);
  }

  /** Resolves once nothing is under way, what that starts included. */
  async #quiet(): Promise<void> {
    while (this.#underWay.size > 0) await Promise.all(this.#underWay);
  }

  #fault(doing: string, error: unknown): void {
    this.#strays.suspect();
    this.#deps.log({ event: "dispatch.fault", doing, error });
  }
}

function lostEnd(lost: Lost): TaskEnd<never> {
  const message = "The process that ran this task was lost too often.";
  const fault = { code: "internal", stage: "platform", message, platformStatus: null } as const;
  return { ...lost, state: "failed", fault, retryable: true };
}

async function withTimeout(work: Promise<void>, ms: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  await Promise.race([work, new Promise<void>((resolve) => (timer = setTimeout(resolve, ms)))]);
  clearTimeout(timer);
}
