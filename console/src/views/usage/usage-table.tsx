import { day, number } from "../../ui/time.tsx";
import { usageMessages } from "../../i18n/usage.ts";
import type { UsageGroup, UsageSum } from "./add-up.ts";
import { TablePlace } from "../../ui/table-place.tsx";

const counted = ["completed", "failed", "canceled", "chargedPoints"] as const;

export function UsageTable({ group, rows }: { group: UsageGroup; rows: readonly UsageSum[] }) {
  const t = usageMessages.value;
  if (rows.length === 0) return <p class="note">{t.nothing}</p>;
  const heads = { completed: t.completed, failed: t.failed, canceled: t.canceled, chargedPoints: t.points };
  return (
    <TablePlace label={t.title}>
      <table class="table">
        <thead>
          <tr>
            <th scope="col">{t.groups[group]}</th>
            {counted.map((name) => (
              <th key={name} scope="col" class="figure">
                {heads[name]}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.key}>
              <th scope="row">
                <bdi class="cut" title={row.name ?? ""}>
                  {group === "day" ? day(row.key) : (row.name ?? (group === "project" ? t.noProject : t.noToken))}
                </bdi>
              </th>
              {counted.map((name) => (
                <td key={name} class={row[name] === 0 ? "figure quiet" : "figure"}>
                  {number(row[name])}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
        <tfoot>
          <tr>
            <th scope="row">{t.sum}</th>
            {counted.map((name) => (
              <td key={name} class="figure">
                {number(rows.reduce((sum, row) => sum + row[name], 0))}
              </td>
            ))}
          </tr>
        </tfoot>
      </table>
    </TablePlace>
  );
}
