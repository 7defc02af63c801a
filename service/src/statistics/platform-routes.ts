import { api, type PlatformRecord } from "@querent/contract";
import type { Database } from "../db/index.ts";
import { readLimiters } from "../dispatch/index.ts";
import { route, type Route } from "../api/route.ts";
import type { Platform } from "../platforms/index.ts";
import {
  outputsOf,
  whyOutputRefused,
  setUpOf,
  whyRefused,
  type ArtifactMaking,
  type PlatformCatalogue,
} from "../tasks/index.ts";
import { readDrift } from "./platform-drift.ts";
import { healthWindowSeconds, noHealth, readHealth } from "./platform-health.ts";
import { liveState } from "./platform-state.ts";

/** `GET /v1/platforms`: what each can return, its price and state, and how many of the account's tasks wait for it. */
export function platformRoutes(deps: {
  database: Database;
  platforms: ReadonlyMap<string, Platform>;
  catalogue: PlatformCatalogue;
  making: Pick<ArtifactMaking, "publicAddresses">;
  /** Whether a worker has a working browser. */
  browserUsable: () => Promise<boolean>;
}): Route[] {
  return [
    route(api.listPlatforms, async ({ caller }) => {
      const [browserUsable, health, limiters, drift, own] = await Promise.all([
        deps.browserUsable(),
        readHealth(deps.database),
        readLimiters(deps.database),
        readDrift(deps.database),
        readOwn(deps.database, caller.accountId),
      ]);
      const platforms = [...deps.platforms.values()].flatMap((platform): PlatformRecord[] => {
        const terms = deps.catalogue.get(platform.code);
        if (terms === undefined) return [];
        const unavailable = whyRefused(platform, browserUsable);
        const outputs = outputsOf(platform, deps.making).map((output) => ({
          output,
          why: whyOutputRefused(platform, output, browserUsable),
        }));
        const done = health.get(platform.code) ?? noHealth;
        const limiter = limiters.get(platform.code);
        return [
          {
            platformCode: platform.code,
            name: platform.name,
            kind: platform.kind,
            recipe: platform.recipe ?? null,
            configured: unavailable === null,
            unavailable,
            standIn: platform.standIn === true,
            setUp: setUpOf(platform, unavailable),
            ...liveState({ unavailable, limiter, recent: done.recent }),
            outputs: outputs.flatMap(({ output, why }) => (why === null ? [output] : [])),
            unavailableOutputs: outputs.flatMap(({ output, why }) => (why === null ? [] : [{ output, ...why }])),
            resultFormats: [...platform.resultFormats],
            options: { ...platform.options.how },
            optionValues: { ...platform.options.values },
            returns: { ...platform.returns },
            price: { ...terms.price },
            runTimeoutSeconds: terms.runTimeoutSeconds,
            health: {
              windowSeconds: healthWindowSeconds,
              ...done,
              ...(own.get(platform.code) ?? { queued: 0, running: 0 }),
              drift: platform.kind === "web" ? (drift.get(platform.code) ?? []) : null,
            },
          },
        ];
      });
      return { status: 200, body: { platforms } };
    }),
  ];
}

async function readOwn(
  database: Database,
  accountId: string,
): Promise<Map<string, { queued: number; running: number }>> {
  // Indexes: dispatch_queue and dispatch_claimed, by platform and account.
  const { rows } = await database.query<{ platform: string; queued: number; running: number }>(
    `select p.code as platform,
            (select count(*) from dispatch d where d.platform = p.code and d.account_id = $1 and d.state = 'queued')
              + (select count(*) from dispatch d where d.platform = p.code and d.account_id = $1 and d.state = 'waiting') as queued,
            (select count(*) from dispatch d where d.platform = p.code and d.account_id = $1 and d.state in ('running', 'aborting')) as running
     from platforms p`,
    [accountId],
  );
  return new Map(rows.map(({ platform, queued, running }) => [platform, { queued, running }]));
}
