import { ForbiddenError, type CallOptions } from "@querent/client";
import { clientFor } from "../api/querent.ts";
import type { Session } from "./session.ts";

/** Tries a token; throws when the service does not take it. One that may not read the account's points is good all the same. */
export async function trySession(token: string, call: CallOptions): Promise<Session> {
  try {
    const { account, token: asked } = await clientFor(token).usage.get({ ...call, maxRetries: 0 });
    return { token, account, ...asked };
  } catch (error) {
    if (error instanceof ForbiddenError) return { token, account: null, tokenId: null, scopes: null };
    throw error;
  }
}
