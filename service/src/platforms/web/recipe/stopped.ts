import type { FailureCode } from "@querent/contract";

/**
 * Why a drive ended without an answer, in the engine's terms. Thrown inside the driver, and converted to an outcome at its
 * boundary.
 */
export class Stopped extends Error {
  readonly code: FailureCode;
  readonly retryable: boolean;
  readonly status: number | null;
  readonly retryAfterMs: number | null;
  /** The place in the recipe whose element was not on the page; null if that is not the reason. */
  readonly lacking: string | null;

  constructor(
    code: FailureCode,
    message: string,
    more: {
      retryable?: boolean;
      status?: number | null;
      retryAfterMs?: number;
      lacking?: string | null;
      cause?: unknown;
    } = {},
  ) {
    super(message, more.cause === undefined ? undefined : { cause: more.cause });
    this.name = "Stopped";
    this.code = code;
    this.retryable = more.retryable ?? defaultRetryable.has(code);
    this.status = more.status ?? null;
    this.lacking = more.lacking ?? null;
    this.retryAfterMs = code === "platform_rate_limited" ? (more.retryAfterMs ?? 60_000) : null;
  }
}

const defaultRetryable: ReadonlySet<FailureCode> = new Set([
  "platform_unavailable",
  "platform_timeout",
  "platform_rate_limited",
  "platform_bad_response",
]);
