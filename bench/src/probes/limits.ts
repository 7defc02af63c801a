/** Guarantees under load: limits over two processes, fairness, many tasks in flight, and the work of a killed process. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Bench } from "../bench.ts";
import { machineMs } from "../processes/child.ts";
import { countRows, insertBacklog, withInstallation, type Line } from "./probe.ts";

/** Two processes share a limit of 10 and a rate of 200/s with a burst of 20; a small account competes with a busy one. */
export async function sharedLimits(bench: Bench): Promise<Line[]> {
  const [limit, perSecond, burst, busy, small] = [10, 200, 20, 1500, 20];
  const config = join(bench.folder, "limits.yaml");
  writeFileSync(
    config,
    `platforms: { simulator: { runningMax: ${limit}, rate: { perSecond: ${perSecond}, burst: ${burst} } } }\n`,
  );
  return withInstallation(bench, "limits", { accounts: 2, environment: { QUERENT_CONFIG: config } }, async (installation) => {
    const [busyId = "", smallId = ""] = installation.accountIds;
    await insertBacklog(installation, busyId, busy, "delay=20ms");
    await insertBacklog(installation, smallId, small, "delay=20ms");
    await installation.serve({ roles: "worker" });
    await installation.serve({ roles: "worker" });
    let most = 0;
    let looks = 0;
    while ((await countRows(installation, "select count(*) as n from dispatch")) > 0) {
      // One statement sees one snapshot.
      most = Math.max(most, await countRows(installation, "select count(*) as n from dispatch where state in ('running', 'aborting')"));
      looks++;
    }
    const { rows } = await installation.database.query<{ at: number; account_id: string }>(
      "select (extract(epoch from started_at) * 1000)::float8 as at, account_id from tasks order by started_at",
    );
    // For each pair of starts: no more between them than the rate and the burst allow.
    let over = 0;
    for (const [from, first] of rows.entries()) {
      for (let to = from; to < rows.length; to++) {
        const allowed = burst + (((rows[to]?.at ?? 0) - first.at) / 1000) * perSecond;
        over = Math.max(over, to - from + 1 - Math.floor(allowed + 1e-6));
      }
    }
    const lastSmall = rows.findLast((row) => row.account_id === smallId)?.at ?? 0;
    const rank = rows.filter((row) => row.at <= lastSmall).length;
    return [
      { what: `limit ${limit} over two processes`, figure: `at most ${most} at ${looks} looks`, ratio: `${Math.max(0, most - limit)} over`, target: "0 over" },
      { what: `rate ${perSecond}/s, burst ${burst}, every window`, figure: `${rows.length} starts`, ratio: `${over} over`, target: "0 over" },
      { what: `fairness: last of ${small} beside ${busy}`, figure: `rank ${rank}`, ratio: `${(rank / (2 * small * 2)).toFixed(2)} of the bound`, target: "1 at most" },
    ];
  }); // prettier-ignore
}

/** Many concurrent slow tasks in one process. */
export async function inFlight(bench: Bench): Promise<Line[]> {
  const count = bench.scale.inFlight;
  const config = join(bench.folder, "in-flight.yaml");
  writeFileSync(config, `platforms: { simulator: { runningMax: ${count} } }\n`);
  const slots = String(count);
  const environment = { QUERENT_WORKER_SLOTS: slots, QUERENT_ACCOUNT_SLOTS: slots, QUERENT_CONFIG: config };
  return withInstallation(bench, "in_flight", { environment }, async (installation) => {
    await insertBacklog(installation, installation.accountIds[0] ?? "", count, "delay=30s");
    await bench.receiver.ask("reset");
    const service = await installation.serve();
    let most = 0;
    for (let running = 0; ; ) {
      running = await countRows(installation, "select count(*) as n from dispatch where state = 'running'");
      most = Math.max(most, running);
      if (running < most || running === count) break;
      await sleep(100);
    }
    await bench.receiver.ask("reached", count);
    const peakMiB = Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${service.pid}/status`, "utf8"))?.[1]) / 1024;
    return [
      { what: `${most} tasks of 30 s in flight, to the last webhook`, figure: `peak ${Math.round(peakMiB)} MiB`, ratio: `${(peakMiB / 1024).toFixed(2)} of 1 GiB`, target: "1 at most" },
    ];
  }); // prettier-ignore
}

/** The time from SIGKILL of one of two processes until all its tasks run on the other. */
export async function recovery(bench: Bench): Promise<Line[]> {
  return withInstallation(bench, "recovery", { environment: { QUERENT_WORKER_SLOTS: "100", QUERENT_ACCOUNT_SLOTS: "100" } }, async (installation) => {
    await insertBacklog(installation, installation.accountIds[0] ?? "", 100, "delay=5m");
    const first = await installation.serve({ roles: "worker" });
    const running = () => countRows(installation, "select count(*) as n from dispatch d join nodes n on n.id = d.node_id where d.state = 'running'");
    while ((await running()) < 100) await sleep(50);
    const { rows } = await installation.database.query<{ node_id: string }>("select distinct node_id from dispatch");
    await installation.serve({ roles: "worker" });
    const killedMs = machineMs();
    await first.end("SIGKILL");
    const left = () => countRows(installation, `select count(*) as n from dispatch where state <> 'running' or node_id = '${rows[0]?.node_id}'`);
    while ((await left()) > 0) await sleep(50);
    const seconds = (machineMs() - killedMs) / 1000;
    return [
      { what: "a killed process's 100 tasks run again elsewhere", figure: `after ${seconds.toFixed(1)} s`, ratio: `${(seconds / 20).toFixed(2)} of 20 s`, target: "1 at most" },
    ];
  }); // prettier-ignore
}
