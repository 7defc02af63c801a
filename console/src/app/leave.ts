import { clientFor } from "../api/querent.ts";
import { session, signOut } from "./session.ts";

/** Signs out. The login of a person ends in the service, too: here it ends at once, also if the service is away. */
export function leave(): void {
  const login = session.value?.login ?? null;
  signOut();
  if (login !== null)
    void clientFor("")
      .login.signOut()
      .catch(() => undefined);
}
