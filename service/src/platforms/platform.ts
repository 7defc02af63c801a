/**
 * The interface between the service and whatever answers questions. An adapter turns a question into one outcome;
 * it never throws for what a platform does wrong, never retries by itself (the engine does), and stops when `signal` aborts.
 */
import type {
  AvailabilityField,
  FailureCode,
  FailureStage,
  MediaCard,
  Output,
  PlatformKind,
  ProductCard,
  ReasoningStep,
  ResultFormat,
  SearchStep,
  Source,
  TaskOptions,
  VideoCard,
} from "@querent/contract";

export interface Platform {
  readonly code: string;
  readonly name: string;
  readonly kind: PlatformKind;
  /** What it can give. A field that is false is `not_exposed` in every result. */
  readonly returns: Readonly<Record<ReturnedField, boolean>>;
  readonly outputs: readonly Output[];
  readonly resultFormats: readonly ResultFormat[];
  /** Null when it can be asked; otherwise what is missing and what to do, in one sentence for the operator. */
  readonly missing: string | null;
  ask(question: Question, context: AskContext): Promise<Outcome>;
  /**
   * Reads a stored answer again, with today's code. Pure: asks nobody. Absent where an answer is not read from raw bytes.
   * `observedAt` is the time at which the platform gave the answer.
   */
  reread?(raw: RawAnswer, question: Question, observedAt: Date): Outcome;
}

/** The fields of `availability` that depend on the platform alone. */
export type ReturnedField = Exclude<AvailabilityField, "content" | "screenshot" | "share">;

export interface Question {
  readonly taskId: string;
  readonly text: string;
  readonly options: TaskOptions;
  /** 1 for the first attempt. */
  readonly attempt: number;
}

export interface AskContext {
  /** Aborts when the task is canceled, runs out of time, or the process stops. */
  readonly signal: AbortSignal;
  /** How long this run may take, for those who have something to keep before `signal` ends it. */
  readonly runBudgetMs?: number;
  /** For adapters that queue for something scarce, such as a browser: accounts are served in turn, and queueing is not run time. */
  readonly requester?: {
    readonly accountId: string;
    readonly whileQueued: <Turn>(turn: Promise<Turn>) => Promise<Turn>;
  };
}

/** How asking a platform ends, by what the engine has to do next. */
export type Outcome =
  | {
      readonly kind: "answered";
      readonly answer: Answer;
      readonly raw: RawAnswer | null;
      readonly consumption: Consumption | null;
      /** What the answer was read from, kept as evidence. */
      readonly captures?: readonly Capture[];
    }
  /** The platform limits requests: costs no attempt, and pauses the whole platform for `retryAfterMs`. */
  | { readonly kind: "throttled"; readonly retryAfterMs: number; readonly platformStatus: number | null }
  /** May succeed if asked again: costs an attempt. */
  | ({ readonly kind: "retryable" } & PlatformFailure)
  /** Will not succeed if asked again. */
  | ({ readonly kind: "permanent" } & PlatformFailure)
  /** Querent lost what it asks with, such as its browser: says nothing about the platform, and costs no attempt. */
  | { readonly kind: "lost"; readonly message?: string }
  /** `signal` aborted. */
  | { readonly kind: "canceled" };

export interface PlatformFailure {
  readonly code: FailureCode;
  readonly stage: FailureStage;
  /** For people. Holds no secret. */
  readonly message: string;
  readonly platformStatus: number | null;
}

type Card<T> = Omit<T, "position">;
export type DraftCard =
  | { readonly type: "product"; readonly card: Card<ProductCard> }
  | { readonly type: "video"; readonly card: Card<VideoCard> }
  | { readonly type: "media"; readonly card: Card<MediaCard> };

/** A stretch of Markdown, or a card that the platform showed at this place. */
export type AnswerPart = { readonly type: "markdown"; readonly markdown: string } | DraftCard;

/** What a platform returned, before `answers/` makes it a result: numbers the cards, writes them as Markdown, tells availability. */
export interface Answer {
  /** In shown order. Cards whose place is unknown come last. */
  readonly parts: readonly AnswerPart[];
  readonly sources: readonly Source[];
  readonly reasoning: readonly Omit<ReasoningStep, "position">[] | null;
  readonly search: readonly Omit<SearchStep, "position">[] | null;
  readonly pageHtml: string | null;
  readonly modelVersion: string | null;
  /** When the platform finished answering. */
  readonly observedAt: Date;
  readonly endpoint: string | null;
  readonly region: string | null;
  /** Fields that the platform gave and that could not be read. */
  readonly unreadable: readonly ReturnedField[];
}

/** What the platform says that the answer took of the operator's account there; null for what it does not tell. */
export interface Consumption {
  readonly inputTokens: number | null;
  readonly outputTokens: number | null;
  readonly searches: number | null;
}

/** The platform's own bytes, kept with the result so that a better parser can read them again. */
export interface RawAnswer {
  readonly mediaType: string;
  readonly body: string;
}

/** What an answer was read from, as it was at that moment: the page, a part of it, a response. */
export interface Capture {
  /** A file name, unique within the answer: `page.html`, `response-1.json`. Letters, digits, `.`, `_` and `-`, 1 to 100, not beginning with a dot. */
  readonly name: string;
  readonly mediaType: string;
  readonly bytes: Uint8Array;
}
