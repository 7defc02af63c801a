import { ForbiddenError, type CallOptions, type LoginState } from "@querent/client";
import { clientFor } from "../api/querent.ts";
import type { Session } from "./session.ts";

/** Tries a token; throws when the service does not take it. One that may not read the account's points is good all the same. */
export async function trySession(token: string, call: CallOptions): Promise<Session> {
  try {
    const { account, token: asked } = await clientFor(token).usage.get({ ...call, maxRetries: 0 });
    return { token, login: null, account, ...asked };
  } catch (error) {
    if (error instanceof ForbiddenError) return { token, login: null, account: null, tokenId: null, scopes: null };
    throw error;
  }
}

/** Asks the service who is signed in in this browser. */
export async function tryLogin(call: CallOptions): Promise<Session> {
  return sessionOf(await clientFor("").login.get({ ...call, maxRetries: 0 }));
}

export const sessionOf = (login: LoginState): Session => ({
  token: null,
  login,
  account: login.accountName,
  tokenId: login.memberId,
  scopes: login.scopes,
});
