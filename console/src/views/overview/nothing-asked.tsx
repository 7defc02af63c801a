import { useState } from "preact/hooks";
import { querent } from "../../api/querent.ts";
import { Allowed } from "../../app/allowed.tsx";
import { go, to } from "../../app/address.ts";
import { session } from "../../app/session.ts";
import { CopyButton } from "../../ui/copy-button.tsx";
import { FailureNote } from "../../ui/failure-note.tsx";
import { Icon } from "../../ui/icon.tsx";
import { useAttempt } from "../../ui/use-attempt.ts";
import { overviewMessages } from "../../i18n/overview.ts";
import { firstCommand } from "../first-command.ts";

/** What the sample documents answer well: sources, steps and cards. */
const sampleQuestions = [
  "How fine should I grind for espresso?",
  "Which gooseneck kettle is best for pour over, and where can I buy it?",
  "手冲咖啡应该用什么水温？",
  "How do I store coffee beans?",
];

interface NothingAskedProps {
  readonly asked: () => void;
  /** Without the command: the account has panels to look at. */
  readonly isBrief: boolean;
}

/** Shown to an account without tasks: two ways to create the first one. */
export function NothingAsked({ asked, isBrief }: NothingAskedProps) {
  const t = overviewMessages.value;
  const { busy, failed, run } = useAttempt();
  // One key for one wish: pressing again after a lost answer asks for the same thing again.
  const [key] = useState(() => crypto.randomUUID());
  const runSample = () =>
    run(async () => {
      const { batchId } = await querent.tasks.submit(
        sampleQuestions.map((question) => ({ question, platformCode: "sample", tags: ["sample"] })),
        { idempotencyKey: `console-sample-${key}` },
      );
      asked();
      go(to("/tasks", { q: `batch:${batchId}` }));
    });

  return (
    <div class="empty">
      <h3>{t.emptyTitle}</h3>
      <p class="quiet">{isBrief ? t.sampleText : t.emptyText}</p>
      {isBrief ? null : (
        <pre class="command" tabIndex={0}>
          {firstCommand("$TOKEN")}
        </pre>
      )}
      <div class="actions">
        <Allowed scope="tasks:write">
          <button type="button" class="button primary" aria-disabled={busy} onClick={runSample}>
            <Icon name="send" />
            {t.runSample}
          </button>
        </Allowed>
        {isBrief ? null : <CopyButton text={() => firstCommand(session.value?.token ?? "$TOKEN")} label={t.copyCurl} />}
      </div>
      <Allowed scope="tasks:write" otherwise={<p class="quiet small">{t.readOnly}</p>}>
        {null}
      </Allowed>
      {failed === null ? null : <FailureNote failed={failed} />}
    </div>
  );
}
