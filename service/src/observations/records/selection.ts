/** Which observations or failed tasks a request means, as SQL. */
import type { ObservationFilter } from "@querent/contract";
import { firstIdAt, millisecondAt } from "../../kernel/ids.ts";

/** `code`: of the failures of tasks, which have no import, entities and domains. */
export type RowFilter = ObservationFilter & { readonly code?: string };

export interface ObservationSelection {
  /** The conditions on columns of the index: account, panel or import, and time. */
  readonly range: string;
  /** The others; `true` if there are none. */
  readonly fits: string;
  /** No rows of the range are left out, or hardly any. */
  readonly isWhole: boolean;
  readonly values: readonly unknown[];
}

const columns = {
  runId: "run_id",
  batchId: "batch_id",
  taskId: "task_id",
  platformCode: "platform",
  locale: "locale",
  persona: "persona",
  promptId: "prompt_id",
  clientReference: "client_reference",
  code: "code",
} as const satisfies Partial<Record<keyof RowFilter, string>>;

const arrays = { tag: "tags", entityId: "entities", domain: "domains" } as const;

/** The selection of an account's rows. Index: the primary key, or that of the panel or import. */
export function selectionOf(accountId: string, filter: RowFilter): ObservationSelection {
  const values: unknown[] = [];
  const parameter = (value: unknown) => `$${values.push(value)}`;
  const range = [`o.account_id = ${parameter(accountId)}`];
  if (filter.panelId !== undefined) range.push(`o.panel_id = ${parameter(filter.panelId)}`);
  if (filter.importId !== undefined) range.push(`o.import_id = ${parameter(filter.importId)}`);
  if (filter.observedFrom !== undefined)
    range.push(`o.id >= ${parameter(firstIdAt(millisecondAt(filter.observedFrom)))}`);
  if (filter.observedBefore !== undefined)
    range.push(`o.id < ${parameter(firstIdAt(millisecondAt(filter.observedBefore)))}`);
  const fits: string[] = [];
  for (const [member, column] of entries(columns))
    if (filter[member] !== undefined) fits.push(`o.${column} = ${parameter(filter[member])}`);
  for (const [member, column] of entries(arrays))
    if (filter[member] !== undefined) fits.push(`o.${column} @> array[${parameter(filter[member])}]${typeOf(member)}`);
  return {
    range: range.join(" and "),
    fits: fits.length === 0 ? "true" : fits.join(" and "),
    isWhole: fits.length === 0,
    values,
  };
}

const typeOf = (member: keyof typeof arrays) => (member === "entityId" ? "::uuid[]" : "::text[]");

const entries = <Key extends string, Value>(record: Readonly<Record<Key, Value>>) =>
  Object.entries(record) as [Key, Value][];
