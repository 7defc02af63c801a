import { quantile } from "../statistics.ts";
import { SimulatedCell, type PlatformQueue } from "./cell.ts";
import { EventQueue } from "./event-queue.ts";
import { chooser, Random } from "./random.ts";
import type { Resource } from "./resource.ts";
import type { ServiceTimes } from "./service-times.ts";

export interface Day {
  readonly times: ServiceTimes;
  readonly seed: number;
  readonly tasksPerDay: number;
  readonly cells: number;
  readonly accounts: number;
  /** The processes of all cells. The API's are only counted: they share nothing but the database. */
  readonly workers: number;
  readonly notifiers: number;
  /** The cores, and the connections, of each cell's PostgreSQL. */
  readonly cores: number;
  readonly connections: number;
  readonly answerMs: number;
  readonly batchMean: number;
  /** The simulated time in which the load of a day rises and falls. The rates are those of a real day. */
  readonly simulatedMs: number;
  /**
   * The limit of the largest platform, divided over the cells: equally (`leaseMs` is null), or again after each lease. Null: none of the
   * limits is reached.
   */
  readonly limit: { readonly runningMax: number; readonly leaseMs: number | null } | null;
}

/** In the busiest quarter of the day. Of locks, the busiest one's. */
export interface Peak {
  readonly offeredPerSecond: number;
  readonly startedPerSecond: number;
  readonly platform: number;
  readonly account: number;
  readonly deliveryClaims: number;
  readonly connections: number;
  readonly cores: number;
  /** From acceptance to start, and from end to claimed delivery. */
  readonly start: { readonly p50: number; readonly p95: number };
  readonly delivery: { readonly p50: number; readonly p95: number };
  /** The mean part of the limit that nobody used while tasks waited for it. */
  readonly limitUnused: number;
}

/** The load at night is 0.2 of the mean, and 1.8 in the middle of the day. */
const swing = 0.8;
/** The parts of the tasks that platforms have. */
const platformWeights = [4, 3, 2, 1];
/** A task that has waited this long waits for the limit, and not only for the next claim. */
const lateMs = 1_000;
const dayMs = 86_400_000;

export function simulateDay(day: Day): Peak {
  const events = new EventQueue();
  const random = new Random(day.seed);
  // Its own, so that the same tasks arrive on any number of cells.
  const arrivals = new Random(day.seed + 1);
  // Sizes of accounts follow Zipf's law: the largest of 10,000 has a tenth of the tasks.
  const sizes = Array.from({ length: day.accounts }, (_, index) => 1 / (index + 1));
  const cellOf = placeAccounts(sizes, day.cells);
  const cells = Array.from({ length: day.cells }, () => {
    const { times, cores, connections, answerMs } = day;
    const workers = Math.max(1, Math.round(day.workers / day.cells));
    const notifiers = Math.max(1, Math.round(day.notifiers / day.cells));
    const platforms = platformWeights.length;
    return new SimulatedCell(events, random, { times, workers, notifiers, platforms, cores, connections, answerMs });
  });
  const meter = new PeakMeter(events, day, cells);
  if (day.limit !== null) shareLimit(events, cells, day.limit, meter);

  const nextAccount = chooser(arrivals, sizes);
  const nextPlatform = chooser(arrivals, platformWeights);
  const peakPerMs = ((1 + swing) * day.tasksPerDay) / dayMs / day.batchMean;
  const arrive = () => {
    events.after(arrivals.exponential(1 / peakPerMs), arrive);
    // Thinning: what comes at the rate of the peak is kept with the probability of this hour.
    const hour = 1 - swing * Math.cos((2 * Math.PI * events.now) / day.simulatedMs);
    if (arrivals.uniform() * (1 + swing) >= hour) return;
    const account = nextAccount();
    const tasks = arrivals.geometric(day.batchMean);
    meter.offer(tasks);
    cells[cellOf[account] ?? 0]?.submit(account, nextPlatform(), tasks);
  };
  arrive();
  events.runUntil(0.375 * day.simulatedMs);
  meter.open();
  events.runUntil(0.625 * day.simulatedMs);
  return meter.close();
}

/** The largest first, each to the cell that has the least. */
function placeAccounts(sizes: readonly number[], cells: number): number[] {
  const loads = Array.from({ length: cells }, () => 0);
  return sizes.map((size) => {
    const cell = loads.indexOf(Math.min(...loads));
    loads[cell] = (loads[cell] ?? 0) + size;
    return cell;
  });
}

/**
 * Divides the limit of the largest platform: equally, or by leases. A lease is a cell's running tasks, and of what is left a part in
 * proportion to the tasks that wait there. So the leases never add up to more than the limit.
 */
function shareLimit(
  events: EventQueue,
  cells: readonly SimulatedCell[],
  { runningMax, leaseMs }: NonNullable<Day["limit"]>,
  meter: PeakMeter,
): void {
  const queues = cells.flatMap(({ platforms }) => platforms.slice(0, 1));
  for (const queue of queues) queue.share = Math.floor(runningMax / cells.length);
  const sum = (of: (queue: PlatformQueue) => number) => queues.reduce((all, queue) => all + of(queue), 0);
  const look = () => {
    events.after(leaseMs ?? 1_000, look);
    const running = sum((queue) => queue.running);
    if (queues.some(({ waiting }) => (waiting.first?.acceptedAt ?? events.now) < events.now - lateMs))
      meter.seeLimit(1 - running / runningMax);
    if (leaseMs === null) return;
    const free = Math.max(0, runningMax - running);
    const waiting = sum((queue) => queue.waiting.size + 1);
    for (const [index, queue] of queues.entries()) {
      queue.share = queue.running + Math.floor((free * (queue.waiting.size + 1)) / waiting);
      if (queue.waiting.size > 0) cells[index]?.wakeWorkers(0);
    }
  };
  look();
}

/** What happens in the busiest quarter of the day. */
class PeakMeter {
  readonly #events: EventQueue;
  readonly #cells: readonly SimulatedCell[];
  readonly #capacity: Pick<Day, "connections" | "cores">;
  readonly #starts: number[] = [];
  readonly #deliveries: number[] = [];
  readonly #unused: number[] = [];
  readonly #heldBefore = new Map<Resource, number>();
  #isOpen = false;
  #openedAt = 0;
  #offered = 0;
  #started = 0;

  constructor(events: EventQueue, day: Day, cells: readonly SimulatedCell[]) {
    this.#events = events;
    this.#cells = cells;
    this.#capacity = day;
    // Enough for percentiles.
    const every = Math.ceil((0.25 * day.simulatedMs * (1 + swing) * day.tasksPerDay) / dayMs / 50_000);
    for (const cell of cells) {
      cell.onStart = (waited) => {
        if (this.#isOpen && this.#started++ % every === 0) this.#starts.push(waited);
      };
      let delivered = 0;
      cell.onDelivery = (waited) => {
        if (this.#isOpen && delivered++ % every === 0) this.#deliveries.push(waited);
      };
    }
  }

  open(): void {
    this.#isOpen = true;
    this.#openedAt = this.#events.now;
    for (const cell of this.#cells)
      for (const resource of [...locksOf(cell), cell.connections, cell.cores])
        this.#heldBefore.set(resource, resource.heldMs);
  }

  offer(tasks: number): void {
    if (this.#isOpen) this.#offered += tasks;
  }

  seeLimit(unused: number): void {
    if (this.#isOpen) this.#unused.push(unused);
  }

  close(): Peak {
    const ms = this.#events.now - this.#openedAt;
    const used = (resource: Resource, servers = 1) =>
      (resource.heldMs - (this.#heldBefore.get(resource) ?? 0)) / ms / servers;
    const busiest = (resources: readonly Resource[], servers = 1) =>
      resources.reduce((most, resource) => Math.max(most, used(resource, servers)), 0);
    const percentiles = (waits: readonly number[]) => ({ p50: quantile(waits, 0.5), p95: quantile(waits, 0.95) });
    const cells = this.#cells;
    return {
      offeredPerSecond: (1000 * this.#offered) / ms,
      startedPerSecond: (1000 * this.#started) / ms,
      platform: busiest(cells.flatMap(({ platforms }) => platforms.map(({ lock }) => lock))),
      account: busiest(cells.flatMap(({ accounts }) => [...accounts.values()])),
      deliveryClaims: busiest(cells.map(({ deliveryClaims }) => deliveryClaims)),
      connections: busiest(
        cells.map(({ connections }) => connections),
        this.#capacity.connections,
      ),
      cores: busiest(
        cells.map(({ cores }) => cores),
        this.#capacity.cores,
      ),
      start: percentiles(this.#starts),
      delivery: percentiles(this.#deliveries),
      limitUnused:
        this.#unused.length === 0 ? 0 : this.#unused.reduce((sum, unused) => sum + unused) / this.#unused.length,
    };
  }
}

function locksOf(cell: SimulatedCell): Resource[] {
  return [cell.deliveryClaims, ...cell.platforms.map(({ lock }) => lock), ...cell.accounts.values()];
}
