import { ConnectionError, RequestTimeoutError, type QuerentError } from "@querent/client";
import { phrases } from "../i18n/phrases.ts";

/** What the service refused, in its own words, with the id by which the operator finds it in the logs. */
export function FailureNote({ failed, retry }: { failed: QuerentError; retry?: () => void }) {
  const t = phrases.value.failures;
  const isUnreachable = failed instanceof ConnectionError || failed instanceof RequestTimeoutError;
  return (
    <div class="note note-bad" role="alert">
      <p>
        <strong>{isUnreachable ? t.unreachable : (failed.problem?.title ?? t.refused)}</strong>
      </p>
      {isUnreachable ? null : <p>{failed.problem?.detail ?? failed.message}</p>}
      {failed.requestId === null ? null : (
        <p class="quiet small">
          {t.requestId} <code>{failed.requestId}</code>
        </p>
      )}
      {retry === undefined ? null : (
        <button type="button" class="button" onClick={retry}>
          {t.retry}
        </button>
      )}
    </div>
  );
}
