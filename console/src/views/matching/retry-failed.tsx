import { useState } from "preact/hooks";
import { Allowed } from "../../app/allowed.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Icon } from "../../ui/icon.tsx";
import { number } from "../../ui/time.tsx";
import { useLater } from "../../ui/use-later.tsx";
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
    <Allowed scope="tasks:write">
      <button type="button" class="button small" onClick={() => setOpen(true)}>
        <Icon name="repeat" />
        {t.retryFailed(number(failed))}
      </button>
      {open ? <RetryDialog batchId={batchId} failed={failed} close={() => setOpen(false)} /> : null}
    </Allowed>
  );
}

function RetryDialog({ batchId, failed, close }: RetryFailedProps & { close: () => void }) {
  const t = matchingMessages.value;
  const AskMatching = useLater(loadAskMatching);
  return (
    <Dialog title={t.retryFailed(number(failed))} closeLabel={t.close} close={close}>
      <div class={css.dialogBody}>
        {AskMatching === null ? null : (
          <AskMatching chosen={{ kind: "matching", query: { batchId, state: "failed" }, filter: "" }} />
        )}
      </div>
    </Dialog>
  );
}
