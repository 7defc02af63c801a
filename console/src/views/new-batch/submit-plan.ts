import { querent } from "../../api/querent.ts";
import { session } from "../../app/session.ts";
import { forgetPlan, readPart, storePlan, updatePlan, type StoredPlan } from "./plan-store.ts";

/** How long an unreachable service is retried before the user has to press a button. */
const retriesMax = 8;

/** Stores a submission, so that it can be resumed whatever happens to this page. */
export async function makePlan(bodies: readonly string[], itemCount: number): Promise<StoredPlan> {
  const plan: StoredPlan = {
    planId: crypto.randomUUID(),
    owner: await planOwner(),
    createdAt: Date.now(),
    itemCount,
    partCount: bodies.length,
    batchIds: [],
  };
  await storePlan(plan, bodies);
  return plan;
}

/** Submits the parts that were not accepted yet, one after the other. Each has a key of its own that stays the same. */
export async function submitPlan(
  plan: StoredPlan,
  signal: AbortSignal,
  moved: (plan: StoredPlan) => void,
): Promise<StoredPlan> {
  let now = plan;
  for (let part = plan.batchIds.length; part < plan.partCount; part++) {
    const body = await readPart(plan.planId, part);
    const { batchId } = await querent.tasks.submit(body, {
      idempotencyKey: `console-${plan.planId}-${part}`,
      waitWhileFull: true,
      maxRetries: retriesMax,
      signal,
    });
    now = { ...now, batchIds: [...now.batchIds, batchId] };
    await updatePlan(now);
    moved(now);
  }
  await forgetPlan(plan.planId);
  return now;
}

/** The account; where the token may not read its name, the token's own digest. */
export async function planOwner(): Promise<string> {
  const account = session.value?.account ?? null;
  const token = session.value?.token ?? "";
  if (account !== null) return `account ${account}`;
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(token));
  return `token ${[...new Uint8Array(digest).slice(0, 16)].map((byte) => byte.toString(16).padStart(2, "0")).join("")}`;
}
