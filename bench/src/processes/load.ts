/** The load generator: sends batches over a few persistent connections, the next one after each response. */
import { setTimeout as sleep } from "node:timers/promises";
import { Pool } from "undici";
import { answerParent, machineMs } from "./child.ts";

export interface LoadInput {
  readonly address: string;
  readonly path: string;
  /** One per caller, used in turn. */
  readonly tokens: readonly string[];
  readonly batches: number;
  readonly batchSize: number;
  readonly connections: number;
  readonly question: string;
  readonly platformCode: string;
  /** Makes the keys of different loads unique. */
  readonly key: string;
  /** At most this many batches start in a second, evenly; without it, as many as are accepted. */
  readonly batchesPerSecond?: number;
}

export interface Loaded {
  readonly startMs: number;
  readonly endMs: number;
  /** The response time of each batch, in milliseconds. */
  readonly latenciesMs: readonly number[];
}

let pool: Pool | null = null;

answerParent({
  start: ({ address, connections }: { address: string; connections: number }) => {
    pool = new Pool(address, { connections, pipelining: 1 });
  },
  send: async (input: LoadInput): Promise<Loaded> => {
    if (pool === null) throw new Error("not started");
    const target = pool;
    const body = JSON.stringify(
      Array.from({ length: input.batchSize }, (_, index) => ({
        question: `${input.question} (${index})`,
        platformCode: input.platformCode,
        options: {},
        clientReference: `item-${index}`,
      })),
    );
    const latenciesMs: number[] = [];
    let next = 0;
    const startMs = machineMs();
    const sender = async () => {
      while (next < input.batches) {
        const batch = next++;
        if (input.batchesPerSecond !== undefined)
          await sleep(Math.max(0, startMs + (1000 * batch) / input.batchesPerSecond - machineMs()));
        const sentMs = machineMs();
        const response = await target.request({
          method: "POST",
          path: input.path,
          headers: {
            "content-type": "application/json",
            authorization: `Bearer ${input.tokens[batch % input.tokens.length] ?? ""}`,
            "idempotency-key": `${input.key}-${batch}`,
          },
          body,
        });
        const answer = await response.body.text();
        if (response.statusCode !== 202) throw new Error(`${response.statusCode} ${answer}`);
        latenciesMs.push(machineMs() - sentMs);
      }
    };
    await Promise.all(Array.from({ length: input.connections }, sender));
    return { startMs, endMs: machineMs(), latenciesMs };
  },
});
