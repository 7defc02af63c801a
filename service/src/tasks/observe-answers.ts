import type {
  AdAvailability,
  ObservedAd,
  ObservedCard,
  ObservedMention,
  ObservedSearch,
  ObservedSource,
  StoredResult,
  TaskRecord,
} from "@querent/contract";
import type { Transaction } from "../db/index.ts";

/** What remains of an answer: what it cited, named, showed and lacked. Neither its text nor its question. */
export interface DescribedAnswer {
  readonly contentLength: number;
  readonly searchCount: number | null;
  readonly flags: readonly string[];
  readonly sources: readonly ObservedSource[];
  readonly cards: readonly ObservedCard[];
  /** Null: it is not known whether it had advertisements. */
  readonly adAvailability: AdAvailability | null;
  readonly ads: readonly ObservedAd[];
  /** Kept of answers of panels only. */
  readonly searches: readonly ObservedSearch[];
  readonly mentions: readonly ObservedMention[];
  /** The version of the account's entities that were looked for; null: it had none. */
  readonly entities: string | null;
  /** The version of the code that looked for them; null: none did. */
  readonly matcher: string | null;
}

/** An answer with the digest of its result as stored. */
export type ObservedAnswer = DescribedAnswer & { readonly digest: Buffer };

/** A completed task with its result, when it ends or its result is revised. */
export interface AnsweredTask extends EndedTask {
  readonly observed: ObservedAnswer;
}

/** A task that ended, with or without an answer. */
export interface EndedTask {
  readonly accountId: string;
  readonly record: TaskRecord;
}

/** Keeps what outlives results. */
export interface ObserveAnswers {
  /**
   * Looks at an answer before the transaction that stores it, which holds locks that others wait for. Never throws. Takes at most some
   * seconds, and ends when `signal` aborts.
   */
  describe(answer: AnswerToObserve, signal?: AbortSignal): Promise<ObservedAnswer>;
  /** Writes what was seen, in the transaction that ends the tasks; and of tasks that failed what remains of them. */
  write(tx: Transaction, answered: readonly AnsweredTask[], failed?: readonly EndedTask[]): Promise<void>;
  /** The same for new revisions of results, in the transaction that stores them. */
  revise(tx: Transaction, answered: readonly AnsweredTask[]): Promise<void>;
}

export interface AnswerToObserve {
  readonly accountId: string;
  readonly result: StoredResult;
  /** The result as stored. */
  readonly json: Buffer | string;
}
