import { QuerentError, type LoginState, type PasskeyRecord, type PasskeyStart } from "@querent/client";
import { useState } from "preact/hooks";
import { querent } from "../../api/querent.ts";
import { useLive } from "../../api/use-live.ts";
import { CodeField, CredentialForm, PasswordField, useAsksCode } from "../../app/credential-fields.tsx";
import {
  makePasskey,
  offersPasskeys,
  PasskeyFailure,
  PasskeyPlace,
  signInWithPasskey,
  usePasskeyAttempt,
} from "../../app/passkeys.tsx";
import { useSignInWays } from "../../app/provider-sign-in.tsx";
import { resume } from "../../app/session.ts";
import { sessionOf } from "../../app/try-session.ts";
import { passkeyMessages } from "../../i18n/passkeys.ts";
import { signInMessages } from "../../i18n/sign-in.ts";
import { peopleMessages } from "../../i18n/people.ts";
import { phrases } from "../../i18n/phrases.ts";
import { announce } from "../../ui/announcer.tsx";
import { ConfirmButtons } from "../../ui/confirm-buttons.tsx";
import { FailureNote } from "../../ui/failure-note.tsx";
import { TablePlace } from "../../ui/table-place.tsx";
import { Ago } from "../../ui/time.tsx";
import { useAttempt } from "../../ui/use-attempt.ts";
import * as css from "./people.module.css";

/** What is done once the person has confirmed it. */
type Action = { readonly what: "add" } | { readonly what: "remove"; readonly passkeyId: string };

/** The passkeys of the person who is signed in. */
export function PasskeysPart({ login }: { login: LoginState }) {
  const t = passkeyMessages.value;
  const ways = useSignInWays();
  const { value, failed, refresh } = useLive("passkeys", (call) => querent.login.passkeys(call), { everyMs: null });
  const attempt = usePasskeyAttempt();
  /** What waits for the password, or for another sign-in. */
  const [waiting, setWaiting] = useState<Action | null>(null);
  const changed = async (said: string) => {
    announce(said);
    refresh();
    resume(sessionOf(await querent.login.get()));
  };
  const perform = async (action: Action, given: PasskeyStart) => {
    if (action.what === "remove") {
      await querent.login.removePasskey(action.passkeyId, given);
      await changed(t.removed);
      return;
    }
    const made = await makePasskey(await querent.login.beginPasskey(given));
    await querent.login.addPasskey(made);
    await changed(t.added);
  };
  const act = (action: Action, given: PasskeyStart = {}) =>
    attempt.run(async () => {
      try {
        await perform(action, given);
        setWaiting(null);
      } catch (error) {
        if (!(error instanceof QuerentError) || error.problem?.code !== "fresh_sign_in_required") throw error;
        setWaiting(action);
      }
    });
  return (
    <section class="stack" aria-label={t.title}>
      <h2>{t.title}</h2>
      <p class="quiet">{t.lead}</p>
      {failed === null ? null : <FailureNote failed={failed} retry={refresh} />}
      {value === null ? null : value.length === 0 ? (
        <p class="quiet">{t.none}</p>
      ) : (
        <PasskeyTable passkeys={value} remove={(passkeyId) => act({ what: "remove", passkeyId })} changed={refresh} />
      )}
      {waiting === null ? (
        <>
          <PasskeyFailure failed={attempt.failed} />
          {offersPasskeys(ways) ? (
            <button
              type="button"
              class="button start"
              aria-disabled={attempt.busy}
              onClick={() => act({ what: "add" })}
            >
              {t.add}
            </button>
          ) : ways === null ? null : ways.passkeys ? (
            <p class="note">{t.unsupported}</p>
          ) : ways.passkeyAddress === null ? (
            <p class="note">{t.nowhere}</p>
          ) : (
            <PasskeyPlace ways={ways} />
          )}
        </>
      ) : login.hasPassword ? (
        <ConfirmForm attempt={attempt} confirm={(given) => act(waiting, given)} />
      ) : (
        <SignInAgain
          signedIn={(again) => {
            resume(sessionOf(again));
            act(waiting);
          }}
        />
      )}
    </section>
  );
}

interface ConfirmFormProps {
  readonly attempt: ReturnType<typeof usePasskeyAttempt>;
  readonly confirm: (given: PasskeyStart) => void;
}

/** Asks for the password and, of a person with a second factor, for a code. */
function ConfirmForm({ attempt: { busy, failed }, confirm }: ConfirmFormProps) {
  const t = passkeyMessages.value;
  const [password, setPassword] = useState("");
  const [code, setCode] = useState("");
  const refused = failed instanceof QuerentError ? failed : null;
  const asksCode = useAsksCode(refused);
  const submit = (event: Event) => {
    event.preventDefault();
    confirm({ password, ...(asksCode ? { code } : {}) });
  };
  return (
    <>
      {refused === null ? <PasskeyFailure failed={failed} /> : null}
      <CredentialForm busy={busy} failed={refused} submit={submit} word={t.confirmWord}>
        <p>{t.confirm}</p>
        <PasswordField
          id="passkey-password"
          label={peopleMessages.value.profile.current}
          value={password}
          change={setPassword}
        />
        {asksCode ? <CodeField id="passkey-code" value={code} change={setCode} /> : null}
      </CredentialForm>
    </>
  );
}

/** Signs the same person in again, for what an old login may not do. */
export function SignInAgain({ signedIn }: { signedIn: (login: LoginState) => void }) {
  const t = passkeyMessages.value;
  const { busy, failed, run } = usePasskeyAttempt();
  return (
    <div class="note" role="status">
      <p>{t.again}</p>
      <PasskeyFailure failed={failed} />
      <button
        type="button"
        class="button start"
        aria-disabled={busy}
        onClick={() => run(async () => signedIn(await signInWithPasskey()))}
      >
        {signInMessages.value.passkey.signIn}
      </button>
    </div>
  );
}

interface PasskeyTableProps {
  readonly passkeys: readonly PasskeyRecord[];
  readonly remove: (passkeyId: string) => void;
  readonly changed: () => void;
}

function PasskeyTable({ passkeys, remove, changed }: PasskeyTableProps) {
  const t = passkeyMessages.value;
  return (
    <TablePlace label={t.title}>
      <table class="table">
        <thead>
          <tr>
            <th scope="col">{t.columns.name}</th>
            <th scope="col">{t.columns.added}</th>
            <th scope="col">{t.columns.lastUsed}</th>
            <td />
          </tr>
        </thead>
        <tbody>
          {passkeys.map((passkey) => (
            <PasskeyRow
              key={passkey.passkeyId}
              passkey={passkey}
              remove={() => remove(passkey.passkeyId)}
              changed={changed}
            />
          ))}
        </tbody>
      </table>
    </TablePlace>
  );
}

interface PasskeyRowProps {
  readonly passkey: PasskeyRecord;
  readonly remove: () => void;
  readonly changed: () => void;
}

function PasskeyRow({ passkey, remove, changed }: PasskeyRowProps) {
  const t = passkeyMessages.value;
  const { passkeyId, name, host, synced, createdAt, lastUsedAt } = passkey;
  const [doing, setDoing] = useState<"rename" | "remove" | null>(null);
  return (
    <tr>
      <th scope="row">
        {doing === "rename" ? (
          <RenameForm
            passkey={passkey}
            done={() => {
              setDoing(null);
              changed();
            }}
          />
        ) : (
          <span class={css.person}>
            <bdi>{name}</bdi>
            {synced ? <span class="tag">{t.synced}</span> : null}
            {host === window.location.hostname ? null : <bdi class="quiet small">{t.onHost(host)}</bdi>}
          </span>
        )}
      </th>
      <td class="quiet nowrap">
        <Ago at={createdAt} />
      </td>
      <td class="quiet nowrap">{lastUsedAt === null ? t.never : <Ago at={lastUsedAt} />}</td>
      <td class="figure">
        <span class={`actions ${css.end}`}>
          {doing === "remove" ? (
            <ConfirmButtons
              yes={t.reallyRemove}
              confirm={() => {
                setDoing(null);
                remove();
              }}
              no={phrases.value.cancel}
              withdraw={() => setDoing(null)}
            />
          ) : doing === "rename" ? null : (
            <>
              <button
                type="button"
                class="button ghost"
                aria-label={t.renameOf(name)}
                onClick={() => setDoing("rename")}
              >
                {t.rename}
              </button>
              <button
                type="button"
                class="button ghost"
                aria-label={t.removeOf(name)}
                data-passkey={passkeyId}
                onClick={() => setDoing("remove")}
              >
                {t.remove}
              </button>
            </>
          )}
        </span>
      </td>
    </tr>
  );
}

function RenameForm({ passkey: { passkeyId, name }, done }: { passkey: PasskeyRecord; done: () => void }) {
  const t = passkeyMessages.value;
  const [value, setValue] = useState(name);
  const { busy, failed, run } = useAttempt();
  const submit = (event: Event) => {
    event.preventDefault();
    run(async () => {
      await querent.login.renamePasskey(passkeyId, value);
      announce(t.renamed);
      done();
    });
  };
  return (
    <form class="actions" onSubmit={submit}>
      {failed === null ? null : <FailureNote failed={failed} />}
      <input
        class="input"
        aria-label={t.nameOf(name)}
        required
        maxLength={60}
        value={value}
        onInput={({ currentTarget }) => setValue(currentTarget.value)}
      />
      <button type="submit" class="button" aria-disabled={busy}>
        {t.save}
      </button>
      <button type="button" class="button" onClick={done}>
        {phrases.value.cancel}
      </button>
    </form>
  );
}
