/** What a person sees who has signed in without the second factor that the account requires: how to set one up, and nothing else. */
import type { LoginState } from "@querent/client";
import { useEffect } from "preact/hooks";
import { passkeyMessages } from "../i18n/passkeys.ts";
import { peopleMessages } from "../i18n/people.ts";
import { FailureNote } from "../ui/failure-note.tsx";
import { useAttempt } from "../ui/use-attempt.ts";
import { PasskeysPart } from "../views/people/passkeys-part.tsx";
import { SecondFactorPart } from "../views/people/second-factor.tsx";
import { goToAccount } from "./account-select.tsx";
import { leave } from "./leave.ts";
import { PasskeySignIn } from "./passkeys.tsx";
import { useSignInWays } from "./provider-sign-in.tsx";
import { codesOf, resume } from "./session.ts";
import { sessionOf } from "./try-session.ts";
import { EntryPage } from "./entry-page.tsx";
import * as css from "./sign-in.module.css";

export function FactorGate({ login }: { login: LoginState }) {
  const t = passkeyMessages.value.gate;
  const ways = useSignInWays();
  const { failed, run } = useAttempt();
  useEffect(() => {
    document.title = `${t.title} · Querent`;
    codesOf.value = login.loginId;
  }, [t, login.loginId]);
  const others = login.memberships.filter(({ accountId }) => accountId !== login.accountId);
  return (
    <EntryPage>
      <h1>{t.title}</h1>
      <p class={css.lead}>
        {!login.needsSecondFactor
          ? t.doneLead
          : login.passkeys > 0
            ? t.haveLead(login.accountName)
            : t.lead(login.accountName)}
      </p>
      {login.needsSecondFactor && login.passkeys > 0 ? (
        <>
          <PasskeySignIn ways={ways} signedIn={(again) => resume(sessionOf(again))} />
          <p class="quiet small">{t.lost}</p>
        </>
      ) : (
        <>
          {login.needsSecondFactor ? <PasskeysPart key="passkeys" login={login} /> : null}
          {login.hasPassword ? <SecondFactorPart key="codes" login={login} /> : null}
        </>
      )}
      {login.needsSecondFactor ? null : (
        <button type="button" class="button primary start" onClick={() => (codesOf.value = null)}>
          {t.proceed}
        </button>
      )}
      {failed === null ? null : <FailureNote failed={failed} />}
      <div class="actions">
        {others.map(({ accountId, accountName }) => (
          <button key={accountId} type="button" class="button" onClick={() => run(() => goToAccount(accountId))}>
            <bdi>{t.goTo(accountName)}</bdi>
          </button>
        ))}
        <button type="button" class="button" onClick={leave}>
          {peopleMessages.value.profile.end}
        </button>
      </div>
    </EntryPage>
  );
}
