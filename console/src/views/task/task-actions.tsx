import type { TaskRecord } from "@querent/client";
import { useState } from "preact/hooks";
import { querent } from "../../api/querent.ts";
import { Allowed } from "../../app/allowed.tsx";
import { go, to } from "../../app/address.ts";
import { CopyAs } from "../../copy-as/copy-as.tsx";
import { announce } from "../../ui/announcer.tsx";
import { CopyButton } from "../../ui/copy-button.tsx";
import { FailureNote } from "../../ui/failure-note.tsx";
import { Icon } from "../../ui/icon.tsx";
import { useAttempt } from "../../ui/use-attempt.ts";
import { itemOf } from "../../copy-as/item-of.ts";
import { taskMessages } from "../../i18n/task.ts";

export function TaskActions({ record, changed }: { record: TaskRecord; changed: () => void }) {
  const t = taskMessages.value;
  const { busy, failed, run } = useAttempt();
  // One key for one wish: pressing the button again after a lost answer asks for the same thing again.
  const [key, setKey] = useState(() => crypto.randomUUID());

  const askAgain = () =>
    run(async () => {
      const { tasks } = await querent.tasks.submit([itemOf(record)], { idempotencyKey: `console-${key}` });
      setKey(crypto.randomUUID());
      announce(t.asked);
      go(to(`/tasks/${tasks[0]?.taskId ?? ""}`));
    });
  const cancel = () =>
    run(async () => {
      await querent.tasks.cancel(record.taskId);
      announce(t.wasCanceled);
      changed();
    });

  return (
    <>
      <div class="actions">
        <CopyButton look="small" text={() => record.taskId} label={t.copyId} />
        <CopyAs items={() => [itemOf(record)]} />
        <Allowed scope="tasks:write">
          {record.state === "pending" ? (
            <button type="button" class="button danger" aria-disabled={busy} onClick={cancel}>
              <Icon name="cross" />
              {t.cancel}
            </button>
          ) : (
            <button type="button" class="button primary" aria-disabled={busy} onClick={askAgain}>
              <Icon name="repeat" />
              {busy ? t.askingAgain : t.askAgain}
            </button>
          )}
        </Allowed>
      </div>
      {failed === null ? null : <FailureNote failed={failed} />}
    </>
  );
}
