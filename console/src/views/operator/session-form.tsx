import type { PlatformRecord, SessionState, SignIn } from "@querent/client";
import { useEffect, useRef, useState } from "preact/hooks";
import { querent } from "../../api/querent.ts";
import { phrases } from "../../i18n/phrases.ts";
import { sessionMessages } from "../../i18n/sessions.ts";
import { announce } from "../../ui/announcer.tsx";
import { FailureNote } from "../../ui/failure-note.tsx";
import { useAttempt } from "../../ui/use-attempt.ts";
import * as room from "./operator.module.css";

export interface SessionChoice {
  readonly how: "sign-in" | "import";
  readonly platformCode: string;
  readonly name: string;
}

interface SessionFormProps {
  readonly choice: SessionChoice;
  readonly platforms: readonly PlatformRecord[];
  readonly started: (signIn: SignIn) => void;
  readonly stored: () => void;
  readonly cancel: () => void;
}

/** Which platform and account to sign in, or to import a session for. */
export function SessionForm({ choice, platforms, started, stored, cancel }: SessionFormProps) {
  const t = sessionMessages.value;
  const [platformCode, setPlatformCode] = useState(choice.platformCode);
  const [name, setName] = useState(choice.name);
  const [country, setCountry] = useState("");
  const [file, setFile] = useState<File | null>(null);
  const [isNoSession, setNoSession] = useState(false);
  const { busy, failed, run } = useAttempt();
  const first = useRef<HTMLSelectElement>(null);
  useEffect(() => first.current?.focus(), []);
  const isImport = choice.how === "import";
  const countries = platforms.find((one) => one.platformCode === platformCode)?.optionValues.country ?? [];
  const submit = (event: Event) => {
    event.preventDefault();
    run(async () => {
      if (!isImport)
        return started(await querent.sessions.startSignIn({ platformCode, name, country: country || null }));
      const isStored = await importSession(platformCode, name, file);
      setNoSession(!isStored);
      if (isStored) stored();
    });
  };
  return (
    <form class={`panel form ${room.inlineForm}`} aria-label={isImport ? t.importFile : t.signIn} onSubmit={submit}>
      <label class="field">
        <span>{t.platform}</span>
        <select
          ref={first}
          class="input"
          value={platformCode}
          onChange={({ currentTarget }) => setPlatformCode(currentTarget.value)}
        >
          {platforms.map((platform) => (
            <option key={platform.platformCode} value={platform.platformCode}>
              {platform.name}
            </option>
          ))}
        </select>
      </label>
      <label class="field">
        <span>{t.name}</span>
        <input
          class="input"
          required
          pattern="[a-z0-9][a-z0-9._\-]{0,63}"
          maxLength={64}
          autocomplete="off"
          value={name}
          onInput={({ currentTarget }) => setName(currentTarget.value)}
        />
        <span class="quiet small">{t.nameHint}</span>
      </label>
      {isImport || countries.length === 0 ? null : (
        <CountryField country={country} countries={countries} choose={setCountry} />
      )}
      {isImport ? (
        <label class="field">
          <span>{t.file}</span>
          <input
            class="input"
            type="file"
            required
            accept="application/json,.json"
            onChange={({ currentTarget }) => setFile(currentTarget.files?.[0] ?? null)}
          />
        </label>
      ) : null}
      <div class="actions">
        <button type="submit" class="button primary" aria-disabled={busy}>
          {isImport ? t.store : t.start}
        </button>
        <button type="button" class="button" onClick={cancel}>
          {phrases.value.cancel}
        </button>
      </div>
      {isNoSession ? <NoSession /> : null}
      {failed === null ? null : <FailureNote failed={failed} />}
    </form>
  );
}

/** Imports the file; false if it is no session. */
async function importSession(platformCode: string, name: string, file: File | null): Promise<boolean> {
  const state = readState(await file?.text());
  if (state === null) return false;
  await querent.sessions.put(platformCode, name, state);
  announce(sessionMessages.value.stored(name));
  return true;
}

interface CountryFieldProps {
  /** Empty: none. */
  readonly country: string;
  readonly countries: readonly string[];
  readonly choose: (country: string) => void;
}

function CountryField({ country, countries, choose }: CountryFieldProps) {
  const t = sessionMessages.value;
  return (
    <label class="field">
      <span>{t.country}</span>
      <select class="input" value={country} onChange={({ currentTarget }) => choose(currentTarget.value)}>
        <option value="">{t.anyCountry}</option>
        {countries.map((code) => (
          <option key={code} value={code}>
            {code}
          </option>
        ))}
      </select>
      <span class="quiet small">{t.countryHint}</span>
    </label>
  );
}

function NoSession() {
  return (
    <p class="note note-bad" role="alert">
      {sessionMessages.value.notSession}
    </p>
  );
}

/** The service checks what it is in detail. */
function readState(text: string | undefined): SessionState | null {
  try {
    const state: unknown = JSON.parse(text ?? "");
    return isState(state) ? state : null;
  } catch {
    return null;
  }
}

const isState = (value: unknown): value is SessionState =>
  typeof value === "object" && value !== null && "cookies" in value && "origins" in value;
