import type { AccountRecord } from "@querent/client";
import { useState } from "preact/hooks";
import { querent } from "../../api/querent.ts";
import { announce } from "../../ui/announcer.tsx";
import { FailureNote } from "../../ui/failure-note.tsx";
import { NumberField } from "../../ui/number-field.tsx";
import { Icon } from "../../ui/icon.tsx";
import { number, size } from "../../ui/time.tsx";
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

/** One account: its points, what it stores, its limits, its tokens. */
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
        )
          .map(([label, value]) => [label, number(value)] as const)
          .concat([
            [columns.stored, size(account.storage.totalBytes)],
            [columns.free, size(account.storage.bytes)],
            [columns.freeRows, number(account.storage.rows)],
            [columns.artifacts, size(account.storage.artifactBytes)],
          ])
          .map(([label, value]) => (
            <div key={label} class="tile">
              <dt class="tile-label">{label}</dt>
              <dd class="tile-value figure">{value}</dd>
            </div>
          ))}
      </dl>
      <div class={css.pair}>
        <GrantForm accountId={account.accountId} changed={changed} />
        <LimitForm key={limitsOf(account).join(" ")} account={account} changed={changed} />
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

const mib = 1024 ** 2;
const inMib = (value: number | null) => (value === null ? null : Math.ceil(value / mib));
/** Empty: the service's setting. */
const textOf = (value: number | null) => (value === null ? "" : String(value));
const limitsOf = ({ unfinishedMax, storage }: AccountRecord) => [
  unfinishedMax,
  storage.storageRowsMax,
  storage.storageBytesMax,
  storage.artifactBytesMax,
];

function LimitForm({ account, changed }: { account: AccountRecord; changed: () => void }) {
  const t = operatorMessages.value;
  const [limit, setLimit] = useState(String(account.unfinishedMax));
  const [rows, setRows] = useState(textOf(account.storage.storageRowsMax));
  const [bytes, setBytes] = useState(textOf(inMib(account.storage.storageBytesMax)));
  const [artifacts, setArtifacts] = useState(textOf(inMib(account.storage.artifactBytesMax)));
  const { busy, failed, run } = useAttempt();
  const submit = (event: Event) => {
    event.preventDefault();
    run(async () => {
      await querent.operator.setAccountLimits(account.accountId, {
        unfinishedMax: Number(limit),
        storageRowsMax: rows === "" ? null : Number(rows),
        storageBytesMax: bytes === "" ? null : Number(bytes) * mib,
        artifactBytesMax: artifacts === "" ? null : Number(artifacts) * mib,
      });
      announce(t.saved);
      changed();
    });
  };
  return (
    <form class="panel form" aria-label={t.limits} onSubmit={submit}>
      <NumberField
        label={t.unfinishedMax}
        hint={t.unfinishedMaxHint}
        min={1}
        max={100_000_000}
        value={limit}
        change={setLimit}
      />
      {(
        [
          [t.storageRowsMax, rows, setRows],
          [t.storageMibMax, bytes, setBytes],
          [t.artifactMibMax, artifacts, setArtifacts],
        ] as const
      ).map(([label, value, change]) => (
        <NumberField
          key={label}
          label={label}
          hint={t.quotaHint}
          min={0}
          max={900_000_000}
          optional
          value={value}
          change={change}
        />
      ))}
      {failed === null ? null : <FailureNote failed={failed} />}
      <button type="submit" class="button start" aria-disabled={busy}>
        {t.save}
      </button>
    </form>
  );
}
