import type { Queryable } from "../../db/index.ts";

/** Where processes wake each other: tasks have ended, or deliveries are due. A wake-up may be lost, since everyone polls as well. */
export const wakeUpChannel = "querent_notices";
/** NOTIFY takes payloads below 8,000 bytes: so many ids of 36 characters and a comma. */
const idsMax = 200;

/** In a transaction it is sent with the commit. `accountIds`: whose tasks ended; none, or too many: each process looks itself. */
export async function wakeOthers(db: Queryable, accountIds: readonly string[] = []): Promise<void> {
  await db.query("select pg_notify($1, $2)", [wakeUpChannel, accountIds.length > idsMax ? "" : accountIds.join(",")]);
}

export const readWakeUp = (payload: string): string[] => payload.split(",").filter((id) => id !== "");
