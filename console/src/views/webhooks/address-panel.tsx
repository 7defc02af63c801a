import { eventTypes, type EventType, type WebhookRecord, type WebhookTestReply } from "@querent/client";
import { useEffect, useState } from "preact/hooks";
import { querent } from "../../api/querent.ts";
import { ConfirmButtons } from "../../ui/confirm-buttons.tsx";
import { announce } from "../../ui/announcer.tsx";
import { FailureNote } from "../../ui/failure-note.tsx";
import { Icon } from "../../ui/icon.tsx";
import { Ago, distance, duration, now } from "../../ui/time.tsx";
import { useAttempt } from "../../ui/use-attempt.ts";
import { bannerMessages } from "../../i18n/banners.ts";
import { taskMessages } from "../../i18n/task.ts";
import { webhooksMessages } from "../../i18n/webhooks.ts";
import { suspensionOf } from "./suspension.ts";
import * as css from "./address-panel.module.css";
import * as room from "./webhooks.module.css";

interface AddressPanelProps {
  readonly webhook: WebhookRecord;
  readonly changed: () => void;
}

/** The account's address for notifications: sets, removes and tests it, and shows its status. */
export function AddressPanel({ webhook, changed }: AddressPanelProps) {
  const t = webhooksMessages.value;
  const [draft, setDraft] = useState(webhook.url ?? "");
  const [removing, setRemoving] = useState(false);
  const [test, setTest] = useState<WebhookTestReply | null>(null);
  const { busy, failed, run } = useAttempt();
  useEffect(() => setDraft(webhook.url ?? ""), [webhook.url]);

  const set = (url: string | null, said = url === null ? t.wasRemoved : t.wasSet) =>
    run(async () => {
      setRemoving(false);
      setTest(null);
      await querent.webhook.set(url);
      announce(said);
      changed();
    });
  const choose = (events: EventType[]) =>
    run(async () => {
      await querent.webhook.set(webhook.url, { events });
      announce(t.eventsSaved);
      changed();
    });
  const send = () =>
    run(async () => {
      setTest(null);
      setTest(await querent.webhook.test(draft.trim() === webhook.url ? {} : { url: draft.trim() }));
      changed();
    });
  const isNew = draft.trim() !== (webhook.url ?? "");
  const failure = lastFailureOf(webhook);
  const status = failure === null ? webhook.status : "failing";

  return (
    <section class={`panel ${room.setting}`} aria-labelledby="address-title">
      <div class="panel-head">
        <h2 id="address-title">{t.address}</h2>
        <span class={css.webhookStatus} data-status={status}>
          {t.status[status]}
        </span>
      </div>
      {webhook.status === "suspended" ? (
        <Suspended webhook={webhook} busy={busy} resume={() => set(webhook.url, t.resumed)} />
      ) : (
        <p class="quiet">
          {failure === null
            ? t.statusText[webhook.status]
            : t.failingText(failure, distance(Date.parse(webhook.lastFailureAt ?? "") - now.value))}
        </p>
      )}
      <AddressForm draft={draft} change={setDraft} isNew={isNew} busy={busy} set={set} />
      <div class="actions">
        <button
          type="button"
          class="button"
          aria-disabled={busy || draft.trim() === ""}
          onClick={() => draft.trim() !== "" && send()}
        >
          <Icon name="send" />
          {busy ? t.testing : t.test}
        </button>
        {webhook.url === null ? null : (
          <button type="button" class="button danger" onClick={() => setRemoving(true)}>
            {t.remove}
          </button>
        )}
        <span class={`quiet small ${css.settingAside}`}>
          {t.lastSuccess}: {webhook.lastSuccessAt === null ? t.never : <Ago at={webhook.lastSuccessAt} />}
        </span>
      </div>
      <p class="quiet small">{t.testHint}</p>
      <EventChoice webhook={webhook} busy={busy} choose={choose} />
      {removing ? <Removal remove={() => set(null)} keep={() => setRemoving(false)} /> : null}
      {failed === null ? null : <FailureNote failed={failed} />}
      {test === null ? null : <TestOutcome test={test} />}
    </section>
  );
}

interface AddressFormProps {
  readonly draft: string;
  readonly change: (draft: string) => void;
  /** Whether the draft differs from the address that is set. */
  readonly isNew: boolean;
  readonly busy: boolean;
  readonly set: (url: string) => void;
}

function AddressForm({ draft, change, isNew, busy, set }: AddressFormProps) {
  const t = webhooksMessages.value;
  return (
    <>
      <form
        class={room.settingForm}
        onSubmit={(event) => {
          event.preventDefault();
          if (isNew && draft.trim() !== "") set(draft.trim());
        }}
      >
        <label class="unseen" for="webhook-url">
          {t.addressLabel}
        </label>
        <input
          id="webhook-url"
          class="input mono"
          type="text"
          inputMode="url"
          autocomplete="off"
          spellcheck={false}
          placeholder="https://hooks.example.com/querent"
          aria-describedby="webhook-url-hint"
          value={draft}
          onInput={({ currentTarget }) => change(currentTarget.value)}
        />
        <button type="submit" class="button primary" aria-disabled={busy || !isNew || draft.trim() === ""}>
          {t.set}
        </button>
      </form>
      <p id="webhook-url-hint" class="quiet small">
        {t.addressHint}
      </p>
    </>
  );
}

interface EventChoiceProps {
  readonly webhook: WebhookRecord;
  readonly busy: boolean;
  readonly choose: (events: EventType[]) => void;
}

/** The types of events that are sent. Each choice is saved at once. */
function EventChoice({ webhook, busy, choose }: EventChoiceProps) {
  const t = webhooksMessages.value;
  const chosen = new Set(webhook.events);
  return (
    <fieldset class={css.events} disabled={busy}>
      <legend>{t.events}</legend>
      <p class="quiet small">{t.eventsHint}</p>
      {eventTypes.map((type) => (
        <label key={type}>
          <input
            type="checkbox"
            data-event={type}
            checked={chosen.has(type)}
            disabled={type === "task.finished"}
            onChange={({ currentTarget: { checked } }) =>
              choose(eventTypes.filter((each) => (each === type ? checked : chosen.has(each))))
            }
          />{" "}
          {t.eventNames[type]}
        </label>
      ))}
    </fieldset>
  );
}

function Removal({ remove, keep }: { remove: () => void; keep: () => void }) {
  const t = webhooksMessages.value;
  return (
    <div class="note note-warn" role="alertdialog" aria-label={t.remove}>
      <p>{t.removeSure}</p>
      <div class="actions">
        <ConfirmButtons yes={t.removeYes} confirm={remove} no={t.keep} withdraw={keep} />
      </div>
    </div>
  );
}

/** How the last attempt to deliver to an active endpoint failed. Null: it succeeded, or there was none. */
function lastFailureOf({ status, lastFailureAt, lastFailureStatus, lastFailureFault }: WebhookRecord): string | null {
  if (status !== "active" || lastFailureAt === null) return null;
  if (lastFailureStatus !== null) return `HTTP ${lastFailureStatus}`;
  return lastFailureFault === null ? "–" : taskMessages.value.faults[lastFailureFault];
}

interface SuspendedProps {
  readonly webhook: WebhookRecord;
  readonly busy: boolean;
  readonly resume: () => void;
}

/** Why nothing is sent, and a button to resume. */
function Suspended({ webhook, busy, resume }: SuspendedProps) {
  const t = webhooksMessages.value;
  return (
    <div class="note note-bad">
      <p>
        <strong>{bannerMessages.value.suspensionReason(suspensionOf(webhook))}</strong>{" "}
        {webhook.suspendedAt === null
          ? ""
          : bannerMessages.value.suspendedAt(distance(Math.min(0, Date.parse(webhook.suspendedAt) - now.value)))}{" "}
        {t.statusText.suspended}
      </p>
      <div class="actions">
        <button type="button" class="button primary" aria-disabled={busy} onClick={resume}>
          {t.resume}
        </button>
      </div>
    </div>
  );
}

function TestOutcome({ test }: { test: WebhookTestReply }) {
  const t = webhooksMessages.value;
  const took = duration(test.durationMs);
  return (
    <div class={`note ${test.passed ? "note-good" : "note-bad"}`} role="status">
      <strong>{test.passed ? t.passed : t.notPassed}</strong>
      <p>
        {test.status === null
          ? t.noAnswer(test.fault === null ? "–" : taskMessages.value.faults[test.fault], took)
          : t.answered(test.status, took)}{" "}
        {test.suspensionLifted ? t.lifted : ""}
      </p>
      {test.responseSnippet === null || test.responseSnippet === "" ? null : (
        <details>
          <summary>{t.receiverSaid}</summary>
          <pre class="snippet" tabIndex={0}>
            {test.responseSnippet}
          </pre>
        </details>
      )}
    </div>
  );
}
