import type { DeliveryDetail } from "@querent/client";
import { Ago, duration } from "../../ui/time.tsx";
import { taskMessages } from "../../i18n/task.ts";
import * as css from "./delivery-attempts.module.css";

/** Every attempt of a delivery, and what the receiver said. */
export function DeliveryAttempts({ delivery }: { delivery: DeliveryDetail }) {
  const { noAttempts, faults, attempt: attemptNumber } = taskMessages.value;
  if (delivery.attempts.length === 0) return <p class="quiet">{noAttempts}</p>;
  return (
    <ol class={css.attempts}>
      {delivery.attempts.map((attempt) => {
        const isTaken = attempt.status !== null && attempt.status >= 200 && attempt.status < 300;
        return (
          <li key={attempt.attempt} class={css.attempt}>
            <strong class={isTaken ? css.attemptTaken : css.attemptRefused}>
              {attempt.status === null
                ? attempt.fault === null
                  ? "–"
                  : faults[attempt.fault]
                : `HTTP ${attempt.status}`}
            </strong>
            <span class="quiet">
              {attemptNumber(attempt.attempt)} · <Ago at={attempt.startedAt} /> · {duration(attempt.durationMs)}
            </span>
            {attempt.responseSnippet === null || attempt.responseSnippet === "" ? null : (
              <pre class="snippet" tabIndex={0}>
                {attempt.responseSnippet}
              </pre>
            )}
          </li>
        );
      })}
    </ol>
  );
}
