/** The differences between vendors of model APIs: the request for a question, and the structure of the response. */
import type { AskedAs } from "@querent/contract";
import type { ReturnedField } from "../../platform.ts";
import type { JsonObject } from "../body/json.ts";
import type { ChatExtras } from "../read/chat.ts";
import type { FollowUp } from "./follow-up.ts";

export interface Vendor {
  readonly code: string;
  readonly name: string;
  readonly defaults: {
    readonly url: string;
    readonly keyVariable: string | null;
    readonly model: string;
    readonly deepModel?: string;
    readonly thinking?: { readonly normal: Effort; readonly deep: Effort };
    readonly background?: boolean;
  };
  /** What its responses can contain with search enabled. */
  readonly returns: readonly ReturnedField[];
  /** The members of `returns` that require search. */
  readonly whenSearching: readonly ReturnedField[];
  /** Whether the API has a search, so that `search` has an effect. */
  readonly searches: boolean;
  /** Other services with its API format lack its search. */
  readonly searchesOnlyItself?: boolean;
  /** The header that contains the key itself. By default the key is a bearer token. */
  readonly keyHeader?: string;
  /** Headers of every request, beside the key. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Below the upstream's URL; `/models` by default. */
  readonly modelsPath?: string;
  /** The first request for a question. */
  request(question: ModelQuestion): VendorRequest;
  /** The request that follows a response; null if a response always ends the exchange. */
  followUp?(question: ModelQuestion): FollowUp | null;
  /** The URL that cancels the run that a response announced. */
  cancelUrl?(question: ModelQuestion): (received: JsonObject) => string | null;
  readonly extras: ChatExtras;
}

/** A POST request with a JSON body. */
export interface VendorRequest {
  /** Below the upstream's URL. */
  readonly path: string;
  readonly body: JsonBody;
}

/** A JSON object built by Querent, unlike `JsonObject`, which was received. */
export type JsonBody = { readonly [member: string]: Json };
type Json = string | number | boolean | null | readonly Json[] | JsonBody;

/** One question for one upstream. */
export interface ModelQuestion {
  readonly upstream: Upstream;
  readonly text: string;
  readonly deep: boolean;
  readonly model: string;
  readonly effort: Effort;
  /** The system text: the persona, and what has no place of its own. Null: none. */
  readonly system: string | null;
  /** The options that the upstream supports. */
  readonly asked: AskedAs;
  readonly now: Date;
}

/** How hard a model thinks: the vendor's default, or a level. */
export const efforts = ["default", "none", "low", "medium", "high"] as const;
export type Effort = (typeof efforts)[number];

/** One endpoint: its URL, model and switches. Complete. */
export interface Upstream {
  /** The code of the vendor whose API format it uses. */
  readonly api: string;
  /** Without a trailing slash. */
  readonly url: string;
  readonly model: string;
  /** Instead of `model`, with `deepAnalysis`. */
  readonly deepModel: string;
  /** The models that a question can request. */
  readonly models: readonly string[];
  /** The environment variable that holds the key; null if no key is needed. */
  readonly keyVariable: string | null;
  /** The header that carries the key instead of the vendor's own. */
  readonly keyHeader: string | null;
  readonly search: boolean;
  readonly thinking: { readonly normal: Effort; readonly deep: Effort };
  /** Deep questions run in the vendor's background mode, where it has one. */
  readonly background: boolean;
  /** Between two requests for the state of a background run. */
  readonly pollSeconds: number;
  /** For one request. */
  readonly timeoutSeconds: number;
  /** Members added to the body of every request, of those that search, and of those with `deepAnalysis`. */
  readonly body: JsonObject;
  readonly searchBody: JsonObject;
  readonly deepBody: JsonObject;
}
