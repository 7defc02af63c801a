import { ConnectionError, RequestTimeoutError, type ProblemItem, type QuerentError } from "@querent/client";
import { to } from "../app/address.ts";
import { phrases } from "../i18n/phrases.ts";

/** Further invalid positions are counted, not listed. */
const errorsShown = 10;

/** What the service refused, in its own words, with each invalid position, and the id by which the operator finds it in the logs. */
export function FailureNote({ failed, retry }: { failed: QuerentError; retry?: () => void }) {
  const t = phrases.value.failures;
  const isUnreachable = failed instanceof ConnectionError || failed instanceof RequestTimeoutError;
  return (
    <div class="note note-bad" role="alert">
      <p>
        <strong>{isUnreachable ? t.unreachable : (failed.problem?.title ?? t.refused)}</strong>
      </p>
      {isUnreachable ? null : <p>{failed.problem?.detail ?? failed.message}</p>}
      {failed.problem?.errors === undefined ? null : <InvalidPositions errors={failed.problem.errors} />}
      {failed.problem?.code === "cap_exceeded" ? (
        <a class="link" href={to("/caps")}>
          {t.caps}
        </a>
      ) : null}
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

/** Where input is not valid, and why. */
export function InvalidPositions({ errors }: { errors: readonly ProblemItem[] }) {
  const t = phrases.value.failures;
  return (
    <ul class="quiet small">
      {errors.slice(0, errorsShown).map(({ pointer, detail }) => (
        <li key={`${pointer} ${detail}`}>
          <code>{pointer}</code> {detail}
        </li>
      ))}
      {errors.length > errorsShown ? <li>{t.more(errors.length - errorsShown)}</li> : null}
    </ul>
  );
}
