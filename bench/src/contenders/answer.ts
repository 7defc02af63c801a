/** The simulator's answer, used by all contenders, so that they write and send the same bytes. */
import { createHmac } from "node:crypto";
import { composeResult } from "../../../service/src/answers/index.ts";
import { newId } from "../../../service/src/kernel/ids.ts";
import { simulatorPlatform } from "../../../service/src/platforms/index.ts";
import { taskRecord } from "../../../service/test/harness/task-record.ts";

const simulator = simulatorPlatform();
const options = { deepAnalysis: false, output: "answer", resultFormat: "json" } as const;
const never = new AbortController().signal;

export interface Asked {
  readonly taskId: string;
  readonly question: string;
  readonly clientReference: string | null;
}

/** A batch of contenders without an API. */
export function askedBatch(size: number): Asked[] {
  return Array.from({ length: size }, (_, index) => ({
    taskId: newId(),
    question: `How fine should I grind for espresso? (${index})`,
    clientReference: `item-${index}`,
  }));
}

/** The result to store, as JSON. */
export async function answer(task: Asked): Promise<object> {
  const outcome = await simulator.ask(
    { taskId: task.taskId, text: task.question, options, attempt: 1 },
    { signal: never },
  );
  if (outcome.kind !== "answered") throw new Error(outcome.kind);
  return composeResult(outcome.answer, simulator, options);
}

/** The body of its notification, with as many members as the service's. */
export function notification(task: Asked, result: object): Buffer {
  const now = new Date().toISOString();
  const record = {
    ...taskRecord({ ...task, ...result, createdAt: now, startedAt: now, completedAt: now, expiresAt: now }),
    resultOmitted: false,
  };
  return Buffer.from(JSON.stringify({ event: "task.finished", deliveryRevision: 1, task: record }));
}

export const secret = "whsec_benchmark";

export function signedHeaders(deliveryId: string, body: Buffer): Record<string, string> {
  return {
    "content-type": "application/json",
    "x-service-delivery": deliveryId,
    "x-service-signature": `sha256=${createHmac("sha256", secret).update(body).digest("hex")}`,
    "x-service-timestamp": new Date().toISOString(),
  };
}
