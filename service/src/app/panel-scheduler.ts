import { requireRoom } from "../accounts/index.ts";
import { runEnds, scheduler } from "../insight/index.ts";
import type { Service } from "../runtime/service.ts";
import type { Parts } from "./parts.ts";
import type { Worker } from "./roles/worker.ts";

/** Starts the runs of panels. In each process that runs tasks, so that there is no single one that may be down. */
export function panelScheduler(parts: Parts, { dispatcher }: Worker): Service {
  return scheduler({
    database: parts.database,
    rules: parts.itemRules,
    requireRoom: (accountId) =>
      requireRoom(parts.database, accountId, { stores: "tasks", bytes: 0 }, parts.storageQuota),
    onRun: ({ accountId, panelId, slot, problem, platforms }) => {
      if (problem === null) dispatcher.wake(platforms);
      parts.log({
        event: problem === null ? "panel.run_started" : "panel.run_refused",
        accountId,
        panelId,
        slot: slot.toISOString(),
        why: problem?.detail ?? null,
      });
    },
    onFault: parts.fault("start the runs of panels"),
  });
}

/** Notices the ends of panels' runs, in the same processes. */
export function panelRunEnds(parts: Parts): Service {
  return runEnds({
    database: parts.database,
    entities: parts.entities,
    rules: parts.itemRules,
    onEnded: async ({ accountId, panelId, runId }) =>
      parts.log({ event: "panel.run_ended", accountId, panelId, runId }),
    onFault: parts.fault("notice the ends of panels' runs"),
  });
}
