/** Wires the roles of one process over the parts that they share. */
import { ServiceStack } from "../runtime/service.ts";
import { accountLimits } from "./account-limits.ts";
import { closing } from "./closing.ts";
import { addGauges } from "./gauges.ts";
import { maintenance } from "./maintenance.ts";
import { makeParts, type ServiceDeps } from "./parts.ts";
import { apiRole } from "./roles/api.ts";
import { notifierRole } from "./roles/notifier.ts";
import { workerRole } from "./roles/worker.ts";
import { WakeUps } from "./wake-ups.ts";

export const roles = ["api", "worker", "notifier"] as const;
export type Role = (typeof roles)[number];

export interface RunningService {
  /** Where the API listens; null without the role `api`. */
  readonly address: string | null;
  /** Why this process can use no browser, for the operator, once it has looked; null when it can, or runs no tasks. */
  readonly whyNoBrowser: Promise<string | null>;
  /** Stops every part, in the order in which nothing is lost. Where one can't be stopped the others are, and then it throws. */
  stop(): Promise<void>;
}

/** Starts the service on a migrated database. Where a part can't be started, nothing is left running. */
export async function startService(deps: ServiceDeps, serviceRoles: readonly Role[]): Promise<RunningService> {
  const has = (role: Role) => serviceRoles.includes(role);
  const parts = await makeParts(deps);
  const limits = accountLimits(deps.config);
  const notifier = has("notifier") ? notifierRole(parts) : null;
  const wakeUps = new WakeUps(parts, { api: has("api"), notifier });
  const worker = has("worker") ? workerRole(parts, wakeUps) : null;
  const api = has("api") ? await apiRole(parts, { worker, wakeUps, limits }) : null;
  addGauges(parts, { api, worker, notifier, limits });

  // Stopped from the last to the first: no new requests and no periodic work; then the tasks, whose ends make deliveries; then the
  // notifier, which sends them; and then what all of them use.
  const stack = new ServiceStack();
  stack.add(closing(() => parts.store.close()));
  stack.add(closing(() => parts.pageRenderer.stop()));
  stack.add(closing(() => parts.sender.close()));
  // The first that does anything, since a port may be taken: then nothing else has started.
  if (api !== null) stack.add(api.port);
  if (notifier !== null) stack.add(notifier);
  if (worker !== null) stack.add(worker);
  stack.add(maintenance(parts, { wakeUps, isWorker: worker !== null, isNotifier: notifier !== null }));
  stack.add(wakeUps);
  stack.add(closing(() => parts.feed.stop()));
  if (api !== null) stack.add(api.requests);
  await stack.start();

  const address = parts.ownAddress.url;
  deps.log({ event: "service.started", address, roles: serviceRoles });
  return {
    address,
    whyNoBrowser: worker === null ? Promise.resolve(null) : parts.workerBrowser.whyNone(),
    stop: () => stack.stop(),
  };
}
