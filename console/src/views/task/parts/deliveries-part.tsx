import { ForbiddenError, QuerentError, type DeliveryRecord, type TaskState } from "@querent/client";
import { useState } from "preact/hooks";
import { Allowed } from "../../../app/allowed.tsx";
import { querent } from "../../../api/querent.ts";
import { useLive } from "../../../api/use-live.ts";
import { announce } from "../../../ui/announcer.tsx";
import { FailureNote } from "../../../ui/failure-note.tsx";
import { Icon } from "../../../ui/icon.tsx";
import { DeliveryMark } from "../../../ui/state-mark.tsx";
import { Ago, distance, now } from "../../../ui/time.tsx";
import { taskMessages } from "../../../i18n/task.ts";
import { DeliveryAttempts } from "../../webhooks/delivery-attempts.tsx";
import * as css from "./deliveries-part.module.css";

/** The notifications of a task: where each went, every attempt, and what the receiver said. */
export function DeliveriesPart({ taskId, state }: { taskId: string; state: TaskState }) {
  const t = taskMessages.value;
  const { value, failed, refresh } = useLive(
    `deliveries ${taskId} ${state}`,
    (call) => querent.deliveries.page({ taskId }, call),
    { everyMs: 5000 },
  );
  const [refused, setRefused] = useState<QuerentError | null>(null);
  if (failed instanceof ForbiddenError) return <p class="note">{t.deliveriesRefused}</p>;
  if (failed !== null) return <FailureNote failed={failed} retry={refresh} />;
  if (value === null) return null;
  const [latest] = value.deliveries;
  if (latest === undefined) return <p class="note">{t.noDeliveries}</p>;

  const again = async () => {
    setRefused(null);
    try {
      await querent.deliveries.redeliver(latest.deliveryId);
      announce(t.redelivered);
      refresh();
    } catch (error) {
      if (!(error instanceof QuerentError)) throw error;
      setRefused(error);
    }
  };
  return (
    <section class="panel">
      <div class="panel-head">
        <h2>
          {t.tabs.deliveries} <span class="count">{value.deliveries.length}</span>
        </h2>
        <Allowed scope="webhook:manage">
          <button type="button" class="button" onClick={() => void again()}>
            <Icon name="send" />
            {t.redeliver}
          </button>
        </Allowed>
      </div>
      {refused === null ? null : <FailureNote failed={refused} />}
      <ul class={css.deliveries}>
        {value.deliveries.map((delivery) => (
          <Delivery key={delivery.deliveryId} delivery={delivery} />
        ))}
      </ul>
    </section>
  );
}

function Delivery({ delivery }: { delivery: DeliveryRecord }) {
  const t = taskMessages.value;
  const [open, setOpen] = useState(false);
  return (
    <li>
      <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
        <summary class={css.delivery}>
          <DeliveryMark delivery={delivery} />
          <span class={css.deliveryWhere}>
            <span>{t.deliveryRevision(delivery.deliveryRevision)}</span>
            <span class="quiet small">
              {delivery.url ?? ""}{" "}
              {delivery.url === null ? "" : `(${delivery.toAccountDefault ? t.defaultAddress : t.ownAddress})`}
            </span>
          </span>
          <span class="quiet small">
            {t.attempts(delivery.attemptCount)} · <Ago at={delivery.createdAt} />
          </span>
        </summary>
        {open ? <DeliveryMore delivery={delivery} /> : null}
      </details>
    </li>
  );
}

function DeliveryMore({ delivery }: { delivery: DeliveryRecord }) {
  const t = taskMessages.value;
  const { value, failed } = useLive(
    `delivery ${delivery.deliveryId} ${delivery.attemptCount} ${delivery.state}`,
    (call) => querent.deliveries.get(delivery.deliveryId, call),
    { everyMs: null },
  );
  if (failed !== null) return <FailureNote failed={failed} />;
  if (value === null) return null;
  return (
    <div class={css.deliveryDetail}>
      <DeliveryAttempts delivery={value} />
      {value.nextAttemptAt === null ? null : (
        <p class="quiet">{t.nextAttempt(distance(Date.parse(value.nextAttemptAt) - now.value))}</p>
      )}
      {value.request === null ? null : (
        <details>
          <summary>{t.request}</summary>
          <pre tabIndex={0}>
            {Object.entries(value.request.headers)
              .map(([name, header]) => `${name}: ${header}`)
              .join("\n")}
            {"\n\n"}
            {value.request.body}
          </pre>
        </details>
      )}
    </div>
  );
}
