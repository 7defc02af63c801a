import type { IssuedToken, Scope } from "@querent/client";
import { useEffect, useRef, useState } from "preact/hooks";
import { querent } from "../../api/querent.ts";
import { may } from "../../app/session.ts";
import { FailureNote } from "../../ui/failure-note.tsx";
import { Segments } from "../../ui/segments.tsx";
import { useAttempt } from "../../ui/use-attempt.ts";
import { phrases } from "../../i18n/phrases.ts";
import { projectsMessages } from "../../i18n/projects.ts";
import { tokensMessages } from "../../i18n/tokens.ts";
import { chosenProjects, ProjectChoice } from "../projects/project-choice.tsx";
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
/** What a token that is limited to projects can have: the others are about the whole account. */
const ofProjects: readonly Scope[] = ["tasks:read", "panels:write", "panels:read", "reports:read"];

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
  // Null: the whole account.
  const [chosen, setChosen] = useState<readonly string[] | null>(null);
  const [isTried, setTried] = useState(false);
  const { busy, failed, run } = useAttempt();
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => field.current?.focus(), []);

  const offered = chosen === null ? grantable() : grantable().filter((scope) => ofProjects.includes(scope));
  const given = scopes.filter((scope) => offered.includes(scope));
  const isReady = name.trim() !== "" && given.length > 0;
  const submit = (event: Event) => {
    event.preventDefault();
    const projects = chosenProjects(null, chosen);
    setTried(projects === undefined);
    if (!isReady || projects === undefined) return;
    run(async () => {
      const days = lifetimes[lifetime];
      const expiresAt = days === null ? null : new Date(Date.now() + days * 86_400_000).toISOString();
      const limit = projects === null ? {} : { projects };
      issued(await querent.tokens.issue({ name: name.trim(), scopes: given, ...limit, expiresAt }, of));
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
      {/* Those that are known are the own account's. */}
      {of.of === undefined ? <ProjectChoice role={null} value={chosen} choose={setChosen} /> : null}
      {isTried ? (
        <p class="note note-bad" role="alert">
          {projectsMessages.value.noneChosen}
        </p>
      ) : null}
      <fieldset class="field">
        <legend>{t.scopes}</legend>
        {offered.map((scope) => (
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
