import type { Database } from "../db/index.ts";
import { readGates } from "../dispatch/index.ts";
import { noHealth, readHealth } from "./platform-health.ts";
import { liveState, type LiveState } from "./platform-state.ts";

export type PlatformStates = () => Promise<{ code: string; name: string; live: LiveState }[]>;

/** How every platform does now that this process knows. */
export function platformStates(deps: {
  database: Database;
  platforms: ReadonlyMap<string, { readonly code: string; readonly name: string; readonly missing: string | null }>;
  noBrowser: string | null;
}): PlatformStates {
  return async () => {
    const [health, gates] = await Promise.all([readHealth(deps.database), readGates(deps.database)]);
    return [...deps.platforms.values()].map(({ code, name, missing }) => ({
      code,
      name,
      live: liveState({
        missing,
        noBrowser: deps.noBrowser,
        gate: gates.get(code),
        recent: (health.get(code) ?? noHealth).recent,
      }),
    }));
  };
}
