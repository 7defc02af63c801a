/** What is computed over many answers: a generator that reads pages of text, and writes text. It knows no database, and may run in a process of its own. */
import type { ProblemItem } from "@querent/contract";

/**
 * Reads an input of the job: pages of text, which the other side reads from the database as they are needed. `of`: which part of it.
 * Throws `InputTooLarge` if there is more of it than a job may read.
 */
export type ReadInput = (name: string, of?: unknown) => AsyncIterable<string>;

/** Yields pieces of its result, and nothing where it may pause, which is often. */
export type RunJob<Input> = (input: Input, read: ReadInput) => AsyncGenerator<string | void, void, void>;

export interface Job<Input> {
  /** The module that exports it as `job`. */
  readonly module: string;
  readonly run: RunJob<Input>;
}

/** There is more of an input than a job may read. */
export class InputTooLarge extends Error {
  override readonly name = "InputTooLarge";
}

/** What was asked for can't be computed from these answers. */
export class NotComputable extends Error {
  override readonly name = "NotComputable";
  readonly item: ProblemItem;

  constructor(item: ProblemItem, sentence = "This cannot be computed.") {
    super(sentence);
    this.item = item;
  }
}

/** The JSON of an object in pieces, of which none is longer than that of a member, or of an element of a member. */
export function* jsonPieces(value: object): Generator<string, void, void> {
  let before = "{";
  for (const [name, member] of Object.entries(value)) {
    if (member === undefined) continue;
    const head = `${before}${JSON.stringify(name)}:`;
    before = ",";
    if (!Array.isArray(member)) {
      yield head + JSON.stringify(member);
      continue;
    }
    yield `${head}[`;
    for (const [index, element] of member.entries()) yield (index === 0 ? "" : ",") + JSON.stringify(element ?? null);
    yield "]";
  }
  yield before === "{" ? "{}" : "}";
}

// What a service and the process of a job send each other.

/** What to do; a page of an input, and that there are no more, or why not. Inputs are numbered by the process. */
export type ToProcess =
  | { readonly module: string; readonly input: unknown }
  | { readonly of: number; readonly page: string }
  | { readonly of: number; readonly end: "complete" | "too_large" };

/** Which input it reads; that it has taken a page, or takes no more; a piece of the result; and how it ended. */
export type FromProcess =
  | { readonly read: number; readonly name: string; readonly of: unknown }
  | { readonly taken: number }
  | { readonly left: number }
  | { readonly piece: Buffer }
  | { readonly end: "complete" | "input_too_large" | "result_too_large" | "memory" }
  | { readonly notComputable: ProblemItem; readonly sentence: string }
  | { readonly error: unknown };
