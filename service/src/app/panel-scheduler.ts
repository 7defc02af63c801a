import { requireRoom } from "../accounts/index.ts";
import { runEnds, scheduler, changeWatcher as watcher } from "../insight/index.ts";
import type { Service } from "../runtime/service.ts";
import type { Parts } from "./parts.ts";
import type { Worker } from "./roles/worker.ts";
import { readDrift } from "../statistics/index.ts";
import { announceEvent } from "../webhooks/index.ts";

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

/** Judges panels after their runs. In each process that runs tasks. */
export function changeWatcher({ database, entities, computer, log, fault, metrics }: Parts): Service {
  return watcher({
    database,
    entities,
    computer,
    readDrift: () => readDrift(database),
    async announce(tx, accountId, { kind, data }) {
      const subject = data.changeId;
      await (kind === "change"
        ? announceEvent(tx, { accountId, type: "panel.change.detected", subject, data })
        : announceEvent(tx, { accountId, type: "panel.instrument.changed", subject, data }));
    },
    onTaken: ({ waitedSeconds }) => metrics.observe("querent_panel_judging_wait_seconds", {}, waitedSeconds),
    onFound: ({ accountId, panelId }, { kind, data }) => {
      const { changeId, platformCode } = data;
      metrics.add("querent_panel_changes_total", { kind });
      log({
        event: kind === "change" ? "panel.changed" : "panel.instrument_changed",
        accountId,
        panelId,
        changeId,
        platformCode,
      });
    },
    onFault: fault("judge the changes of panels"),
  });
}
