/**
 * What a long submission has done so far, on disk, so that it can be killed at any instant and resumed. A chunk is
 * written down before it is sent and again when it is accepted, each time before anything else happens. A chunk that was
 * sent without a reply is sent again with the same key: the service answers as it did at first. The last line says that
 * the run is finished: everything was accepted and reported.
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
  /** How rows become questions: another way would make other bodies. */
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
/** The service refused the chunk and accepted nothing of it: its key is not used up. */
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
/** What a run is made of, apart from its key and its time. */
export type Run = Omit<JournalHead, "querent" | "runKey" | "createdAt">;
export type AcceptedChunk = z.infer<typeof Accepted>;

/** The service knows a key for 7 days; a day before that, what was sent and not heard of is no longer sent again. */
const keyKnownMs = 6 * 86_400_000;

/** A part of the input: `itemCount` questions after the first `firstItem`. */
export interface Part {
  readonly firstItem: number;
  readonly itemCount: number;
}

export class Journal {
  readonly head: JournalHead;
  readonly path: string;
  /** False when it goes on with a run that was begun before. */
  readonly isNew: boolean;
  /** Null: opened to look at. */
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
   * Opens the journal at `path`, or begins one. Of two that begin at once, one goes on with the other's. `again` begins a
   * new run, unless the one before is not finished: that one is resumed.
   */
  static open(path: string, run: Run, { again }: { readonly again: boolean }): Journal {
    let isNew = begin(path, headOf(run, randomUUID()));
    let contents = read(path);
    if (!isNew && again && contents.isFinished) {
      // The key of the next run follows from this one's: two that begin it at once send the same submission.
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

  /** The journal at `path`, to look at; null when there is none, or when `again` would begin a new run. */
  static peek(path: string, { again }: { readonly again: boolean }): Journal | null {
    if (!existsSync(path)) return null;
    const contents = read(path);
    return again && contents.isFinished ? null : new Journal(path, contents, { isNew: false, file: null });
  }

  /** Everything was accepted, and the command came to its end. */
  get isFinished(): boolean {
    return this.#isFinished;
  }

  /** Parts that were accepted, or sent without a reply: what was sent is already paid for, or about to be sent again. */
  get settled(): readonly Part[] {
    return [...this.#sent.values()];
  }

  /** The chunks that were accepted, in order. */
  get accepted(): readonly AcceptedChunk[] {
    return [...this.#accepted.values()].sort((one, other) => one.accepted - other.accepted);
  }

  /** True when the chunk was accepted before. Refuses a chunk that is not what it was then. */
  isAccepted(chunk: { readonly index: number; readonly digest: string }, place: string): boolean {
    const known = this.#accepted.get(chunk.index) ?? this.#sent.get(chunk.index);
    if (known !== undefined && known.digest !== chunk.digest)
      throw new UsageError(
        `${place} changed since they were submitted. Put the file back as it was. ${this.howToStartAnew}`,
      );
    return this.#accepted.has(chunk.index);
  }

  /** How to submit the file as a new run, when this one can't be resumed. */
  get howToStartAnew(): string {
    if (this.#isFinished) return "To submit the file anew, use --again, or name another journal with --journal.";
    const count = this.accepted.reduce((sum, { itemCount }) => sum + itemCount, 0);
    return `This run is not finished: ${count === 0 ? "none of its questions were" : `${count} of its questions were`} accepted${count === 0 ? "" : ", and they are charged when they complete"}. To give it up and submit the file anew, delete ${this.path}.`;
  }

  /** To be called before a chunk is sent. */
  send({ index, digest, firstItem, itemCount }: Part & { readonly index: number; readonly digest: string }): void {
    const before = this.#sent.get(index);
    if (before === undefined) this.#write({ sent: index, digest, firstItem, itemCount, at: new Date().toISOString() });
    else if (Date.now() - Date.parse(before.at) > keyKnownMs)
      throw new UsageError(
        `${this.path}: a part was sent on ${before.at.slice(0, 10)} and no answer came. The service no longer knows its key, so it can't be told whether it was accepted: look with \`${querent} tasks list\`, then submit what is missing.`,
      );
  }

  accept(entry: AcceptedChunk): void {
    this.#write(entry);
  }

  refuse(index: number): void {
    this.#write({ refused: index });
  }

  /** To be called when the command has done all of its work: only then does `--again` mean a new run. */
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
    if (this.#file === null) throw new Error(`${this.path} was opened to look at.`);
    writeSync(this.#file, `${JSON.stringify(entry)}\n`);
    fsyncSync(this.#file);
  }
}

const headOf = (run: Run, runKey: string): JournalHead => ({
  querent: 1,
  ...run,
  runKey,
  createdAt: new Date().toISOString(),
});

interface Contents {
  readonly head: JournalHead;
  readonly lines: readonly z.infer<typeof Line>[];
  readonly isFinished: boolean;
  /** The last line has no end; what is whole has so many bytes. */
  readonly isCut: boolean;
  readonly bytes: number;
}

function read(path: string): Contents {
  const text = readFileSync(path, "utf8");
  // A line that was being written when the process died has no end: it never happened.
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

/** Makes the file whole or not at all; false when there is one already. */
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
    throw new UsageError(`${path} is not a journal of this command. Move it away, or name another with --journal.`);
  }
}
