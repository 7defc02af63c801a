import { spawnSync } from "node:child_process";

/** Prometheus' tool for rules and metrics. `missing`: the reason why tests that need it are skipped, or false. */
export const promtool = {
  missing:
    spawnSync("promtool", ["--version"]).error === undefined
      ? false
      : "promtool is not installed (Debian: apt-get install prometheus)",
};
