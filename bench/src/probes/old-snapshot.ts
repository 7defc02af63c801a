/**
 * A transaction that reads for long, as a backup does, keeps PostgreSQL from removing what is dead: the pace at a steady load, the
 * pages that a claim reads, and the pace at full speed, before, at the end and after.
 */
import { join } from "node:path";
import type { Bench } from "../bench.ts";
import { startQuerent } from "../contenders/querent.ts";
import { startPostgres } from "../processes/servers.ts";
import type { Line } from "./probe.ts";

/** The steady load, and how long it is measured each time. */
const perSecond = 800;
const sliceSeconds = 10;

export async function oldSnapshot(bench: Bench): Promise<Line[]> {
  const { tasks, batchSize, connections, accounts, pinSeconds } = bench.scale;
  // A server of its own, since the statistics of statements cost all others of a run a few percent.
  await using postgres = await startPostgres(join(bench.folder, "pinned"), {
    shared_preload_libraries: "pg_stat_statements",
    "pg_stat_statements.track_planning": "off",
  });
  const input = { ...(await bench.input("pinned")), databaseUrl: await postgres.create("pinned") };
  await using contender = await startQuerent({ ...input, accounts }, connections);
  const { database } = contender.installation;
  await database.query("create extension pg_stat_statements");

  const send = async (work: { tasks: number; batchSize: number; perSecond?: number }) => {
    await bench.receiver.ask("reset");
    const reached = bench.receiver.ask<{ atMs: number }>("reached", work.tasks);
    const { startMs } = await contender.send({ ...work, connections });
    return work.tasks / (((await reached).atMs - startMs) / 1000);
  };
  const fullSpeed = () => send({ tasks, batchSize });
  /** Small batches, so that claims are as frequent as with many clients. */
  const steady = async () => {
    await database.query("select pg_stat_statements_reset()");
    const rate = await send({ tasks: perSecond * sliceSeconds, batchSize: 20, perSecond });
    const { rows } = await database.query<{ query: string; calls: number; pages: number }>(
      `select query, sum(calls)::float8 as calls, sum(shared_blks_hit + shared_blks_read)::float8 as pages
       from pg_stat_statements where query !~ 'pg_stat_statements' group by query order by pages desc`,
    );
    const claims = rows.filter(({ query }) => query.includes("candidates as materialized"));
    const all = rows.reduce((sum, { pages }) => sum + pages, 0);
    return { rate, perTask: all / (perSecond * sliceSeconds), perClaim: ratio(claims) };
  };

  await fullSpeed();
  await steady();
  const [speedBefore, before] = [await fullSpeed(), await steady()];
  const client = await database.connect();
  let [last, tasksPinned] = [before, 0];
  let speedLast = Number.NaN;
  let dead = 0;
  try {
    await client.query("set idle_in_transaction_session_timeout = 0");
    await client.query("begin isolation level repeatable read");
    await client.query("select count(*) from tasks");
    const from = performance.now();
    while (performance.now() - from < pinSeconds * 1000) {
      last = await steady();
      tasksPinned += perSecond * sliceSeconds;
    }
    speedLast = await fullSpeed();
    const { rows } = await database.query<{ dead: number }>(
      "select n_dead_tup::float8 as dead from pg_stat_user_tables where relname = 'dispatch'",
    );
    dead = rows[0]?.dead ?? Number.NaN;
    await client.query("commit");
  } finally {
    await client.end();
  }
  const after = await fullSpeed();
  return [
    {
      what: `a snapshot held for ${pinSeconds} s at ${perSecond} tasks/s, ${tasksPinned} tasks`,
      figure: `${Math.round(before.rate)}/s before, ${Math.round(last.rate)} at its end`,
      ratio: `x ${(last.rate / before.rate).toFixed(2)}`,
      target: ">= 0.95",
    },
    {
      what: "… pages of a claim",
      figure: `${Math.round(before.perClaim)} before, ${Math.round(last.perClaim)} at its end`,
      ratio: `x ${(last.perClaim / before.perClaim).toFixed(2)}`,
      target: "<= 2",
    },
    {
      what: "… pages of all statements for a task",
      figure: `${Math.round(before.perTask)} before, ${Math.round(last.perTask)} at its end, ${dead} dead rows in dispatch`,
      ratio: `x ${(last.perTask / before.perTask).toFixed(2)}`,
      target: "",
    },
    {
      what: "… full speed",
      figure: `${Math.round(speedBefore)}/s before, ${Math.round(speedLast)} at its end, ${Math.round(after)} after`,
      ratio: `x ${(speedLast / speedBefore).toFixed(2)}, x ${(after / speedBefore).toFixed(2)}`,
      target: "",
    },
  ];
}

function ratio(rows: readonly { calls: number; pages: number }[]): number {
  const sum = (of: (row: { calls: number; pages: number }) => number) =>
    rows.reduce((total, row) => total + of(row), 0);
  return sum(({ pages }) => pages) / sum(({ calls }) => calls);
}
