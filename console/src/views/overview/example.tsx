/** The example: an account with simulated answers, to look at before there are answers of one's own. */
import { demonstrationAccount } from "@querent/client";
import { querent } from "../../api/querent.ts";
import { goToAccount } from "../../app/account-select.tsx";
import { go, to } from "../../app/address.ts";
import { session } from "../../app/session.ts";
import { overviewMessages } from "../../i18n/overview.ts";
import { FailureNote } from "../../ui/failure-note.tsx";
import { useAttempt } from "../../ui/use-attempt.ts";

/** Offers the example to a person who operates the service, and has no panels yet. */
export function OpenExample() {
  const { example: t } = overviewMessages.value;
  const { busy, failed, run } = useAttempt();
  if (session.value?.login?.operator !== true) return null;
  const open = () =>
    run(async () => {
      const { accountId, panelId } = await querent.operator.createDemonstration();
      await goToAccount(accountId);
      go(to(`/panels/${panelId}`));
    });
  return (
    <section class="panel stack" aria-label={t.title} data-example>
      <h2>{t.title}</h2>
      <p class="quiet">{t.text}</p>
      <div class="actions">
        <button type="button" class="button" aria-disabled={busy} onClick={() => (busy ? undefined : open())}>
          {busy ? t.opening : t.open}
        </button>
      </div>
      {failed === null ? null : <FailureNote failed={failed} />}
    </section>
  );
}

/** The way back from the example. */
export function InExample() {
  const { example: t } = overviewMessages.value;
  const { busy, failed, run } = useAttempt();
  const { login = null } = session.value ?? {};
  const home = login?.memberships.find(({ accountName }) => accountName !== demonstrationAccount);
  if (login?.accountName !== demonstrationAccount || home === undefined) return null;
  const leave = (isDeleted: boolean) =>
    run(async () => {
      // Before the account goes, and the logins to it with it.
      await goToAccount(home.accountId);
      if (isDeleted) await querent.operator.deleteDemonstration();
      go(to("/"));
    });
  return (
    <section class="panel stack" aria-label={t.title} data-example>
      <p>{t.here}</p>
      <div class="actions">
        <button type="button" class="button primary" aria-disabled={busy} onClick={() => leave(false)}>
          {t.back(home.accountName)}
        </button>
        {login.operator ? (
          <button type="button" class="button" aria-disabled={busy} onClick={() => leave(true)}>
            {t.remove}
          </button>
        ) : null}
      </div>
      {failed === null ? null : <FailureNote failed={failed} />}
    </section>
  );
}
