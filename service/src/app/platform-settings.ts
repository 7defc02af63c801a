/** The settings of the platforms: the built-in ones, changed and added to by the operator's file. */
import { dirname, resolve } from "node:path";
import { vendors } from "../platforms/index.ts";
import type { VendorPrices } from "../tasks/index.ts";
import { apiSettingsOf, type ApiSettings } from "./api-settings.ts";
import { ConfigError } from "./config.ts";
import { readPlatformsFile, type PlatformEntry } from "./platforms-file.ts";

/** What every platform has, whatever answers there. */
interface Limits {
  readonly enabled: boolean;
  readonly price: { base: number; deepAnalysis: number; screenshot: number; shareLink: number; pageHtml: number };
  readonly runningMax: number;
  readonly rate: { perSecond: number; burst: number } | null;
  readonly runTimeoutSeconds: number;
  readonly attempts: number;
  readonly breakerAfter: number | null;
  /** What the vendor takes, where the operator has said so. */
  readonly cost?: VendorPrices;
}

/** The settings of one platform, complete. */
export interface PlatformSettings extends Limits {
  /** The model APIs that answer; null for a platform that is no model API. */
  readonly api: ApiSettings | null;
  /** The file of an adapter of the operator's own. */
  readonly module: string | null;
}

/** Of a platform that asks elsewhere. Answers take seconds to minutes there, and cost money. */
const remoteLimits: Limits = {
  enabled: true,
  price: { base: 5, deepAnalysis: 15, screenshot: 1, shareLink: 1, pageHtml: 0 },
  runningMax: 50,
  rate: null,
  runTimeoutSeconds: 600,
  attempts: 3,
  breakerAfter: 10,
};

/** What ships: every platform of this service with its limits. Model APIs are all there, and wait for their keys. */
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
    runningMax: 10_000,
    rate: null,
    runTimeoutSeconds: 300,
    attempts: 3,
    breakerAfter: null,
  },
  ...Object.fromEntries(
    vendors.filter(({ code }) => code !== "openai-compatible").map(({ code }) => [code, remoteLimits]),
  ),
};

/** The settings of every enabled platform. */
export function readPlatformSettings(path: string | null): ReadonlyMap<string, PlatformSettings> {
  return new Map([...readAllPlatformSettings(path)].filter(([, platform]) => platform.enabled));
}

/** Those of the others too: answers that they gave once can still be read. */
export function readAllPlatformSettings(path: string | null): ReadonlyMap<string, PlatformSettings> {
  const changes = path === null ? {} : readPlatformsFile(path);
  const codes = [...new Set([...Object.keys(builtInLimits), ...Object.keys(changes)])];
  const faults: string[] = [];
  const settings = codes.flatMap((code) => {
    try {
      return [[code, settingsOf(code, changes[code] ?? {}, path)] as const];
    } catch (error) {
      faults.push(`${path}: ${error instanceof Error ? error.message : String(error)}`);
      return [];
    }
  });
  if (faults.length > 0) throw new ConfigError(faults);
  return new Map(settings);
}

function settingsOf(code: string, entry: PlatformEntry, path: string | null): PlatformSettings {
  const { price, enabled, runningMax, rate, runTimeoutSeconds, attempts, breakerAfter, cost, module, ...apiEntry } =
    entry;
  const builtIn = builtInLimits[code];
  const limits = builtIn ?? remoteLimits;
  const local = code === "sample" || code === "simulator";
  if (local && (module !== undefined || Object.keys(apiEntry).length > 0)) {
    throw new Error(`${code} answers by itself: it takes limits and prices only.`);
  }
  const api = local || module !== undefined ? null : apiSettingsOf(code, apiEntry);
  if (!local && api === null && module === undefined) {
    throw new Error(
      `there is no platform ${code}. Known: ${Object.keys(builtInLimits).join(", ")}. One of your own names its \`api\`, or a \`module\`.`,
    );
  }
  return {
    enabled: enabled ?? limits.enabled,
    price: { ...limits.price, ...price },
    runningMax: runningMax ?? limits.runningMax,
    rate: rate === undefined ? limits.rate : rate,
    runTimeoutSeconds: runTimeoutSeconds ?? limits.runTimeoutSeconds,
    attempts: attempts ?? limits.attempts,
    breakerAfter: breakerAfter === undefined ? limits.breakerAfter : breakerAfter,
    ...(cost === undefined ? {} : { cost }),
    api,
    module: module === undefined ? null : resolve(dirname(path ?? "."), module),
  };
}
