import type { EntityRecord, PanelFigures, SourceCount } from "@querent/client";
import { useState } from "preact/hooks";
import { go, query, to } from "../../app/address.ts";
import { sitesMessages } from "../../i18n/sites.ts";
import { TablePlace } from "../../ui/table-place.tsx";
import { day, number, percent } from "../../ui/time.tsx";
import { AnswersLink } from "./answers-link.tsx";
import { surfaceFilter, withChoice, type ChosenSurface } from "./choice.ts";
import { may } from "../../app/session.ts";
import { sourcesMax } from "./read-figures.ts";
import * as css from "./figures.module.css";

interface SiteListProps {
  readonly panelId: string;
  readonly window: PanelFigures["window"];
  readonly surface: ChosenSurface;
  readonly sources: ReadonlyMap<string, SourceCount>;
  readonly brands: readonly EntityRecord[];
}

/** Whose site it is. Subdomains are included. */
export function ownerOf(domain: string, brands: readonly EntityRecord[]): EntityRecord | undefined {
  return brands.find(({ domains }) => domains.some((own) => own === domain || own.endsWith(`.${domain}`)));
}

/** The days (UTC) of the first and the last answer in the window that cite it. */
export function CitedDays({ source }: { source: Pick<SourceCount, "firstCitedAt" | "lastCitedAt"> | undefined }) {
  if (source === undefined) return <>–</>;
  const [first, last] = [source.firstCitedAt.slice(0, 10), source.lastCitedAt.slice(0, 10)];
  return (
    <span class="small">
      <time dateTime={first}>{day(first)}</time>
      {first === last ? null : (
        <>
          {" – "}
          <time dateTime={last}>{day(last)}</time>
        </>
      )}
    </span>
  );
}

const relations = ["own", "competitor", "other"] as const;
const untyped = "-";

/** Every site that answers cite, with filters that stand in the address. */
export function SiteList({ panelId, window, surface, sources, brands }: SiteListProps) {
  const t = sitesMessages.value;
  const asked = query.value;
  const [name, type, whose] = [asked.get("site") ?? "", asked.get("siteType") ?? "", asked.get("whose") ?? ""];
  const [isOpen, setOpen] = useState(name !== "" || type !== "" || whose !== "");
  const sites = [...sources.values()].map((source) => ({
    ...source,
    type: source.type ?? untyped,
    relation: ownerOf(source.domain, brands)?.relation ?? "other",
  }));
  const shown = sites.filter(
    (site) =>
      site.domain.includes(name.trim().toLowerCase()) &&
      (type === "" || site.type === type) &&
      (whose === "" || site.relation === whose),
  );
  const answersOf = (domain: string) =>
    may("tasks:read")
      ? to("/observations", {
          panelId,
          ...surfaceFilter(surface),
          observedFrom: window.from,
          observedBefore: window.to,
          domain,
        })
      : undefined;
  const types = [...new Set(sites.map((site) => site.type))].toSorted();
  return (
    <details open={isOpen} onToggle={({ currentTarget }) => setOpen(currentTarget.open)} data-sites>
      <summary>{sites.length < sourcesMax ? t.all(sites.length) : t.most(sites.length)}</summary>
      <div class={css.siteFilters}>
        <label>
          <span class="small quiet">{t.name}</span>
          <input
            class="input"
            type="search"
            value={name}
            onInput={({ currentTarget }) => choose("site", currentTarget.value)}
          />
        </label>
        <Selection
          label={t.type}
          value={type}
          name="siteType"
          words={types.map((each) => [each, each === untyped ? t.untyped : each])}
        />
        <Selection
          label={t.whose}
          value={whose}
          name="whose"
          words={relations.map((each) => [each, t.relations[each]])}
        />
        <p class="small quiet" role="status">
          {t.shown(shown.length, sites.length)}
        </p>
      </div>
      {shown.length === 0 ? (
        <p class="quiet">
          {t.none}{" "}
          <a class="link" href={withChoice({ site: undefined, siteType: undefined, whose: undefined })}>
            {t.clear}
          </a>
        </p>
      ) : (
        <SiteTable sites={shown} addressOf={answersOf} />
      )}
    </details>
  );
}

interface SiteTableProps {
  readonly sites: readonly (Omit<SourceCount, "type"> & {
    readonly type: string;
    readonly relation: (typeof relations)[number];
  })[];
  readonly addressOf: (domain: string) => string | undefined;
}

function SiteTable({ sites, addressOf }: SiteTableProps) {
  const t = sitesMessages.value;
  return (
    <TablePlace label={t.columns.site}>
      <table class={`table ${css.dense}`}>
        <thead>
          <tr>
            {(["site", "type", "whose", "answers", "citations", "share", "cited"] as const).map((column) => (
              <th key={column} scope="col">
                {t.columns[column]}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {sites.map(({ domain, type: kind, relation, answers, citations, share, firstCitedAt, lastCitedAt }) => (
            <tr key={domain} data-site={domain}>
              <th scope="row">
                <bdi>{domain}</bdi>
              </th>
              <td class="quiet">{kind === untyped ? "–" : kind}</td>
              <td>{relation === "other" ? "–" : t.relations[relation]}</td>
              <td>
                <AnswersLink href={addressOf(domain)} label={`${t.answersOf(domain)}: ${number(answers)}`}>
                  {number(answers)}
                </AnswersLink>
              </td>
              <td>{number(citations)}</td>
              <td>{percent(share)}</td>
              <td>
                <CitedDays source={{ firstCitedAt, lastCitedAt }} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </TablePlace>
  );
}

interface SelectionProps {
  readonly label: string;
  readonly name: string;
  readonly value: string;
  readonly words: readonly (readonly [value: string, word: string])[];
}

function Selection({ label, name, value, words }: SelectionProps) {
  return (
    <label>
      <span class="small quiet">{label}</span>
      <select class="input" value={value} onChange={({ currentTarget }) => choose(name, currentTarget.value)}>
        <option value="">{sitesMessages.value.any}</option>
        {words.map(([each, word]) => (
          <option key={each} value={each}>
            {word}
          </option>
        ))}
      </select>
    </label>
  );
}

function choose(name: string, value: string): void {
  go(withChoice({ [name]: value === "" ? undefined : value }), { replace: true });
}
