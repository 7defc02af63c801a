/**
 * Simulates a day of an installation that is larger than this machine: 100 processes, 10,000 accounts, 50 million tasks and multiples of it, on
 * 1 to 8 cells (a PostgreSQL with its share of the accounts and processes). Measured here, on a real PostgreSQL: how long the transactions
 * take that share locks. Modelled: who waits for whom. The model is compared with a short real run.
 */
import type { Bench } from "../bench.ts";
import { measureServiceTimes, type Cost, type ServiceTimes } from "../simulation/service-times.ts";
import { simulateDay, type Day, type Peak } from "../simulation/simulate-day.ts";
import { validateModel, type Validation } from "../simulation/validate-model.ts";
import { withInstallation, type Line } from "./probe.ts";

const tasksPerDay = 50_000_000;
const cellCounts = [1, 2, 4, 8];
const loads = [1, 4, 16];
const measuredAccounts = 64;
/** Long enough for the running tasks to follow the load. */
const sharedDayMs = 240_000;

export async function simulate(bench: Bench): Promise<Line[]> {
  const { simulatedSeconds, measuredRounds } = bench.scale;
  const { times, validations } = await withInstallation(
    bench,
    "simulate",
    { accounts: measuredAccounts },
    async (installation) => {
      const databaseUrl = bench.postgres.url("bench_simulate");
      const measured = await measureServiceTimes(installation, databaseUrl, measuredRounds);
      bench.progress("  compares the model with real loops");
      return { times: measured, validations: await validateModel(installation, databaseUrl, measured, 3) };
    },
  );
  const day: Day = {
    times,
    seed: 1,
    tasksPerDay,
    cells: 1,
    accounts: 10_000,
    // 20 more are the API's.
    workers: 60,
    notifiers: 20,
    cores: 16,
    connections: 400,
    answerMs: 20_000,
    batchMean: 20,
    simulatedMs: simulatedSeconds * 1000,
    limit: null,
  };
  return [
    ...timeLines(times),
    ...validations.map(validationLine),
    ...loads.flatMap((load) =>
      cellCounts.map((cells) => run(bench, { ...day, tasksPerDay: load * tasksPerDay, cells }, "")),
    ),
    ...loads.map((load) =>
      run(bench, { ...day, tasksPerDay: load * tasksPerDay, workers: 12, notifiers: 4 }, ", 12 workers, 4 notifiers"),
    ),
    ...shareLines(bench, day),
  ];
}

function run(bench: Bench, day: Day, where: string): Line {
  const what = `${day.tasksPerDay / 1e6} M tasks a day, ${day.cells} ${day.cells === 1 ? "cell" : "cells"}${where}`;
  bench.progress(`  ${what}`);
  const peak = simulateDay(day);
  const used = [
    `platform ${percent(peak.platform)}`,
    `account ${percent(peak.account)}`,
    `delivery claims ${percent(peak.deliveryClaims)}`,
    `connections ${percent(peak.connections)}`,
    `cores ${percent(peak.cores)}`,
  ];
  return {
    what: `${what}: at the peak ${peak.offeredPerSecond.toFixed(0)}/s, started ${peak.startedPerSecond.toFixed(0)}/s`,
    figure: used.join(", "),
    ratio: waits(peak),
    target: "",
  };
}

/** A limit that is as high as what the largest platform needs at the peak: exact in one cell, divided equally, and divided by leases. */
function shareLines(bench: Bench, day: Day): Line[] {
  const runningMax = Math.round((1.8 * 0.4 * day.tasksPerDay * day.answerMs) / 86_400_000);
  return [
    { cells: 1, leaseMs: null, how: "1 cell" },
    { cells: 8, leaseMs: null, how: "8 cells, equal shares" },
    { cells: 8, leaseMs: 5_000, how: "8 cells, shares leased for 5 s" },
    { cells: 8, leaseMs: 1_000, how: "8 cells, shares leased for 1 s" },
  ].map(({ cells, leaseMs, how }) => {
    bench.progress(`  a limit on ${how}`);
    const peak = simulateDay({ ...day, cells, simulatedMs: sharedDayMs, limit: { runningMax, leaseMs } });
    return {
      what: `a limit of ${runningMax} running tasks on ${how}: started ${peak.startedPerSecond.toFixed(0)}/s of ${peak.offeredPerSecond.toFixed(0)}/s`,
      figure: `${percent(peak.limitUnused)} of the limit unused while tasks wait`,
      ratio: waits(peak),
      target: "",
    };
  });
}

const waits = ({ start, delivery }: Peak) =>
  `to start ${start.p50.toFixed(0)}/${start.p95.toFixed(0)} ms, to send ${delivery.p50.toFixed(0)}/${delivery.p95.toFixed(0)} ms (p50/p95)`;

const percent = (share: number) => `${(100 * share).toFixed(0)} %`;

function timeLines(times: ServiceTimes): Line[] {
  const told = ({ wall, postgres }: Cost) => `${wall.toFixed(2)} ms (${postgres.toFixed(2)} in PostgreSQL)`;
  const line = (what: string, figure: string): Line => ({
    what: `service time: ${what}`,
    figure,
    ratio: "",
    target: "",
  });
  const linear = (name: "submit" | "claim" | "end" | "claimDeliveries" | "recordDeliveries", what: string) =>
    line(what, `${told(times[name].base)} + per task ${told(times[name].each)}`);
  return [
    linear("submit", "acceptance"),
    linear("claim", "claim of tasks"),
    line("claim of tasks, for each 1,000 that run", `${(1000 * times.claimRunning.wall).toFixed(2)} ms`),
    line("claim of tasks, none queued", told(times.emptyClaim)),
    linear("end", "end of tasks"),
    line("end of one task, before the account's row is locked", `${times.end.base.before.toFixed(2)} ms`),
    linear("claimDeliveries", "claim of deliveries"),
    line("claim of deliveries, none due", told(times.emptyDeliveryClaim)),
    linear("recordDeliveries", "record of deliveries"),
  ];
}

function validationLine({ connections, measured, modelled, othersCores }: Validation): Line {
  return {
    what: `the model against real loops, ${connections} at once, other programs on ${othersCores.toFixed(1)} cores`,
    figure: `${modelled.toFixed(0)} tasks/s, measured ${measured.toFixed(0)}`,
    ratio: `${modelled >= measured ? "+" : ""}${(100 * (modelled / measured - 1)).toFixed(0)} %`,
    target: "",
  };
}
