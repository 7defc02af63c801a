import type { LedgerEntry } from "@querent/client";
import { useState } from "preact/hooks";
import { nonEmptyPage } from "../../api/non-empty-page.ts";
import { querent } from "../../api/querent.ts";
import { useLive } from "../../api/use-live.ts";
import { to } from "../../app/address.ts";
import { ExportButtons } from "../../export/export-buttons.tsx";
import { ledgerEntries } from "../../export/record-columns.ts";
import { FailureNote } from "../../ui/failure-note.tsx";
import { Icon } from "../../ui/icon.tsx";
import { Segments } from "../../ui/segments.tsx";
import { Ago, number } from "../../ui/time.tsx";
import { usageMessages } from "../../i18n/usage.ts";
import { TablePlace } from "../../ui/table-place.tsx";

const pageSize = 25;
const signs = { grant: "+", hold: "−", capture: "", release: "+" } as const;

/** Every movement of points, a page at a time. */
export function Ledger() {
  const t = usageMessages.value;
  const [kind, setKind] = useState<LedgerEntry["kind"] | null>(null);
  const [cursor, setCursor] = useState<string | null>(null);
  const { value, failed, refresh } = useLive(
    `ledger ${kind} ${cursor}`,
    (call) =>
      nonEmptyPage({
        cursor: cursor ?? undefined,
        ask: (from) => querent.usage.ledgerPage({ limit: pageSize, ...(kind === null ? {} : { kind }), ...from }, call),
        rowsOf: ({ entries }) => entries,
      }),
    { everyMs: null },
  );
  const choose = (chosen: LedgerEntry["kind"] | null) => {
    setKind(chosen);
    setCursor(null);
  };
  return (
    <section class="stack" aria-labelledby="ledger-title">
      <div class="panel-head">
        <h2 id="ledger-title">{t.ledger}</h2>
        <Segments
          name="kind"
          label={t.columns.kind}
          value={kind ?? "all"}
          labels={{ all: t.all, ...t.kinds }}
          choose={(choice) => choose(choice === "all" ? null : choice)}
        />
      </div>
      {failed === null ? null : <FailureNote failed={failed} retry={refresh} />}
      {value === null ? null : (
        <>
          <LedgerTable entries={value.entries} />
          <footer class="pager">
            <span class="actions">
              <ExportButtons
                key={kind}
                name={kind === null ? "ledger" : `ledger-${kind}`}
                rows={(signal) => querent.usage.ledger(kind === null ? {} : { kind }, { signal })}
                columns={ledgerEntries}
              />
            </span>
            {cursor === null ? null : (
              <button type="button" class="button" onClick={() => setCursor(null)}>
                <Icon name="back" />
                {t.newest}
              </button>
            )}
            {value.nextCursor === null ? null : (
              <button type="button" class="button" onClick={() => setCursor(value.nextCursor)}>
                {t.older}
                <Icon name="forward" />
              </button>
            )}
          </footer>
        </>
      )}
    </section>
  );
}

function LedgerTable({ entries }: { entries: readonly LedgerEntry[] }) {
  const t = usageMessages.value;
  return (
    <TablePlace label={t.ledger}>
      <table class="table">
        <thead>
          <tr>
            <th scope="col">{t.columns.when}</th>
            <th scope="col">{t.columns.kind}</th>
            <th scope="col">{t.columns.about}</th>
            <th scope="col" class="figure">
              {t.columns.points}
            </th>
          </tr>
        </thead>
        <tbody>
          {entries.map((entry) => (
            <tr key={entry.entryId}>
              <td class="quiet nowrap">
                <Ago at={entry.createdAt} />
              </td>
              <td>{t.kinds[entry.kind]}</td>
              <td class="wide-cell">
                <About entry={entry} />
              </td>
              <td class="figure">
                {signs[entry.kind]}
                {number(entry.points)}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </TablePlace>
  );
}

function About({ entry: { taskId, batchId, note } }: { entry: LedgerEntry }) {
  const t = usageMessages.value;
  if (taskId !== null) {
    return (
      <a href={to(`/tasks/${taskId}`)}>
        {t.task} <code>{taskId.slice(-12)}</code>
      </a>
    );
  }
  if (batchId !== null) {
    return (
      <a href={to(`/batches/${batchId}`)}>
        {t.batch} <code>{batchId.slice(-12)}</code>
      </a>
    );
  }
  return <bdi>{note}</bdi>;
}
