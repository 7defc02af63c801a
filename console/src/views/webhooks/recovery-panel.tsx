import type { RecoveryReply } from "@querent/client";
import { useEffect, useRef, useState } from "preact/hooks";
import { querent } from "../../api/querent.ts";
import { FailureNote } from "../../ui/failure-note.tsx";
import { number } from "../../ui/time.tsx";
import { useAttempt } from "../../ui/use-attempt.ts";
import { webhooksMessages } from "../../i18n/webhooks.ts";
import * as room from "./webhooks.module.css";

type Progress = Pick<RecoveryReply, "remaining" | "unaddressed"> & { readonly total: number };

/** The number of redeliveries per request, small enough to show progress. */
const stepMax = 1000;

/** Sends again what failed since a time, call after call, until nothing is left. */
export function RecoveryPanel() {
  const t = webhooksMessages.value;
  const [since, setSince] = useState(() => localMinute(Date.now() - 86_400_000));
  const [progress, setProgress] = useState<Progress | null>(null);
  const running = useRef<AbortController | null>(null);
  const { busy, failed, run } = useAttempt();
  useEffect(() => () => running.current?.abort(), []);

  const at = new Date(since);
  const recover = () =>
    run(async () => {
      const aborting = new AbortController();
      running.current = aborting;
      setProgress({ total: 0, remaining: 0, unaddressed: 0 });
      try {
        const request = { since: at.toISOString(), limit: stepMax };
        await querent.webhook.recover(request, { signal: aborting.signal, onProgress: setProgress });
      } catch (error) {
        // Stopped by the user.
        if (!aborting.signal.aborted) throw error;
      } finally {
        running.current = null;
      }
    });

  return (
    <section class={`panel ${room.setting}`} aria-labelledby="recover-title">
      <h2 id="recover-title">{t.recover}</h2>
      <p class="quiet">{t.recoverText}</p>
      <form
        class={room.settingForm}
        onSubmit={(event) => {
          event.preventDefault();
          if (!Number.isNaN(at.getTime())) recover();
        }}
      >
        <label for="recover-since">{t.since}</label>
        <input
          id="recover-since"
          class="input"
          type="datetime-local"
          value={since}
          onInput={({ currentTarget }) => setSince(currentTarget.value)}
        />
        <button type="submit" class="button" aria-disabled={busy || Number.isNaN(at.getTime())}>
          {t.recoverRun}
        </button>
        {busy ? (
          <button type="button" class="button" onClick={() => running.current?.abort()}>
            {t.stop}
          </button>
        ) : null}
      </form>
      {progress === null ? null : (
        <div class="progress" role="status">
          {busy ? (
            <progress
              aria-label={t.recover}
              max={Math.max(1, progress.total + progress.remaining)}
              value={progress.total}
            />
          ) : null}
          <p>
            {busy
              ? t.recovering(number(progress.total), number(progress.remaining))
              : t.recovered(number(progress.total))}{" "}
            {progress.unaddressed === 0 ? "" : t.unaddressed(number(progress.unaddressed))}
          </p>
        </div>
      )}
      {failed === null ? null : <FailureNote failed={failed} />}
    </section>
  );
}

/** A time as `datetime-local` writes it, by the reader's clock. */
function localMinute(ms: number): string {
  const time = new Date(ms);
  const two = (value: number) => String(value).padStart(2, "0");
  return `${time.getFullYear()}-${two(time.getMonth() + 1)}-${two(time.getDate())}T${two(time.getHours())}:${two(time.getMinutes())}`;
}
