import type { IssuedToken, Scope } from "@querent/client";
import { useEffect, useRef, useState } from "preact/hooks";
import { querent } from "../../api/querent.ts";
import { may } from "../../app/session.ts";
import { FailureNote } from "../../ui/failure-note.tsx";
import { Segments } from "../../ui/segments.tsx";
import { useAttempt } from "../../ui/use-attempt.ts";
import { phrases } from "../../i18n/phrases.ts";
import { tokensMessages } from "../../i18n/tokens.ts";
import * as css from "./token-form.module.css";

const lifetimes = { never: null, d30: 30, d90: 90, d365: 365 } as const;
type Lifetime = keyof typeof lifetimes;
const usual: readonly Scope[] = [
  "tasks:write",
  "tasks:read",
  "webhook:manage",
  "usage:read",
  "panels:read",
  "panels:write",
];

/** The scopes that whoever is signed in may give to a token: their own or, for operators, any. */
function grantable(): readonly Scope[] {
  const all = Object.keys(tokensMessages.value.scopeAbout) as Scope[];
  return may("admin") ? all : all.filter((scope) => may(scope));
}

interface TokenFormProps {
  readonly of: { readonly of?: string };
  readonly issued: (token: IssuedToken) => void;
  readonly cancel: () => void;
}

export function TokenForm({ of, issued, cancel }: TokenFormProps) {
  const t = tokensMessages.value;
  const [name, setName] = useState("");
  const [scopes, setScopes] = useState<readonly Scope[]>(() => usual.filter((scope) => grantable().includes(scope)));
  const [lifetime, setLifetime] = useState<Lifetime>("d90");
  const { busy, failed, run } = useAttempt();
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => field.current?.focus(), []);

  const isReady = name.trim() !== "" && scopes.length > 0;
  const submit = (event: Event) => {
    event.preventDefault();
    if (!isReady) return;
    run(async () => {
      const days = lifetimes[lifetime];
      const expiresAt = days === null ? null : new Date(Date.now() + days * 86_400_000).toISOString();
      issued(await querent.tokens.issue({ name: name.trim(), scopes: [...scopes], expiresAt }, of));
    });
  };
  const toggle = (scope: Scope, on: boolean) =>
    setScopes(on ? [...scopes, scope] : scopes.filter((chosen) => chosen !== scope));

  return (
    <form class="panel form" aria-label={t.create} onSubmit={submit}>
      <div class="field">
        <label for="token-name">{t.name}</label>
        <input
          id="token-name"
          ref={field}
          class="input"
          maxLength={100}
          required
          autocomplete="off"
          placeholder={t.namePlaceholder}
          value={name}
          onInput={({ currentTarget }) => setName(currentTarget.value)}
        />
      </div>
      <fieldset class="field">
        <legend>{t.scopes}</legend>
        {grantable().map((scope) => (
          <label key={scope} class={`choice ${css.square}`}>
            <input
              type="checkbox"
              checked={scopes.includes(scope)}
              onChange={({ currentTarget }) => toggle(scope, currentTarget.checked)}
            />
            <span>
              {t.scopeAbout[scope]} <code class="quiet">{scope}</code>
            </span>
          </label>
        ))}
      </fieldset>
      <fieldset class="field">
        <legend>{t.expires}</legend>
        <Segments look="wrap" name="lifetime" value={lifetime} labels={t.lifetimes} choose={setLifetime} />
      </fieldset>
      {failed === null ? null : <FailureNote failed={failed} />}
      <div class="actions">
        <button type="submit" class="button primary" aria-disabled={!isReady || busy}>
          {t.submit}
        </button>
        <button type="button" class="button" onClick={cancel}>
          {phrases.value.cancel}
        </button>
      </div>
    </form>
  );
}
