import { changeWatcher as watcher } from "../insight/index.ts";
import type { Service } from "../runtime/service.ts";
import { readDrift } from "../statistics/index.ts";
import { announceEvent } from "../webhooks/index.ts";
import type { Parts } from "./parts.ts";

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
