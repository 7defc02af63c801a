/** Simulated time, and what happens in it: a binary heap of events. Events of the same time happen in the order of their scheduling. */
export class EventQueue {
  #now = 0;
  #scheduled = 0;
  readonly #heap: Event[] = [];

  /** In milliseconds. */
  get now(): number {
    return this.#now;
  }

  after(ms: number, act: () => void): void {
    const heap = this.#heap;
    const event = { at: this.#now + ms, nth: this.#scheduled++, act };
    let index = heap.length;
    heap.push(event);
    while (index > 0) {
      const above = (index - 1) >> 1;
      const parent = heap[above];
      if (parent === undefined || isBefore(parent, event)) break;
      heap[index] = parent;
      index = above;
    }
    heap[index] = event;
  }

  /** Lets everything happen that is due until then. */
  runUntil(ms: number): void {
    for (let first = this.#heap[0]; first !== undefined && first.at <= ms; first = this.#heap[0]) {
      this.#removeFirst();
      this.#now = first.at;
      first.act();
    }
    this.#now = ms;
  }

  #removeFirst(): void {
    const heap = this.#heap;
    const last = heap.pop();
    if (last === undefined || heap.length === 0) return;
    let index = 0;
    for (;;) {
      let below = 2 * index + 1;
      let child = heap[below];
      const right = heap[below + 1];
      if (child !== undefined && right !== undefined && isBefore(right, child)) {
        below++;
        child = right;
      }
      if (child === undefined || isBefore(last, child)) break;
      heap[index] = child;
      index = below;
    }
    heap[index] = last;
  }
}

interface Event {
  readonly at: number;
  readonly nth: number;
  readonly act: () => void;
}

function isBefore(a: Event, b: Event): boolean {
  return a.at < b.at || (a.at === b.at && a.nth < b.nth);
}
