import type { AccountUse } from "@querent/contract";
import { accountNames } from "../accounts/index.ts";
import type { AccountSemaphore } from "../api/account-semaphore.ts";
import type { Database } from "../db/index.ts";
import { runningByAccount } from "../dispatch/index.ts";
import { deliveringByAccount } from "../webhooks/index.ts";

type Used = Omit<AccountUse, "accountId" | "name">;
/** What this process limits for each account. */
export type Places = Readonly<
  Record<Exclude<keyof Used, "running" | "deliveries">, Pick<AccountSemaphore, "takenByAccount">>
>;

const shownMax = 20;
const nothing: Used = {
  running: 0, deliveries: 0, eventStreams: 0, waits: 0, lists: 0, exports: 0, largeBodies: 0,
}; // prettier-ignore

/** The accounts that use the most now of what all accounts share. */
export async function readAccountUse(database: Database, places: Places): Promise<AccountUse[]> {
  const [running, deliveries] = await Promise.all([runningByAccount(database), deliveringByAccount(database)]);
  const { eventStreams, waits, lists, exports, largeBodies } = places;
  const kinds: [keyof Used, ReadonlyMap<string, number>][] = [
    ["running", running],
    ["deliveries", deliveries],
    ["eventStreams", eventStreams.takenByAccount],
    ["waits", waits.takenByAccount],
    ["lists", lists.takenByAccount],
    ["exports", exports.takenByAccount],
    ["largeBodies", largeBodies.takenByAccount],
  ];
  const uses = new Map<string, Used>();
  for (const [kind, counts] of kinds)
    for (const [accountId, count] of counts)
      uses.set(accountId, { ...(uses.get(accountId) ?? nothing), [kind]: count });
  const most = [...uses]
    .map(([accountId, use]) => ({ accountId, use, sum: Object.values(use).reduce((sum, count) => sum + count, 0) }))
    .filter(({ sum }) => sum > 0)
    .toSorted((a, b) => b.sum - a.sum)
    .slice(0, shownMax);
  const names = await accountNames(
    database,
    most.map(({ accountId }) => accountId),
  );
  return most.map(({ accountId, use }) => ({ accountId, name: names.get(accountId) ?? "", ...use }));
}
