import type { DeliveryPage, DeliveryRecord } from "@querent/client";
import type { TargetedInputEvent } from "preact";
import { useEffect, useState } from "preact/hooks";
import { querent } from "../../api/querent.ts";
import { useLive } from "../../api/use-live.ts";
import { go, query, to } from "../../app/address.ts";
import { useShortcuts } from "../../app/shortcuts.ts";
import { FailureNote } from "../../ui/failure-note.tsx";
import { Icon } from "../../ui/icon.tsx";
import { DeliveryMark } from "../../ui/state-mark.tsx";
import { Ago, distance, now } from "../../ui/time.tsx";
import { phrases } from "../../i18n/phrases.ts";
import { taskMessages } from "../../i18n/task.ts";
import { webhooksMessages } from "../../i18n/webhooks.ts";
import { moveSelection } from "../tasks/move-selection.ts";
import * as css from "./delivery-list.module.css";

const refreshMs = 4000;
const pageSize = 50;
const path = "/webhooks/deliveries";
const states = Object.keys({
  pending: true,
  delivered: true,
  failed: true,
  skipped: true,
  superseded: true,
} satisfies Record<DeliveryRecord["state"], true>) as readonly DeliveryRecord["state"][];
const filters = ["state", "task", "destination", "from", "until"] as const;
type Filters = Readonly<Partial<Record<(typeof filters)[number], string>>>;

/** The log of deliveries, with its filters in the address. */
export function DeliveryList() {
  const t = webhooksMessages.value;
  const chosen: Filters = Object.fromEntries(
    filters.flatMap((name) => (query.value.get(name) ? [[name, query.value.get(name) ?? ""]] : [])),
  );
  const cursor = query.value.get("cursor") ?? undefined;
  const { value, failed, refresh } = useLive<DeliveryPage>(
    JSON.stringify([chosen, cursor ?? null]),
    (call) =>
      querent.deliveries.page(
        { ...wanted(chosen), limit: pageSize, ...(cursor === undefined ? {} : { cursor }) },
        call,
      ),
    { everyMs: refreshMs, paused: faultsOf(chosen).length > 0 },
  );
  useShortcuts({ j: () => moveSelection(1), k: () => moveSelection(-1) });
  const faults = faultsOf(chosen);
  const choose = (change: Filters) => go(to(path, { ...chosen, ...change }), { replace: true });
  const isFiltered = Object.keys(chosen).length > 0;

  return (
    <>
      <div class={css.logFilters}>
        <ul class="segments state-links">
          {[undefined, ...states].map((state) => (
            <li key={state ?? "all"}>
              <a
                class="segment"
                aria-current={chosen.state === state ? "true" : undefined}
                href={to(path, { ...chosen, state })}
              >
                {state === undefined ? t.allStates : phrases.value.deliveryStates[state]}
              </a>
            </li>
          ))}
        </ul>
        <div class={css.logFields}>
          <Field name="task" label={t.task} value={chosen.task ?? ""} change={choose} />
          <Field
            name="destination"
            label={t.destination}
            hint={t.destinationHint}
            value={chosen.destination ?? ""}
            change={choose}
          />
          <Field name="from" label={t.from} isTime value={chosen.from ?? ""} change={choose} />
          <Field name="until" label={t.until} isTime value={chosen.until ?? ""} change={choose} />
          {isFiltered ? (
            <a class="button" href={to(path)}>
              {t.clear}
            </a>
          ) : null}
        </div>
      </div>
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
        <footer class="pager">
          <span />
          {cursor === undefined ? null : (
            <a class="button" href={to(path, chosen)}>
              <Icon name="back" />
              {t.newest}
            </a>
          )}
          {value.nextCursor === null ? null : (
            <a class="button" href={to(path, { ...chosen, cursor: value.nextCursor })}>
              {t.older}
              <Icon name="forward" />
            </a>
          )}
        </footer>
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
          {t.task} <code>{delivery.taskId}</code>
        </span>
      </div>
      <span class="quiet small">
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

interface FieldProps {
  readonly name: (typeof filters)[number];
  readonly label: string;
  readonly hint?: string;
  readonly isTime?: boolean;
  readonly value: string;
  readonly change: (change: Filters) => void;
}

const quietMs = 400;

function Field({ name, label, hint = "", isTime = false, value, change }: FieldProps) {
  const [draft, setDraft] = useState(value);
  useEffect(() => setDraft(value), [value]);
  useEffect(() => {
    if (draft === value) return;
    const timer = window.setTimeout(() => change({ [name]: draft.trim() }), quietMs);
    return () => window.clearTimeout(timer);
  }, [draft]);
  const common = {
    id: `log-${name}`,
    class: "input",
    value: draft,
    onInput: ({ currentTarget }: TargetedInputEvent<HTMLInputElement>) => setDraft(currentTarget.value),
  };
  return (
    <div class={`field ${css.logField}`}>
      <label for={`log-${name}`}>{label}</label>
      {isTime ? (
        <input {...common} type="datetime-local" />
      ) : (
        <input {...common} type="text" autocomplete="off" spellcheck={false} placeholder={hint} />
      )}
    </div>
  );
}

/** What of the filters in the address is not understood: nothing is listed then, since it would be more than was asked for. */
function faultsOf({ state, from, until }: Filters): string[] {
  const t = webhooksMessages.value;
  return [
    ...(state === undefined || states.some((name) => name === state) ? [] : [t.badState(state)]),
    ...[from, until].flatMap((time) =>
      time === undefined || !Number.isNaN(new Date(time).getTime()) ? [] : [t.badTime(time)],
    ),
  ];
}

/** The filters as the service takes them. What it would refuse it refuses, and says so. */
function wanted({ state, task, destination, from, until }: Filters) {
  const known = states.find((name) => name === state);
  return {
    ...(known === undefined ? {} : { state: known }),
    ...(task === undefined ? {} : { taskId: task.toLowerCase() }),
    ...(destination === undefined ? {} : { destination }),
    ...timeOf("createdFrom", from),
    ...timeOf("createdBefore", until),
  };
}

function timeOf<Name extends string>(name: Name, text: string | undefined): Partial<Record<Name, string>> {
  const time = new Date(text ?? "");
  return Number.isNaN(time.getTime()) ? {} : ({ [name]: time.toISOString() } as Record<Name, string>);
}
