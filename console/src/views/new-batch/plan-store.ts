/**
 * Submissions under way, kept by the browser until every part of them is accepted: each part's exact bytes and its key. A part that
 * is sent again after a reload is the same submission to the service, so nothing is asked or paid twice. No token is kept here.
 */
export interface StoredPlan {
  readonly planId: string;
  /** Whose submission it is; nobody else is offered to go on with it. */
  readonly owner: string;
  readonly createdAt: number;
  readonly itemCount: number;
  readonly partCount: number;
  /** Batches of the parts that were accepted, in their order. */
  readonly batchIds: readonly string[];
}

/** The service remembers keys for seven days; past that, sending a part again would be a new submission. */
export const planKeptMs = 6 * 86_400_000;

export async function storePlan(plan: StoredPlan, bodies: readonly string[]): Promise<void> {
  await inStore("readwrite", (store) => {
    for (const [part, body] of bodies.entries()) store.put(body, partKey(plan.planId, part));
    return store.put(plan, planKey(plan.planId));
  });
}

export async function updatePlan(plan: StoredPlan): Promise<void> {
  await inStore("readwrite", (store) => store.put(plan, planKey(plan.planId)));
}

export async function readPart(planId: string, part: number): Promise<string> {
  const body = await inStore<unknown>("readonly", (store) => store.get(partKey(planId, part)));
  if (typeof body !== "string") throw new Error(`part ${part} of the submission is gone`);
  return body;
}

/** The owner's plan that was not finished, the newest if there are several. */
export async function unfinishedPlan(owner: string): Promise<StoredPlan | null> {
  const plans = await inStore<StoredPlan[]>(
    "readonly",
    (store) => store.getAll(IDBKeyRange.bound("plan ", "plan!")) as IDBRequest<StoredPlan[]>,
  );
  const mine = plans.filter((plan) => plan.owner === owner).sort((one, other) => other.createdAt - one.createdAt);
  return mine[0] ?? null;
}

export async function forgetPlan(planId: string): Promise<void> {
  await inStore("readwrite", (store) => {
    store.delete(IDBKeyRange.bound(`part ${planId} `, `part ${planId}!`));
    return store.delete(planKey(planId));
  });
}

const planKey = (planId: string) => `plan ${planId}`;
const partKey = (planId: string, part: number) => `part ${planId} ${part}`;

const storeName = "submissions";

function inStore<Value>(
  mode: IDBTransactionMode,
  use: (store: IDBObjectStore) => IDBRequest<Value> | IDBRequest,
): Promise<Value> {
  return new Promise((resolve, reject) => {
    const opening = indexedDB.open("querent", 1);
    opening.addEventListener("upgradeneeded", () => opening.result.createObjectStore(storeName));
    opening.addEventListener("error", () => reject(new Error("the browser keeps nothing", { cause: opening.error })));
    opening.addEventListener("success", () => {
      const transaction = opening.result.transaction(storeName, mode);
      const request = use(transaction.objectStore(storeName));
      transaction.addEventListener("complete", () => {
        opening.result.close();
        resolve(request.result as Value);
      });
      transaction.addEventListener("abort", () => {
        opening.result.close();
        reject(new Error("the browser could not keep the submission", { cause: transaction.error }));
      });
    });
  });
}
