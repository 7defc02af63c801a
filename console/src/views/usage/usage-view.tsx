import { ForbiddenError, type StorageUse } from "@querent/client";
import { querent } from "../../api/querent.ts";
import { useLive } from "../../api/use-live.ts";
import { query, to } from "../../app/address.ts";
import { Chart } from "../../ui/chart.tsx";
import { FailureNote } from "../../ui/failure-note.tsx";
import { Icon } from "../../ui/icon.tsx";
import { saveFile } from "../../ui/save-file.ts";
import { number, size } from "../../ui/time.tsx";
import { useAttempt } from "../../ui/use-attempt.ts";
import { usageMessages } from "../../i18n/usage.ts";
import { addUp, byDay, byProject, groups, type UsageGroup } from "./add-up.ts";
import { Ledger } from "./ledger.tsx";
import { TablePlace } from "../../ui/table-place.tsx";
import { UsageTable } from "./usage-table.tsx";
import { useTitle } from "../../ui/use-title.ts";

const spans = [7, 30, 90] as const;
const balanceParts = ["available", "held", "captured", "granted"] as const;
const refreshMs = 30_000;
const dayMs = 86_400_000;

/** What was spent, when, where and by which token; and every movement of points. */
export function UsageView() {
  const t = usageMessages.value;
  const span = spans.find((days) => String(days) === query.value.get("days")) ?? 30;
  const group = groups.find((known) => known === query.value.get("by")) ?? "day";
  const { value, failed, refresh } = useLive(
    `usage ${span}${group === "project" ? " projects" : ""}`,
    async (call) => {
      const from = new Date(Date.now() - (span - 1) * dayMs).toISOString().slice(0, 10);
      const [usage, { balance, storage }, ofProjects] = await Promise.all([
        querent.usage.days({ from }, call),
        querent.usage.get(call),
        group === "project" ? querent.usage.projects({ from }, call) : null,
      ]);
      return { usage, balance, storage, ofProjects };
    },
    { everyMs: refreshMs },
  );
  const download = useAttempt();
  useTitle(t.title);

  const address = (days: number, by: UsageGroup) =>
    to("/usage", { days: days === 30 ? "" : String(days), by: by === "day" ? "" : by });
  const save = ({ from, to: last }: { from: string; to: string }) =>
    download.run(async () => {
      const range = { from, to: last };
      const csv = await (group === "project" ? querent.usage.projectsCsv(range) : querent.usage.daysCsv(range));
      saveFile(`usage-${from}-${last}.csv`, new Blob([csv], { type: "text/csv" }));
    });
  if (failed instanceof ForbiddenError) return <p class="note">{t.forbidden}</p>;

  return (
    <div class="view">
      <header class="view-head">
        <h1>{t.title}</h1>
        <Choices
          label={t.period}
          choices={spans}
          chosen={span}
          nameOf={t.days}
          addressOf={(days) => address(days, group)}
        />
      </header>
      {failed === null ? null : <FailureNote failed={failed} retry={refresh} />}
      {value === null ? null : (
        <>
          <BalanceTiles balance={value.balance} />
          <PointsChart days={byDay(value.usage)} />
          <section class="stack" aria-labelledby="usage-table">
            <div class="panel-head">
              <h2 id="usage-table" class="unseen">
                {t.title}
              </h2>
              <Choices
                label={t.by}
                choices={groups}
                chosen={group}
                nameOf={(by) => t.groups[by]}
                addressOf={(by) => address(span, by)}
              />
              <button
                type="button"
                class="button"
                aria-disabled={download.busy}
                onClick={() => save({ from: value.usage.from, to: value.usage.to })}
              >
                <Icon name="download" />
                {t.csv}
              </button>
            </div>
            {download.failed === null ? null : <FailureNote failed={download.failed} />}
            <UsageTable
              group={group}
              rows={
                group === "project" ? byProject(value.usage, value.ofProjects?.days ?? []) : addUp(value.usage, group)
              }
            />
          </section>
          <StorageSection storage={value.storage} />
          <Ledger />
        </>
      )}
    </div>
  );
}

interface ChoicesProps<Choice extends string | number> {
  readonly label: string;
  readonly choices: readonly Choice[];
  readonly chosen: Choice;
  readonly nameOf: (choice: Choice) => string;
  readonly addressOf: (choice: Choice) => string;
}

function Choices<Choice extends string | number>({ label, choices, chosen, nameOf, addressOf }: ChoicesProps<Choice>) {
  return (
    <ul class="segments" aria-label={label}>
      {choices.map((choice) => (
        <li key={choice}>
          <a class="segment" aria-current={choice === chosen ? "true" : undefined} href={addressOf(choice)}>
            {nameOf(choice)}
          </a>
        </li>
      ))}
    </ul>
  );
}

function BalanceTiles({ balance }: { balance: Readonly<Record<(typeof balanceParts)[number], number>> }) {
  const t = usageMessages.value;
  return (
    <dl class="tiles balance">
      {balanceParts.map((name) => (
        <div key={name} class="tile">
          <dt class="tile-label">{t.balance[name]}</dt>
          <dd class="tile-value figure">{number(balance[name])}</dd>
        </div>
      ))}
    </dl>
  );
}

/** What the account stores, by kind, and how much of its quota that is. */
function StorageSection({ storage }: { storage: StorageUse }) {
  const t = usageMessages.value;
  const limits = [
    [t.storageLimits.rows, number(storage.rows.held), number(storage.rows.quota)],
    [t.storageLimits.bytes, size(storage.bytes.held), size(storage.bytes.quota)],
    [t.storageLimits.artifactBytes, size(storage.artifactBytes.held), size(storage.artifactBytes.quota)],
  ] as const;
  return (
    <section class="stack" aria-labelledby="storage">
      <h2 id="storage">{t.storage}</h2>
      <dl class="tiles balance">
        {limits.map(([label, held, quota]) => (
          <div key={label} class="tile">
            <dt class="tile-label">{label}</dt>
            <dd class="figure">{t.of(held, quota)}</dd>
          </div>
        ))}
      </dl>
      <p class="quiet small">{t.storageHint}</p>
      <TablePlace label={t.storage}>
        <table class="table">
          <thead>
            <tr>
              <th scope="col">{t.storageColumns.kind}</th>
              <th scope="col" class="figure">
                {t.storageColumns.rows}
              </th>
              <th scope="col" class="figure">
                {t.storageColumns.size}
              </th>
            </tr>
          </thead>
          <tbody>
            {storage.kinds.map(({ kind, rows, bytes, limited }) => (
              <tr key={kind}>
                <th scope="row">
                  {t.storageKinds[kind]}
                  {limited ? " *" : ""}
                </th>
                <td class="figure">{number(rows)}</td>
                <td class="figure">{size(bytes)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </TablePlace>
    </section>
  );
}

function PointsChart({ days }: { days: ReturnType<typeof byDay> }) {
  const t = usageMessages.value;
  const spent = days.reduce((sum, { chargedPoints }) => sum + chargedPoints, 0);
  return (
    <Chart
      title={t.points}
      summary={`${number(spent)} · ${t.utc}`}
      starts={days.map(({ day }) => `${day}T00:00:00Z`)}
      bucketSeconds={86_400}
      format={number}
      unit="count"
      lines={[{ label: t.points, kind: "bar", tone: "accent", values: days.map(({ chargedPoints }) => chargedPoints) }]}
    />
  );
}
