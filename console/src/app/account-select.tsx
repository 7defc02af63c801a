import type { LoginState } from "@querent/client";
import { querent } from "../api/querent.ts";
import { peopleMessages } from "../i18n/people.ts";
import { FailureNote } from "../ui/failure-note.tsx";
import { useAttempt } from "../ui/use-attempt.ts";
import { resume } from "./session.ts";
import { sessionOf } from "./try-session.ts";

/** Goes on as a member of another account of the person. */
export const goToAccount = async (accountId: string): Promise<void> =>
  resume(sessionOf(await querent.login.goTo(accountId)));

interface AccountSelectProps {
  readonly login: LoginState;
  readonly label: string;
}

/** The accounts of the person, of which another can be gone to. */
export function AccountSelect({ login, label }: AccountSelectProps) {
  const { roles } = peopleMessages.value;
  const { failed, run } = useAttempt();
  return (
    <>
      <div class="field">
        <label for="account">{label}</label>
        <select
          id="account"
          class="input"
          value={login.accountId}
          onChange={({ currentTarget }) => run(() => goToAccount(currentTarget.value))}
        >
          {login.memberships.map(({ accountId, accountName, role }) => (
            <option key={accountId} value={accountId}>
              {`${accountName} (${roles[role].name})`}
            </option>
          ))}
        </select>
      </div>
      {failed === null ? null : <FailureNote failed={failed} />}
    </>
  );
}
