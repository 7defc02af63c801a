/** Records of tasks as JSON lines or as CSV, one at a time. */
import { once } from "node:events";
import type { Writable } from "node:stream";
import { finished } from "node:stream/promises";
import { csvLines, resultCells, resultColumns, type TaskRecord } from "@querent/client";
import { printableJson } from "./printable.ts";

export class ResultsWriter {
  count = 0;
  readonly #form: "jsonl" | "csv";
  readonly #put: (text: string) => Promise<void>;
  readonly #end: () => Promise<void>;

  /** Writes with a function, or to a stream, which `end` closes. */
  constructor(form: "jsonl" | "csv", target: Writable | ((text: string) => Promise<void>)) {
    this.#form = form;
    if (typeof target === "function") {
      this.#put = target;
      this.#end = () => Promise.resolve();
      return;
    }
    const ended = finished(target);
    // The error is thrown by the write or end that awaits it.
    ended.catch(() => undefined);
    this.#put = async (text) => {
      if (!target.write(text)) await Promise.race([once(target, "drain"), ended]);
    };
    this.#end = () => {
      target.end();
      return ended;
    };
  }

  async write(record: TaskRecord): Promise<void> {
    await this.#head();
    this.count++;
    await this.#put(this.#form === "csv" ? csvLines([resultCells(record)]) : `${printableJson(record)}\n`);
  }

  async end(): Promise<void> {
    if (this.count === 0) await this.#head();
    await this.#end();
  }

  async #head(): Promise<void> {
    if (this.#form === "csv" && this.count === 0) await this.#put(csvLines([resultColumns]));
  }
}
