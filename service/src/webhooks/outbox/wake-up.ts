import type { Queryable } from "../../db/index.ts";

/**
 * The channel on which processes wake each other: tasks have ended, or deliveries are due. A wake-up may be lost, since every
 * process polls as well.
 */
export const wakeUpChannel = "querent_notices";
/** NOTIFY accepts payloads below 8,000 bytes: this number of ids of 36 characters and a comma. */
const idsMax = 200;

/**
 * In a transaction it is sent with the commit. `accountIds`: the accounts whose tasks ended. If there are none or too many,
 * each process polls instead.
 */
export async function wakeOthers(db: Queryable, accountIds: readonly string[] = []): Promise<void> {
  await db.query("select pg_notify($1, $2)", [wakeUpChannel, accountIds.length > idsMax ? "" : accountIds.join(",")]);
}

export const readWakeUp = (payload: string): string[] => payload.split(",").filter((id) => id !== "");
