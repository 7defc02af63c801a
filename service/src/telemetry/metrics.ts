import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from "prom-client";

/** The process's metrics, in the Prometheus text format. */
export class Metrics {
  readonly #registry = new Registry();
  readonly #requests: Histogram<"operation" | "status">;
  readonly #asks: Histogram<"platform" | "outcome">;
  readonly #ended: Counter<"state">;
  readonly #attempts: Counter<"outcome">;
  readonly #tokens: Counter<"platform" | "direction">;
  readonly #searches: Counter<"platform">;
  readonly #artifacts: Histogram<"kind" | "outcome">;
  readonly #drift: Counter<"platform" | "sign" | "what">;

  constructor() {
    const registers = [this.#registry];
    collectDefaultMetrics({ register: this.#registry, prefix: "querent_" });
    this.#requests = new Histogram({
      name: "querent_http_request_seconds",
      help: "Time to answer a request.",
      labelNames: ["operation", "status"],
      buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10, 60],
      registers,
    });
    this.#asks = new Histogram({
      name: "querent_ask_seconds",
      help: "Time a platform took for one attempt.",
      labelNames: ["platform", "outcome"],
      buckets: [0.01, 0.05, 0.25, 1, 2, 5, 10, 30, 60, 120, 300, 900],
      registers,
    });
    this.#ended = new Counter({
      name: "querent_tasks_ended_total",
      help: "Tasks that ended, by state.",
      labelNames: ["state"],
      registers,
    });
    this.#attempts = new Counter({
      name: "querent_delivery_attempts_total",
      help: "Attempts to deliver a notification.",
      labelNames: ["outcome"],
      registers,
    });
    this.#tokens = new Counter({
      name: "querent_platform_tokens_total",
      help: "Tokens that platforms say their answers took, by direction (input, output).",
      labelNames: ["platform", "direction"],
      registers,
    });
    this.#artifacts = new Histogram({
      name: "querent_artifact_seconds",
      help: "Time to make an artifact, one try.",
      labelNames: ["kind", "outcome"],
      buckets: [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2, 5, 10, 30],
      registers,
    });
    this.#drift = new Counter({
      name: "querent_platform_drift_total",
      help: "Asks of web platforms in which the page was not as the recipe says, by sign and place in the recipe.",
      labelNames: ["platform", "sign", "what"],
      registers,
    });
    this.#searches = new Counter({
      name: "querent_platform_searches_total",
      help: "Searches that platforms say their answers took.",
      labelNames: ["platform"],
      registers,
    });
  }

  /** Measures one attempt to make an artifact. */
  async artifact<Result>(kind: "page" | "screenshot", making: Promise<Result>): Promise<Result> {
    const end = this.#artifacts.startTimer({ kind });
    try {
      const made = await making;
      end({ outcome: "made" });
      return made;
    } catch (error) {
      end({ outcome: "failed" });
      throw error;
    }
  }

  request(operation: string, status: number, seconds: number): void {
    this.#requests.observe({ operation, status }, seconds);
  }

  ask(platform: string, outcome: string, seconds: number): void {
    this.#asks.observe({ platform, outcome }, seconds);
  }

  /** What an answer consumed, even if the answer is no longer wanted. */
  consumed(
    platform: string,
    consumption: {
      readonly inputTokens: number | null;
      readonly outputTokens: number | null;
      readonly searches: number | null;
    },
  ): void {
    if (consumption.inputTokens !== null) this.#tokens.inc({ platform, direction: "input" }, consumption.inputTokens);
    if (consumption.outputTokens !== null)
      this.#tokens.inc({ platform, direction: "output" }, consumption.outputTokens);
    if (consumption.searches !== null) this.#searches.inc({ platform }, consumption.searches);
  }

  drift(platform: string, sign: string, what: string): void {
    this.#drift.inc({ platform, sign, what });
  }

  ended(state: string): void {
    this.#ended.inc({ state });
  }

  deliveryAttempt(outcome: string): void {
    this.#attempts.inc({ outcome });
  }

  /** The shared limits of this process: how much is in use, and how many requests were refused, by kind. */
  accountLimits(kinds: Readonly<Record<string, { readonly taken: number; readonly refused: number }>>): void {
    const registers = [this.#registry];
    new Gauge({
      name: "querent_places_taken",
      help: "Places that requests use in this process, of those that accounts share, by kind.",
      labelNames: ["kind"],
      registers,
      collect() {
        for (const [kind, { taken }] of Object.entries(kinds)) this.set({ kind }, taken);
      },
    });
    new Counter({
      name: "querent_places_refused_total",
      help: "Requests for which this process had no place, by kind.",
      labelNames: ["kind"],
      registers,
      collect() {
        this.reset();
        for (const [kind, { refused }] of Object.entries(kinds)) this.inc({ kind }, refused);
      },
    });
  }

  /** A metric that is read when it is scraped. */
  gauge(name: string, help: string, read: () => number | Promise<number>): void {
    new Gauge({
      name,
      help,
      registers: [this.#registry],
      async collect() {
        this.set(await read());
      },
    });
  }

  text(): Promise<string> {
    return this.#registry.metrics();
  }
}
