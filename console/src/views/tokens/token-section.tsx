import { ForbiddenError, type IssuedToken } from "@querent/client";
import { useState } from "preact/hooks";
import { querent } from "../../api/querent.ts";
import { useLive } from "../../api/use-live.ts";
import { may } from "../../app/session.ts";
import { CopyButton } from "../../ui/copy-button.tsx";
import { FailureNote } from "../../ui/failure-note.tsx";
import { Icon } from "../../ui/icon.tsx";
import { tokensMessages } from "../../i18n/tokens.ts";
import { TokenForm } from "./token-form.tsx";
import { TokenTable } from "./token-table.tsx";
import * as css from "./token-section.module.css";

const refreshMs = 30_000;

/** Tokens, listed, issued and revoked. @param accountId whose; null: the own account's */
export function TokenSection({ accountId }: { accountId: string | null }) {
  const t = tokensMessages.value;
  const of = accountId === null ? {} : { of: accountId };
  const { value, failed, refresh } = useLive(`tokens ${accountId}`, (call) => querent.tokens.list({ ...call, ...of }), {
    everyMs: refreshMs,
  });
  const [making, setMaking] = useState(false);
  const [made, setMade] = useState<IssuedToken | null>(null);
  const mayChange = may("access:manage");
  if (failed instanceof ForbiddenError) return <p class="note">{t.forbidden}</p>;

  return (
    <section class="stack" aria-label={t.title}>
      {!mayChange ? (
        <p class="note">{t.adminOnly}</p>
      ) : made !== null ? (
        <NewToken made={made} done={() => setMade(null)} />
      ) : making ? (
        <TokenForm
          of={of}
          cancel={() => setMaking(false)}
          issued={(token) => {
            setMade(token);
            setMaking(false);
            refresh();
          }}
        />
      ) : (
        <button type="button" class="button primary start" onClick={() => setMaking(true)}>
          <Icon name="add" />
          {t.create}
        </button>
      )}
      {failed === null ? null : <FailureNote failed={failed} retry={refresh} />}
      {value === null ? null : (
        <TokenTable tokens={value} mayRevoke={mayChange} ofAny={accountId !== null} changed={refresh} />
      )}
    </section>
  );
}

/** The token's text, the one time that it can be seen. */
function NewToken({ made, done }: { made: IssuedToken; done: () => void }) {
  const t = tokensMessages.value;
  return (
    <div class="note note-good" role="status">
      <strong>
        <bdi>{t.made(made.record.name ?? "")}</bdi>
      </strong>
      <p>{t.shownOnce}</p>
      <code class={css.secret} tabIndex={0} data-token>
        {made.token}
      </code>
      <div class="actions">
        <CopyButton text={() => made.token} label={t.copy} />
        <button type="button" class="button" onClick={done}>
          {t.done}
        </button>
      </div>
    </div>
  );
}
