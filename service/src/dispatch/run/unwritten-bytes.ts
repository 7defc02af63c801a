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
