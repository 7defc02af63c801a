/** Customers who submit all the time, and send what was not accepted again with the same key. */
import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { SubmissionAccepted } from "@querent/contract";
import { simulatorItems } from "../harness/cluster.ts";
import type { Account } from "./services.ts";

export interface Submissions {
  readonly accepted: { readonly at: number; readonly accountId: string; readonly taskIds: readonly string[] }[];
  /** How often each status was the reply; 0: no reply. */
  readonly replies: Map<number, number>;
  /** Replies that no customer should see: other than 202, 409 and 503 with `Retry-After`. */
  readonly wrong: string[];
  readonly taskIds: () => string[];
  /** Resolves once everything that was sent is accepted. */
  stop(): Promise<void>;
  /** Gives up what is not accepted, after a failure. */
  abandon(): void;
}

/** A customer without a reply tries the next process. */
const patienceMs = 10_000;
const pauseMs = 250;

/** Each account submits short tasks in one loop, and long ones in another. */
export function startSubmissions(accounts: readonly Account[], addresses: readonly string[]): Submissions {
  let stopped = false;
  const abandoned = new AbortController();
  const submissions: Submissions = {
    accepted: [],
    replies: new Map(),
    wrong: [],
    taskIds: () => submissions.accepted.flatMap(({ taskIds }) => taskIds),
    async stop() {
      stopped = true;
      await done;
    },
    abandon() {
      stopped = true;
      abandoned.abort();
    },
  };
  /** Returns the turn of the process that accepted it. */
  const submit = async ({ accountId, token }: Account, items: readonly unknown[], firstTurn: number) => {
    const key = randomUUID();
    for (let turn = firstTurn; !abandoned.signal.aborted; turn++) {
      const reply = await fetch(`${addresses[turn % addresses.length]}/v1/tasks/batch`, {
        method: "POST",
        headers: { authorization: `Bearer ${token}`, "content-type": "application/json", "idempotency-key": key },
        body: JSON.stringify(items),
        signal: AbortSignal.any([AbortSignal.timeout(patienceMs), abandoned.signal]),
      })
        .then(async (response) => ({ response, text: await response.text() }))
        .catch(() => null);
      const status = reply?.response.status ?? 0;
      submissions.replies.set(status, (submissions.replies.get(status) ?? 0) + 1);
      if (reply !== null && status === 202) {
        const { tasks } = JSON.parse(reply.text) as SubmissionAccepted;
        submissions.accepted.push({ at: performance.now(), accountId, taskIds: tasks.map(({ taskId }) => taskId) });
        return turn;
      }
      if (reply !== null && !mayComeAgain(reply.response)) submissions.wrong.push(`${status} ${reply.text}`);
      await sleep(pauseMs);
    }
    return firstTurn;
  };
  const loop = async (account: Account, items: readonly unknown[], firstTurn: number) => {
    for (let turn = firstTurn; !stopped;) {
      turn = await submit(account, items, turn);
      await sleep(pauseMs);
    }
  };
  const done = Promise.all(
    accounts.flatMap((account, index) => [
      loop(account, simulatorItems(10, "delay=100ms"), index),
      loop(account, simulatorItems(1, "delay=30s"), index + 1),
    ]),
  );
  return submissions;
}

/** 409: the same key is being processed, on a process that has not noticed that the customer has gone. */
function mayComeAgain({ status, headers }: Response): boolean {
  return status === 409 || (status === 503 && Number(headers.get("retry-after")) > 0);
}
