import { Listener, readAnnounced, type Database } from "../db/index.ts";
import { BackgroundWork } from "./background-work.ts";
import { Claimer, type ClaimerOptions } from "./claimer.ts";
import type { DispatchEvent } from "./dispatch-event.ts";
import { NodeLease } from "./lease.ts";
import { nodeTimes, removeNode, type NodeTimes } from "./node.ts";
import type { NodeContext } from "./node-context.ts";
import { NodeUpkeep } from "./node-upkeep.ts";
import { OrphanedRuns } from "./orphaned-runs.ts";
import { OutcomeReporter } from "./outcome-reporter.ts";
import type { PeerPortOptions } from "./peer-port.ts";
import { Peers } from "./peers.ts";
import { QueuePoll } from "./queue-poll.ts";
import { Runs } from "./runs.ts";
import type { SlotLimits } from "./slots.ts";
import { TaskCompleter, type PendingEnd } from "./task-completer.ts";
import { TaskReturner } from "./task-returner.ts";
import { TaskRunner } from "./task-runner.ts";
import type { Work } from "./work.ts";
import { within } from "../kernel/within.ts";

/** Channel that announces new work: its messages name the platforms, or nothing: any of them. */
export const dispatchChannel = "querent_dispatch";
/** Channel that announces canceled runs: its messages list task ids, or nothing: any of them. */
export const abortChannel = "querent_abort";

export interface DispatcherOptions extends Pick<
  ClaimerOptions,
  "platforms" | "slotsMax" | "mayClaim" | "leavesBrowserTasks"
> {
  /** The maximum of slots for one account; all of them by default. */
  readonly accountSlotsMax?: number;
  readonly shared?: NonNullable<SlotLimits["shared"]>;
  /** The maximum of bytes of results that wait to be written: above it nothing is claimed or started. */
  readonly waitingBytesMax?: number;
  readonly name: string;
  readonly version: string;
  /** True if no other process can use this database: other nodes' work is taken over immediately. */
  readonly alone: boolean;
  /**
   * The port on which nodes reach each other while the database is away. Null, as for a node that is alone: none; then other
   * nodes take over as soon as the lease has expired.
   */
  readonly peerPort?: PeerPortOptions | null;
  readonly times?: NodeTimes;
  readonly random?: () => number;
}

export interface DispatcherDeps<Job, Result> {
  readonly database: Database;
  readonly work: Work<Job, Result>;
  readonly log: (event: DispatchEvent) => void;
}

/** The maximum of bytes of results that wait to be written. */
const waitingBytesMaxDefault = 64 * 1024 * 1024;

/** A node of the engine: claims tasks, runs them, writes their ends, and keeps the node's lease. */
export class Dispatcher<Job, Result> {
  readonly #node: NodeContext;
  readonly #options: DispatcherOptions;
  readonly #lease: NodeLease;
  readonly #peers: Peers;
  readonly #runs = new Runs();
  readonly #claimer: Claimer;
  readonly #runner: TaskRunner<Job, Result>;
  readonly #returner: TaskReturner;
  readonly #completer: TaskCompleter<Result>;
  readonly #queuePoll: QueuePoll;
  readonly #upkeep: NodeUpkeep;
  readonly #listener: Listener;
  #running = false;

  constructor({ database, work, log }: DispatcherDeps<Job, Result>, options: DispatcherOptions) {
    const { slotsMax, accountSlotsMax = slotsMax, times = nodeTimes, random = Math.random } = options;
    const orphans = new OrphanedRuns(database);
    const onLost = (nodeId: string) => {
      log({ event: "node.lease_lost", nodeId });
      orphans.forget();
      this.#runs.abortAll("lost");
    };
    this.#options = options;
    this.#peers = new Peers({
      leaseTtlMs: times.leaseTtlMs,
      port: options.alone ? null : (options.peerPort ?? null),
      own: () => ({ nodeId: this.#lease.heldNodeId, renewedMsAgo: this.#lease.renewedMsAgo }),
      onUnreachable: (peer) => log({ event: "node.peer_unreachable", ...peer }),
    });
    this.#lease = new NodeLease({
      ...{ database, times, name: options.name, version: options.version, alone: options.alone, peers: this.#peers },
      onSpared: (nodeId) => log({ event: "node.spared", nodeId }),
      onLost,
    });
    this.#node = {
      database,
      nodeId: () => this.#lease.nodeId,
      isRunning: () => this.#running,
      background: new BackgroundWork(),
      log,
      fault: (doing, error) => {
        orphans.suspect();
        log({ event: "dispatch.fault", doing, error });
      },
    };
    this.#completer = new TaskCompleter<Result>({
      database,
      nodeId: this.#node.nodeId,
      waitingBytesMax: options.waitingBytesMax ?? waitingBytesMaxDefault,
      work,
      onSettled: (ends) => this.#onEndsSettled(ends),
      onError: (error) => this.#node.fault("complete", error),
    });
    this.#claimer = new Claimer(
      this.#node,
      { ...options, accountSlotsMax: Math.min(slotsMax, accountSlotsMax), shared: options.shared ?? null },
      {
        isFull: () => this.#completer.isFull,
        launch: (nodeId, claimed) => this.#runner.launch(nodeId, claimed),
      },
    );
    this.#returner = new TaskReturner(this.#node, (platforms) => this.#onReturned(platforms));
    this.#runner = new TaskRunner(this.#node, {
      work,
      runs: this.#runs,
      outcomes: new OutcomeReporter(this.#node),
      completer: this.#completer,
      returner: this.#returner,
      releaseSlot: (claimed) => this.#claimer.releaseSlot(claimed),
      leaveShared: (claimed) => void (this.#running && this.#claimer.leaveShared(claimed)),
      onSlotOnly: (platform) => void (this.#running && this.#claimer.claimBacklog([platform])),
      random,
    });
    this.#queuePoll = new QueuePoll(this.#node, {
      platforms: () => this.#claimer.platforms(),
      onWork: (platforms) => this.wake(platforms),
    });
    this.#upkeep = new NodeUpkeep(this.#node, {
      times,
      lease: this.#lease,
      peers: this.#peers,
      orphans,
      knownTaskIds: () => [...this.#runner.taskIds(), ...this.#completer.taskIds(), ...this.#returner.taskIds()],
      abort: (taskIds) => this.abort(taskIds),
      releaseAborting: () => this.#runner.releaseAborting(),
      end: (tx, ends) => work.end(tx, ends),
      onWork: () => this.wake(options.platforms),
    });
    this.#listener = this.#listen(database);
  }

  /** Wakes this node when another process says that there is work, or that tasks were canceled. */
  #listen(database: Database): Listener {
    return new Listener(database, {
      [dispatchChannel]: (payload) => this.wake(namedOr(payload, this.#options.platforms)),
      [abortChannel]: (payload) => {
        if (payload === "") this.#upkeep.lookForCanceled();
        else this.abort(readAnnounced(payload));
      },
    });
  }

  /** This node's id; empty while it has no lease. */
  get nodeId(): string {
    return this.#lease.nodeId;
  }

  /** Tasks that are running on this node. */
  get inFlight(): number {
    return this.#runs.size;
  }

  /** Those of each platform. */
  get inFlightByPlatform(): ReadonlyMap<string, number> {
    return this.#runs.sizes();
  }

  /** Bytes of results that wait to be written. */
  get waitingBytes(): number {
    return this.#completer.waitingBytes;
  }

  /** The number of slots of the account that has the most here. */
  get mostSlotsOfOneAccount(): number {
    return this.#claimer.mostSlotsOfOneAccount;
  }

  /**
   * Resolves when a large result can be made: while the waiting bytes are below the limit for starts, so that large results
   * alone never block starts.
   */
  roomForLargeResult(): Promise<void> {
    return this.#completer.room(0.5);
  }

  async start(): Promise<void> {
    const { alone, platforms } = this.#options;
    await this.#peers.start();
    await this.#upkeep.register();
    this.#running = true;
    await this.#upkeep.takeOver(alone);
    if (!alone) await this.#listener.start();
    this.#upkeep.start();
    this.#queuePoll.start();
    this.wake(platforms);
  }

  /** Looks for work of these platforms immediately. Cheap, and safe to call without need. */
  wake(platforms: readonly string[]): void {
    this.#queuePoll.expectWork();
    this.#claimer.claim(platforms);
  }

  /** Aborts the runs of tasks that were canceled, if this node has them. */
  abort(taskIds: readonly string[]): void {
    this.#runner.abort(taskIds);
  }

  /** Stops claiming, lets runs complete for `drainMs`, then returns the rest to the queue, and writes the remaining ends. */
  async stop(drainMs: number): Promise<void> {
    const { background, database } = this.#node;
    this.#running = false;
    await this.#listener.stop();
    this.#claimer.stop();
    const polled = this.#queuePoll.stop();
    await this.#runs.idle(drainMs);
    this.#runs.abortAll("stopping");
    await this.#runs.idle(2000);
    // A claim in progress may start runs even now, and aborts them itself.
    await within(background.idle(), 10_000);
    await this.#runs.idle(2000);
    await within(
      this.#completer.idle().then(() => background.idle()),
      10_000,
    );
    this.#completer.abandon();
    // What still waits for the database is abandoned.
    await within(Promise.all([polled, this.#upkeep.stop()]), 2000);
    const nodeId = this.#lease.close();
    if (nodeId !== "") await removeNode(database, nodeId).catch((error: unknown) => this.#node.fault("remove", error));
    await this.#peers.stop();
    this.#node.log({ event: "node.stopped", nodeId });
  }

  #onEndsSettled(ends: readonly PendingEnd<Result>[]): void {
    if (!this.#running) return;
    const ended = new Set(ends.map((end) => end.platform));
    // A free slot may be used by every platform that was refused one; the platform that just ended a run does not go first.
    this.#claimer.claimRefused(ended);
    this.#claimer.claimBacklog(ended);
  }

  async #onReturned(platforms: readonly string[]): Promise<void> {
    // A run that was canceled before it was returned still exists as aborting.
    await this.#runner.releaseAborting();
    if (!this.#running) return;
    this.#claimer.claimRefused();
    this.wake(platforms);
    this.#queuePoll.promote();
  }
}

function namedOr(payload: string, all: readonly string[]): readonly string[] {
  return payload === "" ? all : readAnnounced(payload);
}
