import type { LoginRecord, LoginState } from "@querent/client";
import { useState } from "preact/hooks";
import { AccountSelect } from "../../app/account-select.tsx";
import { querent } from "../../api/querent.ts";
import { useLive } from "../../api/use-live.ts";
import { CredentialForm, PasswordField } from "../../app/credential-fields.tsx";
import { resume, session } from "../../app/session.ts";
import { sessionOf } from "../../app/try-session.ts";
import { peopleMessages } from "../../i18n/people.ts";
import { announce } from "../../ui/announcer.tsx";
import { FailureNote } from "../../ui/failure-note.tsx";
import { TablePlace } from "../../ui/table-place.tsx";
import { Ago } from "../../ui/time.tsx";
import { useAttempt } from "../../ui/use-attempt.ts";
import { useTitle } from "../../ui/use-title.ts";
import { browserName } from "../../ui/browser-name.ts";
import { PasskeysPart, SignInAgain } from "./passkeys-part.tsx";
import { ConnectionsPart } from "./connections-part.tsx";
import { SecondFactorPart } from "./second-factor.tsx";

const refreshMs = 30_000;

/** The person who is signed in: account, password, and the browsers with a login. */
export function ProfileView() {
  const t = peopleMessages.value.profile;
  useTitle(t.title);
  const login = session.value?.login ?? null;
  return (
    <div class="view">
      <header class="view-head">
        <h1>{t.title}</h1>
      </header>
      {login === null ? (
        <p class="note">{t.noPerson}</p>
      ) : (
        <>
          <p class="quiet">
            <bdi>{t.signedInAs(login.person.email)}</bdi>
          </p>
          {login.memberships.length > 1 ? <AccountChoice login={login} /> : null}
          <Logins />
          <ConnectionsPart of="person" />
          {login.hasPassword || login.passkeys > 0 ? (
            <>
              <PasskeysPart login={login} />
              {login.hasPassword ? <SecondFactorPart login={login} /> : null}
              <PasswordForm key={String(login.hasPassword)} login={login} />
            </>
          ) : (
            <p class="quiet">{t.noPassword}</p>
          )}
        </>
      )}
    </div>
  );
}

function AccountChoice({ login }: { login: LoginState }) {
  const t = peopleMessages.value.profile;
  return (
    <section class="stack" aria-label={t.account}>
      <AccountSelect login={login} label={t.account} />
    </section>
  );
}

function Logins() {
  const t = peopleMessages.value.profile;
  const { value, failed, refresh } = useLive("logins", (call) => querent.login.list(call), { everyMs: refreshMs });
  const attempt = useAttempt();
  const end = (work: () => Promise<void>, said: string) =>
    attempt.run(async () => {
      await work();
      announce(said);
      refresh();
    });
  return (
    <section class="stack" aria-label={t.logins}>
      <h2>{t.logins}</h2>
      {failed === null ? null : <FailureNote failed={failed} retry={refresh} />}
      {attempt.failed === null ? null : <FailureNote failed={attempt.failed} />}
      {value === null ? null : (
        <>
          <TablePlace label={t.logins}>
            <table class="table">
              <thead>
                <tr>
                  <th scope="col">{t.columns.browser}</th>
                  <th scope="col">{t.columns.address}</th>
                  <th scope="col">{t.columns.since}</th>
                  <th scope="col">{t.columns.lastUsed}</th>
                  <td />
                </tr>
              </thead>
              <tbody>
                {value.map((login) => (
                  <LoginRow
                    key={login.loginId}
                    login={login}
                    end={() => end(() => querent.login.end(login.loginId), t.ended)}
                  />
                ))}
              </tbody>
            </table>
          </TablePlace>
          {value.length > 1 ? (
            <button
              type="button"
              class="button start"
              onClick={() => end(() => querent.login.endOthers(), t.endedOthers)}
            >
              {t.endOthers}
            </button>
          ) : null}
        </>
      )}
    </section>
  );
}

function LoginRow({ login, end }: { login: LoginRecord; end: () => void }) {
  const t = peopleMessages.value.profile;
  const browser = login.userAgent === null ? t.unknown : browserName(login.userAgent);
  return (
    <tr>
      <th scope="row">
        <bdi title={login.userAgent ?? undefined}>{browser}</bdi>
      </th>
      <td class="quiet">
        <bdi>{login.address}</bdi>
      </td>
      <td class="quiet nowrap">
        <Ago at={login.createdAt} />
      </td>
      <td class="quiet nowrap">{login.lastUsedAt === null ? null : <Ago at={login.lastUsedAt} />}</td>
      <td class="figure">
        {login.current ? (
          <span class="tag">{t.thisOne}</span>
        ) : (
          <button type="button" class="button ghost" aria-label={t.endOf(browser)} onClick={end}>
            {t.end}
          </button>
        )}
      </td>
    </tr>
  );
}

/** Changes the password, or sets one for a person who has passkeys alone. */
function PasswordForm({ login: { hasPassword } }: { login: LoginState }) {
  const t = peopleMessages.value.profile;
  const [current, setCurrent] = useState("");
  const [next, setNext] = useState("");
  const [isChanged, setChanged] = useState(false);
  const { busy, failed, run } = useAttempt();
  const isOld = failed?.problem?.code === "fresh_sign_in_required";
  const submit = (event: Event) => {
    event.preventDefault();
    setChanged(false);
    run(async () => {
      await querent.login.setPassword({ newPassword: next, ...(hasPassword ? { currentPassword: current } : {}) });
      setCurrent("");
      setNext("");
      setChanged(true);
      if (!hasPassword) resume(sessionOf(await querent.login.get()));
    });
  };
  return (
    <section class="stack" aria-label={t.password}>
      <h2>{t.password}</h2>
      {isChanged ? (
        <p class="note note-good" role="status">
          {t.changed}
        </p>
      ) : null}
      {hasPassword ? null : <p class="quiet">{t.setLead}</p>}
      {isOld ? <SignInAgain signedIn={(again) => resume(sessionOf(again))} /> : null}
      <CredentialForm
        busy={busy}
        failed={isOld ? null : failed}
        submit={submit}
        word={hasPassword ? t.change : t.setPassword}
      >
        {hasPassword ? (
          <PasswordField id="current-password" label={t.current} value={current} change={setCurrent} />
        ) : null}
        <PasswordField id="new-password" label={t.next} value={next} change={setNext} isNew />
      </CredentialForm>
    </section>
  );
}
