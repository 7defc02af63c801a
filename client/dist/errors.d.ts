/**
 * One class for each way in which a caller handles an error, regardless of the status. Each has the service's `problem`, the
 * `requestId` to give to the operator, and the idempotency key of a submission, so that it can be retried without being
 * charged twice.
 */
import type { Problem, ProblemCode, ProblemItem } from "./wire.ts";
export interface ErrorContext {
  /** The HTTP status. Null if there was no response. */
  readonly status?: number | null;
  readonly problem?: Problem | null;
  readonly requestId?: string | null;
  readonly idempotencyKey?: string | null;
  /** The delay that the service requests before a retry. */
  readonly retryAfterMs?: number | null;
  readonly cause?: unknown;
}
export declare abstract class QuerentError extends Error {
  abstract readonly name: string;
  readonly status: number | null;
  readonly problem: Problem | null;
  readonly requestId: string | null;
  readonly idempotencyKey: string | null;
  constructor(message: string, context?: ErrorContext);
  /** The stable code of the problem, if the service returned one. */
  get code(): ProblemCode | null;
}
/** The request must be changed: it is invalid or too large, or its key belongs to another body. Nothing was accepted. */
export declare class InvalidRequestError extends QuerentError {
  readonly name = "InvalidRequestError";
  /** The first 100 errors, each with a JSON Pointer. */
  get errors(): readonly ProblemItem[];
}
/** The token is missing, unknown, revoked or expired. */
export declare class UnauthorizedError extends QuerentError {
  readonly name = "UnauthorizedError";
}
/** The token lacks a scope. */
export declare class ForbiddenError extends QuerentError {
  readonly name = "ForbiddenError";
}
/** The account does not have enough points for the whole batch. Nothing was accepted. */
export declare class PointsShortError extends QuerentError {
  readonly name = "PointsShortError";
}
/** The resource does not exist for this account. */
export declare class NotFoundError extends QuerentError {
  readonly name = "NotFoundError";
}
/** The state of the resource does not allow it, or a request with the same key is in progress. */
export declare class ConflictError extends QuerentError {
  readonly name = "ConflictError";
}
/**
 * The resource existed, but its retention period has passed (`gone`), or a cursor of the feed names an event that no longer
 * exists (`events_replaced`).
 */
export declare class GoneError extends QuerentError {
  readonly name = "GoneError";
  /** For a cursor of the feed: the cursor after which to continue. */
  get resumeAfter(): string | null;
}
/** Too many requests. */
export declare class RateLimitedError extends QuerentError {
  readonly name = "RateLimitedError";
  readonly retryAfterMs: number | null;
  constructor(message: string, context?: ErrorContext);
}
/** The service is temporarily unavailable. Retry later, a submission with the same key. */
export declare class UnavailableError extends QuerentError {
  readonly name = "UnavailableError";
  readonly retryAfterMs: number | null;
  constructor(message: string, context?: ErrorContext);
}
/** There was no response, so it is unknown whether the request arrived. Retry a submission with the same key. */
export declare class ConnectionError extends QuerentError {
  readonly name = "ConnectionError";
}
/** There was no complete response within `timeoutMs`, so it is unknown whether the request arrived. */
export declare class RequestTimeoutError extends QuerentError {
  readonly name = "RequestTimeoutError";
}
/** The response is not from this service, or not in a known format. */
export declare class UnexpectedReplyError extends QuerentError {
  readonly name = "UnexpectedReplyError";
}
/** The timeout of a wait has passed. The task or batch with this `id` continues. */
export declare class WaitTimeoutError extends QuerentError {
  readonly name = "WaitTimeoutError";
  readonly id: string;
  constructor(message: string, id: string);
}
/** The error for a response. */
export declare function refusal(status: number, context: ErrorContext): QuerentError;
