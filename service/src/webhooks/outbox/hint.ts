import type { Queryable } from "../../db/index.ts";

/** Where processes tell each other that tasks have ended, or deliveries are due. Only ever a hint: everyone polls as well. */
export const noticeChannel = "querent_notices";
/** NOTIFY takes payloads below 8,000 bytes: so many ids of 36 characters and a comma. */
const idsMax = 200;

/** In a transaction it is sent with the commit. `accountIds`: whose tasks ended; none, or too many: ask whose. */
export async function hintOthers(db: Queryable, accountIds: readonly string[] = []): Promise<void> {
  await db.query("select pg_notify($1, $2)", [noticeChannel, accountIds.length > idsMax ? "" : accountIds.join(",")]);
}

export const readHint = (payload: string): string[] => payload.split(",").filter((id) => id !== "");
