import { QuerentError, UnauthorizedError } from "@querent/client";
import type { RefObject } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { FailureNote } from "../ui/failure-note.tsx";
import { Segments } from "../ui/segments.tsx";
import { useAttempt } from "../ui/use-attempt.ts";
import { clientFor } from "../api/querent.ts";
import { peopleMessages } from "../i18n/people.ts";
import { signInMessages } from "../i18n/sign-in.ts";
import { path } from "./address.ts";
import { CodeField, CredentialForm, PasswordField, TextField, useAsksCode } from "./credential-fields.tsx";
import { PasskeySignIn } from "./passkeys.tsx";
import { ProviderButtons, ProxyButton, useProxySignIn, useSignInWays } from "./provider-sign-in.tsx";
import { keeps, lastWay, signedOutByService, signIn, type Keep } from "./session.ts";
import { sessionOf, trySession } from "./try-session.ts";
import { EntryPage } from "./entry-page.tsx";
import * as css from "./sign-in.module.css";

/** Signing in: as a person with a passkey or a password, or with an access token. */
export function SignIn() {
  const t = signInMessages.value;
  const [way, setWay] = useState(lastWay);
  const [failed, setFailed] = useState<QuerentError | null>(null);
  const field = useRef<HTMLInputElement>(null);
  const ways = useSignInWays();
  const takesTokens = ways?.token !== false;
  const proxy = useProxySignIn(ways);

  useEffect(() => {
    document.title = `${t.title} · Querent`;
    field.current?.focus();
  }, [t, way]);

  if (proxy.isUnasked)
    return (
      <EntryPage>
        <h1>{t.trying}</h1>
      </EntryPage>
    );
  return (
    <EntryPage>
      <h1>{t.title}</h1>
      <p class={css.lead}>{path.value === "/connect" ? t.toConnect : t.lead}</p>
      {signedOutByService.value && failed === null ? (
        <p class="note note-warn" role="alert">
          {way === "token" && takesTokens ? t.ended : t.loginEnded}
        </p>
      ) : null}
      <ProxyButton ways={ways} attempt={proxy} signedIn={(login) => signIn(sessionOf(login), "memory")} />
      <PasskeySignIn ways={ways} signedIn={(login) => signIn(sessionOf(login), "memory")} />
      <ProviderButtons ways={ways} link={null} />
      {takesTokens ? <Segments name="way" value={way} labels={t.ways} choose={setWay} label={t.title} /> : null}
      {way === "token" && takesTokens ? (
        <SignInForm field={field} failed={failed} fail={setFailed} />
      ) : (
        <PasswordForm field={field} />
      )}
    </EntryPage>
  );
}

const client = clientFor("");

function PasswordForm({ field }: { field: RefObject<HTMLInputElement | null> }) {
  const t = signInMessages.value;
  const [email, setEmail] = useState("");
  const [password, setPassword] = useState("");
  const [code, setCode] = useState("");
  const { busy, failed, run } = useAttempt();
  const asksCode = useAsksCode(failed);
  const submit = (event: Event) => {
    event.preventDefault();
    const entered = { email, password, ...(asksCode ? { code } : {}) };
    run(async () => signIn(sessionOf(await client.login.signIn(entered, { maxRetries: 0 })), "memory"));
  };
  return (
    <CredentialForm busy={busy} failed={failed} submit={submit} word={busy ? t.trying : t.submit}>
      <TextField
        id="email"
        type="email"
        label={peopleMessages.value.join.email}
        value={email}
        change={setEmail}
        field={field}
      />
      <PasswordField id="password" value={password} change={setPassword} />
      {asksCode ? <CodeField id="code" value={code} change={setCode} /> : null}
      <p class="quiet small">{asksCode ? peopleMessages.value.join.lostCode : t.forgotten}</p>
    </CredentialForm>
  );
}

interface SignInFormProps {
  readonly field: RefObject<HTMLInputElement | null>;
  readonly failed: QuerentError | null;
  readonly fail: (failed: QuerentError | null) => void;
}

function SignInForm({ field, failed, fail }: SignInFormProps) {
  const t = signInMessages.value;
  const [keep, setKeep] = useState<Keep>("memory");
  const [trying, setTrying] = useState(false);
  const submit = async (event: Event) => {
    event.preventDefault();
    const token = field.current?.value.trim() ?? "";
    if (token === "" || trying) return;
    setTrying(true);
    fail(null);
    try {
      signIn(await trySession(token, { timeoutMs: 20_000 }), keep);
    } catch (error) {
      if (!(error instanceof QuerentError)) throw error;
      setTrying(false);
      fail(error);
      field.current?.focus();
    }
  };
  const isUnknown = failed instanceof UnauthorizedError;
  return (
    <form class={css.signInForm} onSubmit={(event) => void submit(event)}>
      <div class="field">
        <label for="token">{t.token}</label>
        <input
          id="token"
          ref={field}
          type="password"
          class="input mono"
          autocomplete="off"
          autocapitalize="off"
          spellcheck={false}
          required
          placeholder="qrt_"
          aria-describedby="token-hint"
          aria-invalid={isUnknown}
        />
        <p id="token-hint" class="quiet small">
          {t.hint}
        </p>
      </div>
      <KeepChoice chosen={keep} choose={setKeep} />
      {failed === null ? null : isUnknown ? (
        <p class="note note-bad" role="alert">
          {t.refused}
        </p>
      ) : (
        <FailureNote failed={failed} />
      )}
      <button type="submit" class="button primary wide" aria-disabled={trying}>
        {trying ? t.trying : t.submit}
      </button>
      <p class="quiet small">{t.promise}</p>
    </form>
  );
}

function KeepChoice({ chosen, choose }: { chosen: Keep; choose: (keep: Keep) => void }) {
  const t = signInMessages.value;
  return (
    <fieldset class="field">
      <legend>{t.keep}</legend>
      {keeps.map((choice) => (
        <label class="choice" key={choice}>
          <input type="radio" name="keep" checked={chosen === choice} onChange={() => choose(choice)} />
          <span>{t.keeps[choice]}</span>
        </label>
      ))}
    </fieldset>
  );
}
