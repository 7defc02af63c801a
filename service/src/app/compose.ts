/** Combines the roles of one process with the parts that they share. */
import { loadBundledRecipe, loadRecipe, RecipeError, type Platform, type LoadedRecipe } from "../platforms/index.ts";
import { ServiceStack } from "../runtime/service.ts";
import { accountLimits } from "./account-limits.ts";
import { closing } from "./closing.ts";
import { readMetrics } from "./read-metrics.ts";
import { maintenance } from "./maintenance.ts";
import { changeWatcher, panelRunEnds, panelScheduler } from "./panel-scheduler.ts";
import { makeParts, type ServiceDeps, type Parts } from "./parts.ts";
import { notReady } from "./readiness.ts";
import { apiRole } from "./roles/api.ts";
import type { Role } from "./roles/names.ts";
import { notifierRole } from "./roles/notifier.ts";
import { workerRole } from "./roles/worker.ts";
import { WakeUps } from "./wake-ups.ts";
import { ProblemError } from "../api/problem-error.ts";
import { SignIns } from "../signin/index.ts";
import type { PlatformSettings } from "./platform-settings.ts";

export interface RunningService {
  /** The URL of the API; null without the role `api`. */
  readonly address: string | null;
  /** Why this process has no usable browser, for the operator, after the first check; null if it has one, or runs no tasks. */
  readonly whyNoBrowser: Promise<string | null>;
  /** The platforms that this process has. */
  readonly platforms: readonly Platform[];
  /** Why this process cannot do its work at present, in sentences; empty if it can. */
  notReady(): Promise<readonly string[]>;
  /** The metrics of this process, in the Prometheus text format. */
  metrics(): Promise<string>;
  /** Stops every part, in an order that loses nothing. If one cannot be stopped, the others still are, and then it throws. */
  stop(): Promise<void>;
}

/** Starts the service on a migrated database. If a part cannot be started, nothing is left running. */
export async function startService(deps: ServiceDeps, serviceRoles: readonly Role[]): Promise<RunningService> {
  const has = (role: Role) => serviceRoles.includes(role);
  const parts = await makeParts(deps, serviceRoles);
  const limits = accountLimits(deps.config);
  const notifier = has("notifier") ? notifierRole(parts) : null;
  const wakeUps = new WakeUps(parts, { api: has("api"), notifier });
  const worker = has("worker") ? workerRole(parts, wakeUps) : null;
  const signIns = signInsOf(parts, worker !== null);
  const api = has("api") ? await apiRole(parts, { worker, wakeUps, limits, signIns }) : null;
  if (worker !== null && api === null && deps.config.publicUrl === null)
    deps.log({
      event: "public_url.missing",
      variable: "QUERENT_PUBLIC_URL",
      consequence:
        "This process does not know where the API is reached, so tasks with a screenshot or a share link fail here, without a charge. Set it to the same URL in every process, and restart this one.",
    });
  readMetrics(parts, { api, worker, notifier, limits, roles: serviceRoles });

  // Stopped from last to first: first new requests and periodic work; then the tasks, whose ends create deliveries; then the
  // notifier, which sends them; and then what all of them use.
  const stack = new ServiceStack();
  stack.add(closing(() => parts.store.close()));
  stack.add(closing(() => parts.pageRenderer.stop()));
  stack.add(closing(async () => parts.standIn?.close()));
  stack.add(closing(() => parts.entities.stop()));
  stack.add(closing(() => parts.sender.close()));
  for (const service of parts.listServices) stack.add(service);
  // Started first, because its port may be in use: then nothing else has started.
  if (api !== null) stack.add(api.port);
  if (notifier !== null)
    stack.add({ start: () => notifier.start(), stop: () => notifier.stop(deps.config.drainSeconds * 1000) });
  if (worker !== null) stack.add(worker);
  // The list of platforms needs them, too.
  if (worker === null && api !== null) stack.add(parts.sessions);
  if (worker !== null) stack.add(panelScheduler(parts, worker));
  if (worker !== null) stack.add(changeWatcher(parts));
  if (worker !== null) stack.add(panelRunEnds(parts));
  stack.add(maintenance(parts, { wakeUps, isWorker: worker !== null, isNotifier: notifier !== null }));
  stack.add(wakeUps);
  stack.add(closing(() => parts.feed.stop()));
  stack.add(closing(() => signIns.stop()));
  if (api !== null) stack.add(api.requests);
  await stack.start();

  const address = parts.ownAddress.url;
  deps.log({ event: "service.started", address, roles: serviceRoles });
  return {
    address,
    platforms: [...parts.listedPlatforms.values()],
    whyNoBrowser: worker === null ? Promise.resolve(null) : parts.workerBrowser.whyNone(),
    notReady: () => notReady(parts.database, worker),
    metrics: () => parts.metrics.text(),
    stop: () => stack.stop(),
  };
}

/** `isWorker`: a process without that role has no browser. */
function signInsOf({ database, masterKey, browserPool, settings, config }: Parts, isWorker: boolean): SignIns {
  return new SignIns({
    database,
    masterKey,
    pool: browserPool,
    countries: [...config.countryProxies.keys()],
    recipeOf(platform) {
      if (!isWorker)
        throw new ProblemError(
          "state_conflict",
          "The process that answers this request has no browser, because it does not have the role worker. Open the console at the address of a process with the roles api and worker, or use `querentd session sign-in` on a machine with a display.",
        );
      return recipeOf(settings, platform);
    },
  });
}

function recipeOf(settings: ReadonlyMap<string, PlatformSettings>, platform: string): LoadedRecipe | null {
  const web = settings.get(platform)?.web ?? null;
  if (web === null) return null;
  try {
    const loaded = web.recipe === null ? loadBundledRecipe(platform) : loadRecipe(web.recipe);
    return web.session === null ? loaded : { ...loaded, storageState: web.session };
  } catch (error) {
    if (error instanceof RecipeError) throw new ProblemError("state_conflict", error.message, { cause: error });
    throw error;
  }
}
