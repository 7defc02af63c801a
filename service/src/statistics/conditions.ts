/** What currently blocks tasks or deliveries: `conditions` of the overview. A new kind of condition is a new source. */
import type { Condition } from "@querent/contract";
import type { Queryable, Database } from "../db/index.ts";
import { readLimiters } from "../dispatch/index.ts";
import type { Platform } from "../platforms/index.ts";
import { whyRefused } from "../tasks/index.ts";
import { noHealth, readHealth } from "./platform-health.ts";
import { liveState, type LiveState } from "./platform-state.ts";

/** Reads the problems for an account that one part of the service knows. */
export type ConditionSource = (accountId: string) => Promise<Condition[]>;

/** All conditions, errors first, then the oldest first. */
export async function readConditions(sources: readonly ConditionSource[], accountId: string): Promise<Condition[]> {
  const found = (await Promise.all(sources.map((read) => read(accountId)))).flat();
  const order = ({ severity, since }: Condition) => `${severity === "error" ? 0 : 1} ${since ?? ""}`;
  return found.sort((a, b) => (order(a) < order(b) ? -1 : 1));
}

/** Platforms that fail, are throttled, or are disabled. */
export function platformConditions(states: PlatformStates): ConditionSource {
  return async () => {
    const platforms = await states();
    return platforms.flatMap(({ code, name, live }): Condition[] => {
      const about = { platformCode: code };
      const why =
        live.lastFailure === null ? "" : ` Last failure: ${live.lastFailure.code}, ${live.lastFailure.message}`;
      switch (live.state) {
        case "failing":
          return [
            {
              ...about,
              code: "platform_failing",
              severity: "error",
              since: live.failingSince,
              detail:
                live.breakerOpenUntil === null
                  ? `${name} fails. Its tasks are tried again, and cost nothing when they fail.${why}`
                  : `${name} failed many times in a row, and is not asked before ${live.breakerOpenUntil}. Its tasks wait.${why}`,
            },
          ];
        case "throttled":
          return [
            {
              ...about,
              code: "platform_throttled",
              severity: "warning",
              since: live.throttledSince,
              detail: `${name} asked for fewer requests, and is not asked before ${live.throttledUntil}. Its tasks wait.`,
            },
          ];
        case "paused":
          return [
            {
              ...about,
              code: "platform_paused",
              severity: "warning",
              since: null,
              detail: `The operator has set the limit of ${name} to 0. Its tasks wait until it is raised.`,
            },
          ];
        case "no_worker":
          return [
            {
              ...about,
              code: "no_worker",
              severity: "error",
              since: null,
              detail: `No running worker can ask ${name}. Its tasks wait until the operator starts one that can.`,
            },
          ];
        case "ready":
        case "degraded":
        case "not_configured":
        case "no_browser":
          return [];
      }
    });
  };
}

/** No worker has a working browser. */
export function browserCondition(browserUsable: () => Promise<boolean>): ConditionSource {
  return async () =>
    (await browserUsable())
      ? []
      : [
          {
            code: "no_browser",
            severity: "error",
            since: null,
            detail:
              "No worker has a browser that works, so that screenshots and tasks for web platforms are refused. `querentd doctor` tells the operator what is missing.",
            platformCode: null,
          },
        ];
}

/** No points left, or less than a day's usage. */
export function pointsConditions(database: Queryable): ConditionSource {
  return async (accountId) => {
    // Indexes: the primary key; of usage_hours the unique one, for one account's rows of each hour.
    const { rows } = await database.query<{ available: number; spent: number }>(
      `select a.points_available as available,
              (select coalesce(sum(u.charged_points), 0)::bigint from usage_hours u
               where u.account_id = a.id and u.hour > now() - interval '24 hours') as spent
       from accounts a where a.id = $1`,
      [accountId],
    );
    const { available, spent } = rows[0] ?? { available: 0, spent: 0 };
    const about = { since: null, platformCode: null };
    if (available === 0) {
      const detail = "No points are left: a batch that costs any is refused. The operator grants more.";
      return [{ ...about, code: "points_exhausted", severity: "error", detail }];
    }
    if (available >= spent) return [];
    const detail = `${available} points are left, and the last 24 hours took ${spent}. The operator grants more.`;
    return [{ ...about, code: "points_low", severity: "warning", detail }];
  };
}

type PlatformStates = () => Promise<{ code: string; name: string; live: LiveState }[]>;

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
