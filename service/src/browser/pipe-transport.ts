import type { Readable, Writable } from "node:stream";

/** The DevTools protocol over two pipes: JSON messages, each terminated by a zero byte. */
export class PipeTransport {
  onmessage?: (message: object) => void;
  onclose?: (reason?: string) => void;
  readonly #writes: Writable;
  #parts: Buffer[] = [];
  #closed = false;

  constructor(writes: Writable, reads: Readable) {
    this.#writes = writes;
    reads.on("data", (data: Buffer) => this.#read(data));
    const onEnd = () => this.close();
    reads.on("close", onEnd).on("error", onEnd);
    writes.on("close", onEnd).on("error", onEnd);
  }

  send(message: object): void {
    if (this.#closed) throw new Error("The browser is gone.");
    this.#writes.write(`${JSON.stringify(message)}\0`);
  }

  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#writes.destroy();
    this.onclose?.();
  }

  #read(data: Buffer): void {
    let from = 0;
    for (let end = data.indexOf(0); end !== -1; end = data.indexOf(0, from)) {
      this.#parts.push(data.subarray(from, end));
      const text = Buffer.concat(this.#parts).toString("utf8");
      this.#parts = [];
      from = end + 1;
      // Each in its own turn of the event loop, as from a socket: a handler may send and wait.
      setImmediate(() => {
        if (!this.#closed) this.onmessage?.(JSON.parse(text) as object);
      });
    }
    if (from < data.length) this.#parts.push(data.subarray(from));
  }
}
