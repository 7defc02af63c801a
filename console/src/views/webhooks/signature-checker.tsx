import { SignatureError, webhooks, type Verified } from "@querent/client";
import { useState } from "preact/hooks";
import { webhooksMessages } from "../../i18n/webhooks.ts";
import { readHeaders } from "./read-headers.ts";
import * as css from "./signature-checker.module.css";
import * as room from "./webhooks.module.css";

type Outcome = { readonly right: Verified } | { readonly wrong: SignatureError };

/** Checks whether a request that a receiver got was signed by the service. Uses the client's own check in this page; nothing is sent. */
export function SignatureChecker({ current }: { current: string | null }) {
  const t = webhooksMessages.value;
  const [body, setBody] = useState("");
  const [headers, setHeaders] = useState("");
  const [secret, setSecret] = useState("");
  const [outcome, setOutcome] = useState<Outcome | null>(null);

  const check = async () => {
    try {
      const { notification: _, ...right } = await webhooks.unwrap({ body, headers: readHeaders(headers), secret });
      setOutcome({ right });
    } catch (error) {
      if (!(error instanceof SignatureError)) throw error;
      setOutcome({ wrong: error });
    }
  };
  const change = (set: (text: string) => void) => (text: string) => {
    set(text);
    setOutcome(null);
  };

  return (
    <form
      class={`panel ${css.checker}`}
      aria-label={t.check}
      onSubmit={(event) => {
        event.preventDefault();
        void check();
      }}
    >
      <p class="quiet">{t.checkText}</p>
      <Text id="check-body" label={t.body} hint={t.bodyHint} rows={8} value={body} change={change(setBody)} />
      <Text
        id="check-headers"
        label={t.headers}
        hint={t.headersHint}
        rows={5}
        value={headers}
        change={change(setHeaders)}
      />
      <div class="field">
        <label for="check-secret">{t.checkSecret}</label>
        <div class={room.settingForm}>
          <input
            id="check-secret"
            class="input mono"
            type="password"
            autocomplete="off"
            value={secret}
            onInput={({ currentTarget }) => change(setSecret)(currentTarget.value)}
          />
          {current === null ? null : (
            <button type="button" class="button" onClick={() => change(setSecret)(current)}>
              {t.useCurrent}
            </button>
          )}
        </div>
      </div>
      <div class="actions">
        <button type="submit" class="button primary">
          {t.checkRun}
        </button>
      </div>
      {outcome === null ? null : <CheckOutcome outcome={outcome} />}
    </form>
  );
}

interface TextProps {
  readonly id: string;
  readonly label: string;
  readonly hint: string;
  readonly rows: number;
  readonly value: string;
  readonly change: (text: string) => void;
}

function Text({ id, label, hint, rows, value, change }: TextProps) {
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <textarea
        id={id}
        class="input mono"
        rows={rows}
        spellcheck={false}
        autocomplete="off"
        aria-describedby={`${id}-hint`}
        value={value}
        onInput={({ currentTarget }) => change(currentTarget.value)}
      />
      <p id={`${id}-hint`} class="quiet small">
        {hint}
      </p>
    </div>
  );
}

function CheckOutcome({ outcome }: { outcome: Outcome }) {
  const t = webhooksMessages.value;
  if ("right" in outcome) {
    return (
      <div class="note note-good" role="status">
        <strong>{t.right}</strong>
        <p>
          {outcome.right.matched === "previous" ? `${t.rightPrevious} ` : ""}
          {outcome.right.isTest ? `${t.rightTest} ` : ""}
          {outcome.right.deliveryId === null ? "" : t.rightDelivery(outcome.right.deliveryId.slice(0, 100))}
        </p>
      </div>
    );
  }
  return (
    <div class="note note-bad" role="alert">
      <strong>{t.wrong[outcome.wrong.fault]}</strong>
      <p lang="en">{outcome.wrong.message.slice(0, 1000)}</p>
    </div>
  );
}
