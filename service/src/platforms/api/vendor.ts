/** A vendor of model APIs is one object in a file of `vendors/`: its requests, how its answers are read, and what it documents. */
import type { AskedAs, AskedAsMember, LocationPart, PlatformOptionValues } from "@querent/contract";
import type { ReturnedField } from "../platform.ts";
import type { JsonObject } from "./body/json.ts";
import type { ChatExtras } from "./read/chat.ts";

export interface Vendor {
  readonly code: string;
  /** Its place in lists of platforms. */
  readonly order: number;
  readonly name: string;
  /** Its name in OpenTelemetry's conventions, if that is not the code. */
  readonly tracedAs?: string;
  readonly defaults: {
    readonly url: string;
    readonly keyVariable: string | null;
    readonly model: string;
    readonly deepModel?: string;
    readonly thinking?: { readonly normal: Effort; readonly deep: Effort };
    readonly background?: boolean;
  };
  /** The vendor's page where one gets a key; null if none is known. */
  readonly keyPage: string | null;
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
  /** What its chat completions have besides the form's own members. */
  readonly extras: ChatExtras;
  /** Null: it has no documentation of its own. */
  readonly documentation: Documented | null;
  readonly options: OptionPlaces;
}

/** What to send after a response with status 200; null when it is the last. */
export type FollowUp = (
  sent: { readonly url: string; readonly body: JsonObject },
  received: JsonObject,
) => NextRequest | null;

export interface NextRequest {
  readonly method: "GET" | "POST";
  readonly url: string;
  readonly body: JsonObject | null;
  readonly delayMs: number;
  /** Only asks for the state of a run: its response replaces the one before, and a transient error is retried. */
  readonly poll: boolean;
}

/** What a vendor's request rests on: the facts as documented, the page, and the day on which they were looked up. */
export interface Documented {
  /** Of a question with search, below the vendor's URL. */
  readonly path: string;
  /** The default model or preset. */
  readonly model: string;
  /** The name of the search tool; null if the model or preset brings its own. */
  readonly search: string | null;
  /** Null if no current page of the vendor was found. */
  readonly page: string | null;
  readonly checked: string;
  /** The facts that the vendor's documentation could not be found to state on that day. */
  readonly unconfirmed: readonly ("path" | "model" | "search")[];
}

/**
 * Where a request takes the options that say from where, as whom and with what a question is asked. What a vendor supports is derived
 * from the requests that these functions make (`upstream-support.ts`), so it is stated nowhere else.
 */
export interface OptionPlaces {
  /** The request with a system text. */
  readonly system: (body: JsonBody, text: string) => JsonBody;
  /** The request with an option, in a place of the vendor's own. A member that is missing has none. */
  readonly native?: NativePlaces;
  /** The members of a location that `native.location` places. */
  readonly location?: readonly LocationPart[];
  /** How many domains `native.domains` places; a function of the request if that depends on it. */
  readonly domains?: DomainLimits | ((body: JsonBody) => DomainLimits | null);
  /** Where the vendor documents the places; null: it has none. */
  readonly page: string | null;
  readonly checked: string;
  /** The vendor's own page could not be read on that day: these rest on what others document of it. */
  readonly unconfirmed?: readonly AskedAsMember[];
}

export type DomainLimits = NonNullable<PlatformOptionValues["domains"]>;

export type NativePlaces = {
  readonly [Member in Exclude<AskedAsMember, "persona" | "model">]?: (
    body: JsonBody,
    value: NonNullable<AskedAs[Member]>,
    now: Date,
  ) => JsonBody;
};

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
