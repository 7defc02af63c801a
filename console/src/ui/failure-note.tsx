import type { RequestFailed } from "../api/request.ts";
import { words } from "../words/words.ts";

/** What the service refused, in its own words, with what the operator finds it by. */
export function FailureNote({ failed, retry }: { failed: RequestFailed; retry?: () => void }) {
  const t = words.value;
  return (
    <div class="note note-bad" role="alert">
      <p>
        <strong>{failed.status === 0 ? t.failures.unreachable : (failed.problem?.title ?? t.failures.refused)}</strong>
      </p>
      {failed.message === "" ? null : <p>{failed.message}</p>}
      {failed.problem === null ? null : (
        <p class="quiet small">
          {t.failures.requestId} <code>{failed.problem.requestId}</code>
        </p>
      )}
      {retry === undefined ? null : (
        <button type="button" class="button" onClick={retry}>
          {t.failures.retry}
        </button>
      )}
    </div>
  );
}
