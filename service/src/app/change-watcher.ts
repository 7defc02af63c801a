import { changeWatcher as watcher } from "../insight/index.ts";
import type { Service } from "../runtime/service.ts";
import { readDrift } from "../statistics/index.ts";
import type { Parts } from "./parts.ts";

/** Judges panels after their runs. In each process that runs tasks. */
export function changeWatcher({ database, entities, log, fault }: Parts): Service {
  return watcher({
    database,
    entities,
    readDrift: () => readDrift(database),
    announce: async () => undefined,
    onFound: ({ accountId, panelId }, { kind, data }) => {
      const { changeId, platformCode } = data;
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
