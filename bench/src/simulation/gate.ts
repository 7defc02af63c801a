/** The service's own transactions that share locks, on a real database: what the simulator measures, and repeats in its model. */
import { newId } from "../../../service/src/kernel/ids.ts";
import type { Database } from "../../../service/src/db/index.ts";
import { claim, type Claimed } from "../../../service/src/dispatch/queue/claim.ts";
import { completeFenced } from "../../../service/src/dispatch/queue/fence.ts";
import { composeResult } from "../../../service/src/answers/index.ts";
import { simulatorPlatform } from "../../../service/src/platforms/index.ts";
import { endTasks, type RunResult } from "../../../service/src/tasks/index.ts";
import { submitBatch } from "../../../service/src/tasks/submit/submit-batch.ts";
import { claimDeliveries, type ClaimedDelivery } from "../../../service/src/webhooks/send/claim-deliveries.ts";
import { recordAttempts } from "../../../service/src/webhooks/send/record-attempts.ts";

export interface Gate {
  submit(accountId: string, tasks: number): Promise<unknown>;
  claim(platform: string, slots: number): Promise<readonly Claimed[]>;
  end(claimed: readonly Claimed[]): Promise<unknown>;
  claimDeliveries(): Promise<readonly ClaimedDelivery[]>;
  recordDeliveries(deliveries: readonly ClaimedDelivery[]): Promise<unknown>;
}

/** The transactions of one node. */
export async function openGate(database: Database, nodeId: string): Promise<Gate> {
  const result = await sampleResult();
  let afterAccount: string | null = null;
  return {
    submit: (accountId, tasks) =>
      submitBatch(database, { accountId, route: "bench", key: newId(), fingerprint: Buffer.alloc(32) }, () =>
        Array.from({ length: tasks }, () => item),
      ),
    claim: async (platform, slots) => (await claim(database, { platform, nodeId, slots })).claimed,
    // As the engine's completer does.
    end: (claimed) =>
      database.transaction(async (tx) => {
        const completed = await completeFenced(tx, nodeId, claimed);
        const ends = claimed.map(({ taskId, accountId }) => {
          const own = completed.get(taskId);
          if (own === undefined) throw new Error("A task was taken from its node.");
          const last = { startedAt: own.claimedAt, nodeId, probe: false };
          return {
            taskId,
            accountId,
            attempts: 1,
            startedAt: own.startedAt,
            last,
            state: "completed",
            result,
          } as const;
        });
        return endTasks(tx, ends, { retentionMs: 86_400_000, bodyBytesMax: 4 * 2 ** 20 });
      }),
    claimDeliveries: async () => {
      const slots = { slots: 240, lateSlots: 180, sharedSlots: 208, accountSlots: 60, slotDeliveries: 32 };
      const claims = await claimDeliveries(database, { ...slots, inFlight: new Map(), leaseMs: 45_000, afterAccount });
      afterAccount = claims.lastAccount;
      return claims.rows;
    },
    recordDeliveries: (deliveries) => {
      const attempt = { startedAt: new Date(), durationMs: 50, status: 204, fault: null, snippet: "" };
      const signed = {
        secretVersion: 1,
        signature: "sha256=".padEnd(71, "0"),
        standardSignature: "v1,".padEnd(47, "0"),
      };
      return recordAttempts(
        database,
        deliveries.map((delivery) => {
          return { kind: "attempted", delivery, ...attempt, signed, next: { state: "delivered" } };
        }),
      );
    },
  };
}

/** The simulator's answer, as stored. */
async function sampleResult(): Promise<RunResult> {
  const platform = simulatorPlatform();
  const options = { deepAnalysis: false, output: "answer", resultFormat: "json" } as const;
  const question = { taskId: newId(), text: item.question, options, attempt: 1 };
  const outcome = await platform.ask(question, { signal: new AbortController().signal });
  if (outcome.kind !== "answered") throw new Error(outcome.kind);
  return { stored: composeResult(outcome.answer, platform, options), raw: null, consumption: null };
}

const item = {
  question: "How fine should I grind for espresso?",
  platform: "simulator",
  options: { deepAnalysis: false, output: "answer", resultFormat: "json" },
  webhookUrl: null,
  clientReference: null,
  tags: [],
  notBefore: null,
  startBefore: null,
  runTimeoutSeconds: 3_600,
  priority: 5,
  pricePoints: 1,
} as const;
