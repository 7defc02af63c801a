import type { DeliveryRecord, Progress, TaskState } from "@querent/client";
import type { JSX } from "preact";
import { phrases } from "../i18n/phrases.ts";
import * as css from "./state-mark.module.css";

/** The state of a task as a shape, a colour and a word, each of which is sufficient. */
export function StateMark({ state, progress }: { state: TaskState; progress: Progress | null }) {
  const kind = state === "pending" ? (progress?.phase ?? "queued") : state;
  return (
    <span class={`state ${css[`state-${kind}`]}`}>
      <Shape kind={kind} />
      {phrases.value.states[kind]}
    </span>
  );
}

/** The state of a delivery. A paused one is shown as such: it is not sent until somebody resumes the endpoint. */
export function DeliveryMark({ delivery: { state, phase } }: { delivery: Pick<DeliveryRecord, "state" | "phase"> }) {
  const kind = phase === null ? deliveryKinds[state] : phaseKinds[phase];
  return (
    <span class={`state ${css[`state-${kind}`]}`}>
      <Shape kind={kind} />
      {phase === null ? phrases.value.deliveryStates[state] : phrases.value.deliveryPhases[phase]}
    </span>
  );
}

const phaseKinds = {
  queued: "queued",
  in_flight: "running",
  waiting: "waiting_retry",
  held: "paused",
} as const satisfies Record<NonNullable<DeliveryRecord["phase"]>, Kind>;

const deliveryKinds = {
  pending: "queued",
  delivered: "completed",
  failed: "failed",
  skipped: "canceled",
  superseded: "canceled",
} as const satisfies Record<DeliveryRecord["state"], Kind>;

type Kind = "paused" | "queued" | "running" | "waiting_retry" | "completed" | "failed" | "canceled";

function Shape({ kind }: { kind: Kind }) {
  return (
    <svg class="shape" viewBox="0 0 16 16" aria-hidden="true" focusable="false">
      {shapes[kind]}
    </svg>
  );
}

const shapes: Readonly<Record<Kind, JSX.Element>> = {
  queued: <circle cx="8" cy="8" r="5.2" class={css.line} stroke-dasharray="2.2 1.9" />,
  running: (
    <>
      <circle cx="8" cy="8" r="5.2" class={`${css.line} ${css.faint}`} />
      <path d="M8 2.8A5.2 5.2 0 0 1 13.2 8" class={`${css.line} ${css.turning}`} />
    </>
  ),
  paused: (
    <>
      <circle cx="8" cy="8" r="5.8" class={css.line} />
      <path d="M6.5 6v4M9.5 6v4" class={css.line} />
    </>
  ),
  waiting_retry: (
    <>
      <circle cx="8" cy="8" r="5.2" class={css.line} />
      <path d="M8 5.2V8l1.8 1.4" class={css.line} />
    </>
  ),
  completed: (
    <>
      <circle cx="8" cy="8" r="6" class={css.fill} />
      <path d="m5.4 8.2 1.8 1.8 3.4-3.7" class="cut" />
    </>
  ),
  failed: (
    <>
      <path d="M8 1.6 14.4 8 8 14.4 1.6 8Z" class={css.fill} />
      <path d="M8 5.2v3.4M8 10.6v.1" class="cut" />
    </>
  ),
  canceled: (
    <>
      <rect x="2.5" y="2.5" width="11" height="11" rx="2.5" class={css.line} />
      <path d="M5.5 8h5" class={css.line} />
    </>
  ),
};
