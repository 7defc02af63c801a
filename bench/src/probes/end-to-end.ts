/** From the first POST of a batch to the receiver's last 2xx: contenders alternate, on databases that grow with each repetition. */
import { readFileSync } from "node:fs";
import type { Bench } from "../bench.ts";
import type { Contender } from "../contenders/contender.ts";
import { spread, type Spread } from "../statistics.ts";

export interface EndToEnd {
  readonly name: string;
  /** Tasks per second. */
  readonly rate: Spread;
  /** The ratio of each repetition to the same repetition of the first contender. */
  readonly ofFirst: Spread;
  /** Tasks accepted per second while running. Null without an API. */
  readonly accepted: Spread | null;
  /** CPU time of its process, in microseconds per task. */
  readonly cpuUs: Spread;
}

export interface Entrant {
  readonly name: string;
  start(): Promise<Contender>;
}

export async function endToEnd(bench: Bench, entrants: readonly Entrant[]): Promise<EndToEnd[]> {
  const { tasks, batchSize, connections, repetitions } = bench.scale;
  const rounds = entrants.map(() => ({ rates: [] as number[], accepted: [] as number[], cpuUs: [] as number[] }));
  const contenders: Contender[] = [];
  try {
    for (const entrant of entrants) contenders.push(await entrant.start());
    // The first round is a warm-up for plans, connections and compiled code, and is not counted.
    for (let repetition = 0; repetition <= repetitions; repetition++) {
      for (const [index, contender] of contenders.entries()) {
        await bench.receiver.ask("reset");
        const cpuBefore = cpuMs(contender.pid);
        const reached = bench.receiver.ask<{ atMs: number }>("reached", tasks);
        const { startMs, endMs } = await contender.send({ tasks, batchSize, connections });
        const { atMs } = await reached;
        const rate = tasks / ((atMs - startMs) / 1000);
        bench.progress(
          `  ${repetition === 0 ? "warm-up" : `${repetition}/${repetitions}`} ${entrants[index]?.name}: ${Math.round(rate)}/s`,
        );
        if (repetition === 0) continue;
        rounds[index]?.rates.push(rate);
        if (endMs !== undefined) rounds[index]?.accepted.push(tasks / ((endMs - startMs) / 1000));
        rounds[index]?.cpuUs.push(((cpuMs(contender.pid) - cpuBefore) * 1000) / tasks);
      }
    }
  } finally {
    for (const contender of contenders) await contender[Symbol.asyncDispose]();
  }
  const first = rounds[0]?.rates ?? [];
  return entrants.map(({ name }, index) => {
    const { rates, accepted, cpuUs } = rounds[index] ?? { rates: [], accepted: [], cpuUs: [] };
    return {
      name,
      rate: spread(rates),
      ofFirst: spread(rates.map((rate, repetition) => rate / (first[repetition] ?? Number.NaN))),
      accepted: accepted.length === 0 ? null : spread(accepted),
      cpuUs: spread(cpuUs),
    };
  });
}

/** CPU time of a process in milliseconds, from Linux's clock ticks of 10 ms. */
export function cpuMs(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.split(" ") ?? [];
  return (Number(fields[11]) + Number(fields[12])) * 10;
}
