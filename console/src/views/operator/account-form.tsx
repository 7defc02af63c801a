import type { AccountRecord } from "@querent/client";
import { useEffect, useRef, useState } from "preact/hooks";
import { querent } from "../../api/querent.ts";
import { announce } from "../../ui/announcer.tsx";
import { FailureNote } from "../../ui/failure-note.tsx";
import { NumberField } from "../../ui/number-field.tsx";
import { useAttempt } from "../../ui/use-attempt.ts";
import { operatorMessages } from "../../i18n/operator.ts";
import { phrases } from "../../i18n/phrases.ts";
import * as room from "./operator.module.css";

interface AccountFormProps {
  readonly created: (account: AccountRecord) => void;
  readonly cancel: () => void;
}

export function AccountForm({ created, cancel }: AccountFormProps) {
  const t = operatorMessages.value;
  const [name, setName] = useState("");
  const [points, setPoints] = useState("0");
  const { busy, failed, run } = useAttempt();
  const first = useRef<HTMLInputElement>(null);
  useEffect(() => first.current?.focus(), []);
  const submit = (event: Event) => {
    event.preventDefault();
    run(async () => {
      const account = await querent.operator.createAccount({ name: name.trim(), points: Number(points) });
      announce(t.created(account.name));
      created(account);
    });
  };
  return (
    <form class={`panel form ${room.inlineForm}`} aria-label={t.newAccount} onSubmit={submit}>
      <label class="field">
        <span>{t.accountName}</span>
        <input
          ref={first}
          class="input"
          required
          maxLength={100}
          autocomplete="off"
          value={name}
          onInput={({ currentTarget }) => setName(currentTarget.value)}
        />
        <span class="quiet small">{t.accountNameHint}</span>
      </label>
      <NumberField label={t.points} min={0} max={999_999_999_999} value={points} change={setPoints} />
      <div class="actions">
        <button type="submit" class="button primary" aria-disabled={busy}>
          {t.create}
        </button>
        <button type="button" class="button" onClick={cancel}>
          {phrases.value.cancel}
        </button>
      </div>
      {failed === null ? null : <FailureNote failed={failed} />}
    </form>
  );
}
