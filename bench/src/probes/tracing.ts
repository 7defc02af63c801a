/** What traces cost: the same work without them, with one in ten submissions traced, with all, and with a collector that is down. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Bench } from "../bench.ts";
import { startQuerent } from "../contenders/querent.ts";
import { endToEnd } from "./end-to-end.ts";
import type { Line } from "./probe.ts";

export async function tracing(bench: Bench): Promise<Line[]> {
  let bytes = 0;
  const collector = createServer((request, response) => {
    request.on("data", (chunk: Buffer) => (bytes += chunk.length));
    request.on("end", () => response.end("{}"));
  });
  await new Promise<void>((resolve) => collector.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(collector.address() as AddressInfo).port}`;
  const kinds: Readonly<Record<string, Readonly<Record<string, string>>>> = {
    off: {},
    "one in ten": {
      OTEL_EXPORTER_OTLP_ENDPOINT: url,
      OTEL_TRACES_SAMPLER: "parentbased_traceidratio",
      OTEL_TRACES_SAMPLER_ARG: "0.1",
    },
    all: { OTEL_EXPORTER_OTLP_ENDPOINT: url },
    "all, without a collector": { OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:1" },
  };
  try {
    const results = await endToEnd(
      bench,
      Object.entries(kinds).map(([name, environment], index) => ({
        name,
        start: async () =>
          startQuerent(
            { ...(await bench.input(`tracing_${index}`)), accounts: bench.scale.accounts, environment },
            bench.scale.connections,
          ),
      })),
    );
    bench.progress(`  the collector received ${Math.round(bytes / 1e6)} MB`);
    const off = results[0];
    return results.map(({ name, rate, ofFirst, cpuUs }) => ({
      what: `traces: ${name}`,
      figure: `${rate.median.toFixed(0)}/s; ${cpuUs.median.toFixed(0)} us of the process per task`,
      ratio: `x ${ofFirst.median.toFixed(2)}; x ${(cpuUs.median / (off?.cpuUs.median ?? Number.NaN)).toFixed(2)}`,
      target: "",
    }));
  } finally {
    collector.closeAllConnections();
    collector.close();
  }
}
