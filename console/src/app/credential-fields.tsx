import type { QuerentError } from "@querent/client";
import type { ComponentChildren, RefObject } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { peopleMessages } from "../i18n/people.ts";
import { FailureNote } from "../ui/failure-note.tsx";
import * as css from "./sign-in.module.css";

interface FieldProps {
  readonly id: string;
  readonly value: string;
  readonly change: (value: string) => void;
  readonly field?: RefObject<HTMLInputElement | null>;
}

interface TextFieldProps extends FieldProps {
  readonly type: "email" | "text";
  readonly label: string;
  /** The value stands, and is shown for password managers. */
  readonly fixed?: boolean;
}

export function TextField({ id, type, label, value, change, field, fixed = false }: TextFieldProps) {
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <input
        id={id}
        {...(field === undefined ? {} : { ref: field })}
        type="text"
        inputMode={type}
        autocapitalize={type === "email" ? "off" : "words"}
        class="input"
        required
        readOnly={fixed}
        maxLength={type === "email" ? 254 : 100}
        autocomplete={type === "email" ? "username" : "name"}
        value={value}
        onInput={({ currentTarget }) => change(currentTarget.value)}
      />
    </div>
  );
}

/**
 * The code of a second factor: of an authenticator app, or a recovery code. It takes the focus where it is asked for after the rest.
 * `isFirst`: the second factor is being set up, and has no recovery codes yet.
 */
export function CodeField({
  id,
  value,
  change,
  focus = true,
  isFirst = false,
}: FieldProps & { readonly focus?: boolean; readonly isFirst?: boolean }) {
  const t = peopleMessages.value.join;
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (focus) field.current?.focus();
  }, []);
  return (
    <div class="field">
      <label for={id}>{t.code}</label>
      <input
        id={id}
        ref={field}
        type="text"
        class="input mono"
        required
        minLength={6}
        maxLength={30}
        autocomplete="one-time-code"
        autocapitalize="off"
        spellcheck={false}
        aria-describedby={`${id}-hint`}
        value={value}
        onInput={({ currentTarget }) => change(currentTarget.value.trim())}
      />
      <p id={`${id}-hint`} class="quiet small">
        {isFirst ? t.firstCodeHint : t.codeHint}
      </p>
    </div>
  );
}

interface PasswordFieldProps extends FieldProps {
  readonly label?: string;
  /** A password that is chosen now, which a password manager may make. */
  readonly isNew?: boolean;
}

export function PasswordField({ id, value, change, label, isNew = false }: PasswordFieldProps) {
  const t = peopleMessages.value.join;
  return (
    <div class="field">
      <label for={id}>{label ?? t.password}</label>
      <input
        id={id}
        type="password"
        class="input"
        required
        maxLength={100}
        autocomplete={isNew ? "new-password" : "current-password"}
        aria-describedby={isNew ? `${id}-hint` : undefined}
        value={value}
        onInput={({ currentTarget }) => change(currentTarget.value)}
      />
      {isNew ? (
        <p id={`${id}-hint`} class="quiet small">
          {t.passwordHint}
        </p>
      ) : null}
    </div>
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
