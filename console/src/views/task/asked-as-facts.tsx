import { askedAsMembers, type TaskRecord } from "@querent/client";
import { askedAsMessages } from "../../i18n/asked-as.ts";
import { placeLabel } from "./locale-label.ts";
import * as css from "./task-head.module.css";

/** The options that say from where, as whom and with what it was asked: what was requested, and what was in force. */
export function AskedAsFacts({
  record: { options, effective },
}: {
  record: Pick<TaskRecord, "options" | "effective">;
}) {
  const t = askedAsMessages.value;
  const requested = askedAsMembers.filter((member) => options[member] !== undefined);
  if (requested.length === 0) return null;
  return (
    <table class={css.askedAs} aria-label={t.title}>
      <thead>
        <tr>
          <td />
          <th scope="col">{t.requested}</th>
          <th scope="col">{t.effective}</th>
        </tr>
      </thead>
      <tbody>
        {requested.map((member) => {
          const inForce = effective?.[member];
          return (
            <tr key={member} data-option={member}>
              <th scope="row">{t.labels[member]}</th>
              <td dir="auto">{shown(options[member])}</td>
              <td dir="auto">
                {inForce === undefined ? t.notYet : inForce.value === null ? null : `${shown(inForce.value)} `}
                {inForce === undefined ? null : <span class="quiet">({t.how[inForce.how]})</span>}
              </td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}

type Value = TaskRecord["options"][(typeof askedAsMembers)[number]];

function shown(value: Value): string {
  if (value === undefined || typeof value === "string") return value ?? "";
  const {
    allow = [],
    deny = [],
    ...place
  }: Partial<Record<"allow" | "deny", string[]>> & Parameters<typeof placeLabel>[0] = value;
  return [...allow, ...deny.map((domain) => `−${domain}`), placeLabel(place)].filter((part) => part !== "").join(", ");
}
