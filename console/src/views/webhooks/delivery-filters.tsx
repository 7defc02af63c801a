import type { TargetedInputEvent } from "preact";
import { useEffect, useState } from "preact/hooks";
import { go, to } from "../../app/address.ts";
import { phrases } from "../../i18n/phrases.ts";
import { webhooksMessages } from "../../i18n/webhooks.ts";
import { deliveryStates, type LogFilters } from "./log-filters.ts";
import * as css from "./delivery-list.module.css";

const path = "/webhooks/deliveries";
/** The pause in typing after which the change is applied. */
const quietMs = 400;

/** What the log of deliveries is filtered by: links for the states, fields for the rest. */
export function DeliveryFilters({ chosen }: { chosen: LogFilters }) {
  const t = webhooksMessages.value;
  const choose = (change: LogFilters) => go(to(path, { ...chosen, ...change }), { replace: true });
  return (
    <div class={css.logFilters}>
      <ul class="segments state-links">
        {[undefined, ...deliveryStates].map((state) => (
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
        {Object.keys(chosen).length > 0 ? (
          <a class="button" href={to(path)}>
            {t.clear}
          </a>
        ) : null}
      </div>
    </div>
  );
}

interface FieldProps {
  readonly name: keyof LogFilters;
  readonly label: string;
  readonly hint?: string;
  readonly isTime?: boolean;
  readonly value: string;
  readonly change: (change: LogFilters) => void;
}

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
