import type { ObservationFilter, SourceCounts } from "@querent/contract";
import type { Database } from "../../db/index.ts";
import { selectionOf, type RowFilter } from "./list-rows.ts";

interface SourceQuery {
  readonly filter: RowFilter;
  readonly by: "domain" | "address";
  readonly limit: number;
}

const windowDaysDefault = 28;
const dayMs = 86_400_000;

/**
 * Counts the sources that an account's answers cite, from observations alone. A canonical URL counts once per answer. Everything is
 * counted in one statement, so that the totals and the rows are of the same moment.
 */
export async function countSources(
  database: Database,
  accountId: string,
  { filter, by, limit }: SourceQuery,
): Promise<SourceCounts> {
  const { observedFrom, observedBefore } = await windowOf(database, filter);
  const { range, fits, values } = selectionOf(accountId, { ...filter, observedFrom, observedBefore });
  const selected = `from observations o where ${range} and ${fits}`;
  const { rows } = await database.query<CountRow>(
    `${by === "address" ? byAddress(selected) : byDomain(selected)} limit $${values.length + 1}::int`,
    [...values, limit],
  );
  const [totals] = rows;
  return {
    from: new Date(observedFrom).toISOString(),
    to: new Date(observedBefore).toISOString(),
    answers: totals?.answers ?? 0,
    answersWithSources: totals?.cited_answers ?? 0,
    citations: totals?.cited_all ?? 0,
    sources: rows.flatMap(({ domain, canonical, type, of_source: answers, citations, cited_all: all, ...times }) => {
      const { first_cited: first, last_cited: last } = times;
      if (domain === null || first === null || last === null) return [];
      const share = citations / all;
      const [firstCitedAt, lastCitedAt] = [first.toISOString(), last.toISOString()];
      return [{ domain, canonicalUrl: canonical, type, answers, citations, share, firstCitedAt, lastCitedAt }];
    }),
  };
}

/** From what was counted when the answers were written, or from the lists of answers that the version before wrote. */
const byDomain = (selected: string) =>
  // Index: the primary key or observations_panel, from which the rows of the window are read once. Locks nothing.
  `with selected as materialized (
     select o.observed_at, o.domains, o.domain_types, o.domain_citations, case when o.domain_citations is null then o.sources end as uncounted
       ${selected}
   ), answers as (
     select count(*)::int as answers,
            count(*) filter (where coalesce(cardinality(domain_citations), jsonb_array_length(uncounted)) > 0)::int as cited_answers
       from selected
   ), cited as (
     select s.observed_at, d.domain, d.type, d.citations
       from selected s
       cross join lateral unnest(s.domains || ''::text, s.domain_types, s.domain_citations) as d(domain, type, citations)
      where s.domain_citations is not null and d.citations > 0
     union all
     select s.observed_at, d.domain, d.type, d.citations
       from selected s
       cross join lateral (
         select c.domain, max(c.type) as type, count(distinct c."canonicalUrl") as citations
           from jsonb_to_recordset(s.uncounted) as c("canonicalUrl" text, domain text, type text) group by c.domain
       ) d
      where s.uncounted is not null
   ), counted as materialized (
     select domain collate "C" as domain, max(type) as type, count(*)::int as answers, sum(citations)::int as citations,
            min(observed_at) as first_cited, max(observed_at) as last_cited
       from cited group by 1
   )
   select a.answers, a.cited_answers, coalesce((select sum(citations) from counted), 0)::int as cited_all,
          c.domain, null as canonical, c.type, c.answers as of_source, c.citations,
          c.first_cited, c.last_cited
     from answers a left join counted c on true
    order by c.answers desc, c.citations desc, c.domain`;

/** A redirect that hides its page is no page: those of a domain are one row without an address. */
const byAddress = (selected: string) =>
  // Index: the primary key or observations_panel, from which the rows of the window are read once. Locks nothing.
  `with selected as materialized (
     select o.id, o.observed_at, o.sources, coalesce(o.source_rules, '1/') like '1/%' as is_before ${selected}
   ), cited as materialized (
     select distinct o.id, o.observed_at, s.domain, s.canonical, s.type, s.opaque
       from selected o cross join lateral jsonb_to_recordset(o.sources)
         as c("canonicalUrl" text, domain text, type text, opaque boolean)
       cross join lateral (
         select c.domain, c."canonicalUrl" as canonical, c.type,
                coalesce(c.opaque, o.is_before and c.domain = '' and c."canonicalUrl" ~ '^https?:') as opaque
       ) s
   ), totals as (
     select (select count(*) from selected)::int as answers, count(distinct id)::int as cited_answers, count(*)::int as cited_all
       from cited
   ), counted as (
     select s.domain collate "C" as domain, (case when not s.opaque then s.canonical end) collate "C" as canonical, max(s.type) as type,
            count(distinct s.id)::int as answers, count(*)::int as citations,
            min(s.observed_at) as first_cited, max(s.observed_at) as last_cited
       from cited s group by 1, 2
   )
   select t.answers, t.cited_answers, t.cited_all, c.domain, c.canonical, c.type, c.answers as of_source, c.citations,
          c.first_cited, c.last_cited
     from totals t left join counted c on true
    order by c.answers desc, c.citations desc, c.domain, c.canonical`;

interface CountRow {
  answers: number;
  cited_answers: number;
  cited_all: number;
  /** The domain; null in the one row of a selection in which no answer cites a source. */
  domain: string | null;
  canonical: string | null;
  type: string | null;
  of_source: number;
  citations: number;
  first_cited: Date | null;
  last_cited: Date | null;
}

/** The window of the filter. Default: it ends now, by the database's clock, and covers 28 days. */
async function windowOf(database: Database, { observedFrom, observedBefore }: ObservationFilter) {
  const { rows } = await database.query<{ now: Date }>("select now() as now");
  const to = observedBefore ?? (rows[0]?.now ?? new Date()).toISOString();
  return {
    observedFrom: observedFrom ?? new Date(Date.parse(to) - windowDaysDefault * dayMs).toISOString(),
    observedBefore: to,
  };
}
