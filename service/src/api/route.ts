/**
 * How a feature provides an operation of the API: a definition from the contract and a plain async function. Nothing here
 * depends on the HTTP server, so a test can call a handler directly.
 */
import type { AssistantScope, MemberRole, Operation, OperationInput, Scope } from "@querent/contract";
import type { Readable } from "node:stream";
import { secretPrefixes } from "../kernel/secret-prefixes.ts";
import type { ProblemError } from "./problem-error.ts";

/** The account and the access that the request was authenticated with. */
export interface Caller {
  readonly accountId: string;
  readonly accountName: string;
  /** What people call it: the token's name, or the person's e-mail address. */
  readonly name: string | null;
  /** The id under which what the caller does is counted: that of the token or, for a person, of the membership. */
  readonly tokenId: string;
  /** The id of the token or of the login. Work that goes on after its request was authenticated checks that it is still valid. */
  readonly accessId: string;
  /** What the token or the person's role allows, including what these scopes include. */
  readonly scopes: readonly Scope[];
  /** The projects to which the access is limited, by id. Null: it is for the whole account. */
  readonly projects: readonly string[] | null;
  /** Null: a program with a token. */
  readonly person: SignedIn | null;
  /** Set for an assistant that the person has connected: it may do less than the person, and at `/mcp` alone. */
  readonly connection?: {
    /** What the person's role allows it, if the person gives it more. */
    readonly allowed: readonly AssistantScope[];
  };
}

/** Whether a token is that of a connected assistant, if it is a token at all. */
export const isConnectionToken = (token: string) => token.startsWith(secretPrefixes.connection);

/** From where a request came, which no header can say otherwise: the other end of its connection, and its headers as they were sent. */
export interface Peer {
  /** Null: there is no connection, or one without an address. */
  readonly address: string | null;
  /** By lower-case name: each value that was sent, in order. */
  readonly headers: Readonly<Record<string, readonly string[] | undefined>>;
}

/** A person who is signed in. */
export interface SignedIn {
  readonly personId: string;
  /** The id of the login or, of an assistant, of its connection. */
  readonly loginId: string;
  readonly memberId: string;
  readonly role: MemberRole;
  /** The account requires a second factor, and this login has shown none. */
  readonly needsFactor: boolean;
  /** Set for a login that a proxy began: as whom the proxy stated the person. */
  readonly statedAs?: { readonly issuer: string; readonly subject: string };
}

export type CallerOf<O extends Operation> = O["scope"] extends null
  ? O extends { readonly login: "required" }
    ? Caller & { readonly person: SignedIn }
    : null
  : Caller;

export interface RouteRequest<O extends Operation> extends OperationInput<O> {
  /** The caller; operations without a scope have none, unless they require a login. */
  readonly caller: CallerOf<O>;
  /** The client's address. */
  readonly address: string;
  readonly peer: Peer;
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  /** The body's exact bytes. */
  readonly rawBody: Buffer;
  /** The `Idempotency-Key`, unquoted; null for operations without one. */
  readonly idempotencyKey: string | null;
  readonly requestId: string;
  /** The trace context of the request; null if it is not traced. */
  readonly traceParent: string | null;
  /** Why new tasks are refused, of operations that create some: thrown unless the request repeats one that was accepted. */
  readonly full: ProblemError | null;
  /** The secret of what this browser has begun, at an identity provider or with a passkey; null if there is none. */
  readonly attempt: string | null;
  /** Aborts if the client disconnects or the server stops. */
  readonly signal: AbortSignal;
}

export interface RouteReply {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Begins a login in the browser that asked, by its secret; null ends the browser's login. */
  readonly login?: { readonly secret: string; readonly expiresAt: Date } | null;
  /** Begins something at an identity provider or with a passkey in the browser that asked; null ends it. */
  readonly attempt?: { readonly secret: string; readonly expiresAt: Date } | null;
  /** An object is sent as JSON; a string or a stream unchanged, with the `content-type` in `headers`. None: no body. */
  readonly body?: object | string | Buffer | Readable;
}

export interface Route<O extends Operation = Operation> {
  readonly operation: O;
  handle(request: RouteRequest<O>): Promise<RouteReply>;
}

/** Combines an operation with its handler, keeping the handler's types. */
export function route<const O extends Operation>(
  operation: O,
  handle: (request: RouteRequest<O>) => Promise<RouteReply>,
): Route {
  return { operation, handle };
}

/** The header of a response that was read from a replica of the database. */
export const asOfHeaders = (asOf: Date | null): Record<string, string> =>
  asOf === null ? {} : { "as-of": asOf.toISOString() };
