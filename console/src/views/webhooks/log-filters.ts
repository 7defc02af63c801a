import type { DeliveryRecord } from "@querent/client";
import { query } from "../../app/address.ts";
import { webhooksMessages } from "../../i18n/webhooks.ts";

export const deliveryStates = Object.keys({
  pending: true,
  delivered: true,
  failed: true,
  skipped: true,
  superseded: true,
} satisfies Record<DeliveryRecord["state"], true>) as readonly DeliveryRecord["state"][];
const filters = ["state", "task", "destination", "from", "until"] as const;
export type LogFilters = Readonly<Partial<Record<(typeof filters)[number], string>>>;

/** The filters of the log of deliveries, as the address has them. */
export function logFilters(): LogFilters {
  return Object.fromEntries(
    filters.flatMap((name) => (query.value.get(name) ? [[name, query.value.get(name) ?? ""]] : [])),
  );
}

/** What is wrong with the filters in the address. While anything is, nothing is listed, since the list would hold more than was asked for. */
export function faultsOf({ state, from, until }: LogFilters): string[] {
  const t = webhooksMessages.value;
  return [
    ...(state === undefined || deliveryStates.some((name) => name === state) ? [] : [t.badState(state)]),
    ...[from, until].flatMap((time) =>
      time === undefined || !Number.isNaN(new Date(time).getTime()) ? [] : [t.badTime(time)],
    ),
  ];
}

/** The filters as the service takes them. Other values are passed on as they are, and the service says what is wrong with them. */
export function queryOf({ state, task, destination, from, until }: LogFilters) {
  const known = deliveryStates.find((name) => name === state);
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
