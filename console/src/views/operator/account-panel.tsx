import type { AccountRecord } from "@querent/client";
import { useState } from "preact/hooks";
import { querent } from "../../api/querent.ts";
import { announce } from "../../ui/announcer.tsx";
import { FailureNote } from "../../ui/failure-note.tsx";
import { NumberField } from "../../ui/number-field.tsx";
import { Icon } from "../../ui/icon.tsx";
import { number } from "../../ui/time.tsx";
import { useAttempt } from "../../ui/use-attempt.ts";
import { operatorMessages } from "../../i18n/operator.ts";
import { tokensMessages } from "../../i18n/tokens.ts";
import { TokenSection } from "../tokens/token-section.tsx";
import * as css from "./account-panel.module.css";

interface AccountPanelProps {
  readonly account: AccountRecord;
  readonly list: string;
  readonly changed: () => void;
}

/** One account: its points, its limit, its tokens. */
export function AccountPanel({ account, list, changed }: AccountPanelProps) {
  const t = operatorMessages.value;
  const columns = t.accountColumns;
  return (
    <>
      <a class="back" href={list}>
        <Icon name="back" />
        {t.back}
      </a>
      <h2 class={css.accountName}>
        <bdi>{account.name}</bdi> <code class="quiet small">{account.accountId}</code>
      </h2>
      <dl class="tiles balance">
        {(
          [
            [columns.available, account.balance.available],
            [columns.held, account.balance.held],
            [columns.spent, account.balance.captured],
            [columns.unfinished, account.unfinishedTasks],
          ] as const
        ).map(([label, value]) => (
          <div key={label} class="tile">
            <dt class="tile-label">{label}</dt>
            <dd class="tile-value figure">{number(value)}</dd>
          </div>
        ))}
      </dl>
      <div class={css.pair}>
        <GrantForm accountId={account.accountId} changed={changed} />
        <LimitForm key={account.unfinishedMax} account={account} changed={changed} />
      </div>
      <h2>{tokensMessages.value.title}</h2>
      <TokenSection key={account.accountId} accountId={account.accountId} />
    </>
  );
}

function GrantForm({ accountId, changed }: { accountId: string; changed: () => void }) {
  const t = operatorMessages.value;
  const [points, setPoints] = useState("");
  const [note, setNote] = useState("");
  const { busy, failed, run } = useAttempt();
  const submit = (event: Event) => {
    event.preventDefault();
    run(async () => {
      const text = note.trim();
      await querent.operator.grant(accountId, { points: Number(points), ...(text === "" ? {} : { note: text }) });
      announce(t.granted);
      setPoints("");
      setNote("");
      changed();
    });
  };
  return (
    <form class="panel form" aria-label={t.grant} onSubmit={submit}>
      <NumberField label={t.points} min={1} max={999_999_999_999} value={points} change={setPoints} />
      <label class="field">
        <span>{t.note}</span>
        <input
          class="input"
          maxLength={200}
          value={note}
          onInput={({ currentTarget }) => setNote(currentTarget.value)}
        />
      </label>
      {failed === null ? null : <FailureNote failed={failed} />}
      <button type="submit" class="button primary start" aria-disabled={busy}>
        {t.grant}
      </button>
    </form>
  );
}

function LimitForm({ account, changed }: { account: AccountRecord; changed: () => void }) {
  const t = operatorMessages.value;
  const [limit, setLimit] = useState(String(account.unfinishedMax));
  const { busy, failed, run } = useAttempt();
  const submit = (event: Event) => {
    event.preventDefault();
    run(async () => {
      await querent.operator.setUnfinishedMax(account.accountId, Number(limit));
      announce(t.saved);
      changed();
    });
  };
  return (
    <form class="panel form" aria-label={t.unfinishedMax} onSubmit={submit}>
      <NumberField
        label={t.unfinishedMax}
        hint={t.unfinishedMaxHint}
        min={1}
        max={100_000_000}
        value={limit}
        change={setLimit}
      />
      {failed === null ? null : <FailureNote failed={failed} />}
      <button type="submit" class="button start" aria-disabled={busy}>
        {t.save}
      </button>
    </form>
  );
}
