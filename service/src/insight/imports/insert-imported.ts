import type { ImportedAnswer } from "@querent/contract";
import { rowsAs, type Transaction } from "../../db/index.ts";
import type { DescribedAnswer } from "../../tasks/index.ts";
import {
  countDomains,
  domainsOf,
  entitiesOf,
  notSearchedFlag,
  sourceRulesVersion,
} from "../observations/describe-answer.ts";
import type { PlacedAnswer } from "./place-answers.ts";
import { citedSitesText } from "../sources/cited-sites.ts";

export interface ImportedObservation {
  readonly id: string;
  readonly observedAt: Date;
  readonly answer: ImportedAnswer;
  readonly place: PlacedAnswer;
  readonly lineDigest: Buffer;
  readonly promptDigest: Buffer;
  readonly described: DescribedAnswer;
}

const importedRows = rowsAs<ImportedObservation & { readonly counted: ReturnType<typeof countDomains> }>("e", {
  id: ["uuid", (observation) => observation.id],
  observed_at: ["timestamptz", (observation) => observation.observedAt],
  client_reference: ["text", ({ answer }) => answer.clientReference ?? null],
  tags: ["text[]", ({ answer }) => answer.tags ?? []],
  result_digest: ["bytea", (observation) => observation.lineDigest],
  panel_id: ["uuid", ({ place }) => place.panelId],
  panel_revision: ["int", ({ place }) => place.revision],
  run_id: ["uuid", ({ place }) => place.runId],
  prompt_id: ["text", ({ place, answer }) => place.promptId ?? answer.promptId ?? null],
  prompt_digest: ["bytea", (observation) => observation.promptDigest],
  platform: ["text", ({ answer }) => answer.platformCode],
  locale: ["text", ({ answer }) => answer.locale ?? null],
  persona: ["text", ({ answer }) => answer.persona ?? null],
  repeat: ["int", ({ answer }) => answer.repeat ?? null],
  model_version: ["text", ({ answer }) => answer.modelVersion ?? null],
  matcher: ["text", ({ described }) => described.matcher],
  version: ["bigint", ({ described }) => described.entities],
  content_length: ["int", ({ described }) => described.contentLength],
  search_count: ["int", ({ described }) => described.searchCount],
  flags: ["text[]", ({ described }) => described.flags],
  domains: ["text[]", ({ described }) => domainsOf(described)],
  entities: ["uuid[]", ({ described }) => entitiesOf(described)],
  sources: ["jsonb", ({ described }) => JSON.stringify(described.sources)],
  mentions: ["jsonb", ({ described }) => JSON.stringify(described.mentions)],
  cards: ["jsonb", ({ described }) => JSON.stringify(described.cards)],
  domain_types: ["text[]", ({ counted }) => counted.types],
  domain_citations: ["int[]", ({ counted }) => counted.citations],
  cited_sites: ["text", ({ described }) => citedSitesText(described.sources)],
});

const textRows = rowsAs<ImportedObservation>("e", {
  id: ["uuid", (observation) => observation.id],
  question: ["text", ({ answer }) => answer.question],
  content: ["text", ({ answer }) => answer.content ?? ""],
});

/** Inserts those that are not there yet, with their texts. Returns their ids. */
export async function insertImported(
  tx: Transaction,
  { accountId, importId, retentionMs }: { accountId: string; importId: string; retentionMs: number },
  observations: readonly ImportedObservation[],
): Promise<string[]> {
  if (observations.length === 0) return [];
  // Locks: the new rows. Index: the primary keys, which also tell what is there already. Entities that have changed since the answer
  // was searched for them: it counts as not searched, until a recount.
  const { rows } = await tx.query<{ id: string }>({
    name: "insert imported observations",
    text: `insert into observations (account_id, id, observed_at, import_id, client_reference, tags, revision, result_digest,
       panel_id, panel_revision, run_id, prompt_id, prompt_digest, platform, locale, persona, repeat, platform_kind, model_version, reader, matcher,
       source_rules, content_length, search_count, flags, domains, entities, sources, mentions, cards,
       domain_types, domain_citations, cited_sites)
     select $1, e.id, e.observed_at, $2, e.client_reference, e.tags, 1, e.result_digest,
       e.panel_id, e.panel_revision, e.run_id, e.prompt_id, e.prompt_digest, e.platform, coalesce(e.locale, ''), coalesce(e.persona, ''), e.repeat, 'imported',
       e.model_version, 0, case when v.changed then null else e.matcher end, $3, e.content_length, e.search_count,
       case when v.changed then e.flags || $4::text else e.flags end, e.domains,
       case when v.changed then '{}' else e.entities end, e.sources,
       case when v.changed then '[]' else e.mentions end, e.cards, e.domain_types, e.domain_citations, e.cited_sites
     from ${importedRows.after(4)}
     cross join lateral (select e.version is distinct from (select version from entity_versions where account_id = $1)
                                and e.content_length > 0 as changed) v
     on conflict (account_id, id) do nothing
     returning id`,
    values: [
      accountId,
      importId,
      sourceRulesVersion,
      notSearchedFlag("changed"),
      ...importedRows.values(observations.map((one) => ({ ...one, counted: countDomains(one.described) }))),
    ],
  });
  const isNew = new Set(rows.map(({ id }) => id));
  await insertTexts(
    tx,
    accountId,
    retentionMs,
    observations.filter(({ id }) => isNew.has(id)),
  );
  return [...isNew];
}

async function insertTexts(
  tx: Transaction,
  accountId: string,
  retentionMs: number,
  observations: readonly ImportedObservation[],
): Promise<void> {
  // Locks: the new rows.
  await tx.query({
    name: "insert imported answers",
    text: `insert into imported_answers (account_id, observation_id, expires_at, question, content)
           select $1, e.id, now() + $2 * interval '1 millisecond', e.question, e.content
             from ${textRows.after(2)}
           on conflict (account_id, observation_id) do nothing`,
    values: [accountId, retentionMs, ...textRows.values(observations)],
  });
}
