/**
 * The interface between the service and the platforms. An adapter turns a question into one outcome. It never throws for a
 * platform's errors, never retries (the engine does), and stops when `signal` aborts.
 */
import type {
  Ad,
  AvailabilityField,
  Effective,
  FailureCode,
  FailureStage,
  MediaCard,
  Output,
  PageEvidenceKind,
  PlatformKind,
  PlatformRecord,
  ProductCard,
  ReasoningStep,
  ResultFormat,
  SearchStep,
  Source,
  TaskOptions,
  Truncation,
  VideoCard,
} from "@querent/contract";
import type { Consumption } from "../kernel/consumption.ts";
import type { OptionSupport } from "./option-support.ts";
import type { SetUp } from "./set-up.ts";

export interface Platform {
  readonly code: string;
  readonly name: string;
  readonly kind: PlatformKind;
  /** The fields it can return. A field that is false is `not_exposed` in every result. */
  readonly returns: Readonly<Record<ReturnedField, boolean>>;
  readonly outputs: readonly Output[];
  readonly resultFormats: readonly ResultFormat[];
  /** Which of the options that say from where, as whom and with what a question is asked it supports, and how. */
  readonly options: OptionSupport;
  /** How far the recipe of a web platform is known to match the page. */
  readonly recipe?: PlatformRecord["recipe"];
  /** What is missing and what to do, in one sentence for the operator; null if the platform is configured. */
  readonly missing: string | null;
  /** What sets it up. Absent: only the operator can see what it lacks. */
  readonly setUp?: SetUp;
  /** True: an example page of this service answers in its place until the operator has set it up. */
  readonly standIn?: boolean;
  /** The digest of the recipe that reads its web page. Absent: it has none. */
  readonly recipeDigest?: string;
  ask(question: PlatformQuestion, context: AskContext): Promise<Outcome>;
  /**
   * Parses a stored answer again with the current code. Pure: sends no requests. Absent if answers are not parsed from raw
   * bytes. `observedAt` is the time at which the platform gave the answer.
   */
  reread?(raw: RawAnswer, question: PlatformQuestion, observedAt: Date): Outcome | Promise<Outcome>;
}

/** The fields of `availability` that depend only on the platform. */
export type ReturnedField = Exclude<AvailabilityField, "content" | "screenshot" | "share">;

export interface PlatformQuestion {
  readonly taskId: string;
  readonly text: string;
  readonly options: TaskOptions;
  /** 1 for the first attempt. */
  readonly attempt: number;
}

export interface AskContext {
  /** Aborts when the task is canceled, runs out of time, or the process stops. */
  readonly signal: AbortSignal;
  /** The time limit of this run, for adapters that must store something before `signal` aborts. */
  readonly runBudgetMs?: number;
  /** Called with each request to a model, for traces. The function that it returns is called with the outcome. */
  readonly onModelCall?: (call: ModelCall) => (outcome: Outcome) => void;
  /**
   * For adapters that queue for a scarce resource, such as a browser: accounts are served in turn, and queueing is not run
   * time.
   */
  readonly requester?: {
    readonly accountId: string;
    readonly whileQueued: <Turn>(turn: Promise<Turn>) => Promise<Turn>;
    /** Called when the resource is no longer used. */
    readonly onLeft?: () => void;
  };
}

/** One question to one model. */
export interface ModelCall {
  readonly vendor: string;
  readonly model: string;
  readonly url: string;
  readonly text: string;
}

/** The outcomes of asking a platform, by what the engine does next. */
export type Outcome =
  | {
      readonly kind: "answered";
      readonly answer: PlatformAnswer;
      readonly raw: RawAnswer | null;
      readonly consumption: Consumption | null;
      /** True: the platform has no answer to this question, and the operator charges nothing for that. */
      readonly free?: boolean;
      /** What the answer was read from, kept as evidence. */
      readonly captures?: readonly Snapshot[];
      /** What the operator wants kept of the page besides its HTML. */
      readonly evidence?: readonly CapturedEvidence[];
    }
  /**
   * The platform limits requests: uses up no attempt, and pauses the whole platform for `retryAfterMs`, or longer if it has
   * throttled Querent repeatedly.
   */
  | {
      readonly kind: "throttled";
      readonly retryAfterMs: number;
      /** True: Querent itself knows when it may ask again, as with its sessions. The platform is asked then, at full pace. */
      readonly ownPace?: boolean;
      readonly platformStatus: number | null;
      /** What upstreams consumed that were asked before. */
      readonly consumption?: Consumption;
    }
  /** May succeed if asked again: uses up an attempt. */
  | ({ readonly kind: "retryable" } & PlatformFailure)
  /** Will not succeed if asked again. */
  | ({ readonly kind: "permanent" } & PlatformFailure)
  /** Querent lost what it asks with, such as its browser: says nothing about the platform, and uses up no attempt. */
  | { readonly kind: "lost"; readonly message?: string }
  /** `signal` aborted. */
  | { readonly kind: "canceled" };

export interface PlatformFailure {
  readonly code: FailureCode;
  readonly stage: FailureStage;
  /** For people. Contains no secret. */
  readonly message: string;
  readonly platformStatus: number | null;
  /** What the platform reports for an answer that cannot be used, such as an empty one. */
  readonly consumption?: Consumption;
}

type Card<T> = Omit<T, "position">;
export type DraftCard =
  | { readonly type: "product"; readonly card: Card<ProductCard> }
  | { readonly type: "video"; readonly card: Card<VideoCard> }
  | { readonly type: "media"; readonly card: Card<MediaCard> };

export type DraftAd = Omit<Ad, "position" | "removed">;

/** A piece of Markdown, or a card that the platform showed at this position. */
export type AnswerPart = { readonly type: "markdown"; readonly markdown: string } | DraftCard;

/**
 * What a platform returned, before `answers/` makes a result of it: it numbers the cards, writes them as Markdown, and
 * determines availability.
 */
export interface PlatformAnswer {
  /** In the order shown. Cards without a known position come last. */
  readonly parts: readonly AnswerPart[];
  readonly sources: readonly Source[];
  readonly reasoning: readonly Omit<ReasoningStep, "position">[] | null;
  readonly search: readonly Omit<SearchStep, "position">[] | null;
  /**
   * Advertisements, with the addresses as the platform gave them; absent: it is not known how it shows them. They are in no other
   * member. Why there are none, if the platform tells.
   */
  readonly ads?: readonly DraftAd[];
  readonly noAds?: "parse_failed" | "signed_in_state" | "country_without_ads";
  readonly relatedQuestions?: readonly string[];
  readonly relatedSearches?: readonly string[];
  /** Other drafts of the answer that the platform showed beside it, by their positions among all of them. */
  readonly alternatives?: readonly { readonly position: number; readonly content: string }[];
  readonly pageHtml: string | null;
  readonly modelVersion: string | null;
  /** True: a stand-in answered, and not the platform. Its provenance is then `sample`, whatever the platform's kind is. */
  readonly byStandIn?: boolean;
  /** When the platform finished answering. */
  readonly observedAt: Date;
  readonly endpoint: string | null;
  readonly region: string | null;
  /** What was in force for each requested option. Absent: none was requested, or the answer was parsed again. */
  readonly effective?: Effective;
  /** What ended the answer before its end. */
  readonly truncatedBy?: Truncation | null;
  /** Fields that the platform returned but that could not be parsed. */
  readonly unreadable: readonly ReturnedField[];
}

/** The platform's original bytes, stored with the result so that a better parser can parse them again. */
export interface RawAnswer {
  readonly mediaType: string;
  readonly body: string;
}

/** What an answer was read from, as it was at that time: the page, a part of it, a response. */
export interface Snapshot {
  /**
   * A file name, unique within the answer: `page.html`, `response-1.json`. Letters, digits, `.`, `_` and `-`, 1 to 100
   * characters, not beginning with a dot.
   */
  readonly name: string;
  readonly mediaType: string;
  readonly bytes: Uint8Array;
}

/** A picture or an archive of the page: the name of the capture that it is, or why there is none, in a sentence. */
export type CapturedEvidence = { readonly kind: PageEvidenceKind } & (
  | { readonly capture: string; readonly incomplete?: string }
  | { readonly missing: string }
);
