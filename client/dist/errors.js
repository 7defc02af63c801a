export class QuerentError extends Error {
  status;
  problem;
  requestId;
  idempotencyKey;
  constructor(message, context = {}) {
    super(message, context.cause === undefined ? undefined : { cause: context.cause });
    this.status = context.status ?? null;
    this.problem = context.problem ?? null;
    this.requestId = context.requestId ?? context.problem?.requestId ?? null;
    this.idempotencyKey = context.idempotencyKey ?? null;
  }
  /** The stable code of the problem, if the service returned one. */
  get code() {
    return this.problem?.code ?? null;
  }
}
/** The request must be changed: it is invalid or too large, or its key belongs to another body. Nothing was accepted. */
export class InvalidRequestError extends QuerentError {
  name = "InvalidRequestError";
  /** The first 100 errors, each with a JSON Pointer. */
  get errors() {
    return this.problem?.errors ?? [];
  }
}
/** The token is missing, unknown, revoked or expired. */
export class UnauthorizedError extends QuerentError {
  name = "UnauthorizedError";
}
/** The token lacks a scope. */
export class ForbiddenError extends QuerentError {
  name = "ForbiddenError";
}
/** The account does not have enough points for the whole batch. Nothing was accepted. */
export class PointsShortError extends QuerentError {
  name = "PointsShortError";
}
/** The resource does not exist for this account. */
export class NotFoundError extends QuerentError {
  name = "NotFoundError";
}
/** The state of the resource does not allow it, or a request with the same key is in progress. */
export class ConflictError extends QuerentError {
  name = "ConflictError";
}
/**
 * The resource existed, but its retention period has passed (`gone`), or a cursor of the feed names an event that no longer
 * exists (`events_replaced`).
 */
export class GoneError extends QuerentError {
  name = "GoneError";
  /** For a cursor of the feed: the cursor after which to continue. */
  get resumeAfter() {
    return this.problem?.resumeAfter ?? null;
  }
}
/** Too many requests. */
export class RateLimitedError extends QuerentError {
  name = "RateLimitedError";
  retryAfterMs;
  constructor(message, context = {}) {
    super(message, context);
    this.retryAfterMs = context.retryAfterMs ?? null;
  }
}
/** The service is temporarily unavailable. Retry later, a submission with the same key. */
export class UnavailableError extends QuerentError {
  name = "UnavailableError";
  retryAfterMs;
  constructor(message, context = {}) {
    super(message, context);
    this.retryAfterMs = context.retryAfterMs ?? null;
  }
}
/** There was no response, so it is unknown whether the request arrived. Retry a submission with the same key. */
export class ConnectionError extends QuerentError {
  name = "ConnectionError";
}
/** There was no complete response within `timeoutMs`, so it is unknown whether the request arrived. */
export class RequestTimeoutError extends QuerentError {
  name = "RequestTimeoutError";
}
/** The response is not from this service, or not in a known format. */
export class UnexpectedReplyError extends QuerentError {
  name = "UnexpectedReplyError";
}
/** The timeout of a wait has passed. The task or batch with this `id` continues. */
export class WaitTimeoutError extends QuerentError {
  name = "WaitTimeoutError";
  id;
  constructor(message, id) {
    super(message);
    this.id = id;
  }
}
/** The error for a response. */
export function refusal(status, context) {
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
