/** Contenders that run in a process of the benchmark, with or without an API. */
import { join } from "node:path";
import { startChild } from "../processes/child.ts";
import type { Loaded, LoadInput } from "../processes/load.ts";
import type { Contender, ContenderInput, ContenderWork } from "./contender.ts";
import { question, startLoad } from "./querent.ts";

export async function startFloor(file: "floor.ts" | "bare-floor.ts", input: ContenderInput): Promise<Contender> {
  const child = await startChild<undefined>(join(import.meta.dirname, file), input);
  return {
    pid: child.pid,
    send: (work) => child.ask<{ startMs: number }>("run", work),
    [Symbol.asyncDispose]: () => child.end(),
  };
}

export async function startPeer(file: string, input: ContenderInput, connections: number): Promise<Contender> {
  const child = await startChild<{ address: string }>(join(import.meta.dirname, file), input);
  const load = await startLoad(child.ready.address, connections);
  return {
    pid: child.pid,
    send: (work: ContenderWork) =>
      load.ask<Loaded>("send", {
        ...work,
        address: child.ready.address,
        path: "/batch",
        tokens: ["unused"],
        batches: work.tasks / work.batchSize,
        question,
        platformCode: "simulator",
        key: "unused",
      } satisfies LoadInput & ContenderWork),
    async [Symbol.asyncDispose]() {
      await load.end();
      await child.end();
    },
  };
}
