import type { AccountUse } from "@querent/client";
import { to } from "../../app/address.ts";
import { operatorMessages } from "../../i18n/operator.ts";
import { TablePlace } from "../../ui/table-place.tsx";
import { number } from "../../ui/time.tsx";

const columns = ["running", "deliveries", "eventStreams", "waits", "lists", "exports", "largeBodies"] as const;

/** Who uses what of what all accounts share, the busiest first. */
export function AccountUses({ accounts }: { readonly accounts: readonly AccountUse[] }) {
  const t = operatorMessages.value;
  return (
    <section class="stack" aria-labelledby="uses-title">
      <h2 id="uses-title">{t.uses}</h2>
      {accounts.length === 0 ? (
        <p class="note">{t.noUses}</p>
      ) : (
        <>
          <TablePlace label={t.uses}>
            <table class="table">
              <thead>
                <tr>
                  <th scope="col">{t.accountColumns.name}</th>
                  {columns.map((column) => (
                    <th key={column} scope="col" class="figure">
                      {t.useColumns[column]}
                    </th>
                  ))}
                </tr>
              </thead>
              <tbody>
                {accounts.map((use) => (
                  <tr key={use.accountId}>
                    <th scope="row" class="wide-cell">
                      <a class="cut" href={to("/operator/accounts", { q: use.name, account: use.accountId })}>
                        <bdi>{use.name}</bdi>
                      </a>
                    </th>
                    {columns.map((column) => (
                      <td key={column} class={use[column] === 0 ? "figure quiet" : "figure"}>
                        {number(use[column])}
                      </td>
                    ))}
                  </tr>
                ))}
              </tbody>
            </table>
          </TablePlace>
          <p class="quiet small">{t.usesHint}</p>
        </>
      )}
    </section>
  );
}
