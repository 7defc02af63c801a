import type { Notifier } from "../webhooks/index.ts";
import type { AccountLimits } from "./account-limits.ts";
import { connectionsFor } from "./connections.ts";
import type { Parts } from "./parts.ts";
import type { Api } from "./roles/api.ts";
import type { Worker } from "./roles/worker.ts";

interface Roles {
  readonly api: Api | null;
  readonly worker: Worker | null;
  readonly notifier: Notifier | null;
  readonly limits: AccountLimits;
}

/** Metrics that are read when they are scraped. All are present regardless of the roles; those of other roles are 0. */
export function addGauges(parts: Parts, { api, worker, notifier, limits }: Roles): void {
  const { config, metrics, browserPool, workerBrowser, feed } = parts;
  const { largeBodies: large_bodies, streams: event_streams, lists, waits, exports } = limits;
  metrics.accountLimits({ event_streams, waits, exports, lists, large_bodies });
  metrics.gauge("querent_tasks_running", "Tasks that run in this process.", () => worker?.dispatcher.inFlight ?? 0);
  metrics.gauge("querent_browser_usable", "1 while this process can use a browser.", () =>
    Number(workerBrowser.isUsable()),
  );
  metrics.gauge(
    "querent_account_tasks_running_max",
    "Tasks of the account that has the most of them running in this process.",
    () => worker?.dispatcher.mostSlotsOfOneAccount ?? 0,
  );
  metrics.gauge(
    "querent_results_waiting_bytes",
    "Bytes of results that wait to be written by this process.",
    () => worker?.dispatcher.waitingBytes ?? 0,
  );
  metrics.gauge("querent_browser_contexts", "Browser contexts in use in this process.", () => browserPool.inUse);
  metrics.gauge(
    "querent_event_readers",
    "Clients that follow the event feed live in this process.",
    () => feed.readers,
  );
  metrics.gauge(
    "querent_http_connections",
    "Connections to the API of this process.",
    async () => (await api?.connections()) ?? 0,
  );
  metrics.gauge("querent_http_connections_max", "Connections to the API that this process takes.", () =>
    connectionsFor(config.connectionsMax),
  );
  metrics.gauge(
    "querent_delivery_slots_taken",
    "Notifications on their way from this process.",
    () => notifier?.inFlight ?? 0,
  );
  metrics.gauge(
    "querent_delivery_slots_account_max",
    "Notifications on their way from this process for the account that has most.",
    () => Math.max(0, ...(notifier?.inFlightByAccount.values() ?? [])),
  );
}
