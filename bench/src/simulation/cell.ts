/** One PostgreSQL with its share of the accounts and of the processes: who waits for which lock, core and connection, and for how long. */
import type { EventQueue } from "./event-queue.ts";
import type { Random } from "./random.ts";
import { Resource } from "./resource.ts";
import { delayAmong, LearnedDelay } from "../../../service/src/runtime/wake-delay.ts";
import { combine, costOf, type Cost, type ServiceTimes } from "./service-times.ts";

export interface CellOptions {
  readonly times: ServiceTimes;
  readonly workers: number;
  readonly notifiers: number;
  readonly platforms: number;
  /** The cores of its PostgreSQL. */
  readonly cores: number;
  readonly connections: number;
  readonly answerMs: number;
}

export interface Task {
  readonly account: number;
  readonly platform: number;
  readonly acceptedAt: number;
}

export interface PlatformQueue {
  readonly lock: Resource;
  readonly waiting: Fifo<Task>;
  running: number;
  /** The part of the platform's limit that this cell may use. */
  share: number;
}

/** As in the service: the options of the claimer, the completer and the notifier. */
const [claimMax, endsMax, endsConcurrency] = [500, 500, 2];
/** `QUERENT_WORKER_SLOTS`: more than needed. */
const workerSlots = 10_000;
const [deliverySlots, refetchMs] = [256 * 32, 10];
/** A wake-up, a webhook until its response, and the delay after which its record is written. Not measured here. */
const [wakeMs, webhookMs] = [1, 70];
const answerSigma = 0.6;

export class SimulatedCell {
  readonly events: EventQueue;
  readonly random: Random;
  readonly options: CellOptions;
  readonly connections: Resource;
  readonly cores: Resource;
  readonly deliveryClaims: Resource;
  readonly platforms: readonly PlatformQueue[];
  readonly accounts = new Map<number, Resource>();
  /** The times of ends whose webhook waits for a notifier. */
  readonly deliveries = new Fifo<number>();
  onStart: (waitedMs: number) => void = () => undefined;
  onDelivery: (waitedMs: number) => void = () => undefined;
  readonly #workers: readonly Worker[];
  readonly #notifiers: readonly Notifier[];
  readonly #announced = new Set<number>();

  constructor(events: EventQueue, random: Random, options: CellOptions) {
    this.events = events;
    this.random = random;
    this.options = options;
    const lock = () => new Resource(events, 1);
    this.connections = new Resource(events, options.connections);
    this.cores = new Resource(events, options.cores);
    this.deliveryClaims = lock();
    this.platforms = Array.from({ length: options.platforms }, () => ({
      lock: lock(),
      waiting: new Fifo<Task>(),
      running: 0,
      share: Number.POSITIVE_INFINITY,
    }));
    this.#workers = Array.from({ length: options.workers }, () => new Worker(this));
    this.#notifiers = Array.from({ length: options.notifiers }, () => new Notifier(this));
  }

  submit(account: number, platform: number, tasks: number): void {
    const queue = this.platforms[platform];
    const cost = costOf(this.options.times.submit, tasks);
    this.transact([this.accountLock(account)], cost, () => {
      for (let n = 0; n < tasks; n++) queue?.waiting.push({ account, platform, acceptedAt: this.events.now });
      this.wakeWorkers(platform);
    });
  }

  accountLock(account: number): Resource {
    const known = this.accounts.get(account);
    if (known !== undefined) return known;
    const lock = new Resource(this.events, 1);
    this.accounts.set(account, lock);
    return lock;
  }

  /** Wakes all workers, as NOTIFY does. What is announced meanwhile is merged. */
  wakeWorkers(platform: number): void {
    if (this.#announced.has(platform)) return;
    this.#announced.add(platform);
    this.events.after(wakeMs, () => {
      this.#announced.delete(platform);
      for (const worker of this.#workers) worker.hear(platform);
    });
  }

  wakeNotifiers(): void {
    const deliveries = -1;
    if (this.#announced.has(deliveries)) return;
    this.#announced.add(deliveries);
    this.events.after(wakeMs, () => {
      this.#announced.delete(deliveries);
      for (const notifier of this.#notifiers) notifier.hear();
    });
  }

  /**
   * Takes a connection, does what comes before the locks, takes the locks in their order, and holds them to the end. A cost that depends
   * on what the transaction finds under its locks is a function.
   */
  transact(
    locks: readonly Resource[],
    cost: Cost | (() => Cost),
    done: () => void,
    /** A transaction that finds nothing before it takes its locks takes none. */
    nothing: { readonly isThere: () => boolean; readonly cost: Cost } | null = null,
  ): void {
    const { connections } = this;
    const finish = () => {
      for (const held of locks) held.release();
      connections.release();
      done();
    };
    connections.acquire(() => {
      if (nothing?.isThere() === true) {
        this.#work(nothing.cost, 1, () => {
          connections.release();
          done();
        });
        return;
      }
      if (typeof cost === "function") {
        acquireAll(locks, () => this.#work(cost(), 1, finish));
        return;
      }
      const share = cost.before / cost.wall;
      this.#work(cost, share, () => acquireAll(locks, () => this.#work(cost, 1 - share, finish)));
    });
  }

  /** A part of a transaction: on a core of PostgreSQL, then in the service, the network and the disk. */
  #work({ wall, postgres }: Cost, share: number, then: () => void): void {
    this.cores.acquire(() =>
      this.events.after(share * postgres, () => {
        this.cores.release();
        this.events.after(share * (wall - postgres), then);
      }),
    );
  }
}

function acquireAll(locks: readonly Resource[], then: () => void, nth = 0): void {
  const lock = locks[nth];
  if (lock === undefined) then();
  else lock.acquire(() => acquireAll(locks, then, nth + 1));
}

/** Claims when woken, and runs what it claimed. */
class Worker {
  readonly #cell: SimulatedCell;
  /** Platforms that it claims for now; true: claim again. */
  readonly #claiming = new Map<number, boolean>();
  readonly #backlogged = new Set<number>();
  readonly #ended = new Fifo<Task>();
  /** Platforms for which it was woken and waits. */
  readonly #woken = new Set<number>();
  #slots = workerSlots;
  #ending = 0;

  constructor(cell: SimulatedCell) {
    this.#cell = cell;
  }

  /** A message says that there is work. */
  hear(platform: number): void {
    if (this.#woken.has(platform)) return;
    this.#woken.add(platform);
    const { events, random, options } = this.#cell;
    events.after(
      delayAmong(options.workers - 1, () => random.uniform()),
      () => {
        this.#woken.delete(platform);
        this.wake(platform);
      },
    );
  }

  wake(platform: number): void {
    if (this.#claiming.has(platform)) this.#claiming.set(platform, true);
    else this.#claim(platform);
  }

  #claim(platform: number): void {
    const cell = this.#cell;
    const { times } = cell.options;
    const queue = cell.platforms[platform];
    if (queue === undefined || this.#slots <= 0) {
      this.#backlogged.add(platform);
      return;
    }
    this.#claiming.set(platform, false);
    let claimed: readonly Task[] = [];
    let isFull = false;
    const cost = () => {
      if (queue.waiting.size === 0) {
        this.#backlogged.delete(platform);
        return times.emptyClaim;
      }
      this.#backlogged.add(platform);
      const room = Math.max(0, Math.min(claimMax, this.#slots, queue.share - queue.running));
      const beside = queue.running;
      claimed = queue.waiting.take(room);
      isFull = claimed.length === room && room > 0;
      this.#slots -= claimed.length;
      queue.running += claimed.length;
      return combine(costOf(times.claim, claimed.length), times.claimRunning, (base, each) => base + beside * each);
    };
    const claims = () => {
      for (const task of claimed) this.#run(task);
      const again = isFull || this.#claiming.get(platform) === true;
      this.#claiming.delete(platform);
      if (again) this.#claim(platform);
    };
    const isEmpty = () => queue.waiting.size === 0;
    cell.transact([queue.lock], cost, claims, { isThere: isEmpty, cost: times.emptyClaim });
  }

  #run(task: Task): void {
    const { events, random, options, onStart } = this.#cell;
    onStart(events.now - task.acceptedAt);
    events.after(random.logNormal(options.answerMs, answerSigma), () => {
      this.#ended.push(task);
      this.#writeEnds();
    });
  }

  /** Ends that arrive during a transaction are written in the next one. */
  #writeEnds(): void {
    if (this.#ending >= endsConcurrency || this.#ended.size === 0) return;
    this.#ending++;
    const cell = this.#cell;
    const ends = this.#ended.take(endsMax);
    const accounts = [...new Set(ends.map(({ account }) => account))].toSorted((a, b) => a - b);
    const locks = accounts.map((account) => cell.accountLock(account));
    cell.transact(locks, costOf(cell.options.times.end, ends.length), () => {
      this.#ending--;
      this.#slots += ends.length;
      for (const { platform } of ends) {
        const queue = cell.platforms[platform];
        if (queue !== undefined) queue.running--;
        cell.deliveries.push(cell.events.now);
      }
      cell.wakeNotifiers();
      for (const platform of this.#backlogged) this.wake(platform);
      this.#writeEnds();
    });
  }
}

/** Claims deliveries when woken, at most every 10 ms, and records their attempts. */
class Notifier {
  readonly #cell: SimulatedCell;
  readonly #delay: LearnedDelay;
  #state: "idle" | "claiming" | "woken" = "idle";
  #isWaiting = false;

  constructor(cell: SimulatedCell) {
    this.#cell = cell;
    this.#delay = new LearnedDelay(() => cell.random.uniform());
  }

  /** A message says that deliveries are due. */
  hear(): void {
    if (this.#isWaiting) return;
    this.#isWaiting = true;
    this.#cell.events.after(this.#delay.nextMs(), () => {
      this.#isWaiting = false;
      this.wake();
    });
  }

  wake(): void {
    if (this.#state === "idle") this.#claim();
    else this.#state = "woken";
  }

  #claim(): void {
    const cell = this.#cell;
    const { times } = cell.options;
    this.#state = "claiming";
    let ends: readonly number[] = [];
    const cost = () => {
      ends = cell.deliveries.take(deliverySlots);
      return ends.length === 0 ? times.emptyDeliveryClaim : costOf(times.claimDeliveries, ends.length);
    };
    const claims = () => {
      this.#delay.looked(ends.length > 0);
      for (const endedAt of ends) cell.onDelivery(cell.events.now - endedAt);
      const record = costOf(times.recordDeliveries, Math.max(1, ends.length));
      if (ends.length > 0) cell.events.after(webhookMs, () => cell.transact([], record, () => undefined));
      cell.events.after(refetchMs, () => {
        if (this.#state === "woken") this.#claim();
        else this.#state = "idle";
      });
    };
    const isEmpty = () => cell.deliveries.size === 0;
    cell.transact([cell.deliveryClaims], cost, claims, { isThere: isEmpty, cost: times.emptyDeliveryClaim });
  }
}

export class Fifo<Item> {
  #items: Item[] = [];
  #first = 0;

  get size(): number {
    return this.#items.length - this.#first;
  }

  get first(): Item | undefined {
    return this.#items[this.#first];
  }

  push(item: Item): void {
    this.#items.push(item);
  }

  /** The first ones, at most this many. */
  take(most: number): Item[] {
    const taken = this.#items.slice(this.#first, this.#first + most);
    this.#first += taken.length;
    if (this.#first >= 1024 && 2 * this.#first >= this.#items.length) {
      this.#items = this.#items.slice(this.#first);
      this.#first = 0;
    }
    return taken;
  }
}
