/** Tracing by OpenTelemetry, exported by OTLP over HTTP. Imported only if it is on. */
import { AsyncLocalStorage } from "node:async_hooks";
import { Agent as HttpAgent } from "node:http";
import { Agent as HttpsAgent } from "node:https";
import { ROOT_CONTEXT, SpanKind, SpanStatusCode, trace, TraceFlags, type Context } from "@opentelemetry/api";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-http";
import {
  defaultResource,
  detectResources,
  resourceAttributesEnvDetector,
  resourceFromAttributes,
  serviceNameEnvDetector,
} from "@opentelemetry/resources";
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BatchSpanProcessor,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
  type Sampler,
  type SpanExporter,
} from "@opentelemetry/sdk-trace";
import { readTraceParent, type Span, type SpanOptions, type Tracer } from "../kernel/trace.ts";
import { within } from "../kernel/within.ts";

/**
 * How long an export may take, with its retries, and how long a stop waits for it. A longer time (`OTEL_EXPORTER_OTLP_TIMEOUT`) would
 * also keep a process that stops, since the exporter's timers cannot be canceled.
 */
const exportMsMax = 2_000;
const reportEveryMs = 60_000;
/** The result of an export that succeeded. */
const exported = 0;

const kinds = {
  server: SpanKind.SERVER,
  client: SpanKind.CLIENT,
  consumer: SpanKind.CONSUMER,
  internal: SpanKind.INTERNAL,
} as const;

export function openTelemetry(options: TracingOptions): Tracing {
  const { environment, version } = options;
  const number = (name: string, fallback: number) => Number(environment[name] || fallback);
  // The exporter has agents of its own, so that a stop does not wait for a collector that does not answer.
  const agents = { "http:": new HttpAgent({ keepAlive: true }), "https:": new HttpsAgent({ keepAlive: true }) };
  const timeouts = ["OTEL_EXPORTER_OTLP_TIMEOUT", "OTEL_EXPORTER_OTLP_TRACES_TIMEOUT"];
  const exporter = new OTLPTraceExporter({
    ...(timeouts.some((name) => environment[name]) ? {} : { timeoutMillis: exportMsMax }),
    httpAgentOptions: (protocol) => (protocol === "https:" ? agents["https:"] : agents["http:"]),
  });
  const provider = new TracerProvider({
    resource: defaultResource()
      .merge(resourceFromAttributes({ "service.name": "querent", "service.version": version }))
      .merge(detectResources({ detectors: [resourceAttributesEnvDetector, serviceNameEnvDetector] })),
    sampler: samplerOf(environment["OTEL_TRACES_SAMPLER"], environment["OTEL_TRACES_SAMPLER_ARG"]),
    // Bounded: what does not fit is dropped.
    spanProcessors: [
      new BatchSpanProcessor({
        exporter: reporting(exporter, options.onExportFailed),
        maxQueueSize: number("OTEL_BSP_MAX_QUEUE_SIZE", 8192),
        maxExportBatchSize: number("OTEL_BSP_MAX_EXPORT_BATCH_SIZE", 512),
        scheduledDelayMillis: number("OTEL_BSP_SCHEDULE_DELAY", 5_000),
        exportTimeoutMillis: number("OTEL_BSP_EXPORT_TIMEOUT", 30_000),
      }),
    ],
  });
  const tracer = provider.getTracer("querent", version);
  const current = new AsyncLocalStorage<Span>();
  return {
    tracer: {
      start: (name, spanOptions) => startSpan(tracer, name, spanOptions),
      within: (span, work) => current.run(span, work),
    },
    logFields() {
      const ids = readTraceParent(current.getStore()?.traceParent ?? null);
      return ids === null ? {} : { trace_id: ids.traceId, span_id: ids.spanId };
    },
    async stop() {
      // What cannot be exported is lost, which `onExportFailed` reports.
      await within(
        provider.shutdown().catch(() => undefined),
        exportMsMax,
      );
      for (const agent of Object.values(agents)) agent.destroy();
    },
  };
}

function startSpan(
  tracer: ReturnType<TracerProvider["getTracer"]>,
  name: string,
  { kind, parent, attributes, startedAt }: SpanOptions,
): Span {
  const given = { kind: kinds[kind], attributes: present(attributes) };
  const span = tracer.startSpan(
    name,
    startedAt === undefined ? given : { ...given, startTime: startedAt },
    contextOf(parent),
  );
  const { traceId, spanId, traceFlags } = span.spanContext();
  return {
    traceParent: `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, "0")}`,
    set: (more) => void span.setAttributes(present(more)),
    end({ error = null, at } = {}) {
      if (error !== null) {
        span.setStatus({ code: SpanStatusCode.ERROR });
        span.setAttribute("error.type", error);
      }
      span.end(at);
    },
  };
}

function contextOf(parent: string | null): Context {
  const read = readTraceParent(parent);
  if (read === null) return ROOT_CONTEXT;
  const { traceId, spanId, sampled } = read;
  const traceFlags = sampled ? TraceFlags.SAMPLED : TraceFlags.NONE;
  return trace.setSpanContext(ROOT_CONTEXT, { traceId, spanId, traceFlags, isRemote: true });
}

const present = (attributes: SpanOptions["attributes"]) =>
  Object.fromEntries(Object.entries(attributes).flatMap(([name, value]) => (value === null ? [] : [[name, value]])));

/** The samplers that the specification names. */
function samplerOf(name = "parentbased_always_on", argument = "1"): Sampler {
  const [, parentBased, rootName] = /^(parentbased_)?(.*)$/.exec(name) ?? [];
  const roots: Readonly<Record<string, () => Sampler>> = {
    always_on: () => new AlwaysOnSampler(),
    always_off: () => new AlwaysOffSampler(),
    traceidratio: () => new TraceIdRatioBasedSampler(Number(argument)),
  };
  const root = roots[rootName ?? ""];
  if (root === undefined) throw new Error(`OTEL_TRACES_SAMPLER: there is no sampler "${name}".`);
  return parentBased === undefined ? root() : new ParentBasedSampler({ root: root() });
}

/** Reports that spans could not be exported. */
function reporting(exporter: SpanExporter, onFailed: TracingOptions["onExportFailed"]): SpanExporter {
  let reportedAt = Number.NEGATIVE_INFINITY;
  let lost = 0;
  return {
    export(spans, done) {
      exporter.export(spans, (result) => {
        const code: number = result.code;
        if (code !== exported) {
          lost += spans.length;
          if (performance.now() - reportedAt > reportEveryMs) {
            reportedAt = performance.now();
            onFailed({ spans: lost, error: result.error?.message ?? "unknown" });
            lost = 0;
          }
        }
        done(result);
      });
    },
    shutdown: () => exporter.shutdown(),
  };
}

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
