import {
  QuerentError,
  type LoginState,
  type NewPasskey,
  type OneTimeLinkState,
  type SignInWays,
} from "@querent/client";
import { useEffect, useState } from "preact/hooks";
import { clientFor } from "../api/querent.ts";
import { passkeyMessages } from "../i18n/passkeys.ts";
import { peopleMessages } from "../i18n/people.ts";
import { FailureNote } from "../ui/failure-note.tsx";
import { Segments } from "../ui/segments.tsx";
import { useAttempt } from "../ui/use-attempt.ts";
import { go, to } from "./address.ts";
import { CodeField, CredentialForm, PasswordField, TextField, useAsksCode } from "./credential-fields.tsx";
import { makePasskey, offersPasskeys, PasskeyFailure, PasskeySignIn, usePasskeyAttempt } from "./passkeys.tsx";
import { signIn, signOut } from "./session.ts";
import { ProviderButtons, ProxyButton, useSignInWays } from "./provider-sign-in.tsx";
import { sessionOf } from "./try-session.ts";
import { EntryPage } from "./entry-page.tsx";
import * as css from "./sign-in.module.css";

const client = clientFor("");

/** Where a one-time link leads: to join an account, or to set a new password. Its token stands after `#`, which no server sees. */
export function Join() {
  const t = peopleMessages.value.join;
  const [token] = useState(() => window.location.hash.slice(1));
  const [link, setLink] = useState<OneTimeLinkState | null>(null);
  const [failed, setFailed] = useState<QuerentError | null>(null);
  useEffect(() => {
    document.title = `${t.title} · Querent`;
    // The link works once, and is not to stay in the history.
    window.history.replaceState(null, "", to("/join"));
    const read = async () => {
      try {
        setLink(await client.login.readLink(token));
      } catch (error) {
        if (!(error instanceof QuerentError)) throw error;
        setFailed(error);
      }
    };
    void read();
  }, []);
  const isInvalid = failed !== null && [400, 404, 422].includes(failed.status ?? 0);
  return (
    <EntryPage>
      {isInvalid ? (
        <>
          <h1>{t.unusable}</h1>
          <p class={css.lead}>{t.unusableText}</p>
          <a class="button start" href={to("/")}>
            {t.toSignIn}
          </a>
        </>
      ) : failed !== null ? (
        <FailureNote failed={failed} />
      ) : link === null ? null : (
        <JoinForm token={token} link={link} />
      )}
    </EntryPage>
  );
}

function JoinForm({ token, link }: { token: string; link: OneTimeLinkState }) {
  const t = peopleMessages.value.join;
  const p = passkeyMessages.value;
  const ways = useSignInWays();
  const byProxy = useAttempt();
  const joined = (login: LoginState) => {
    signOut();
    go(to("/"), { replace: true });
    signIn(sessionOf(login), "memory");
  };
  const role = link.role === null ? "" : peopleMessages.value.roles[link.role].name;
  const isInvitation = link.purpose === "invitation";
  // A person who has a passkey and no password here accepts with it.
  const onlyPasskey = link.passkey && !link.known;
  return (
    <>
      <h1>{isInvitation ? t.join(link.accountName ?? "") : t.newPassword}</h1>
      <p class={css.lead}>
        {!isInvitation
          ? t.newPasswordLead
          : link.known
            ? t.knownLead(role)
            : onlyPasskey
              ? t.passkeyLead(role)
              : t.newLead(role)}
      </p>
      {link.passkey ? <PasskeySignIn ways={ways} link={token} word={p.accept} signedIn={joined} /> : null}
      {isInvitation ? <ProxyButton ways={ways} attempt={byProxy} link={token} signedIn={joined} /> : null}
      {isInvitation ? <ProviderButtons ways={ways} link={token} /> : null}
      {onlyPasskey ? null : <CredentialsForm token={token} link={link} ways={ways} joined={joined} />}
    </>
  );
}

interface CredentialsFormProps {
  readonly token: string;
  readonly link: OneTimeLinkState;
  readonly ways: SignInWays | null;
  readonly joined: (login: LoginState) => void;
}

/** Who joins, and how the person signs in from now on: with a passkey or a password. */
function CredentialsForm({ token, link, ways, joined }: CredentialsFormProps) {
  const t = peopleMessages.value.join;
  const p = passkeyMessages.value;
  const [email, setEmail] = useState(link.email ?? "");
  const [name, setName] = useState("");
  const [password, setPassword] = useState("");
  const [code, setCode] = useState("");
  const [chosen, setChosen] = useState<"passkey" | "password" | null>(null);
  const offersBoth = !link.known && offersPasskeys(ways);
  // Nothing that is being typed goes away once the service has said what it offers.
  const kind = chosen ?? (offersBoth && link.purpose === "invitation" && password === "" ? "passkey" : "password");
  const [made, setMade] = useState<NewPasskey | null>(null);
  const { busy, failed, run } = usePasskeyAttempt();
  const refused = failed instanceof QuerentError ? failed : null;
  const asksCode = useAsksCode(refused);
  const isNew = link.purpose === "invitation" && !link.known;
  const who = { token, ...(link.email === null ? { email } : {}), ...(isNew ? { name } : {}) };
  const submit = (event: Event) => {
    event.preventDefault();
    run(async () => {
      const given = { ...who, ...(asksCode ? { code } : {}) };
      if (kind === "password") return joined(await client.login.acceptLink({ ...given, password }));
      // What was made before a code was asked for is still to be sent.
      const passkey = made ?? (await makePasskey(await client.login.beginPasskeyOfLink(who)));
      setMade(passkey);
      try {
        joined(await client.login.acceptLink({ ...given, passkey }));
      } catch (error) {
        if (!(error instanceof QuerentError) || error.problem?.code !== "second_factor_required") setMade(null);
        throw error;
      }
    });
  };
  const isKnownHere = refused?.problem?.code === "state_conflict" && link.purpose === "invitation";
  const words =
    kind === "password" ? { invitation: t.accept, password: t.set } : { invitation: p.join, password: p.set };
  return (
    <>
      {refused === null || refused.problem?.code === "passkey_refused" ? <PasskeyFailure failed={failed} /> : null}
      {isKnownHere ? <PasskeySignIn ways={ways} link={token} word={p.accept} signedIn={joined} /> : null}
      <CredentialForm
        busy={busy}
        failed={refused?.problem?.code === "passkey_refused" ? null : refused}
        submit={submit}
        word={words[link.purpose]}
      >
        <TextField
          id="email"
          type="email"
          label={t.email}
          value={email}
          change={setEmail}
          fixed={link.email !== null}
        />
        {isNew ? <TextField id="name" type="text" label={t.name} value={name} change={setName} /> : null}
        {offersBoth ? (
          <Segments name="credential" value={kind} labels={p.choices} choose={setChosen} label={p.choice} />
        ) : null}
        {kind === "password" ? (
          <PasswordField id="password" value={password} change={setPassword} isNew={!link.known} />
        ) : (
          <p class="quiet small">{p.passkeyHint}</p>
        )}
        {asksCode ? <CodeField id="code" value={code} change={setCode} /> : null}
      </CredentialForm>
    </>
  );
}
