import { delayAmong } from "../../runtime/wake-delay.ts";
import { Listener, readAnnounced, type Database } from "../../db/index.ts";
import { NodeContext, type DispatchEvent } from "../run/node-context.ts";
import { Claimer, QueuePoll, type ClaimerOptions, UnwrittenBytes } from "../run/claimer.ts";
import { NodeLease } from "./lease.ts";
import { nodeTimes, removeNode, type NodeTimes, Peers, type PeerPortOptions } from "./nodes.ts";
import { NodeUpkeep, OrphanedRuns } from "./node-upkeep.ts";
import { OutcomeReporter, TaskRunner } from "../run/task-runner.ts";
import { Runs } from "../run/runs.ts";
import type { SlotLimits } from "../run/slots.ts";
import { TaskCompleter, TaskReturner } from "../run/task-completer.ts";
import type { Work } from "../run/work.ts";
import { within } from "../../kernel/within.ts";

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

interface DispatcherDeps<Job, Result, Ended> {
  readonly database: Database;
  readonly work: Work<Job, Result, Ended>;
  readonly log: (event: DispatchEvent) => void;
}

/** The maximum of bytes of results that wait to be written. */
const waitingBytesMaxDefault = 64 * 1024 * 1024;

/** A node of the engine: claims tasks, runs them, writes their ends, and keeps the node's lease. */
export class Dispatcher<Job, Result, Ended = unknown> {
  readonly #node: NodeContext;
  readonly #options: DispatcherOptions;
  readonly #runs = new Runs();
  readonly #unwritten: UnwrittenBytes;
  readonly #lease: NodeLease;
  readonly #peers: Peers;
  readonly #claimer: Claimer;
  readonly #completer: TaskCompleter<Result>;
  readonly #queuePoll: QueuePoll;
  readonly #upkeep: NodeUpkeep;
  readonly #listener: Listener;

  constructor({ database, work, log }: DispatcherDeps<Job, Result, Ended>, options: DispatcherOptions) {
    const { slotsMax, accountSlotsMax = slotsMax, shared = null, times = nodeTimes, random = Math.random } = options;
    const { name, version, alone } = options;
    const runs = this.#runs;
    const orphans = new OrphanedRuns(database);
    const peers = new Peers({ leaseTtlMs: times.leaseTtlMs, port: alone ? null : (options.peerPort ?? null), log });
    const lease = new NodeLease({ database, times, name, version, alone, peers, log, holders: [orphans, runs] });
    const node = new NodeContext({ database, log }, { lease, watch: orphans });
    const unwritten = new UnwrittenBytes(options.waitingBytesMax ?? waitingBytesMaxDefault);
    const slots = { ...options, accountSlotsMax: Math.min(slotsMax, accountSlotsMax), shared };
    const claimer = new Claimer(node, slots, unwritten);
    const queuePoll = new QueuePoll(node, claimer, () => delayAmong(peers.others, random));
    const completer = new TaskCompleter<Result>(node, { work, unwritten, claimer });
    const returner = new TaskReturner(node, { runs, claimer, queuePoll });
    const outcomes = new OutcomeReporter(node);
    claimer.launchWith(new TaskRunner(node, { work, runs, unwritten, outcomes, completer, returner, claimer, random }));
    this.#options = options;
    this.#node = node;
    this.#unwritten = unwritten;
    this.#lease = lease;
    this.#peers = peers;
    this.#claimer = claimer;
    this.#completer = completer;
    this.#queuePoll = queuePoll;
    this.#upkeep = new NodeUpkeep(node, { times, lease, peers, orphans, runs, completer, returner, work, queuePoll });
    this.#listener = this.#listen(database);
  }

  /** Wakes this node when another process says that there is work, or that tasks were canceled. */
  #listen(database: Database): Listener {
    return new Listener(database, {
      [dispatchChannel]: (payload) => this.#queuePoll.hear(payload === "" ? null : readAnnounced(payload)),
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
    return this.#unwritten.bytes;
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
    return this.#unwritten.room(0.5);
  }

  async start(): Promise<void> {
    const { alone } = this.#options;
    await this.#peers.start(this.#lease);
    await this.#upkeep.register();
    this.#node.isRunning = true;
    await this.#upkeep.takeOver(alone);
    if (!alone) await this.#listener.start();
    this.#upkeep.start();
    this.#queuePoll.start();
    this.#queuePoll.wakeAll();
  }

  /** Looks for work of these platforms immediately. Cheap, and safe to call without need. */
  wake(platforms: readonly string[]): void {
    this.#queuePoll.wake(platforms);
  }

  /** Aborts the runs of tasks that were canceled, if this node has them. */
  abort(taskIds: readonly string[]): void {
    this.#runs.cancel(taskIds);
  }

  /** Stops claiming, lets runs complete for `drainMs`, then returns the rest to the queue, and writes the remaining ends. */
  async stop(drainMs: number): Promise<void> {
    const { background, database } = this.#node;
    this.#node.isRunning = false;
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
}
