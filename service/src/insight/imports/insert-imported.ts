import type { ImportedAnswer } from "@querent/contract";
import { arrayLiteral, byteaArray, jsonbArray, textArray, type Transaction } from "../../db/index.ts";
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

/** Inserts those that are not there yet, with their texts. Returns their ids. */
export async function insertImported(
  tx: Transaction,
  { accountId, importId, retentionMs }: { accountId: string; importId: string; retentionMs: number },
  observations: readonly ImportedObservation[],
): Promise<string[]> {
  if (observations.length === 0) return [];
  const answers = observations.map(({ answer }) => answer);
  const described = observations.map((each) => each.described);
  const counted = described.map(countDomains);
  // Locks: the new rows. Index: the primary keys, which also tell what is there already. Entities that have changed since the answer
  // was searched for them: it counts as not searched, until a recount.
  const { rows } = await tx.query<{ id: string }>({
    name: "insert imported observations",
    text: `insert into observations (account_id, id, observed_at, import_id, client_reference, tags, revision, result_digest,
       panel_id, panel_revision, run_id, prompt_id, prompt_digest, platform, locale, persona, repeat, platform_kind, model_version, reader, matcher,
       source_rules, content_length, search_count, flags, domains, entities, sources, mentions, cards,
       domain_types, domain_citations, cited_sites)
     select $1, e.id, e.observed_at, $2, e.client_reference, e.tags::text[], 1, e.result_digest,
       e.panel_id, e.panel_revision, e.run_id, e.prompt_id, e.prompt_digest, e.platform, coalesce(e.locale, ''), coalesce(e.persona, ''), e.repeat, 'imported',
       e.model_version, 0, case when v.changed then null else e.matcher end, $24, e.content_length, e.search_count,
       case when v.changed then e.flags::text[] || $29::text else e.flags::text[] end, e.domains::text[],
       case when v.changed then '{}' else e.entities::uuid[] end, e.sources,
       case when v.changed then '[]' else e.mentions end, e.cards, e.domain_types::text[], e.domain_citations::int[], e.cited_sites
     from unnest($3::uuid[], $4::timestamptz[], $5::text[], $6::text[], $7::bytea[], $8::text[], $9::bytea[], $10::text[],
                 $11::text[], $12::text[], $13::int[], $14::text[], $15::int[], $16::int[], $17::text[], $18::text[], $19::text[],
                 $20::jsonb[], $21::jsonb[], $22::jsonb[], $23::text[], $25::text[], $26::text[], $27::text[], $28::bigint[],
                 $30::uuid[], $31::int[], $32::uuid[])
       as e(id, observed_at, client_reference, tags, result_digest, prompt_id, prompt_digest, platform,
            locale, persona, repeat, model_version, content_length, search_count, flags, domains, entities,
            sources, mentions, cards, matcher, domain_types, domain_citations, cited_sites, version,
            panel_id, panel_revision, run_id)
     cross join lateral (select e.version is distinct from (select version from entity_versions where account_id = $1)
                                and e.content_length > 0 as changed) v
     on conflict (account_id, id) do nothing
     returning id`,
    values: [
      accountId,
      importId,
      observations.map(({ id }) => id),
      observations.map(({ observedAt }) => observedAt),
      textArray(answers.map(({ clientReference }) => clientReference ?? null)),
      textArray(answers.map(({ tags }) => arrayLiteral(tags ?? []))),
      byteaArray(observations.map(({ lineDigest }) => lineDigest)),
      textArray(observations.map(({ place, answer }) => place.promptId ?? answer.promptId ?? null)),
      byteaArray(observations.map(({ promptDigest }) => promptDigest)),
      textArray(answers.map(({ platformCode }) => platformCode)),
      textArray(answers.map(({ locale }) => locale ?? null)),
      textArray(answers.map(({ persona }) => persona ?? null)),
      answers.map(({ repeat }) => repeat ?? null),
      textArray(answers.map(({ modelVersion }) => modelVersion ?? null)),
      described.map(({ contentLength }) => contentLength),
      described.map(({ searchCount }) => searchCount),
      textArray(described.map(({ flags }) => arrayLiteral(flags))),
      textArray(described.map((each) => arrayLiteral(domainsOf(each)))),
      textArray(described.map((each) => arrayLiteral(entitiesOf(each)))),
      jsonbArray(described.map(({ sources }) => JSON.stringify(sources))),
      jsonbArray(described.map(({ mentions }) => JSON.stringify(mentions))),
      jsonbArray(described.map(({ cards }) => JSON.stringify(cards))),
      textArray(described.map(({ matcher }) => matcher)),
      sourceRulesVersion,
      textArray(counted.map(({ types }) => arrayLiteral(types))),
      textArray(counted.map(({ citations }) => arrayLiteral(citations))),
      textArray(described.map(({ sources }) => citedSitesText(sources))),
      described.map(({ entities }) => entities),
      notSearchedFlag("changed"),
      observations.map(({ place }) => place.panelId),
      observations.map(({ place }) => place.revision),
      observations.map(({ place }) => place.runId),
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
             from unnest($3::uuid[], $4::text[], $5::text[]) as e(id, question, content)
           on conflict (account_id, observation_id) do nothing`,
    values: [
      accountId,
      retentionMs,
      observations.map(({ id }) => id),
      textArray(observations.map(({ answer }) => answer.question)),
      textArray(observations.map(({ answer }) => answer.content ?? "")),
    ],
  });
}
