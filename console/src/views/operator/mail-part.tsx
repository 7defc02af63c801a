import type { MailTest } from "@querent/client";
import { useState } from "preact/hooks";
import { querent } from "../../api/querent.ts";
import { useLive } from "../../api/use-live.ts";
import { reportSendingMessages } from "../../i18n/report-sending.ts";
import { FailureNote } from "../../ui/failure-note.tsx";
import { useAttempt } from "../../ui/use-attempt.ts";

/** What mail is sent with, and a test of it. */
export function MailPart() {
  const t = reportSendingMessages.value.operator;
  const { value, failed, refresh } = useLive("mail", (call) => querent.mail.settings(call), { everyMs: null });
  return (
    <section class="panel" aria-labelledby="mail">
      <h2 id="mail">{t.title}</h2>
      <p class="quiet">{t.about}</p>
      {failed === null ? null : <FailureNote failed={failed} retry={refresh} />}
      {value === null ? null : value.missing !== null ? (
        <p class="note">{value.missing}</p>
      ) : (
        <>
          <dl class="facts">
            <dt>{t.server}</dt>
            <dd>
              {value.server === null ? null : (
                <>
                  <code>{`${value.server.host}:${value.server.port}`}</code> {t.tls[value.server.tls]}
                </>
              )}
            </dd>
            <dt>{t.from}</dt>
            <dd>{value.from}</dd>
          </dl>
          <TestForm />
        </>
      )}
    </section>
  );
}

function TestForm() {
  const t = reportSendingMessages.value.operator;
  const [address, setAddress] = useState("");
  const [tested, setTested] = useState<MailTest | null>(null);
  const { busy, failed, run } = useAttempt();
  const submit = (event: Event) => {
    event.preventDefault();
    run(async () => {
      setTested(null);
      setTested(await querent.mail.test(address.trim()));
    });
  };
  return (
    <form class="form" aria-label={t.test} onSubmit={submit}>
      <label class="field">
        <span>{t.to}</span>
        <input
          class="input"
          type="email"
          required
          autocomplete="email"
          value={address}
          onInput={({ currentTarget }) => setAddress(currentTarget.value)}
        />
      </label>
      <div class="actions">
        <button type="submit" class="button primary" aria-disabled={busy}>
          {busy ? t.testing : t.test}
        </button>
      </div>
      {failed === null ? null : <FailureNote failed={failed} />}
      {tested === null ? null : (
        <div class={`note ${tested.passed ? "note-good" : "note-bad"}`} role="status">
          <strong>{tested.passed ? t.passed : t.notPassed}</strong>
          <p>{tested.detail}</p>
        </div>
      )}
    </form>
  );
}
