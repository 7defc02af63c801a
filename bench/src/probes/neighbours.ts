/**
 * What one account's attacks do to another account: the time from acceptance to delivery of a steady stream of its tasks, alone and
 * beside each attack; and what they do to the process that both use.
 */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { stringify } from "yaml";
import type { Bench } from "../bench.ts";
import { startLoad, type Installation, type BenchService } from "../contenders/querent.ts";
import { startChild, type BenchChild } from "../processes/child.ts";
import type { Statuses } from "../processes/attacker.ts";
import type { Loaded } from "../processes/load.ts";
import { quantile } from "../statistics.ts";
import { attacks, storageMebibytes } from "./attacks.ts";
import { fillPanel } from "./computing-attacks.ts";
import { withInstallation, type Line } from "./probe.ts";
import type { Attack, Victim } from "./attack.ts";

const batchSize = 5;
const everyMs = 250;
const looksEveryMs = 20;
const figuresEveryMs = 250;
/** What is read from the memory of the container. */
const container = { QUERENT_FIGURES_MEMORY: "512" };
const completesWithinMs = 15 * 60_000;

interface Beside {
  /** From acceptance to the receiver's 2xx. */
  readonly p50: number;
  readonly p95: number;
  /** The longest that the process let a request wait. */
  readonly silentMs: number;
  /** The most memory of the process. */
  readonly bytes: number;
  /** The requests for figures of the third account. */
  readonly figures: { readonly p95: number; readonly refused: number };
}

interface Stage {
  readonly installation: Installation;
  readonly service: BenchService;
  readonly load: BenchChild<undefined>;
  readonly attacker: BenchChild<undefined>;
  /** A third account's. */
  readonly figures: { readonly url: string; readonly token: string };
  readonly seconds: number;
}

export async function neighbours(bench: Bench): Promise<Line[]> {
  const chosen = attacks.filter(({ name, isLong }) =>
    bench.attacks === null ? bench.scale.longAttacks || isLong !== true : bench.attacks.includes(name),
  );
  // The limits of a new installation, also of requests, in a container of 1 GiB.
  const environment = { QUERENT_CONFIG: platformsFile(bench), QUERENT_REQUESTS_PER_MINUTE: "60000", QUERENT_STORAGE_MIB_PER_ACCOUNT: String(storageMebibytes), ...container }; // prettier-ignore
  // The neighbour, a reader of figures, and two accounts for each attack.
  const options = { accounts: 2 + 2 * chosen.length, environment };
  return withInstallation(bench, "neighbours", options, async (installation) => {
    const service = await installation.serve();
    await using load = await startLoad(service.address, 4);
    await using attacker = await startChild<undefined>(join(import.meta.dirname, "../processes/attacker.ts"), {
      address: service.address,
    });
    const reader = { accountId: installation.accountIds[1] ?? "", token: installation.tokens[1] ?? "" };
    const { panelId } = await fillPanel({ installation, address: service.address }, reader, { prompts: 5, runs: 20 });
    const figures = { url: `${service.address}/v1/panels/${panelId}/figures`, token: reader.token };
    const stage = { installation, service, load, attacker, figures, seconds: bench.scale.streamSeconds };
    await measure(stage, "warm");
    const alone = await measure(stage, "alone");
    const lines = [
      { what: `acceptance to delivery, ${(1000 / everyMs) * batchSize} tasks/s alone`, figure: figureOf(alone), ratio: "", target: "" },
    ];
    for (const [index, attack] of chosen.entries()) {
      bench.progress(`  ${attack.name}`);
      lines.push(await lineOf(bench, stage, attack, 2 + 2 * index, alone));
    }
    return lines;
  }); // prettier-ignore
}

/** A platform whose responses are as long as they may be, beside the simulator. */
function platformsFile({ folder }: Bench): string {
  const config = join(folder, "neighbours");
  mkdirSync(config, { recursive: true });
  const module = join(import.meta.dirname, "../processes/long-responses.mjs");
  writeFileSync(join(config, "platforms.yaml"), stringify({ platforms: { "long-responses": { module } } }));
  return join(config, "platforms.yaml");
}

async function lineOf(bench: Bench, stage: Stage, attack: Attack, nth: number, alone: Beside): Promise<Line> {
  const what = `the same beside ${attack.what} of another account`;
  try {
    const idleBytes = memoryOf(stage.service.pid);
    const { beside, statuses, harm } = await underAttack(stage, attack, nth);
    bench.progress(`    responses to the attacker: ${JSON.stringify(statuses)}`);
    const mebibytes = Math.max(0, beside.bytes - idleBytes) / 2 ** 20;
    const { p95, refused } = beside.figures;
    const ofThird =
      attack.computes === true
        ? `, a third account's figures p95 ${p95.toFixed(0)} ms (x ${(p95 / alone.figures.p95).toFixed(2)}), ${refused} of them refused`
        : "";
    return {
      what,
      figure: `${figureOf(beside)}, ${mebibytes.toFixed(0)} MiB above idle, ${harm}${ofThird}`,
      ratio: `x ${(beside.p95 / alone.p95).toFixed(2)}`,
      target: `x 3, 500 ms, 1,024 MiB, 0, 0${attack.computes === true ? ", x 3, 0" : ""}`,
    };
  } catch (error) {
    return { what, figure: `failed: ${(error as Error).message}`, ratio: "", target: "" };
  }
}

const figureOf = ({ p50, p95, silentMs }: Beside) =>
  `p95 ${p95.toFixed(0)} ms (p50 ${p50.toFixed(0)}), silent for ${silentMs.toFixed(0)} ms at the longest`;

/** Measures the neighbour beside the attack, then ends the attack and waits for what must complete. */
async function underAttack(
  stage: Stage,
  attack: Attack,
  nth: number,
): Promise<{ beside: Beside; statuses: Statuses; harm: string }> {
  const { installation, service, attacker } = stage;
  const { database } = installation;
  const accountOf = (index: number) => ({
    accountId: installation.accountIds[index] ?? "",
    token: installation.tokens[index] ?? "",
  });
  const { accountId, token } = accountOf(nth);
  const second = accountOf(nth + 1);
  const victim: Victim = { installation, address: service.address, attacker, token, accountId, second };
  const nodes = async () => (await database.query<{ id: string }>("select id from nodes order by id")).rows;
  const before = await nodes();
  const batches = await attack.start(victim);
  const beside = await measure(stage, attack.name);
  const statuses = await attacker.ask<Statuses>("stop");
  if (attack.completes === true) await until("the attack's tasks to end", () => noneLeft(installation, "tasks", accountId));
  await Promise.all(batches.map((batchId) => cancel(victim, batchId)));
  await until("the canceled tasks to end", () => noneLeft(installation, "dispatch", accountId));
  await until("its deliveries to be given up", () => giveUp(installation, accountId));
  const told = attack.tells === undefined ? "" : `, ${await attack.tells(victim)}`;
  const after = await nodes();
  const lost = before.filter(({ id }) => !after.some((node) => node.id === id)).length;
  const { rows } = await database.query<{ twice: number; failed: number }>(
    `select (select count(*) from task_attempts where account_id = $1)::int as twice,
            (select count(*) from tasks where account_id = $2 and state = 'failed')::int as failed`,
    [installation.accountIds[0], accountId],
  );
  const failed = attack.completes === true ? `, ${rows[0]?.failed} of the attacker's own tasks failed` : "";
  return { beside, statuses, harm: `${lost} leases lost, ${rows[0]?.twice} tasks asked twice${failed}${told}` };
} // prettier-ignore

/** Deletes what waits to be sent. False: some of it is being sent. */
async function giveUp({ database }: Installation, accountId: string): Promise<boolean> {
  await database.query(
    `delete from delivery_queue where id in (select id from delivery_queue where account_id = $1 for update skip locked)`,
    [accountId],
  );
  const { rows } = await database.query("select from delivery_queue where account_id = $1 limit 1", [accountId]);
  return rows.length === 0;
}

async function cancel({ address, token }: Victim, batchId: string): Promise<void> {
  const response = await fetch(`${address}/v1/batches/${batchId}/cancellation`, {
    method: "POST",
    headers: { authorization: `Bearer ${token}` },
  });
  if (!response.ok) throw new Error(`${response.status} ${await response.text()}`);
}

async function noneLeft({ database }: Installation, table: "tasks" | "dispatch", accountId: string): Promise<boolean> {
  const pending = table === "tasks" ? "tasks where state = 'pending' and" : "dispatch where";
  const { rows } = await database.query<{ n: number }>(
    `select count(*)::int as n from ${pending} account_id = $1`, [accountId],
  ); // prettier-ignore
  return rows[0]?.n === 0;
}

async function until(what: string, isSo: () => Promise<boolean>): Promise<void> {
  const fromMs = performance.now();
  while (!(await isSo())) {
    if (performance.now() - fromMs > completesWithinMs) throw new Error(`waited in vain for ${what}`);
    await sleep(100);
  }
}

/** A steady stream of the first account's tasks. */
async function measure(stage: Stage, key: string): Promise<Beside> {
  const { installation, service, load, seconds } = stage;
  const { database, accountIds, tokens } = installation;
  const looking = new AbortController();
  const watched = watchProcess(service, looking.signal);
  const reading = readFigures(stage.figures, looking.signal);
  const count = Math.ceil((seconds * 1000) / everyMs);
  const fromMs = performance.now();
  for (let batch = 0; batch < count; batch++) {
    await sleep(Math.max(0, fromMs + batch * everyMs - performance.now()));
    await load.ask<Loaded>("send", {
      path: "/v1/tasks/batch", tokens: [tokens[0]], batches: 1, batchSize, connections: 1,
      question: "What fell?", platformCode: "simulator", key: `${key}-${batch}`,
    }); // prettier-ignore
  }
  await until("the neighbour's deliveries", async () => {
    const { rows } = await database.query<{ n: number }>(
      `select ((select count(*) from tasks where account_id = $1 and state = 'pending')
             + (select count(*) from deliveries where account_id = $1 and state = 'pending'))::int as n`,
      [accountIds[0]],
    );
    return rows[0]?.n === 0;
  });
  looking.abort();
  const { silentMs, bytes } = await watched;
  const figures = await reading;
  const { rows } = await database.query<{ ms: number }>(
    `select (extract(epoch from d.finished_at - t.created_at) * 1000)::float8 as ms
     from tasks t join deliveries d on d.account_id = t.account_id and d.task_id = t.id
     where t.account_id = $1 order by t.id desc limit $2`,
    [accountIds[0], count * batchSize],
  );
  const ms = rows.map((row) => row.ms);
  return { p50: quantile(ms, 0.5), p95: quantile(ms, 0.95), silentMs, bytes, figures };
}

/** Requests that need nothing but the event loop, and the process's memory. */
async function watchProcess(
  { address, pid }: BenchService,
  signal: AbortSignal,
): Promise<Pick<Beside, "silentMs" | "bytes">> {
  let silentMs = 0;
  let bytes = 0;
  while (!signal.aborted) {
    const from = performance.now();
    await (await fetch(`${address}/healthz`)).text();
    silentMs = Math.max(silentMs, performance.now() - from);
    bytes = Math.max(bytes, memoryOf(pid) + childrenOf(pid).reduce((sum, child) => sum + memoryOf(child), 0));
    await sleep(looksEveryMs);
  }
  return { silentMs, bytes };
}

/** The figures of an account that asks for them now and then. */
async function readFigures({ url, token }: Stage["figures"], signal: AbortSignal): Promise<Beside["figures"]> {
  const ms: number[] = [];
  let refused = 0;
  while (!signal.aborted) {
    const from = performance.now();
    const response = await fetch(url, { headers: { authorization: `Bearer ${token}` } });
    await response.arrayBuffer();
    ms.push(performance.now() - from);
    if (!response.ok) refused++;
    await sleep(figuresEveryMs);
  }
  return { p95: quantile(ms, 0.95), refused };
}

/** Resident memory in bytes; 0: the process has ended. */
function memoryOf(pid: number): number {
  return Number(/^VmRSS:\s+(\d+) kB/mu.exec(read(`/proc/${pid}/status`))?.[1] ?? 0) * 1024;
}

/** The processes in which it computes. */
const childrenOf = (pid: number): number[] =>
  read(`/proc/${pid}/task/${pid}/children`)
    .split(" ")
    .map(Number)
    .filter((child) => child > 0 && read(`/proc/${child}/cmdline`).includes("job-process"));

function read(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return "";
  }
}
