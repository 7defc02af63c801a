/** Traces, as the rest of the service sees them. Without a tracer nothing is traced, and nothing else changes. */

type Attributes = Readonly<Record<string, string | number | boolean | null>>;

export interface SpanOptions {
  readonly kind: "server" | "client" | "consumer" | "internal";
  /** The span above it, as in the header `traceparent`; null or not valid: it starts a trace. */
  readonly parent: string | null;
  /** The attributes of the span. Those that are null are left out. */
  readonly attributes: Attributes;
  /** Now, by default. */
  readonly startedAt?: Date;
}

export interface Span {
  /** The span, as in the header `traceparent`. */
  readonly traceParent: string;
  set(attributes: Attributes): void;
  /** `error`: the kind of error, if it failed. */
  end(end?: { readonly error?: string | null; readonly at?: Date }): void;
}

export interface Tracer {
  start(name: string, options: SpanOptions): Span;
  /** Calls `work` so that the lines that it logs carry the ids of the span. */
  within<Result>(span: Span, work: () => Result): Result;
}

/** Version 00, with ids that are not zero. */
const pattern = /^00-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})$/;

/** The parts of a `traceparent`; null if it is not valid. */
export function readTraceParent(
  text: string | null,
): { readonly traceId: string; readonly spanId: string; readonly sampled: boolean } | null {
  const [, traceId, spanId, flags] = pattern.exec(text ?? "") ?? [];
  if (traceId === undefined || spanId === undefined || flags === undefined) return null;
  return { traceId, spanId, sampled: (Number.parseInt(flags, 16) & 1) === 1 };
}
