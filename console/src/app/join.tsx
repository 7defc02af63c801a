import type { OneTimeLinkState } from "@querent/client";
import { QuerentError } from "@querent/client";
import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";
import { clientFor } from "../api/querent.ts";
import { peopleMessages } from "../i18n/people.ts";
import { FailureNote } from "../ui/failure-note.tsx";
import { useAttempt } from "../ui/use-attempt.ts";
import { go, to } from "./address.ts";
import { Brand } from "./brand.tsx";
import { CodeField, PasswordField, TextField } from "./credential-fields.tsx";
import { Preferences } from "./preferences.tsx";
import { signIn, signOut } from "./session.ts";
import { ProviderButtons, useSignInWays } from "./provider-sign-in.tsx";
import { sessionOf } from "./try-session.ts";
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
    <div class={css.signIn}>
      <header class={css.signInTop}>
        <Brand />
        <Preferences />
      </header>
      <main class={css.signInMain}>
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
      </main>
    </div>
  );
}

function JoinForm({ token, link }: { token: string; link: OneTimeLinkState }) {
  const t = peopleMessages.value.join;
  const [email, setEmail] = useState(link.email ?? "");
  const [name, setName] = useState("");
  const [password, setPassword] = useState("");
  const [code, setCode] = useState("");
  const { busy, failed, run } = useAttempt();
  const asksCode = useAsksCode(failed);
  const ways = useSignInWays();
  const isNew = link.purpose === "invitation" && !link.known;
  const submit = (event: Event) => {
    event.preventDefault();
    run(async () => {
      const login = await client.login.acceptLink({
        token,
        password,
        ...(asksCode ? { code } : {}),
        ...(link.email === null ? { email } : {}),
        ...(isNew ? { name } : {}),
      });
      signOut();
      go(to("/"), { replace: true });
      signIn(sessionOf(login), "memory");
    });
  };
  const role = link.role === null ? "" : peopleMessages.value.roles[link.role].name;
  return (
    <>
      <h1>{link.purpose === "password" ? t.newPassword : t.join(link.accountName ?? "")}</h1>
      <p class={css.lead}>
        {link.purpose === "password" ? t.newPasswordLead : link.known ? t.knownLead(role) : t.newLead(role)}
      </p>
      {link.purpose === "invitation" ? <ProviderButtons ways={ways} link={token} /> : null}
      <CredentialForm busy={busy} failed={failed} submit={submit} word={link.purpose === "password" ? t.set : t.accept}>
        <TextField
          id="email"
          type="email"
          label={t.email}
          value={email}
          change={setEmail}
          fixed={link.email !== null}
        />
        {isNew ? <TextField id="name" type="text" label={t.name} value={name} change={setName} /> : null}
        <PasswordField id="password" value={password} change={setPassword} isNew={!link.known} />
        {asksCode ? <CodeField id="code" value={code} change={setCode} /> : null}
      </CredentialForm>
    </>
  );
}

/** Whether a code is asked for: since the service has said that the person has a second factor. */
export function useAsksCode(failed: QuerentError | null): boolean {
  const [asks, setAsks] = useState(false);
  const isAsked = failed?.problem?.code === "second_factor_required";
  useEffect(() => {
    if (isAsked) setAsks(true);
  }, [isAsked]);
  return asks || isAsked;
}

interface CredentialFormProps {
  readonly busy: boolean;
  readonly failed: QuerentError | null;
  readonly submit: (event: Event) => void;
  readonly word: string;
  readonly children: ComponentChildren;
}

export function CredentialForm({ busy, failed, submit, word, children }: CredentialFormProps) {
  const t = peopleMessages.value.join;
  const code = failed?.problem?.code;
  const weak = failed?.problem?.errors?.find(({ pointer }) => /password$/i.test(pointer));
  return (
    <form class={css.signInForm} onSubmit={submit}>
      {children}
      {failed === null || code === "second_factor_required" ? null : code === "sign_in_refused" ? (
        <p class="note note-bad" role="alert">
          {failed.problem?.detail?.startsWith("The code") === true ? t.wrongCode : t.wrong}
        </p>
      ) : weak !== undefined ? (
        <p class="note note-bad" role="alert">
          {weak.code === "too_short" ? t.short : t.weak}
        </p>
      ) : (
        <FailureNote failed={failed} />
      )}
      <button type="submit" class="button primary wide" aria-disabled={busy}>
        {word}
      </button>
    </form>
  );
}
