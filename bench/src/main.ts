/**
 * `npm run bench`: measures the baseline, the service and alternatives in one run on one machine, and prints a table. Compare ratios within
 * a run. Absolute figures depend on the machine and its load.
 */
import { writeFileSync } from "node:fs";
import { cpus, loadavg, release, totalmem } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { against, commitOf, leastRatio, thisCommit } from "./against.ts";
import { fullScale, quickScale, startBench, type Bench, type Scale } from "./bench.ts";
import { startFloor, startPeer } from "./contenders/child-contender.ts";
import { startQuerent } from "./contenders/querent.ts";
import { startRedis, type RedisServer } from "./processes/servers.ts";
import { manyAccounts } from "./probes/accounts.ts";
import { attacks } from "./probes/attacks.ts";
import { backlog } from "./probes/backlog.ts";
import { deliveryLatency, deliveryRate } from "./probes/deliveries.ts";
import { endToEnd, type EndToEnd, type Entrant } from "./probes/end-to-end.ts";
import { idleLatency } from "./probes/idle-latency.ts";
import { figures } from "./probes/figures.ts";
import { inFlight, recovery, sharedLimits } from "./probes/limits.ts";
import { lists } from "./probes/lists.ts";
import { pageEndurance } from "./probes/page-endurance.ts";
import { pageEnds } from "./probes/page-ends.ts";
import { pages } from "./probes/pages.ts";
import { neighbours } from "./probes/neighbours.ts";
import { metrics } from "./probes/metrics.ts";
import { observing } from "./probes/observing.ts";
import { oldSnapshot } from "./probes/old-snapshot.ts";
import { tracing } from "./probes/tracing.ts";
import type { Line } from "./probes/probe.ts";
import { signIns } from "./probes/sign-ins.ts";
import { simulate } from "./probes/simulate.ts";
import { wakeUps } from "./probes/wake-ups.ts";
import type { Spread } from "./statistics.ts";

const probes: Readonly<Record<string, (bench: Bench) => Promise<Line[]>>> = {
  idle: idleLatency,
  backlog,
  accounts: manyAccounts,
  "wake-ups": wakeUps,
  limits: sharedLimits,
  "in-flight": inFlight,
  recovery,
  "old-snapshot": oldSnapshot,
  "delivery-rate": deliveryRate,
  "delivery-latency": deliveryLatency,
  pages,
  "page-ends": pageEnds,
  "page-endurance": pageEndurance,
  lists,
  figures,
  neighbours,
  metrics,
  observing,
  tracing,
  "sign-ins": signIns,
  simulate,
};
const names = ["end-to-end", ...Object.keys(probes)];

const { values } = parseArgs({
  options: {
    quick: { type: "boolean", default: false },
    only: { type: "string" },
    attacks: { type: "string" },
    tasks: { type: "string" },
    repetitions: { type: "string" },
    accounts: { type: "string" },
    backlog: { type: "string" },
    against: { type: "string" },
    save: { type: "string" },
    help: { type: "boolean", default: false },
  },
});

if (values.help) {
  print(
    `npm run bench -- [--quick] [--only ${names.join(",")}] [--attacks ${attacks.map(({ name }) => name).join(",")}] [--tasks N] [--repetitions N] [--accounts N] [--backlog N]
npm run bench -- --against REVISION|newest-tag [--quick]: this version and that one in turn, and what was lost
--save FILE: keeps the table of end-to-end as JSON, for docs/scaling.md`,
  );
} else if (values.against !== undefined) {
  await compare(values.against, { ...(values.quick ? quickScale : fullScale), ...given() });
} else {
  const scale = { ...(values.quick ? quickScale : fullScale), ...given() };
  const wanted = values.only?.split(",") ?? names;
  const unknown = wanted.filter((name) => !names.includes(name));
  if (unknown.length > 0) throw new Error(`--only knows ${names.join(", ")}; not ${unknown.join(", ")}`);
  const attackNames = values.attacks?.split(",") ?? null;
  const unknownAttacks = attackNames?.filter((name) => !attacks.some((attack) => attack.name === name)) ?? [];
  if (unknownAttacks.length > 0)
    throw new Error(`--attacks knows ${attacks.map(({ name }) => name).join(", ")}; not ${unknownAttacks.join(", ")}`);
  await measure(scale, wanted, attackNames);
}

function given(): Partial<Scale> {
  const numbers = (["tasks", "repetitions", "accounts", "backlog"] as const).flatMap((name) => {
    const text = values[name];
    if (text === undefined) return [];
    if (!/^[1-9]\d*$/.test(text)) throw new Error(`--${name} takes a whole number`);
    return [[name, Number(text)] as const];
  });
  return Object.fromEntries(numbers);
}

async function measure(scale: Scale, wanted: readonly string[], attackNames: readonly string[] | null): Promise<void> {
  const from = performance.now();
  await using bench = await startBench(scale, attackNames);
  const loads = [loadavg()[0] ?? 0];
  const lines: Line[] = [];
  const entrants = wanted.includes("end-to-end") ? await race(bench) : [];
  for (const [name, probe] of Object.entries(probes)) {
    if (!wanted.includes(name)) continue;
    bench.progress(name);
    try {
      lines.push(...(await probe(bench)));
    } catch (error) {
      lines.push({ what: name, figure: `failed: ${(error as Error).message.split("\n")[0]}`, ratio: "", target: "" });
    }
    loads.push(loadavg()[0] ?? 0);
  }
  const minutes = ((performance.now() - from) / 60_000).toFixed(0);
  print(`
${setting(bench, loads)} · ${minutes} min
Method: every contender in turn, ${scale.repetitions} times after a warm-up, ${scale.tasks} tasks in batches of ${scale.batchSize} over ${scale.connections} connections, ${scale.accounts} accounts;
from the first POST to the receiver's last 2xx. Median (min-max). One PostgreSQL for all, durable: fsync on, synchronous_commit on.
Receiver and load generator are processes of their own on the same machine.
`);
  if (entrants.length > 0) {
    const cells = entrants.map(({ name, rate, ofFirst, accepted, cpuUs }) => [
      name,
      told(rate, 0, "/s"),
      told(ofFirst, 2),
      accepted === null ? "" : told(accepted, 0, "/s"),
      told(cpuUs, 0),
    ]);
    printTable(["end to end", "tasks", "of the floor", "accepted meanwhile", "own process, us/task"], cells);
    const [ours, bull] = [
      entrants.find(({ name }) => name === "Querent"),
      entrants.find(({ name }) => name.includes("everysec")),
    ];
    if (values.save !== undefined) {
      const machine = setting(bench, [loads[0] ?? 0]).split("\n");
      const result = { commit: thisCommit(), machine, tasks: scale.tasks, repetitions: scale.repetitions, entrants };
      writeFileSync(values.save, `${JSON.stringify(result, null, 2)}\n`);
    }
    if (ours !== undefined && bull !== undefined)
      print(`Querent over BullMQ (everysec): x ${(ours.rate.median / bull.rate.median).toFixed(2)}\n`);
  }
  if (lines.length > 0) {
    printTable(
      ["measured", "figure", "ratio", "target"],
      lines.map(({ what, figure, ratio, target }) => [what, figure, ratio, target]),
    );
  }
}

/** A version that is slower than an earlier one says so in a line that continuous integration repeats. */
async function compare(revision: string, scale: Scale): Promise<void> {
  const commit = commitOf(revision);
  if (commit === null) return print(`SKIPPED  this clone has no ${revision} to compare with`);
  await using bench = await startBench(scale, null);
  const { other, here, cpuRatio } = await against(bench, commit);
  print(`\n${setting(bench, [loadavg()[0] ?? 0])}\n`);
  printTable(
    ["in turn", "tasks", "of the other's pace", "own process, us/task"],
    [other, here].map(({ name, rate, ofFirst, cpuUs }) => [
      name,
      told(rate, 0, "/s"),
      told(ofFirst, 2),
      told(cpuUs, 0),
    ]),
  );
  const pace = here.ofFirst.median;
  const verdict = pace < leastRatio ? "SLOWER" : "as quick";
  print(
    `${verdict}  ${thisCommit()} has ${pace.toFixed(2)} of the pace of ${other.name} (${here.ofFirst.min.toFixed(2)}-${here.ofFirst.max.toFixed(2)}), and ${cpuRatio.toFixed(2)} of its processor time for a task`,
  );
}

async function race(bench: Bench): Promise<EndToEnd[]> {
  bench.progress("end to end");
  const { connections, accounts } = bench.scale;
  await using everysec = await redis(bench, 26_379, "everysec");
  await using always = await redis(bench, 26_380, "always");
  const bullmq = (name: string, server: RedisServer): Entrant => ({
    name: `Fastify + BullMQ + PostgreSQL, ${name}`,
    start: async () =>
      startPeer("bullmq.ts", { ...(await bench.input(`bullmq_${name}`)), redisPort: server.port }, connections),
  });
  return await endToEnd(bench, [
    { name: "floor", start: async () => startFloor("floor.ts", await bench.input("floor")) },
    { name: "four bare rows", start: async () => startFloor("bare-floor.ts", await bench.input("bare_floor")) },
    { name: "Querent", start: async () => startQuerent({ ...(await bench.input("querent")), accounts }, connections) },
    ...(everysec === null ? [] : [bullmq("everysec", everysec)]),
    ...(always === null ? [] : [bullmq("always", always)]),
    {
      name: "Fastify + graphile-worker",
      start: async () => startPeer("graphile.ts", await bench.input("graphile"), connections),
    },
  ]);
}

async function redis(bench: Bench, port: number, appendfsync: "everysec" | "always"): Promise<RedisServer | null> {
  const server = await startRedis(join(bench.folder, `redis-${appendfsync}`), port, appendfsync);
  if (server === null) bench.progress("  no redis-server on PATH: BullMQ is left out");
  return server;
}

/** When and where it was measured. */
function setting(bench: Bench, loads: readonly number[]): string {
  return `${new Date().toISOString().slice(0, 16)}Z · ${cpus().length} x ${cpus()[0]?.model} · ${Math.round(totalmem() / 2 ** 30)} GiB · Linux ${release()} · Node ${process.version} · PostgreSQL ${bench.postgres.version}
load average ${loads.map((load) => load.toFixed(1)).join(", ")}`;
}

function told({ median, min, max }: Spread, digits: number, unit = ""): string {
  return `${median.toFixed(digits)}${unit} (${min.toFixed(digits)}-${max.toFixed(digits)})`;
}

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}

function printTable(head: readonly string[], rows: readonly (readonly string[])[]): void {
  const widths = head.map((text, column) => Math.max(text.length, ...rows.map((row) => row[column]?.length ?? 0)));
  const line = (row: readonly string[]) =>
    `| ${row.map((text, column) => text.padEnd(widths[column] ?? 0)).join(" | ")} |`;
  print([line(head), line(widths.map((width) => "-".repeat(width))), ...rows.map(line), ""].join("\n"));
}
