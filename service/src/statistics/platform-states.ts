import type { Database } from "../db/index.ts";
import { readLimiters } from "../dispatch/index.ts";
import type { Platform } from "../platforms/index.ts";
import { whyRefused } from "../tasks/index.ts";
import { noHealth, readHealth } from "./platform-health.ts";
import { liveState, type LiveState } from "./platform-state.ts";

export type PlatformStates = () => Promise<{ code: string; name: string; live: LiveState }[]>;

/** The state of every platform that this process has configured. */
export function platformStates(deps: {
  database: Database;
  platforms: ReadonlyMap<string, Pick<Platform, "code" | "name" | "kind" | "missing">>;
  browserUsable: () => Promise<boolean>;
}): PlatformStates {
  return async () => {
    const [browserUsable, health, limiters] = await Promise.all([
      deps.browserUsable(),
      readHealth(deps.database),
      readLimiters(deps.database),
    ]);
    return [...deps.platforms.values()].map(({ code, name, kind, missing }) => ({
      code,
      name,
      live: liveState({
        unavailable: whyRefused({ kind, missing }, browserUsable),
        limiter: limiters.get(code),
        recent: (health.get(code) ?? noHealth).recent,
      }),
    }));
  };
}
