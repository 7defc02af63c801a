import { Querent, type ClientOptions } from "@querent/client";
import { session, signOut } from "../app/session.ts";

/** The client of whoever is signed in. The service refusing the token or the login ends the session. */
export const querent = clientFor(
  () => session.value?.token ?? "",
  async (input, init) => {
    const asked = session.value;
    const response = await ask(input, init);
    // An answer to a token or login that was left meanwhile says nothing about the one in use.
    if (asked !== null && asked === session.value) {
      if (response.status === 401) signOut(true);
      if (asked.login !== null && (await isGate(response)))
        session.value = { ...asked, login: { ...asked.login, needsSecondFactor: true, scopes: [] }, scopes: [] };
    }
    return response;
  },
);

/** The account requires a second factor from now on. */
async function isGate(response: Response): Promise<boolean> {
  if (response.status !== 403) return false;
  const problem: unknown = await response
    .clone()
    .json()
    .catch(() => null);
  return (
    typeof problem === "object" && problem !== null && "code" in problem && problem.code === "second_factor_missing"
  );
}

/** A client for a token that is not signed in yet or, with an empty one, for the login of this browser. */
export function clientFor(token: ClientOptions["token"], fetch = ask): Querent {
  return new Querent({ url: window.location.origin, token, fetch });
}

/** Nothing of an account is left in the browser's cache. The cookie of a login goes along only if there is no token. */
function ask(input: Parameters<typeof fetch>[0], init?: RequestInit): Promise<Response> {
  const headers = new Headers(init?.headers);
  const isLogin = headers.get("authorization") === "Bearer";
  if (isLogin) {
    headers.delete("authorization");
    headers.set("x-querent-login", "1");
  }
  const credentials = isLogin ? "same-origin" : "omit";
  return window.fetch(input, { ...init, headers, credentials, cache: "no-store" });
}
