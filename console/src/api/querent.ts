import { Querent, type ClientOptions } from "@querent/client";
import { session, signOut } from "../app/session.ts";

/** The client of whoever is signed in. The service refusing the token ends the session. */
export const querent = clientFor(
  () => session.value?.token ?? "",
  async (input, init) => {
    const response = await ask(input, init);
    const token = session.value?.token;
    const asked = new Headers(init?.headers).get("authorization");
    // An answer to a token that was signed out meanwhile says nothing about the one in use.
    if (response.status === 401 && token !== undefined && asked === `Bearer ${token}`) signOut(true);
    return response;
  },
);

/** A client for a token that is not signed in yet. */
export function clientFor(token: ClientOptions["token"], fetch = ask): Querent {
  return new Querent({ url: window.location.origin, token, fetch });
}

/** Nothing of an account is left in the browser's cache, and no cookie goes along. */
function ask(input: Parameters<typeof fetch>[0], init?: RequestInit): Promise<Response> {
  return window.fetch(input, { ...init, credentials: "omit", cache: "no-store" });
}
