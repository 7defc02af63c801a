/** Records of tasks as JSON lines or as CSV, one at a time. */
import { once } from "node:events";
import { stringify } from "csv-stringify/sync";
import { finished } from "node:stream/promises";
import { resultCells, resultColumns } from "@querent/client";
import { printableJson } from "./printable.js";
export class ResultsWriter {
  count = 0;
  #form;
  #put;
  #end;
  /** Writes with a function, or to a stream, which `end` closes. */
  constructor(form, target) {
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
  async write(record) {
    await this.#head();
    this.count++;
    await this.#put(this.#form === "csv" ? csvLine(resultCells(record)) : `${printableJson(record)}\n`);
  }
  async end() {
    if (this.count === 0) await this.#head();
    await this.#end();
  }
  async #head() {
    if (this.#form === "csv" && this.count === 0) await this.#put(csvLine(resultColumns));
  }
}
/** Cells that a spreadsheet would interpret as a formula are prefixed with an apostrophe, because answers are untrusted. */
const csvLine = (cells) =>
  stringify([cells], {
    escape_formulas: true,
    record_delimiter: "\r\n",
    cast: { boolean: String },
  });
