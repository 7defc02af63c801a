import type { Consumption } from "../kernel/consumption.ts";
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from "prom-client";
import {
  metricDefinitions,
  type CounterName,
  type HistogramName,
  type Labels,
  type MetricName,
  type ReadName,
  type MetricSample,
} from "./catalogue.ts";

/** Returns the values of a metric when it is scraped. A number is the value of a metric without labels; null: it has none now. */
type Read<Name extends MetricName> = () =>
  | readonly MetricSample<Name>[]
  | number
  | null
  | Promise<readonly MetricSample<Name>[] | number | null>;

/** The metrics of the catalogue, in the Prometheus text format. */
export class Metrics {
  readonly #registry = new Registry();
  readonly #counters = new Map<string, Counter>();
  readonly #histograms = new Map<string, Histogram>();
  readonly #reads = new Map<string, Read<MetricName>>();

  constructor() {
    collectDefaultMetrics({ register: this.#registry, prefix: "querent_" });
    for (const [name, { type, help, labels = {}, buckets = [] }] of Object.entries(metricDefinitions)) {
      const registers = [this.#registry];
      const shape = { name, help, labelNames: Object.keys(labels), registers };
      const read = () => this.#read(name);
      if (type === "histogram") this.#histograms.set(name, new Histogram({ ...shape, buckets: [...buckets] }));
      else if (type === "counter") {
        const counter = new Counter({
          ...shape,
          async collect() {
            const samples = await read();
            if (samples === undefined) return;
            this.reset();
            for (const sample of samples) this.inc({ ...sample.labels }, sample.value);
          },
        });
        this.#counters.set(name, counter);
      } else {
        new Gauge({
          ...shape,
          async collect() {
            const samples = (await read()) ?? [];
            this.reset();
            if (samples.length === 0) this.remove({});
            for (const sample of samples) this.set({ ...sample.labels }, sample.value);
          },
        });
      }
    }
  }

  add<Name extends CounterName>(name: Name, labels: Labels<Name>, value = 1): void {
    this.#counters.get(name)?.inc({ ...labels }, value);
  }

  observe<Name extends HistogramName>(name: Name, labels: Labels<Name>, value: number): void {
    this.#histograms.get(name)?.observe({ ...labels }, value);
  }

  /** The metric is read when it is scraped. */
  read<Name extends ReadName>(name: Name, read: Read<Name>): void {
    this.#reads.set(name, read);
  }

  /** What an attempt consumed, even if its answer cannot be used or is no longer wanted. */
  consumed(
    platform: string,
    consumption: Consumption,
    cost: { readonly basis: string; readonly amount: number; readonly currency: string } | null,
  ): void {
    const { inputTokens, outputTokens, searches, cachedTokens = null } = consumption;
    if (inputTokens !== null) this.add("querent_platform_tokens_total", { platform, direction: "input" }, inputTokens);
    if (outputTokens !== null)
      this.add("querent_platform_tokens_total", { platform, direction: "output" }, outputTokens);
    if (cachedTokens !== null) this.add("querent_platform_cached_tokens_total", { platform }, cachedTokens);
    if (searches !== null) this.add("querent_platform_searches_total", { platform }, searches);
    if (cost !== null) {
      const { basis, amount, currency } = cost;
      this.add("querent_platform_cost_total", { platform, basis, currency }, amount);
    }
  }

  /** Measures one attempt to make an artifact. */
  async artifact<Result>(kind: "page" | "screenshot", making: Promise<Result>): Promise<Result> {
    const from = performance.now();
    const note = (outcome: string) =>
      this.observe("querent_artifact_seconds", { kind, outcome }, (performance.now() - from) / 1000);
    try {
      const made = await making;
      note("made");
      return made;
    } catch (error) {
      note("failed");
      throw error;
    }
  }

  text(): Promise<string> {
    return this.#registry.metrics();
  }

  async #read(name: string): Promise<readonly MetricSample<MetricName>[] | undefined> {
    const value = await this.#reads.get(name)?.();
    if (value === undefined) return undefined;
    if (value === null) return [];
    return typeof value === "number" ? [{ labels: {}, value }] : value;
  }
}
