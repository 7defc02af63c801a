/** Which platforms this worker asks: those of its class for which it has all that they need. It reports them to the others. */
import type { Database } from "../db/index.ts";
import { judgePlatforms, reportPlatforms, type Lack } from "../dispatch/index.ts";
import { didYouMean } from "../kernel/did-you-mean.ts";
import type { Platform } from "../platforms/index.ts";
import { PollLoop } from "../runtime/poll-loop.ts";
import type { Service } from "../runtime/service.ts";
import type { LogEvent } from "../telemetry/index.ts";
import { ConfigError } from "./config.ts";

interface WorkerPlatformsDeps {
  readonly database: Database;
  readonly platforms: ReadonlyMap<string, Pick<Platform, "code" | "kind" | "missing">>;
  /** `QUERENT_WORKER_PLATFORMS`; empty: all. */
  readonly only: readonly string[];
  readonly roles: readonly string[];
  readonly slotsMax: number;
  /** No other process can use this database. */
  readonly alone: boolean;
  /** Why this worker can use no browser; null if it can; undefined: not known yet. */
  readonly whyNoBrowser: () => string | null | undefined;
  readonly log: (event: LogEvent) => void;
  readonly onFault: (error: unknown) => void;
}

/** As often as a node's lease is renewed. */
const reportEveryMs = 5_000;

export class WorkerPlatforms implements Service {
  readonly #deps: WorkerPlatformsDeps;
  readonly #codes: ReadonlySet<string>;
  readonly #loop: PollLoop;
  #nodeId = () => "";
  /** Platforms that were logged as not asked by anybody. */
  #unasked = new Set<string>();

  constructor(deps: WorkerPlatformsDeps) {
    this.#deps = deps;
    this.#codes = codesOfClass(deps.only, deps.platforms);
    this.#loop = new PollLoop({
      everyMs: reportEveryMs,
      jitter: 0.1,
      look: () => this.#report(),
      onFault: deps.onFault,
    });
  }

  /** The platforms of its class. */
  get codes(): readonly string[] {
    return [...this.#codes];
  }

  /** Whether this worker claims tasks of this platform now. */
  canAsk(code: string): boolean {
    const platform = this.#deps.platforms.get(code);
    return platform !== undefined && this.#codes.has(code) && this.#lackOf(platform) === null;
  }

  /** `nodeId`: empty while this worker has no lease. */
  of(nodeId: () => string): this {
    this.#nodeId = nodeId;
    return this;
  }

  start(): void {
    this.#loop.wake();
    this.#loop.start();
  }

  stop(): Promise<void> {
    return this.#loop.stop();
  }

  /** Reports again now: what it can ask has changed. */
  changed(): void {
    this.#loop.wake();
  }

  #lackOf({ kind, missing }: Pick<Platform, "kind" | "missing">): Lack | null {
    if (missing !== null) return { why: missing };
    const why = kind === "web" ? this.#deps.whyNoBrowser() : null;
    return typeof why === "string" ? { why, browser: true } : null;
  }

  async #report(): Promise<void> {
    const { database, platforms, only, roles, slotsMax, alone, log } = this.#deps;
    const nodeId = this.#nodeId();
    if (nodeId === "") return;
    const own = [...platforms.values()].filter(({ code }) => this.#codes.has(code));
    const lacking = new Map(
      own.flatMap((platform) => {
        const lack = this.#lackOf(platform);
        return lack === null ? [] : [[platform.code, lack] as const];
      }),
    );
    const askable = own.flatMap(({ code }) => (lacking.has(code) ? [] : [code]));
    const onlyPlatforms = only.length === 0 ? null : only;
    await reportPlatforms(database, { nodeId, roles, slotsMax, onlyPlatforms, askable, lacking }, alone);
    const unasked = await judgePlatforms(database);
    for (const { platform, why } of unasked)
      if (!this.#unasked.has(platform)) log({ event: "platform.unasked", platform, why });
    this.#unasked = new Set(unasked.map(({ platform }) => platform));
  }
}

/** `web`: the platforms that are web pages; `api`: all others; or the codes of platforms. */
function codesOfClass(only: readonly string[], platforms: WorkerPlatformsDeps["platforms"]): ReadonlySet<string> {
  const all = [...platforms.values()];
  if (only.length === 0) return new Set(platforms.keys());
  const known = [...platforms.keys(), "api", "web"];
  const faults = only.filter((name) => !known.includes(name));
  if (faults.length > 0)
    throw new ConfigError(
      faults.map(
        (name) =>
          `QUERENT_WORKER_PLATFORMS names ${name}, which is no enabled platform, nor \`api\` or \`web\`.${didYouMean(name, known, "")}`,
      ),
    );
  const isOf = (name: string, { code, kind }: (typeof all)[number]) =>
    name === code || name === (kind === "web" ? "web" : "api");
  return new Set(all.filter((platform) => only.some((name) => isOf(name, platform))).map(({ code }) => code));
}
