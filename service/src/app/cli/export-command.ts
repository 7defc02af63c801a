import type { Command } from "commander";
import { exportLimits, exportObservations } from "../../insight/index.ts";
import { openContentStore } from "../open-content-store.ts";
import { print, withDatabase, type OperatorOutput } from "./operator-command.ts";
import { stopSignal } from "./stop-signal.ts";

/** `querentd export-observations` */
export function addExportCommand(program: Command): void {
  program
    .command("export-observations")
    .description(
      `export the observations recorded since the last export to the place of artifacts, as Parquet files with manifests; those of the last ${exportLimits.settleSeconds} seconds follow with the next export`,
    )
    .option("--json", "print JSON")
    .action((options: OperatorOutput) =>
      withDatabase(async ({ config, database }) => {
        const store = openContentStore(config);
        using stop = stopSignal();
        try {
          const report = await exportObservations(database, store, stop.signal);
          print(
            options,
            { ...report, place: store.place },
            report.manifests === 0
              ? "There is nothing to export, or another process is exporting."
              : `${report.rows} observations were exported to ${store.place}, with ${report.manifests} new manifests.`,
          );
        } finally {
          await store.close();
        }
      }),
    );
}
