import type { Tracer } from "../kernel/trace.ts";

type Environment = Readonly<Record<string, string | undefined>>;

export interface Tracing {
  readonly tracer: Tracer;
  /** The ids of the span that the current work belongs to, for log lines. */
  logFields(): { readonly trace_id?: string; readonly span_id?: string };
  /** Exports what is left, for a moment at most. */
  stop(): Promise<void>;
}

export interface TracingOptions {
  readonly environment: Environment;
  readonly version: string;
  /** Called when spans could not be exported, at most once a minute. */
  readonly onExportFailed: (failure: { readonly spans: number; readonly error: string }) => void;
}

/**
 * Starts tracing if the standard variables of OpenTelemetry ask for it; null if not. Only then are the packages loaded, so that a
 * service without traces does not pay for them.
 */
export async function startTracing(options: TracingOptions): Promise<Tracing | null> {
  if (!isWanted(options.environment)) return null;
  const { openTelemetry } = await import("./open-telemetry.ts");
  return openTelemetry(options);
}

function isWanted(environment: Environment): boolean {
  if (environment["OTEL_SDK_DISABLED"]?.toLowerCase() === "true") return false;
  const exporter = environment["OTEL_TRACES_EXPORTER"];
  if (exporter !== undefined && exporter !== "") return exporter === "otlp";
  return ["OTEL_EXPORTER_OTLP_ENDPOINT", "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT"].some(
    (name) => (environment[name] ?? "") !== "",
  );
}
