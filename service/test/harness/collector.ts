/** A collector of OpenTelemetry traces on 127.0.0.1, which keeps the spans that it receives by OTLP over HTTP as JSON. */
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export interface CollectedSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId: string;
  readonly name: string;
  /** 1 internal, 2 server, 3 client, 5 consumer. */
  readonly kind: number;
  readonly seconds: number;
  readonly attributes: Readonly<Record<string, string | number>>;
  readonly failed: boolean;
}

export interface TraceCollector {
  readonly url: string;
  readonly spans: CollectedSpan[];
  /** The names of services that sent spans. */
  readonly services: Set<string>;
  /** Everything that it received. */
  readonly text: () => string;
  requests: number;
  close(): Promise<void>;
}

interface Attribute {
  readonly key: string;
  readonly value: { readonly stringValue?: string; readonly intValue?: number | string };
}
interface Span {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly kind: number;
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly attributes?: readonly Attribute[];
  readonly status?: { readonly code?: number };
}
interface Export {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: readonly Attribute[] };
    readonly scopeSpans: readonly { readonly spans: readonly Span[] }[];
  }[];
}

/** `answer`: how it responds; 200 by default. */
export async function startTraceCollector(
  answer: (response: ServerResponse) => void = (response) => void response.end("{}"),
): Promise<TraceCollector> {
  const texts: string[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    collector.requests++;
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const text = Buffer.concat(chunks).toString();
      texts.push(text);
      for (const { resource, scopeSpans } of (JSON.parse(text) as Export).resourceSpans) {
        collector.services.add(String(valuesOf(resource.attributes)["service.name"]));
        collector.spans.push(...scopeSpans.flatMap(({ spans }) => spans.map(collected)));
      }
      answer(response);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const collector: TraceCollector = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans: [],
    services: new Set(),
    text: () => texts.join("\n"),
    requests: 0,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return collector;
}

function collected({ traceId, spanId, parentSpanId = "", name, kind, attributes = [], status, ...times }: Span) {
  const seconds = Number(BigInt(times.endTimeUnixNano) - BigInt(times.startTimeUnixNano)) / 1e9;
  return {
    traceId,
    spanId,
    parentSpanId,
    name,
    kind,
    seconds,
    attributes: valuesOf(attributes),
    failed: status?.code === 2,
  };
}

const valuesOf = (attributes: readonly Attribute[]) =>
  Object.fromEntries(
    attributes.map(({ key, value }) => [
      key,
      value.stringValue ?? (value.intValue === undefined ? "" : Number(value.intValue)),
    ]),
  );
