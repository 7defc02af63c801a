/**
 * What a long submission has done so far, on disk, so that it can be killed at any instant and begun again. A chunk is
 * written down before it is sent and again when it is accepted, each time before anything else happens. A chunk that was
 * sent and not heard of is sent again with the same key: the service answers as it did at first.
 */
import { closeSync, fsyncSync, ftruncateSync, linkSync, openSync, readFileSync, rmSync, writeSync } from "node:fs";
import { z } from "zod";
import { UsageError } from "../exit-codes.ts";

const Head = z.object({
  querent: z.literal(1),
  runKey: z.string(),
  url: z.string(),
  chunkItems: z.number().int().positive(),
  /** How rows become questions: another way would make other bodies. */
  defaults: z.string(),
  createdAt: z.string(),
});
const Sent = z.object({ sent: z.number().int(), digest: z.string(), at: z.string() });
const Accepted = z.object({
  accepted: z.number().int(),
  digest: z.string(),
  batchId: z.string(),
  itemCount: z.number().int(),
  estimatedPoints: z.number().int(),
});
const Line = z.union([Sent, Accepted]);

export type JournalHead = z.infer<typeof Head>;
export type AcceptedChunk = z.infer<typeof Accepted>;

/** The service knows a key for 7 days; a day before that, what was sent and not heard of is no longer sent again. */
const keyKnownMs = 6 * 86_400_000;

export class Journal {
  readonly head: JournalHead;
  readonly path: string;
  readonly isNew: boolean;
  readonly #file: number;
  readonly #sent = new Map<number, z.infer<typeof Sent>>();
  readonly #accepted = new Map<number, AcceptedChunk>();

  /** Opens the journal at `path`, or begins one. Of two that begin at once, one goes on with the other's. */
  constructor(path: string, head: JournalHead) {
    this.path = path;
    this.isNew = begin(path, head);
    const text = readFileSync(path, "utf8");
    // A line that was being written when the process died has no end: it never happened.
    const whole = text.slice(0, text.lastIndexOf("\n") + 1);
    const [first = "", ...rest] = whole.split("\n").filter((line) => line !== "");
    this.head = parse(Head, first, path);
    for (const line of rest) {
      const entry = parse(Line, line, path);
      if ("accepted" in entry) this.#accepted.set(entry.accepted, entry);
      else this.#sent.set(entry.sent, entry);
    }
    this.#file = openSync(path, "r+");
    if (whole.length !== text.length) ftruncateSync(this.#file, Buffer.byteLength(whole));
    closeSync(this.#file);
    this.#file = openSync(path, "a");
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
        `${place} changed since they were submitted. Put the file back as it was, or submit it anew with --again.`,
      );
    return this.#accepted.has(chunk.index);
  }

  /** To be called before a chunk is sent. */
  send(chunk: { readonly index: number; readonly digest: string }): void {
    const before = this.#sent.get(chunk.index);
    if (before === undefined) this.#write({ sent: chunk.index, digest: chunk.digest, at: new Date().toISOString() });
    else if (Date.now() - Date.parse(before.at) > keyKnownMs)
      throw new UsageError(
        `${this.path}: a part was sent on ${before.at.slice(0, 10)} and no answer came. The service no longer knows its key, so it can't be told whether it was accepted: look with \`querent tasks list\`, then submit what is missing.`,
      );
  }

  accept(entry: AcceptedChunk): void {
    this.#accepted.set(entry.accepted, entry);
    this.#write(entry);
  }

  close(): void {
    closeSync(this.#file);
  }

  #write(entry: object): void {
    writeSync(this.#file, `${JSON.stringify(entry)}\n`);
    fsyncSync(this.#file);
  }
}

/** Makes the file whole or not at all; false when there is one already. */
function begin(path: string, head: JournalHead): boolean {
  const draft = `${path}.${process.pid}`;
  const file = openSync(draft, "w", 0o600);
  try {
    writeSync(file, `${JSON.stringify(head)}\n`);
    fsyncSync(file);
    linkSync(draft, path);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  } finally {
    closeSync(file);
    rmSync(draft, { force: true });
  }
}

function parse<Value>(schema: z.ZodType<Value>, line: string, path: string): Value {
  try {
    return schema.parse(JSON.parse(line));
  } catch {
    throw new UsageError(`${path} is not a journal of this command. Move it away, or name another with --journal.`);
  }
}
