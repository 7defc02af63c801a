import type { DeliveryPage, DeliveryRecord } from "@querent/client";
import { nonEmptyPage } from "../../api/non-empty-page.ts";
import { querent } from "../../api/querent.ts";
import { useLive } from "../../api/use-live.ts";
import { query, to } from "../../app/address.ts";
import { useShortcuts } from "../../app/shortcuts.ts";
import { FailureNote } from "../../ui/failure-note.tsx";
import { Pager } from "../../ui/pager.tsx";
import { DeliveryMark } from "../../ui/state-mark.tsx";
import { Ago, distance, now } from "../../ui/time.tsx";
import { taskMessages } from "../../i18n/task.ts";
import { webhooksMessages } from "../../i18n/webhooks.ts";
import { moveSelection } from "../tasks/move-selection.ts";
import { DeliveryFilters } from "./delivery-filters.tsx";
import { faultsOf, logFilters, queryOf } from "./log-filters.ts";
import * as css from "./delivery-list.module.css";

const refreshMs = 4000;
const pageSize = 50;
const path = "/webhooks/deliveries";

/** The log of deliveries, with its filters in the address. */
export function DeliveryList() {
  const t = webhooksMessages.value;
  const chosen = logFilters();
  const cursor = query.value.get("cursor") ?? undefined;
  const { value, failed, refresh } = useLive<DeliveryPage>(
    JSON.stringify([chosen, cursor ?? null]),
    (call, before) =>
      nonEmptyPage({
        cursor,
        ask: (from) => querent.deliveries.page({ ...queryOf(chosen), limit: pageSize, ...from }, call),
        rowsOf: ({ deliveries }) => deliveries,
        before,
      }),
    { everyMs: refreshMs, paused: faultsOf(chosen).length > 0 },
  );
  useShortcuts({ j: () => moveSelection(1), k: () => moveSelection(-1) });
  const faults = faultsOf(chosen);
  const isFiltered = Object.keys(chosen).length > 0;

  return (
    <>
      <DeliveryFilters chosen={chosen} />
      {faults.length === 0 ? null : (
        <p class="note note-bad" role="alert">
          {faults.join(" ")}
        </p>
      )}
      {failed === null ? null : <FailureNote failed={failed} retry={refresh} />}
      {value === null || faults.length > 0 ? null : value.deliveries.length === 0 ? (
        <div class="empty">
          <h2>{isFiltered ? t.noneFit : t.none}</h2>
          {isFiltered ? null : <p class="quiet">{t.noneText}</p>}
        </div>
      ) : (
        <ul class={css.log}>
          {value.deliveries.map((delivery) => (
            <DeliveryRow key={delivery.deliveryId} delivery={delivery} />
          ))}
        </ul>
      )}
      {value === null || faults.length > 0 ? null : (
        <Pager
          newest={cursor === undefined ? undefined : to(path, chosen)}
          older={value.nextCursor === null ? undefined : to(path, { ...chosen, cursor: value.nextCursor })}
          words={t}
        />
      )}
    </>
  );
}

function DeliveryRow({ delivery }: { delivery: DeliveryRecord }) {
  const t = webhooksMessages.value;
  return (
    <li class={css.logRow}>
      <DeliveryMark delivery={delivery} />
      <div class={css.logWhat}>
        <a data-task={delivery.deliveryId} class="batch-link mono" href={to(`${path}/${delivery.deliveryId}`)}>
          {delivery.url === null ? t.noUrl : delivery.url}
        </a>
        <span class="quiet small">
          {delivery.taskId === null ? (
            t.eventNames[delivery.event]
          ) : (
            <>
              {t.task} <code>{delivery.taskId}</code>
            </>
          )}
        </span>
      </div>
      <span class="quiet small">
        {delivery.waitingFor === null || delivery.phase === "held" ? "" : `${t.waitingFor[delivery.waitingFor]} · `}
        {taskMessages.value.attempts(delivery.attemptCount)}
        {delivery.phase === "held" || delivery.nextAttemptAt === null
          ? ""
          : ` · ${taskMessages.value.nextAttempt(distance(Date.parse(delivery.nextAttemptAt) - now.value))}`}
        {" · "}
        <Ago at={delivery.createdAt} />
      </span>
    </li>
  );
}
