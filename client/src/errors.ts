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

export abstract class QuerentError extends Error {
  abstract override readonly name: string;
  readonly status: number | null;
  readonly problem: Problem | null;
  readonly requestId: string | null;
  readonly idempotencyKey: string | null;

  constructor(message: string, context: ErrorContext = {}) {
    super(message, context.cause === undefined ? undefined : { cause: context.cause });
    this.status = context.status ?? null;
    this.problem = context.problem ?? null;
    this.requestId = context.requestId ?? context.problem?.requestId ?? null;
    this.idempotencyKey = context.idempotencyKey ?? null;
  }

  /** The stable code of the problem, if the service returned one. */
  get code(): ProblemCode | null {
    return this.problem?.code ?? null;
  }
}

/** The request must be changed: it is invalid or too large, or its key belongs to another body. Nothing was accepted. */
export class InvalidRequestError extends QuerentError {
  override readonly name = "InvalidRequestError";
  /** The first 100 errors, each with a JSON Pointer. */
  get errors(): readonly ProblemItem[] {
    return this.problem?.errors ?? [];
  }
}

/** The token is missing, unknown, revoked or expired. */
export class UnauthorizedError extends QuerentError {
  override readonly name = "UnauthorizedError";
}

/** The token lacks a scope. */
export class ForbiddenError extends QuerentError {
  override readonly name = "ForbiddenError";
}

/** The points are not there: too few are available, a cap does not allow it, or it costs more than `maxPoints`. Nothing was accepted. */
export class PointsShortError extends QuerentError {
  override readonly name = "PointsShortError";
}

/** The resource does not exist for this account. */
export class NotFoundError extends QuerentError {
  override readonly name = "NotFoundError";
}

/** The state of the resource does not allow it, or a request with the same key is in progress. */
export class ConflictError extends QuerentError {
  override readonly name = "ConflictError";
}

/**
 * The resource existed, but its retention period has passed (`gone`), or a cursor of the feed names an event that no longer
 * exists (`events_replaced`).
 */
export class GoneError extends QuerentError {
  override readonly name = "GoneError";
  /** The cursor after which a reader of the feed continues. */
  get resumeAfter(): string | null {
    return this.problem?.resumeAfter ?? null;
  }
}

/** Too many requests. */
export class RateLimitedError extends QuerentError {
  override readonly name = "RateLimitedError";
  readonly retryAfterMs: number | null;
  constructor(message: string, context: ErrorContext = {}) {
    super(message, context);
    this.retryAfterMs = context.retryAfterMs ?? null;
  }
}

/** The service is temporarily unavailable. Retry later, a submission with the same key. */
export class UnavailableError extends QuerentError {
  override readonly name = "UnavailableError";
  readonly retryAfterMs: number | null;
  constructor(message: string, context: ErrorContext = {}) {
    super(message, context);
    this.retryAfterMs = context.retryAfterMs ?? null;
  }
}

/** There was no response, so it is unknown whether the request arrived. Retry a submission with the same key. */
export class ConnectionError extends QuerentError {
  override readonly name = "ConnectionError";
}

/** There was no complete response within `timeoutMs`, so it is unknown whether the request arrived. */
export class RequestTimeoutError extends QuerentError {
  override readonly name = "RequestTimeoutError";
}

/** The response is not from this service, or not in a known format. */
export class UnexpectedReplyError extends QuerentError {
  override readonly name = "UnexpectedReplyError";
}

/** The timeout of a wait has passed. The task or batch with this `id` continues. */
export class WaitTimeoutError extends QuerentError {
  override readonly name = "WaitTimeoutError";
  readonly id: string;
  constructor(message: string, id: string) {
    super(message);
    this.id = id;
  }
}

/** The error for a response. */
export function refusal(status: number, context: ErrorContext): QuerentError {
  const { problem } = context;
  const more = problem?.errors?.[0];
  const message =
    problem === null || problem === undefined
      ? `The service returned ${status}.`
      : `${problem.title} (${problem.code}): ${problem.detail}${more === undefined ? "" : ` ${more.pointer}: ${more.detail}`}`;
  const all = { ...context, status };
  switch (status) {
    case 401:
      return new UnauthorizedError(message, all);
    case 402:
      return new PointsShortError(message, all);
    case 403:
      return new ForbiddenError(message, all);
    case 404:
      return new NotFoundError(message, all);
    case 409:
      return new ConflictError(message, all);
    case 410:
      return new GoneError(message, all);
    case 429:
      return new RateLimitedError(message, all);
    case 408:
      return new UnavailableError(message, all);
    default:
      return status >= 500 ? new UnavailableError(message, all) : new InvalidRequestError(message, all);
  }
}
