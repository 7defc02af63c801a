import { clientFor } from "../api/querent.ts";
import { session, signOut } from "./session.ts";

/**
 * Signs out. The login of a person ends in the service, too: here it ends at once, also if the service is away. Who signed in at an identity
 * provider is sent there, so that the next person at this computer is not signed in by its session.
 */
export function leave(): void {
  const login = session.value?.login ?? null;
  signOut();
  if (login === null) return;
  const end = async () => {
    const { login: logins } = clientFor("");
    if (login.providerId === null) return logins.signOut();
    const address = await logins.signOutAtProvider();
    if (address !== null) window.location.assign(address);
  };
  void end().catch(() => undefined);
}
