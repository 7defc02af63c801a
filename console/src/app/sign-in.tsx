import { QuerentError, UnauthorizedError } from "@querent/client";
import type { RefObject } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { FailureNote } from "../ui/failure-note.tsx";
import { signInMessages } from "../i18n/sign-in.ts";
import { Brand } from "./brand.tsx";
import { Preferences } from "./preferences.tsx";
import { keeps, signedOutByService, signIn, type Keep } from "./session.ts";
import { trySession } from "./try-session.ts";
import * as css from "./sign-in.module.css";

export function SignIn() {
  const t = signInMessages.value;
  const [failed, setFailed] = useState<QuerentError | null>(null);
  const field = useRef<HTMLInputElement>(null);

  useEffect(() => {
    document.title = `${t.title} · Querent`;
    field.current?.focus();
  }, [t]);

  return (
    <div class={css.signIn}>
      <header class={css.signInTop}>
        <Brand />
        <Preferences />
      </header>
      <main class={css.signInMain}>
        <h1>{t.title}</h1>
        <p class={css.lead}>{t.lead}</p>
        {signedOutByService.value && failed === null ? (
          <p class="note note-warn" role="alert">
            {t.ended}
          </p>
        ) : null}
        <SignInForm field={field} failed={failed} fail={setFailed} />
      </main>
    </div>
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
