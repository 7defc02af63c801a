import type { SignIn, SignInEvent } from "@querent/client";
import { useRef, useState } from "preact/hooks";
import { querent } from "../../api/querent.ts";
import { phrases } from "../../i18n/phrases.ts";
import { sessionMessages } from "../../i18n/sessions.ts";
import { announce } from "../../ui/announcer.tsx";
import { FailureNote } from "../../ui/failure-note.tsx";
import { distance, now } from "../../ui/time.tsx";
import { useAttempt } from "../../ui/use-attempt.ts";
import { RemotePage } from "./remote-page.tsx";
import { useSignIn } from "./use-sign-in.ts";
import * as css from "./remote-page.module.css";

interface SignInPanelProps {
  readonly started: SignIn;
  readonly platformName: string;
  /** Ended, saved or not. */
  readonly close: () => void;
}

/** A page of a platform in a browser of the service, to sign in to. */
export function SignInPanel({ started, platformName, close }: SignInPanelProps) {
  const t = sessionMessages.value;
  const { seen, ended, failed, send } = useSignIn(started);
  const saving = useAttempt();
  const saveButton = useRef<HTMLButtonElement>(null);
  const save = () =>
    saving.run(async () => {
      await querent.sessions.saveSignIn(started.signInId, { maxRetries: 0 });
      announce(t.stored(started.name));
      close();
    });
  const shown = seen.pages.find(({ pageId }) => pageId === seen.shownPageId);
  return (
    <section class="panel stack" aria-labelledby="sign-in-title">
      <h2 id="sign-in-title">
        {t.signingIn(platformName)} <code class="quiet">{started.name}</code>
      </h2>
      <p class="quiet small">{t.yours}</p>
      {ended ? (
        <p class="note note-warn" role="alert">
          {t.ended}
        </p>
      ) : (
        <>
          <p class="small">
            <span class="quiet">{t.address}: </span>
            <code class={css.address} data-address>
              {shown?.address ?? ""}
            </code>
          </p>
          {seen.pages.length > 1 ? <Pages seen={seen} send={send} /> : null}
          <RemotePage seen={seen} send={send} leave={() => saveButton.current?.focus()} />
          <p id="picture-hint" class="quiet small">
            {t.pictureHint}
          </p>
          <TextForm send={send} />
        </>
      )}
      {failed === null ? null : <FailureNote failed={failed} />}
      {saving.failed === null ? null : <FailureNote failed={saving.failed} />}
      <div class="actions">
        {ended ? null : (
          <button ref={saveButton} type="button" class="button primary" aria-disabled={saving.busy} onClick={save}>
            {t.save}
          </button>
        )}
        <button type="button" class="button" onClick={close}>
          {phrases.value.cancel}
        </button>
        {ended ? null : <span class="quiet small">{t.ends(distance(Date.parse(started.expiresAt) - now.value))}</span>}
      </div>
    </section>
  );
}

/** The windows that the page has opened, to switch between them. */
function Pages({ seen, send }: { seen: SignIn; send: (event: SignInEvent) => void }) {
  const t = sessionMessages.value;
  return (
    <div class="actions" role="group" aria-label={t.pages}>
      {seen.pages.map(({ pageId, address }, index) => (
        <button
          key={pageId}
          type="button"
          class="button"
          title={address}
          aria-pressed={pageId === seen.shownPageId}
          onClick={() => send({ type: "show", pageId })}
        >
          {t.page(String(index + 1))}
        </button>
      ))}
    </div>
  );
}

/** A field for devices without a keyboard, password managers and input methods. */
function TextForm({ send }: { send: (event: SignInEvent) => void }) {
  const t = sessionMessages.value;
  const [text, setText] = useState("");
  const insert = (event: Event) => {
    event.preventDefault();
    if (text !== "") send({ type: "text", text });
    setText("");
  };
  return (
    <form class="form" onSubmit={insert}>
      <label class="field">
        <span>{t.text}</span>
        <input
          class="input"
          type="password"
          autocomplete="off"
          maxLength={4000}
          value={text}
          onInput={({ currentTarget }) => setText(currentTarget.value)}
        />
        <span class="quiet small">{t.textHint}</span>
      </label>
      <div class="actions">
        <button type="submit" class="button">
          {t.insert}
        </button>
      </div>
    </form>
  );
}
