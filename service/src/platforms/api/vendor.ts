/** What differs between vendors of model APIs: how a request is written, and where an answer keeps what. */
import type { ReturnedField } from "../platform.ts";
import type { JsonObject } from "./body/json.ts";
import type { ChatExtras } from "./read/chat.ts";
import type { Follow } from "./wire/exchange.ts";

/** How hard a model shall think: the vendor's own choice, or a level. */
export const efforts = ["default", "none", "low", "medium", "high"] as const;
export type Effort = (typeof efforts)[number];

/** One place that answers: its address, its model, its switches. Complete. */
export interface Upstream {
  /** The vendor whose form it speaks. */
  readonly api: string;
  /** Without a slash at the end. */
  readonly url: string;
  readonly model: string;
  /** Instead of `model`, with `deepAnalysis`. */
  readonly deepModel: string;
  /** The environment variable that holds the key; null where none is needed. */
  readonly keyVariable: string | null;
  /** The header that carries the key, where it is not the vendor's own. */
  readonly keyHeader: string | null;
  readonly search: boolean;
  readonly thinking: { readonly normal: Effort; readonly deep: Effort };
  /** Deep questions run in the vendor's background mode, where it has one. */
  readonly background: boolean;
  /** Between two questions of how far a background run is. */
  readonly pollSeconds: number;
  /** For one request. */
  readonly timeoutSeconds: number;
  /** Members added to every request's body; to those that search; to those with `deepAnalysis`. */
  readonly body: JsonObject;
  readonly searchBody: JsonObject;
  readonly deepBody: JsonObject;
}

/** One question on its way to one upstream. */
export interface Asking {
  readonly upstream: Upstream;
  readonly text: string;
  readonly deep: boolean;
  readonly model: string;
  readonly effort: Effort;
  readonly key: string;
  readonly signal: AbortSignal;
}

export type Fetch = (input: string | URL | Request, init?: RequestInit) => Promise<Response>;

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
  /** What its answers can hold, search being on. */
  readonly returns: readonly ReturnedField[];
  /** Those that are there only when it searches. */
  readonly whenSearching: readonly ReturnedField[];
  /** Whether the API searches, so that `search` does something. */
  readonly searches: boolean;
  /** Sends one question through `fetch`, which keeps what comes back; a failure to read it is not this function's to tell. */
  send(asking: Asking, fetch: Fetch): Promise<void>;
  /** Members of the body that the SDK does not write. */
  body?(asking: Asking, written: JsonObject): JsonObject;
  follow?(asking: Asking): Follow | null;
  cancel?(asking: Asking): ((received: JsonObject) => string | null) | null;
  readonly extras: ChatExtras;
}
