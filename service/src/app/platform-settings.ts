/** The settings of the platforms: the built-in ones, modified and extended by the operator's file. */
import { dirname, resolve } from "node:path";
import type { PageEvidenceKind } from "@querent/contract";
import { bundledRecipes, vendors, setUps, type Platform } from "../platforms/index.ts";
import type { VendorPrices } from "../statistics/index.ts";
import { apiSettingsOf, type ApiSettings } from "./api-settings.ts";
import { simulatedPlatformPrefix } from "../kernel/simulated-platform.ts";
import { ConfigError } from "./config.ts";
import { readPlatformsFile, type PlatformEntry } from "./platforms-file.ts";
import type { StartLimits } from "../dispatch/index.ts";
import type { PlatformTerms } from "../tasks/index.ts";
import type { StoredSettings } from "../setups/index.ts";

/** The settings of every kind of platform. */
interface Limits {
  readonly enabled: boolean;
  readonly price: { base: number; deepAnalysis: number; screenshot: number; shareLink: number; pageHtml: number };
  readonly runningMax: number;
  readonly rate: { perSecond: number; burst: number } | null;
  readonly runTimeoutSeconds: number;
  readonly attempts: number;
  readonly breakerAfter: number | null;
  /** The vendor's prices, if the operator has configured them. */
  readonly cost?: VendorPrices;
}

/** The settings of one platform, complete. */
export interface PlatformSettings extends Limits {
  /** Its model APIs; null for a platform that is not a model API. */
  readonly api: ApiSettings | null;
  /** The file of an operator's adapter. */
  readonly module: string | null;
  /** Its web page; null for any other platform. */
  readonly web: WebSettings | null;
}

interface SessionSettings extends Pick<
  NonNullable<PlatformEntry["sessions"]>[string],
  "runningMax" | "perMinute" | "perHour"
> {
  readonly file: string | null;
}

export interface WebSettings {
  /** The recipe's file; null: the one that is included. */
  readonly recipe: string | null;
  /** The file of a signed-in session. */
  readonly session: string | null;
  /** Several sessions, by name: their files and limits. */
  readonly sessions: ReadonlyMap<string, SessionSettings>;
  /** Whether a question to which the page has no answer is free. */
  readonly freeWithoutAnswer: boolean;
  /** What is kept as evidence besides the page's HTML. */
  readonly evidence: readonly PageEvidenceKind[];
  /**
   * False: the operator has not enabled the included recipe, which was not checked on the live page, and is responsible for the page's
   * terms. Then the page is asked only while a session of it is stored.
   */
  readonly chosen: boolean;
}

/** The defaults of platforms with a vendor. Answers take seconds to minutes there, and cost money. */
const remoteLimits: Limits = {
  enabled: true,
  price: { base: 5, deepAnalysis: 15, screenshot: 1, shareLink: 1, pageHtml: 0 },
  runningMax: 50,
  rate: null,
  runTimeoutSeconds: 600,
  attempts: 3,
  breakerAfter: 10,
};

/** Pages answer in about a minute, and a personal account supports only a few concurrent questions. */
const webLimits: Limits = {
  enabled: true,
  price: { base: 10, deepAnalysis: 20, screenshot: 0, shareLink: 0, pageHtml: 1 },
  runningMax: 4,
  rate: null,
  runTimeoutSeconds: 300,
  attempts: 3,
  breakerAfter: 5,
};

/** The built-in platforms with their limits. All model APIs are included, and need their keys. */
export const builtInLimits: Readonly<Record<string, Limits>> = {
  sample: {
    enabled: true,
    price: { base: 2, deepAnalysis: 3, screenshot: 1, shareLink: 1, pageHtml: 0 },
    runningMax: 250,
    rate: null,
    runTimeoutSeconds: 60,
    attempts: 3,
    breakerAfter: 10,
  },
  simulator: {
    enabled: true,
    price: { base: 1, deepAnalysis: 0, screenshot: 0, shareLink: 0, pageHtml: 0 },
    runningMax: 2_000,
    rate: null,
    runTimeoutSeconds: 300,
    attempts: 3,
    breakerAfter: null,
  },
  ...Object.fromEntries(
    vendors.filter(({ code }) => code !== "openai-compatible").map(({ code }) => [code, remoteLimits]),
  ),
  ...Object.fromEntries(bundledRecipes.map((code) => [code, webLimits])),
};

/** What administrators have stored of a platform. What the file says takes precedence. */
export type StoredOf = (code: string) => StoredSettings;
const nothingStored: StoredOf = () => ({});

/** The settings of every enabled platform. */
export function readPlatformSettings(
  path: string | null,
  storedOf: StoredOf = nothingStored,
): ReadonlyMap<string, PlatformSettings> {
  return new Map([...readAllPlatformSettings(path, storedOf)].filter(([, platform]) => platform.enabled));
}

/** Includes the settings of disabled platforms: their stored answers can still be parsed. */
export function readAllPlatformSettings(
  path: string | null,
  storedOf: StoredOf = nothingStored,
): ReadonlyMap<string, PlatformSettings> {
  return completeSettings(readEntries(path), path, storedOf);
}

type Entries = ReturnType<typeof readPlatformsFile>;

const readEntries = (path: string | null): Entries => (path === null ? {} : readPlatformsFile(path));

/** The settings of enabled platforms while a service runs: the file as it was at the start, and what is stored now. */
export class LiveSettings {
  readonly file: Entries;
  readonly current: ReadonlyMap<string, PlatformSettings>;
  readonly #current: Map<string, PlatformSettings>;
  readonly #path: string | null;
  readonly #storedOf: StoredOf;
  readonly #used = new Map<string, string>();

  constructor(path: string | null, storedOf: StoredOf) {
    this.file = readEntries(path);
    this.#path = path;
    this.#storedOf = storedOf;
    this.#current = new Map([...completeSettings(this.file, path, nothingStored)].filter(([, { enabled }]) => enabled));
    this.current = this.#current;
    this.refresh();
  }

  /** Replaces the settings of the platforms of which something else is stored now. */
  refresh(): void {
    for (const code of this.#current.keys()) {
      const stored = this.#storedOf(code);
      const text = JSON.stringify(stored);
      if (text === (this.#used.get(code) ?? "{}")) continue;
      this.#used.set(code, text);
      this.#current.set(code, settingsOf(code, withStored(this.file[code] ?? {}, stored, code), this.#path));
    }
  }
}

/** What the file leaves out is as it is stored. A model is stored of model APIs only, and may be left from a former file. */
function withStored(entry: PlatformEntry, { price, ...models }: StoredSettings, code: string): PlatformEntry {
  const isApi =
    (vendors.some((vendor) => vendor.code === code) || entry.api !== undefined) && entry.module === undefined;
  return {
    ...(isApi ? models : {}),
    ...entry,
    ...(price === undefined ? {} : { price: { ...price, ...entry.price } }),
  };
}

function completeSettings(
  changes: Entries,
  path: string | null,
  storedOf: StoredOf,
): ReadonlyMap<string, PlatformSettings> {
  const codes = [...new Set([...Object.keys(builtInLimits), ...Object.keys(changes)])];
  const faults: string[] = [];
  const settings = codes.flatMap((code) => {
    try {
      return [[code, settingsOf(code, withStored(changes[code] ?? {}, storedOf(code), code), path)] as const];
    } catch (error) {
      faults.push(`${path}: ${error instanceof Error ? error.message : String(error)}`);
      return [];
    }
  });
  if (faults.length > 0) throw new ConfigError(faults);
  return new Map(settings);
}

function settingsOf(code: string, entry: PlatformEntry, path: string | null): PlatformSettings {
  const { price, enabled, runningMax, rate, runTimeoutSeconds, attempts, breakerAfter, cost, ...source } = entry;
  const answers = sourceOf(code, source, path);
  const limits = builtInLimits[code] ?? (answers.web === null ? remoteLimits : webLimits);
  return {
    enabled: enabled ?? limits.enabled,
    price: { ...limits.price, ...price },
    runningMax: runningMax ?? limits.runningMax,
    rate: rate === undefined ? limits.rate : rate,
    runTimeoutSeconds: runTimeoutSeconds ?? limits.runTimeoutSeconds,
    attempts: attempts ?? limits.attempts,
    breakerAfter: breakerAfter === undefined ? limits.breakerAfter : breakerAfter,
    ...(cost === undefined ? {} : { cost }),
    ...answers,
  };
}

type Source = Pick<PlatformSettings, "api" | "module" | "web">;

/** The kind of platform: built-in, a model API, an operator's adapter, or a web page. */
function sourceOf(
  code: string,
  { module, recipe, session, sessions, freeWithoutAnswer, evidence, ...api }: Omit<PlatformEntry, keyof Limits>,
  path: string | null,
): Source {
  const none = { api: null, module: null, web: null };
  const file = (name: string) => resolve(dirname(path ?? "."), name);
  if (code.startsWith(simulatedPlatformPrefix))
    throw new Error(
      `${code}: codes that begin with ${simulatedPlatformPrefix} are those of simulated answers (\`querentd demo\`). Choose another code.`,
    );
  const ofPage = [recipe, session, sessions, freeWithoutAnswer, evidence].some((member) => member !== undefined);
  if (code === "sample" || code === "simulator") {
    if (module !== undefined || ofPage || Object.keys(api).length > 0)
      throw new Error(`${code} answers by itself: it takes limits and prices only.`);
    return none;
  }
  const shipped = builtInLimits[code] === webLimits;
  if (shipped || ofPage) {
    if (module !== undefined || Object.keys(api).length > 0)
      throw new Error(
        `${code} is a web page: it takes a \`recipe\` and a \`session\`, and no \`module\` or API's members.`,
      );
    if (!shipped && (recipe === undefined || recipe === "built-in"))
      throw new Error(
        `${code}: no recipe for it ships with the service. A web page of your own names its \`recipe\`'s file.`,
      );
    if (!shipped && builtInLimits[code] !== undefined)
      throw new Error(`${code} is no web page: it takes no \`recipe\` and no \`session\`.`);
    if (session !== undefined && sessions !== undefined)
      throw new Error(`${code}: name either one \`session\` or several \`sessions\`.`);
    const named = Object.entries(sessions ?? {}).map(
      ([name, { file: path, ...limits }]) =>
        [name, { ...limits, file: path === undefined ? null : file(path) }] as const,
    );
    return {
      ...none,
      web: {
        recipe: recipe === undefined || recipe === "built-in" ? null : file(recipe),
        session: session === undefined ? null : file(session),
        sessions: new Map(named),
        freeWithoutAnswer: freeWithoutAnswer ?? false,
        evidence: evidence ?? [],
        chosen: recipe !== undefined || session !== undefined || named.some(([, { file: one }]) => one !== null),
      },
    };
  }
  if (module !== undefined) return { ...none, module: file(module) };
  const settings = apiSettingsOf(code, api);
  if (settings === null) {
    throw new Error(
      `there is no platform ${code}. Known: ${Object.keys(builtInLimits).join(", ")}. One of your own names its \`api\`, a \`module\` or a \`recipe\`.`,
    );
  }
  return { ...none, api: settings };
}

type Platforms = ReadonlyMap<string, Platform>;
type Settings = ReadonlyMap<string, PlatformSettings>;

/** The price and the maximum run time of each platform's tasks. */
export function platformCatalogue(platforms: Platforms, settings: Settings): ReadonlyMap<string, PlatformTerms> {
  return new Map(
    [...platforms.values()].flatMap((platform) => {
      const terms = settings.get(platform.code);
      if (terms === undefined) return [];
      return [[platform.code, termsOf(platform, () => settings.get(platform.code) ?? terms)] as const];
    }),
  );
}

/** The limits of each platform, as the engine enforces them. */
export function platformLimits(settings: Settings): StartLimits[] {
  return [...settings].map(([code, platform]) => ({
    code,
    runningMax: platform.runningMax,
    rate: platform.rate,
    attemptsMax: platform.attempts,
    breakerAfter: platform.breakerAfter,
  }));
}

/** The codes of the platforms that need a browser. */
export function webPlatforms(platforms: Platforms): ReadonlySet<string> {
  return new Set([...platforms.values()].filter(({ kind }) => kind === "web").map(({ code }) => code));
}

function termsOf(platform: Platform, settings: () => PlatformSettings): PlatformTerms {
  return {
    code: platform.code,
    kind: platform.kind,
    pageHtml: platform.returns.pageHtml,
    runTimeoutSeconds: settings().runTimeoutSeconds,
    // Read each time: a platform's key, model and price may be set while the service runs.
    get options() {
      return platform.options;
    },
    get price() {
      return settings().price;
    },
    get missing() {
      return platform.missing;
    },
    get setUp() {
      return platform.setUp ?? setUps.other;
    },
  };
}
