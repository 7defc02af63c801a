/**
 * The configured platforms for the other rooms: the terms of their tasks, the limits for the engine, and which of them need a
 * browser.
 */
import type { PlatformLimits } from "../dispatch/index.ts";
import { setUps, type Platform } from "../platforms/index.ts";
import type { PlatformTerms } from "../tasks/index.ts";
import type { PlatformSettings } from "./platform-settings.ts";

type Platforms = ReadonlyMap<string, Platform>;
type Settings = ReadonlyMap<string, PlatformSettings>;

/** The price and the maximum run time of each platform's tasks. */
export function platformCatalogue(platforms: Platforms, settings: Settings): ReadonlyMap<string, PlatformTerms> {
  return new Map(
    [...platforms.values()].flatMap((platform) => {
      const terms = settings.get(platform.code);
      if (terms === undefined) return [];
      return [[platform.code, termsOf(platform, terms)] as const];
    }),
  );
}

/** The limits of each platform, as the engine enforces them. */
export function platformLimits(settings: Settings): PlatformLimits[] {
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

function termsOf(platform: Platform, { price, runTimeoutSeconds }: PlatformSettings): PlatformTerms {
  return {
    code: platform.code,
    kind: platform.kind,
    pageHtml: platform.returns.pageHtml,
    options: platform.options,
    price,
    runTimeoutSeconds,
    // Read each time: a platform may become configured while the service runs.
    get missing() {
      return platform.missing;
    },
    get setUp() {
      return platform.setUp ?? setUps.other;
    },
  };
}
