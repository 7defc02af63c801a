import type { WebhookRecord } from "@querent/client";
import { useState } from "preact/hooks";
import { querent } from "../../api/querent.ts";
import { CopyButton } from "../../ui/copy-button.tsx";
import { FailureNote } from "../../ui/failure-note.tsx";
import { Segments } from "../../ui/segments.tsx";
import { useAttempt } from "../../ui/use-attempt.ts";
import { webhooksMessages } from "../../i18n/webhooks.ts";
import * as css from "./secret-panel.module.css";
import * as room from "./webhooks.module.css";

const overlapSeconds = { none: 0, hour: 3600, day: 86_400, week: 604_800 } as const;
type Overlap = keyof typeof overlapSeconds;

interface SecretPanelProps {
  readonly webhook: WebhookRecord;
  /** Null until it has been read. */
  readonly secret: string | null;
  readonly changed: () => void;
}

/** The secret that notifications are signed with: masked, copied, and replaced by somebody who typed that they mean it. */
export function SecretPanel({ webhook, secret, changed }: SecretPanelProps) {
  const t = webhooksMessages.value;
  const [rotating, setRotating] = useState(false);
  const [fresh, setFresh] = useState<string | null>(null);
  return (
    <section class={`panel ${room.setting}`} aria-labelledby="secret-title">
      <div class="panel-head">
        <h2 id="secret-title">{t.secret}</h2>
        <span class="quiet">{t.version(webhook.secretVersion)}</span>
      </div>
      <p class="quiet">{t.secretHint}</p>
      <p class={css.masked}>
        <code aria-hidden="true">whsec_{"•".repeat(24)}</code>
      </p>
      {fresh !== null ? (
        <div class="note note-good" role="status">
          <strong>{t.newSecret}</strong>
          <p>{t.newSecretText}</p>
          <code class={css.freshSecret}>{fresh}</code>
          <div class="actions">
            <CopyButton text={() => fresh} label={t.copyNewSecret} />
            <button type="button" class="button" onClick={() => setFresh(null)}>
              {t.done}
            </button>
          </div>
        </div>
      ) : rotating ? (
        <Rotation
          close={() => setRotating(false)}
          rotated={(secret) => {
            setRotating(false);
            setFresh(secret);
            changed();
          }}
        />
      ) : (
        <div class="actions">
          {secret === null ? null : <CopyButton text={() => secret} label={t.copySecret} />}
          <button type="button" class="button danger" onClick={() => setRotating(true)}>
            {t.rotate}
          </button>
        </div>
      )}
    </section>
  );
}

interface RotationProps {
  readonly close: () => void;
  readonly rotated: (secret: string) => void;
}

function Rotation({ close, rotated }: RotationProps) {
  const t = webhooksMessages.value;
  const [typed, setTyped] = useState("");
  const [overlap, setOverlap] = useState<Overlap>("day");
  const { busy, failed, run } = useAttempt();
  const isMeant = typed.trim().toLowerCase() === t.rotateWord;
  const rotate = () =>
    run(async () => {
      const { signingSecret } = await querent.webhook.rotate({ previousSecretValidSeconds: overlapSeconds[overlap] });
      rotated(signingSecret);
    });
  return (
    <form
      class={`note note-warn ${css.rotation}`}
      aria-label={t.rotate}
      onSubmit={(event) => {
        event.preventDefault();
        if (isMeant) rotate();
      }}
    >
      <p>{t.rotateText}</p>
      <div class="option-line">
        <span class="quiet" id="overlap-label">
          {t.overlap}
        </span>
        <Segments name="overlap" labelledBy="overlap-label" value={overlap} labels={t.overlaps} choose={setOverlap} />
      </div>
      <div class="field">
        <label for="rotate-word">{t.rotateType(t.rotateWord)}</label>
        <input
          id="rotate-word"
          class="input mono"
          autocomplete="off"
          spellcheck={false}
          value={typed}
          onInput={({ currentTarget }) => setTyped(currentTarget.value)}
        />
      </div>
      {failed === null ? null : <FailureNote failed={failed} />}
      <div class="actions">
        <button type="submit" class="button danger" aria-disabled={busy || !isMeant}>
          {t.rotateYes}
        </button>
        <button type="button" class="button" onClick={close}>
          {t.cancel}
        </button>
      </div>
    </form>
  );
}
