import { Type, type Static, type TObject, type TSchema } from "typebox";
import type { ProblemCode } from "./problem.ts";

export const scopes = ["tasks:write", "tasks:read", "webhook:manage", "usage:read", "admin"] as const;
export type Scope = (typeof scopes)[number];

export interface Reply {
  description: string;
  /** Schema of the body, by media type. None: no body. */
  content?: Record<string, TSchema>;
  headers?: Record<string, TSchema>;
}

/**
 * One operation of the API. Server, OpenAPI document and reference pages are made from it, so they can't disagree.
 * Paths are OpenAPI's: `/v1/tasks/{task_id}`.
 */
export interface Operation {
  id: string;
  method: "GET" | "POST" | "PUT" | "DELETE";
  path: string;
  tag: string;
  summary: string;
  description?: string;
  /** The scope a token needs; null: no token needed. */
  scope: Scope | null;
  /** Opened by anybody who was given its address: requests are limited by where they come from. */
  open?: true;
  headers?: TObject;
  params?: TObject;
  query?: TObject;
  body?: { schema: TSchema; required: boolean; bytesMax: number };
  replies: Record<number, Reply>;
  problems: readonly ProblemCode[];
}

type StaticOr<T, Otherwise> = T extends TSchema ? Static<T> : Otherwise;

/** The validated parts of a request for operation `O`. */
export interface OperationInput<O extends Operation> {
  params: StaticOr<O["params"], Record<never, never>>;
  query: StaticOr<O["query"], Record<never, never>>;
  body: O["body"] extends { schema: infer S extends TSchema } ? Static<S> : undefined;
}

/** Keeps the literal types of an operation while checking its shape. */
export function operation<const O extends Operation>(definition: O): O {
  return definition;
}

export const json = <S extends TSchema>(schema: S) => ({ "application/json": schema });

/** Problems that any authenticated operation may answer with; `validation_failed` also to a parameter that it does not know. */
export const usual = [
  "malformed_request",
  "validation_failed",
  "unauthorized",
  "scope_missing",
  "rate_limited",
  "internal",
  "unavailable",
] as const;

/** And those of operations that may be sent a body. */
export const withBody = ["malformed_json", "payload_too_large", "unsupported_media_type"] as const;

export const cursor = Type.Optional(
  Type.String({ minLength: 1, maxLength: 512, description: "`nextCursor` of the page before." }),
);

/** Elements a page. */
export const pageLimit = Type.Optional(
  Type.Integer({ minimum: 1, maximum: 200, default: 50, description: "Elements a page." }),
);

/** Headers that several operations share. */
export const headers = {
  bodyOrigin: Type.Enum(["kept", "rebuilt"], {
    description: "`kept`: the very bytes. `rebuilt`: made from the task as it is now.",
  }),
  etag: Type.String({ description: "Entity tag of the record; send it back as `If-None-Match`." }),
  retryAfter: Type.Integer({ minimum: 0, description: "Seconds to wait before asking again." }),
  preferenceApplied: Type.String({ description: "`wait=N` when `Prefer: wait=N` was honoured." }),
  idempotentReplayed: Type.Literal("true", {
    description: "Set when this is the stored answer to an earlier request with the same key.",
  }),
};
