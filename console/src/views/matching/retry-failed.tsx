import { useEffect, useRef, useState } from "preact/hooks";
import { Icon } from "../../ui/icon.tsx";
import { number } from "../../ui/time.tsx";
import { useLater } from "../../ui/use-later.ts";
import { matchingMessages } from "../../i18n/matching.ts";
import * as css from "./retry-failed.module.css";

interface RetryFailedProps {
  readonly batchId: string;
  readonly failed: number;
}

const loadAskMatching = () => import("./ask-matching.tsx").then(({ AskMatching }) => AskMatching);

/** A batch's failed tasks, asked again as a new batch: priced first, in a dialog. */
export function RetryFailed({ batchId, failed }: RetryFailedProps) {
  const t = matchingMessages.value;
  const [open, setOpen] = useState(false);
  return (
    <>
      <button type="button" class="button small" onClick={() => setOpen(true)}>
        <Icon name="repeat" />
        {t.retryFailed(number(failed))}
      </button>
      {open ? <RetryDialog batchId={batchId} failed={failed} close={() => setOpen(false)} /> : null}
    </>
  );
}

function RetryDialog({ batchId, failed, close }: RetryFailedProps & { close: () => void }) {
  const t = matchingMessages.value;
  const dialog = useRef<HTMLDialogElement>(null);
  const AskMatching = useLater(loadAskMatching);
  useEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog ref={dialog} class="dialog" aria-labelledby="retry-title" onClose={close}>
      <header class="dialog-head">
        <h2 id="retry-title">{t.retryFailed(number(failed))}</h2>
        <button
          type="button"
          class="button ghost icon-only"
          aria-label={t.close}
          onClick={() => dialog.current?.close()}
        >
          <Icon name="cross" />
        </button>
      </header>
      <div class={css.dialogBody}>
        {AskMatching === null ? null : (
          <AskMatching chosen={{ kind: "matching", query: { batchId, state: "failed" }, filter: "" }} />
        )}
      </div>
    </dialog>
  );
}
