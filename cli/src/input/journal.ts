/**
 * The write-ahead log of a long submission, so that it can be killed at any time and resumed. A chunk is logged before it
 * is sent, and again when it is accepted. A chunk that was sent without a response is sent again with the same key, and
 * the service returns the original response. The last line records that the run is finished: everything was accepted and
 * reported.
 */
import { createHash, randomUUID } from "node:crypto";
import {
  closeSync,
  existsSync,
  fsyncSync,
  ftruncateSync,
  linkSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeSync,
} from "node:fs";
import { z } from "zod";
import { UsageError } from "../exit-codes.ts";
import { querent } from "../program-names.ts";

const Head = z.object({
  querent: z.literal(1),
  runKey: z.string(),
  url: z.string(),
  chunkItems: z.number().int().positive(),
  /** The defaults of the rows. Other defaults would result in other bodies. */
  defaults: z.string(),
  createdAt: z.string(),
});
const Sent = z.object({
  sent: z.number().int(),
  digest: z.string(),
  firstItem: z.number().int(),
  itemCount: z.number().int(),
  at: z.string(),
});
/** The service rejected the chunk, so its key is not used up. */
const Refused = z.object({ refused: z.number().int() });
const Accepted = z.object({
  accepted: z.number().int(),
  digest: z.string(),
  batchId: z.string(),
  itemCount: z.number().int(),
  estimatedPoints: z.number().int(),
});
const Finished = z.object({ finished: z.string() });
const Line = z.union([Sent, Accepted, Refused, Finished]);

export type JournalHead = z.infer<typeof Head>;
/** A run without its key and time. */
export type JournalRun = Omit<JournalHead, "querent" | "runKey" | "createdAt">;
export type AcceptedChunk = z.infer<typeof Accepted>;

/** The service stores keys for 7 days. A chunk without a response is sent again for up to a day less. */
const keyKnownMs = 6 * 86_400_000;

/** A part of the input: `itemCount` questions after the first `firstItem`. */
export interface JournalPart {
  readonly firstItem: number;
  readonly itemCount: number;
}

export class Journal {
  readonly head: JournalHead;
  readonly path: string;
  /** False if it resumes a run. */
  readonly isNew: boolean;
  /** The descriptor of the journal's file; null if it is read-only. */
  readonly #file: number | null;
  readonly #sent = new Map<number, z.infer<typeof Sent>>();
  readonly #accepted = new Map<number, AcceptedChunk>();
  #isFinished = false;

  private constructor(
    path: string,
    { head, lines }: Contents,
    { isNew, file }: { isNew: boolean; file: number | null },
  ) {
    this.path = path;
    this.head = head;
    this.isNew = isNew;
    this.#file = file;
    for (const line of lines) this.#apply(line);
  }

  /**
   * Opens the journal at `path`, or creates it. If two processes create it at once, one of them continues the other's run.
   * `again` starts a new run, unless the previous one is unfinished, in which case it is resumed.
   */
  static open(path: string, run: JournalRun, { again }: { readonly again: boolean }): Journal {
    let isNew = begin(path, headOf(run, randomUUID()));
    let contents = read(path);
    if (!isNew && again && contents.isFinished) {
      // The key of the next run is derived from this one's, so that two processes that start it at once send the same submission.
      const runKey = createHash("sha256").update(`${contents.head.runKey}/again`).digest("hex").slice(0, 32);
      renameSync(write(path, headOf(run, runKey)), path);
      contents = read(path);
      isNew = true;
    }
    if (contents.isCut) {
      const file = openSync(path, "r+");
      ftruncateSync(file, contents.bytes);
      closeSync(file);
    }
    return new Journal(path, contents, { isNew, file: openSync(path, "a") });
  }

  /** The journal at `path`, read-only. Null if there is none, or if `again` would start a new run. */
  static peek(path: string, { again }: { readonly again: boolean }): Journal | null {
    if (!existsSync(path)) return null;
    const contents = read(path);
    return again && contents.isFinished ? null : new Journal(path, contents, { isNew: false, file: null });
  }

  /** Everything was accepted, and the command has completed. */
  get isFinished(): boolean {
    return this.#isFinished;
  }

  /** Parts that were accepted, or sent without a response: they are already paid for, or will be sent again. */
  get settled(): readonly JournalPart[] {
    return [...this.#sent.values()];
  }

  /** The chunks that were accepted, in order. */
  get accepted(): readonly AcceptedChunk[] {
    return [...this.#accepted.values()].sort((one, other) => one.accepted - other.accepted);
  }

  /** True if the chunk was accepted before. Fails if its content has changed since. */
  isAccepted(chunk: { readonly index: number; readonly digest: string }, place: string): boolean {
    const known = this.#accepted.get(chunk.index) ?? this.#sent.get(chunk.index);
    if (known !== undefined && known.digest !== chunk.digest)
      throw new UsageError(`${place} have changed since they were submitted. Restore the file. ${this.howToStartAnew}`);
    return this.#accepted.has(chunk.index);
  }

  /** How to submit the file as a new run if this one cannot be resumed. */
  get howToStartAnew(): string {
    if (this.#isFinished) return "To submit the file again, use --again, or another journal with --journal.";
    const count = this.accepted.reduce((sum, { itemCount }) => sum + itemCount, 0);
    return `This run is not finished: ${count === 0 ? "none of its questions were" : `${count} of its questions were`} accepted${count === 0 ? "" : ", and they are charged when they complete"}. To abandon it and submit the file again, delete ${this.path}.`;
  }

  /** Notes a chunk. It is called before the chunk is sent. */
  send({
    index,
    digest,
    firstItem,
    itemCount,
  }: JournalPart & { readonly index: number; readonly digest: string }): void {
    const before = this.#sent.get(index);
    if (before === undefined) this.#write({ sent: index, digest, firstItem, itemCount, at: new Date().toISOString() });
    else if (Date.now() - Date.parse(before.at) > keyKnownMs)
      throw new UsageError(
        `${this.path}: a part was sent on ${before.at.slice(0, 10)} without a response. Its key has expired, so it is unknown whether the part was accepted. Check with \`${querent} tasks list\`, and submit what is missing.`,
      );
  }

  accept(entry: AcceptedChunk): void {
    this.#write(entry);
  }

  refuse(index: number): void {
    this.#write({ refused: index });
  }

  /** Notes that the command has completed. Only then does `--again` start a new run. */
  finish(): void {
    if (!this.#isFinished) this.#write({ finished: new Date().toISOString() });
  }

  close(): void {
    if (this.#file !== null) closeSync(this.#file);
  }

  #apply(line: z.infer<typeof Line>): void {
    if ("finished" in line) this.#isFinished = true;
    else if ("refused" in line) this.#sent.delete(line.refused);
    else if ("accepted" in line) this.#accepted.set(line.accepted, line);
    else this.#sent.set(line.sent, line);
  }

  #write(entry: z.infer<typeof Line>): void {
    this.#apply(entry);
    if (this.#file === null) throw new Error(`${this.path} was opened read-only.`);
    writeSync(this.#file, `${JSON.stringify(entry)}\n`);
    fsyncSync(this.#file);
  }
}

const headOf = (run: JournalRun, runKey: string): JournalHead => ({
  querent: 1,
  ...run,
  runKey,
  createdAt: new Date().toISOString(),
});

interface Contents {
  readonly head: JournalHead;
  readonly lines: readonly z.infer<typeof Line>[];
  readonly isFinished: boolean;
  /** The last line is incomplete. `bytes` is the size without it. */
  readonly isCut: boolean;
  readonly bytes: number;
}

function read(path: string): Contents {
  const text = readFileSync(path, "utf8");
  // A line that was being written when the process died is incomplete and is ignored.
  const whole = text.slice(0, text.lastIndexOf("\n") + 1);
  const [first = "", ...rest] = whole.split("\n").filter((line) => line !== "");
  const lines = rest.map((line) => parse(Line, line, path));
  return {
    head: parse(Head, first, path),
    lines,
    isFinished: lines.some((line) => "finished" in line),
    isCut: whole.length !== text.length,
    bytes: Buffer.byteLength(whole),
  };
}

/** Creates the file atomically. False if it already exists. */
function begin(path: string, head: JournalHead): boolean {
  const draft = write(path, head);
  try {
    linkSync(draft, path);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  } finally {
    rmSync(draft, { force: true });
  }
}

function write(path: string, head: JournalHead): string {
  const draft = `${path}.${process.pid}`;
  const file = openSync(draft, "w", 0o600);
  try {
    writeSync(file, `${JSON.stringify(head)}\n`);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  return draft;
}

function parse<Value>(schema: z.ZodType<Value>, line: string, path: string): Value {
  try {
    return schema.parse(JSON.parse(line));
  } catch {
    throw new UsageError(`${path} is not a journal of this command. Move it, or specify another one with --journal.`);
  }
}
