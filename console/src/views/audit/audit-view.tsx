import { ForbiddenError, type AuditEntry, type AuditFilters } from "@querent/client";
import { useState } from "preact/hooks";
import { nonEmptyPage } from "../../api/non-empty-page.ts";
import { querent } from "../../api/querent.ts";
import { useLive } from "../../api/use-live.ts";
import { go, query, to } from "../../app/address.ts";
import { may } from "../../app/session.ts";
import { auditMessages } from "../../i18n/audit.ts";
import { announce } from "../../ui/announcer.tsx";
import { FailureNote } from "../../ui/failure-note.tsx";
import { Icon } from "../../ui/icon.tsx";
import { Pager } from "../../ui/pager.tsx";
import { saveFile } from "../../ui/save-file.ts";
import { Segments } from "../../ui/segments.tsx";
import { TablePlace } from "../../ui/table-place.tsx";
import { Ago, fullTime, number } from "../../ui/time.tsx";
import { useAttempt } from "../../ui/use-attempt.ts";
import { useTitle } from "../../ui/use-title.ts";
import * as css from "./audit-view.module.css";

const refreshMs = 15_000;
const pageSize = 50;
const kinds = ["change", "secret", "export", "spend", "refusal"] as const satisfies readonly AuditEntry["kind"][];
const filterNames = ["of", "kind", "operation", "actor", "target", "from", "until"] as const;
type Filters = Partial<Record<(typeof filterNames)[number], string>>;

/** Who changed what in the account and, for operators, in the installation. The filters stand in the address. */
export function AuditView() {
  const t = auditMessages.value;
  useTitle(t.title);
  const filters: Filters = Object.fromEntries(
    filterNames.flatMap((name) => {
      const value = query.value.get(name);
      return value === null ? [] : [[name, value]];
    }),
  );
  const cursor = query.value.get("cursor") ?? undefined;
  const { value, failed, refresh } = useLive(
    JSON.stringify([filters, cursor ?? null]),
    (call) =>
      nonEmptyPage({
        cursor,
        ask: (from) => querent.audit.page({ ...wireFilters(filters), limit: pageSize, ...from }, call),
        rowsOf: ({ entries }) => entries,
      }),
    { everyMs: cursor === undefined ? refreshMs : null },
  );
  const choose = (changed: Filters) => go(to("/audit", { ...filters, ...changed }));
  return (
    <div class="view">
      <header class="view-head">
        <h1>{t.title}</h1>
        <SaveButtons filters={filters} />
      </header>
      <p class="quiet">{t.lead}</p>
      {failed instanceof ForbiddenError ? (
        <p class="note">{t.forbidden}</p>
      ) : (
        <>
          <FilterForm filters={filters} choose={choose} />
          {failed === null ? null : <FailureNote failed={failed} retry={refresh} />}
          {value === null ? null : value.entries.length === 0 ? (
            <p class="quiet">{t.none}</p>
          ) : (
            <EntryTable entries={value.entries} filters={filters} />
          )}
          {value === null ? null : (
            <Pager
              newest={cursor === undefined ? undefined : to("/audit", filters)}
              older={value.nextCursor === null ? undefined : to("/audit", { ...filters, cursor: value.nextCursor })}
              words={t}
            />
          )}
        </>
      )}
    </div>
  );
}

/** Days are those of the reader's clock. */
function wireFilters({ of, kind, operation, actor, target, from, until }: Filters): AuditFilters {
  const known = kinds.find((each) => each === kind);
  const start = dayOf(from, 0);
  const end = dayOf(until, 1);
  return {
    ...(of === "installation" ? { of } : {}),
    ...(known === undefined ? {} : { kind: known }),
    ...(operation === undefined ? {} : { operation }),
    ...(actor === undefined ? {} : { actorId: actor }),
    ...(target === undefined ? {} : { targetId: target }),
    ...(start === null ? {} : { from: start }),
    ...(end === null ? {} : { to: end }),
  };
}

function dayOf(text: string | undefined, daysLater: number): string | null {
  const [, year, month, day] = /^(\d{4})-(\d\d)-(\d\d)$/.exec(text ?? "")?.map(Number) ?? [];
  if (year === undefined || month === undefined || day === undefined) return null;
  return new Date(year, month - 1, day + daysLater).toISOString();
}

interface FilterFormProps {
  readonly filters: Filters;
  readonly choose: (changed: Filters) => void;
}

function FilterForm({ filters, choose }: FilterFormProps) {
  const t = auditMessages.value;
  const isFiltered = filterNames.some((name) => name !== "of" && filters[name] !== undefined);
  return (
    <div class={css.filters}>
      {may("admin") ? (
        <Segments
          name="of"
          label={t.of}
          value={filters.of === "installation" ? "installation" : "account"}
          labels={t.ofs}
          choose={(of) => go(to("/audit", of === "installation" ? { of } : {}))}
        />
      ) : null}
      <Segments
        name="kind"
        label={t.kind}
        look="wrap"
        value={kinds.find((kind) => kind === filters.kind) ?? "all"}
        labels={{ all: t.all, ...t.kinds }}
        choose={(kind) => choose({ kind: kind === "all" ? "" : kind })}
      />
      <form
        key={JSON.stringify(filters)}
        class={css.fields}
        onSubmit={(event) => {
          event.preventDefault();
          const sent = new FormData(event.currentTarget);
          const text = (name: string) => {
            const value = sent.get(name);
            return typeof value === "string" ? value.trim() : "";
          };
          choose({ operation: text("operation"), from: text("from"), until: text("until") });
        }}
      >
        <label class="field">
          <span>{t.operation}</span>
          <input name="operation" class="input" maxLength={100} autocomplete="off" value={filters.operation ?? ""} />
        </label>
        <label class="field">
          <span>{t.from}</span>
          <input name="from" type="date" class="input" value={filters.from ?? ""} />
        </label>
        <label class="field">
          <span>{t.until}</span>
          <input name="until" type="date" class="input" value={filters.until ?? ""} />
        </label>
        <button type="submit" class="button">
          {t.filter}
        </button>
        {isFiltered ? (
          <a class="button ghost" href={to("/audit", filters.of === undefined ? {} : { of: filters.of })}>
            {t.everyone}
          </a>
        ) : null}
      </form>
    </div>
  );
}

function EntryTable({ entries, filters }: { readonly entries: readonly AuditEntry[]; readonly filters: Filters }) {
  const t = auditMessages.value;
  return (
    <TablePlace label={t.title}>
      <table class="table">
        <thead>
          <tr>
            <th scope="col">{t.columns.when}</th>
            <th scope="col">{t.columns.who}</th>
            <th scope="col">{t.columns.what}</th>
            <th scope="col">{t.columns.target}</th>
          </tr>
        </thead>
        <tbody>
          {entries.map((entry) => (
            <tr key={entry.entryId}>
              <td class="quiet nowrap">
                <Ago at={entry.at} />
              </td>
              <td>
                <Who entry={entry} filters={filters} />
              </td>
              <td class="wide-cell">
                <Details entry={entry} />
              </td>
              <td>
                <Target entry={entry} filters={filters} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </TablePlace>
  );
}

interface CellProps {
  readonly entry: AuditEntry;
  readonly filters: Filters;
}

function Who({ entry: { actor }, filters }: CellProps) {
  const t = auditMessages.value;
  const word = t.actors[actor.kind];
  const name = actor.name ?? word;
  return (
    <span class={css.who}>
      {actor.id === null ? (
        <bdi>{name}</bdi>
      ) : (
        <a href={to("/audit", { ...filters, actor: actor.id })} title={t.onlyBy(name)}>
          <bdi>{name}</bdi>
        </a>
      )}
      {actor.name === null ? null : <span class="quiet small">{word}</span>}
    </span>
  );
}

function Target({ entry: { target }, filters }: CellProps) {
  if (target === null) return <span class="quiet">–</span>;
  const shown = `${target.type} ${target.id.length > 20 ? target.id.slice(-12) : target.id}`;
  return (
    <a
      class="nowrap"
      href={to("/audit", { ...filters, target: target.id })}
      title={auditMessages.value.onlyTarget(`${target.type} ${target.id}`)}
    >
      <bdi>{shown}</bdi>
    </a>
  );
}

function Details({ entry }: { readonly entry: AuditEntry }) {
  const t = auditMessages.value;
  const { before, after, address, requestId, sequence, digest, kind, operation, at } = entry;
  return (
    <details class={css.details}>
      <summary aria-label={t.details(operation)}>
        <code>{operation}</code>
      </summary>
      <dl class={css.facts}>
        <dt>{t.columns.when}</dt>
        <dd>{fullTime(at)}</dd>
        <dt>{t.kindIs}</dt>
        <dd>{t.kinds[kind]}</dd>
        {before === null ? null : <Settings word={t.before} settings={before} />}
        {after === null ? null : <Settings word={t.after} settings={after} />}
        {address === null ? null : (
          <>
            <dt>{t.address}</dt>
            <dd>
              <code>{address}</code>
            </dd>
          </>
        )}
        {requestId === null ? null : (
          <>
            <dt>{t.request}</dt>
            <dd>
              <code>{requestId}</code>
            </dd>
          </>
        )}
        <dt>{t.place}</dt>
        <dd>
          {sequence === null ? t.unsealed : number(sequence)}{" "}
          {digest === null ? null : <code>{digest.slice(0, 16)}…</code>}
        </dd>
      </dl>
    </details>
  );
}

function Settings({ word, settings }: { readonly word: string; readonly settings: Readonly<Record<string, unknown>> }) {
  return (
    <>
      <dt>{word}</dt>
      <dd>
        {Object.entries(settings).map(([name, value]) => (
          <div key={name}>
            {name}: <bdi>{typeof value === "string" ? value : JSON.stringify(value)}</bdi>
          </div>
        ))}
      </dd>
    </>
  );
}

/** The file is made by the service, which records that it was taken. */
function SaveButtons({ filters }: { readonly filters: Filters }) {
  const t = auditMessages.value;
  const { busy, failed, run } = useAttempt();
  const [format, setFormat] = useState<string | null>(null);
  const save = (chosen: "csv" | "jsonl" | "ocsf") =>
    run(async () => {
      setFormat(chosen);
      const bytes = await querent.audit.file(chosen, wireFilters(filters));
      const name = chosen === "ocsf" ? "audit.ocsf.jsonl" : `audit.${chosen}`;
      saveFile(name, new Blob([bytes], { type: chosen === "csv" ? "text/csv;charset=utf-8" : "application/x-ndjson" }));
      announce(t.saved);
    });
  return (
    <span class="actions">
      {(["csv", "jsonl", "ocsf"] as const).map((each) => (
        <button
          key={each}
          type="button"
          class="button"
          aria-disabled={busy && format === each}
          aria-label={t.save(each.toUpperCase())}
          onClick={() => save(each)}
        >
          <Icon name="download" />
          {each.toUpperCase()}
        </button>
      ))}
      {failed === null ? null : <FailureNote failed={failed} />}
    </span>
  );
}
