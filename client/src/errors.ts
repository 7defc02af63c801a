/**
 * One class for each consequence: what a caller does about it differs, what the status was does not matter. Each carries
 * the service's own words (`problem`), the id to name to the operator (`requestId`), and the key that a submission was
 * sent with, so that it can be sent again and is paid for once.
 */
import type { Problem, ProblemCode, ProblemItem } from "./wire.ts";

export interface ErrorContext {
  /** The HTTP status; null when no answer came. */
  readonly status?: number | null;
  readonly problem?: Problem | null;
  readonly requestId?: string | null;
  readonly idempotencyKey?: string | null;
  /** How long the service asks to be left alone. */
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

  /** The stable code of the problem, when the service answered with one. */
  get code(): ProblemCode | null {
    return this.problem?.code ?? null;
  }
}

/** The request has to be changed: it is not valid, too large, or its key belongs to another body. Nothing was accepted. */
export class InvalidRequestError extends QuerentError {
  override readonly name = "InvalidRequestError";
  /** Every place that is wrong, as a JSON Pointer each (the first 100). */
  get errors(): readonly ProblemItem[] {
    return this.problem?.errors ?? [];
  }
}

/** The token is missing, unknown, revoked or expired. */
export class UnauthorizedError extends QuerentError {
  override readonly name = "UnauthorizedError";
}

/** The token was not issued for this: it lacks a scope. */
export class ForbiddenError extends QuerentError {
  override readonly name = "ForbiddenError";
}

/** The account's points can't hold the whole batch. Nothing was accepted. */
export class PointsShortError extends QuerentError {
  override readonly name = "PointsShortError";
}

/** It is not there, for this account. */
export class NotFoundError extends QuerentError {
  override readonly name = "NotFoundError";
}

/** The state forbids it, or the same key is being processed. */
export class ConflictError extends QuerentError {
  override readonly name = "ConflictError";
}

/** It was there; its retention period has passed. */
export class GoneError extends QuerentError {
  override readonly name = "GoneError";
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

/** The service can't do it right now: try again later, a submission with the same key. */
export class UnavailableError extends QuerentError {
  override readonly name = "UnavailableError";
  readonly retryAfterMs: number | null;
  constructor(message: string, context: ErrorContext = {}) {
    super(message, context);
    this.retryAfterMs = context.retryAfterMs ?? null;
  }
}

/** No answer came: whether the request arrived is not known. A submission may be sent again with the same key. */
export class ConnectionError extends QuerentError {
  override readonly name = "ConnectionError";
}

/** No whole answer came within `timeoutMs`: whether the request arrived is not known. */
export class RequestTimeoutError extends QuerentError {
  override readonly name = "RequestTimeoutError";
}

/** Something answered that is not this service, or a proxy before it. */
export class UnexpectedReplyError extends QuerentError {
  override readonly name = "UnexpectedReplyError";
}

/** The time given for waiting is over. What was waited for goes on; `id` is its task or batch. */
export class WaitTimeoutError extends QuerentError {
  override readonly name = "WaitTimeoutError";
  readonly id: string;
  constructor(message: string, id: string) {
    super(message);
    this.id = id;
  }
}

/** The error that a refusal means. */
export function refusal(status: number, context: ErrorContext): QuerentError {
  const { problem } = context;
  const more = problem?.errors?.[0];
  const message =
    problem === null || problem === undefined
      ? `The service answered ${status}.`
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
