import type { LoginState, NewSecondFactor } from "@querent/client";
import { encode } from "uqr";
import { useState } from "preact/hooks";
import { querent } from "../../api/querent.ts";
import { CodeField, CredentialForm, PasswordField } from "../../app/credential-fields.tsx";
import { resume } from "../../app/session.ts";
import { sessionOf } from "../../app/try-session.ts";
import { peopleMessages } from "../../i18n/people.ts";
import { announce } from "../../ui/announcer.tsx";
import { CopyButton } from "../../ui/copy-button.tsx";
import { number } from "../../ui/time.tsx";
import { useAttempt } from "../../ui/use-attempt.ts";
import * as css from "./people.module.css";

/** The second factor of the person who is signed in: set up, with recovery codes, or turned off. */
export function SecondFactorPart({ login }: { login: LoginState }) {
  const t = peopleMessages.value.profile;
  const [made, setMade] = useState<NewSecondFactor | null>(null);
  const [codes, setCodes] = useState<readonly string[] | null>(null);
  const [password, setPassword] = useState("");
  const [code, setCode] = useState("");
  const { busy, failed, run } = useAttempt();
  /** Does one step, and asks the service what the person has now. */
  const step = (work: () => Promise<void>) => (event: Event) => {
    event.preventDefault();
    run(async () => {
      await work();
      setCode("");
      setPassword("");
      resume(sessionOf(await querent.login.get()));
    });
  };
  const begin = step(async () => setMade(await querent.login.beginSecondFactor(password)));
  const confirm = step(async () => {
    setCodes(await querent.login.confirmSecondFactor(code));
    setMade(null);
  });
  const remove = step(async () => {
    await querent.login.removeSecondFactor({ password, code });
    setCodes(null);
    announce(t.factorRemoved);
  });
  return (
    <section class="stack" aria-label={t.factor}>
      <h2>{t.factor}</h2>
      {codes === null ? null : <RecoveryCodeList codes={codes} />}
      {login.secondFactor ? (
        <>
          <p class="quiet">{t.factorOn(number(login.recoveryCodes))}</p>
          <CredentialForm busy={busy} failed={failed} submit={remove} word={t.factorRemove}>
            <PasswordField id="factor-password" label={t.current} value={password} change={setPassword} />
            <CodeField id="factor-code" value={code} change={setCode} focus={false} />
          </CredentialForm>
        </>
      ) : made === null ? (
        <>
          <p class="quiet">{t.factorLead}</p>
          <CredentialForm busy={busy} failed={failed} submit={begin} word={t.factorBegin}>
            <PasswordField id="factor-password" label={t.current} value={password} change={setPassword} />
          </CredentialForm>
        </>
      ) : (
        <CredentialForm busy={busy} failed={failed} submit={confirm} word={t.factorConfirm}>
          <p>{t.factorScan}</p>
          <QrCode text={made.address} label={t.factorPicture} />
          <p class="small">
            {t.factorSecret}: <code class={css.link}>{made.secret.match(/.{4}/g)?.join(" ")}</code>
          </p>
          <CodeField id="factor-code" value={code} change={setCode} isFirst />
        </CredentialForm>
      )}
    </section>
  );
}

function RecoveryCodeList({ codes }: { codes: readonly string[] }) {
  const t = peopleMessages.value.profile;
  return (
    <div class="note note-good" role="status">
      <strong>{t.factorCodes}</strong>
      <p>{t.factorCodesLead}</p>
      <ul class={css.codes} data-recovery-codes>
        {codes.map((each) => (
          <li key={each}>
            <code>{each}</code>
          </li>
        ))}
      </ul>
      <div class="actions">
        <CopyButton text={() => codes.join("\n")} label={t.copyCodes} />
      </div>
    </div>
  );
}

/** Dark on light in every theme, with a quiet zone of four modules: cameras need both. */
function QrCode({ text, label }: { text: string; label: string }) {
  const { data, size } = encode(text, { border: 4, ecc: "M" });
  const dark = data.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])));
  return (
    <svg class={css.qr} viewBox={`0 0 ${size} ${size}`} role="img" aria-label={label} shape-rendering="crispEdges">
      <rect width={size} height={size} fill="#fff" />
      <path d={dark.join("")} fill="#000" />
    </svg>
  );
}
