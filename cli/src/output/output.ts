/** The output of a command: data on standard output, messages on standard error. */
import { once } from "node:events";
import pc from "picocolors";
import { displayWidth } from "./display-width.ts";
import { cut } from "./columns.ts";
import { printableJson } from "./printable.ts";

type Colors = ReturnType<typeof pc.createColors>;

export interface OutputOptions {
  /** `--json` or `--text`. By default, text for a terminal and JSON otherwise. */
  readonly format?: "json" | "text" | undefined;
}

export class CommandOutput {
  /** JSON lines for programs, or text for people. */
  readonly format: "json" | "text";
  readonly width: number;
  /** Colors of standard output and of standard error. */
  readonly color: Colors;
  readonly noteColor: Colors;
  /** Standard error is a terminal, so its last line can be rewritten. */
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

  /** Text for people. The caller has made it printable. */
  async text(...lines: readonly string[]): Promise<void> {
    await this.write(lines.map((line) => `${line}\n`).join(""));
  }

  /** The record for programs, or its text for people. */
  async show(value: unknown, text: () => readonly string[]): Promise<void> {
    if (this.format === "json") await this.json(value);
    else await this.text(...text());
  }

  /** Writes data unchanged. Waits if the reader is slower. */
  async write(data: string): Promise<void> {
    this.#clear();
    if (!process.stdout.write(data)) await once(process.stdout, "drain");
    this.#draw();
  }

  /** A message. */
  note(...lines: readonly string[]): void {
    this.#clear();
    for (const line of lines) process.stderr.write(`${line}\n`);
    this.#draw();
  }

  /**
   * A status line that is rewritten in place, only on a terminal. `short` is used if the line does not fit, because a line
   * that the terminal has wrapped cannot be rewritten.
   */
  status(line: string, short = line): void {
    if (!this.isLive) return;
    this.#clear();
    const room = widthOf(process.stderr) - 1;
    this.#status = displayWidth(line) <= room ? line : cut(short, room);
    this.#draw();
  }

  #clear(): void {
    if (this.#status !== "") process.stderr.write("\r\u001B[2K");
  }

  #draw(): void {
    if (this.#status !== "") process.stderr.write(this.#status);
  }
}

/** The width is 100 if the terminal reports none or 0. */
function widthOf({ columns = 0 }: { readonly columns?: number }): number {
  return columns > 0 ? Math.max(40, columns) : 100;
}

/** `isTTY` is undefined for other streams, although its type excludes that. With undefined, the library would decide on colors. */
const isTerminal = (stream: { readonly isTTY?: boolean }): boolean => stream.isTTY === true;

/** https://no-color.org: set and not empty. */
const colorsWanted = () => (process.env["NO_COLOR"] ?? "") === "" && process.env["TERM"] !== "dumb";
