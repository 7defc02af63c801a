import { countStored } from "../../accounts/index.ts";
import type { Transaction } from "../../db/index.ts";
import type { TaskRow } from "../read/record.ts";

/** Counts tasks that failed or were canceled. Under the lock of the accounts' rows, as everything else that takes the lock of what they store. */
export async function countUncharged(tx: Transaction, rows: readonly TaskRow[]): Promise<void> {
  const unanswered = rows.filter(({ state }) => state !== "completed");
  const accounts = [...Map.groupBy(unanswered, (row) => row.account_id)].toSorted(([a], [b]) => (a < b ? -1 : 1));
  await Promise.all(
    accounts.map(([accountId, ofAccount]) =>
      countStored(
        tx,
        { accountId, kind: "uncharged_tasks" },
        ofAccount.map(({ id }) => id),
      ),
    ),
  );
}
