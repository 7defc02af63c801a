/** Where a command writes: data on standard output, everything about it on standard error. */
import { once } from "node:events";
import pc from "picocolors";
import stringWidth from "string-width";
import { cut } from "./columns.ts";
import { printableJson } from "./printable.ts";

type Colors = ReturnType<typeof pc.createColors>;

export interface OutputOptions {
  /** `--json` or `--text`; what standard output is decides otherwise. */
  readonly format?: "json" | "text" | undefined;
}

export class Output {
  /** JSON lines for programs, or text for people. */
  readonly format: "json" | "text";
  readonly width: number;
  /** Colours of standard output and of standard error. */
  readonly color: Colors;
  readonly noteColor: Colors;
  /** Standard error is a terminal: a line on it may be written anew. */
  readonly isLive: boolean;
  #status = "";

  constructor({ format }: OutputOptions) {
    this.format = format ?? (process.stdout.isTTY ? "text" : "json");
    this.width = widthOf(process.stdout);
    this.isLive = isTerminal(process.stderr) && process.env["TERM"] !== "dumb";
    this.color = pc.createColors(isTerminal(process.stdout) && colorsWanted());
    this.noteColor = pc.createColors(this.isLive && colorsWanted());
  }

  /** A record, as one line of JSON. */
  async json(value: unknown): Promise<void> {
    await this.write(`${printableJson(value)}\n`);
  }

  /** Text for people. Whoever calls has made it printable. */
  async text(...lines: readonly string[]): Promise<void> {
    await this.write(lines.map((line) => `${line}\n`).join(""));
  }

  /** The record for programs, or its text for people. */
  async show(value: unknown, text: () => readonly string[]): Promise<void> {
    if (this.format === "json") await this.json(value);
    else await this.text(...text());
  }

  /** Data as it is. Waits when the reader is slower. */
  async write(data: string): Promise<void> {
    this.#clear();
    if (!process.stdout.write(data)) await once(process.stdout, "drain");
    this.#draw();
  }

  /** A line about what is going on. */
  note(...lines: readonly string[]): void {
    this.#clear();
    for (const line of lines) process.stderr.write(`${line}\n`);
    this.#draw();
  }

  /**
   * A line that is written anew as things go on; none where standard error is no terminal. One that would not fit is
   * given short, as it can't be taken back once the terminal has broken it.
   */
  status(line: string, short = line): void {
    if (!this.isLive) return;
    this.#clear();
    const room = widthOf(process.stderr) - 1;
    this.#status = stringWidth(line) <= room ? line : cut(short, room);
    this.#draw();
  }

  #clear(): void {
    if (this.#status !== "") process.stderr.write("\r\u001B[2K");
  }

  #draw(): void {
    if (this.#status !== "") process.stderr.write(this.#status);
  }
}

/** A terminal that does not tell its width, or says 0, is taken for one of 100 cells. */
function widthOf({ columns = 0 }: { readonly columns?: number }): number {
  return columns > 0 ? Math.max(40, columns) : 100;
}

/** Streams that are none say nothing, whatever their type promises; and nothing would leave the colours to the library. */
const isTerminal = (stream: { readonly isTTY?: boolean }): boolean => stream.isTTY === true;

/** https://no-color.org: set and not empty. */
const colorsWanted = () => (process.env["NO_COLOR"] ?? "") === "" && process.env["TERM"] !== "dumb";
