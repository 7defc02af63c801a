import { readUsage } from "../api/querent.ts";
import { RequestFailed } from "../api/request.ts";
import type { Session } from "./session.ts";

/** Tries a token; throws when the service does not take it. One that may not read the account's points is good all the same. */
export async function trySession(token: string, signal: AbortSignal): Promise<Session> {
  try {
    const { account } = await readUsage({ token, signal });
    return { token, account };
  } catch (error) {
    if (error instanceof RequestFailed && error.status === 403) return { token, account: null };
    throw error;
  }
}
