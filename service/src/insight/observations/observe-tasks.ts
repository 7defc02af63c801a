import { hash } from "node:crypto";
import { arrayLiteral, byteaArray, jsonbArray, textArray, type Transaction } from "../../db/index.ts";
import { idRange } from "../../kernel/id-range.ts";
import type { AnsweredTask, ObserveAnswers } from "../../tasks/index.ts";
import type { EntitySearch } from "../entities/entity-search.ts";
import { citedSitesText } from "../sources/cited-sites.ts";
import {
  countDomains,
  describeAnswer,
  domainsOf,
  entitiesOf,
  notSearchedFlag,
  sourceRulesVersion,
} from "./describe-answer.ts";
import { observationId } from "./observation-id.ts";
import { recordFailures, type FailingPlatforms } from "./record-failures.ts";

/** The versions of what this process reads a platform's answers with. */
export interface ReadingInstrument extends FailingPlatforms {
  /** What the answers are searched for. */
  readonly entities: EntitySearch;
  /** The version of the code that parses answers. */
  readonly reader: number;
}

/**
 * Writes the observations of completed tasks in the transaction that ends them, or that stores a new revision of their results: one
 * statement for all of them, and another for those of panels that failed. Everything that takes time was done before.
 */
export function observeTasks(instrument: ReadingInstrument): ObserveAnswers {
  return {
    describe: async ({ accountId, result, json }, signal) => {
      const searched = await instrument.entities.observe(accountId, result.content, signal);
      return { ...describeAnswer(result, searched), digest: sha256(json) };
    },
    write: async (tx, answered, failed = []) => {
      await Promise.all([
        answered.length > 0 && writeObservations(tx, answered, instrument),
        recordFailures(tx, failed, instrument),
      ]);
    },
  };
}

/**
 * Locks: the new rows, or those of the same tasks. Index: the primary keys; `offset 0` keeps the planner from reading all tasks of
 * panels instead. Entities that have changed since the answer was searched for them: it counts as not searched, until a recount.
 */
const observeStatement = `insert into observations (account_id, id, observed_at, task_id, batch_id, client_reference, tags, revision, result_digest,
       panel_id, panel_revision, run_id, prompt_id, prompt_digest, platform, locale, persona, repeat,
       probability, platform_kind, model_version, recipe, reader, matcher, source_rules, content_length, search_count, duration_ms, points, flags,
       domains, entities, sources, mentions, cards, domain_types, domain_citations, cited_sites)
     select e.account_id, e.id, e.observed_at, e.task_id, e.batch_id, e.client_reference, e.tags::text[], e.revision, e.result_digest,
       p.panel_id, p.revision, p.run_id, p.prompt_id, e.prompt_digest, e.platform, coalesce(p.locale, ''), coalesce(p.persona, ''),
       p.repeat, p.probability, e.platform_kind, e.model_version, e.recipe, $23, case when v.changed then null else e.matcher end, $29,
       e.content_length, e.search_count, e.duration_ms, e.points,
       case when v.changed then e.flags::text[] || $34::text else e.flags::text[] end, e.domains::text[],
       case when v.changed then '{}' else e.entities::uuid[] end, e.sources, case when v.changed then '[]' else e.mentions end, e.cards,
       e.domain_types::text[], e.domain_citations::int[], e.cited_sites
     from unnest($1::uuid[], $2::uuid[], $3::timestamptz[], $4::uuid[], $5::uuid[], $6::text[], $7::text[], $8::int[], $9::bytea[],
                 $10::bytea[], $11::text[], $12::text[], $13::text[], $14::text[], $15::int[], $16::int[], $17::int[], $18::int[],
                 $19::text[], $20::text[], $21::text[], $22::jsonb[], $24::jsonb[], $25::jsonb[], $28::text[], $30::text[], $31::text[], $32::text[], $33::bigint[])
       as e(account_id, id, observed_at, task_id, batch_id, client_reference, tags, revision, result_digest,
            prompt_digest, platform, platform_kind, model_version, recipe, content_length, search_count, duration_ms, points,
            flags, domains, entities, sources, mentions, cards, matcher, domain_types, domain_citations, cited_sites, version)
     cross join lateral (select e.version is distinct from (select version from entity_versions where account_id = e.account_id)
                                and e.content_length > 0 as changed) v
     left join lateral (select * from panel_tasks where account_id = e.account_id and task_id = e.task_id offset 0) p on true
     where e.id between $26 and $27
     on conflict (account_id, id) do update set
       recorded_at = now(), revision = excluded.revision, result_digest = excluded.result_digest,
       model_version = excluded.model_version, recipe = excluded.recipe, reader = excluded.reader, matcher = excluded.matcher,
       source_rules = excluded.source_rules, content_length = excluded.content_length, search_count = excluded.search_count, flags = excluded.flags,
       domains = excluded.domains, entities = excluded.entities, sources = excluded.sources, mentions = excluded.mentions,
       cards = excluded.cards, domain_types = excluded.domain_types, domain_citations = excluded.domain_citations,
       cited_sites = excluded.cited_sites`;

async function writeObservations(
  tx: Transaction,
  answered: readonly AnsweredTask[],
  { reader, recipeOf }: ReadingInstrument,
): Promise<void> {
  const rows = answered.map(({ accountId, record, observed }) => ({
    accountId,
    record,
    id: observationId(record),
    digest: observed.digest,
    matcher: observed.matcher,
    described: observed,
  }));
  const counted = rows.map((row) => countDomains(row.described));
  const { least, greatest } = idRange(rows.map(({ id }) => id));
  await tx.query({
    name: "observe tasks",
    text: observeStatement,
    values: [
      rows.map(({ accountId }) => accountId),
      rows.map(({ id }) => id),
      rows.map(({ record }) => record.completedAt),
      rows.map(({ record }) => record.taskId),
      rows.map(({ record }) => record.batchId),
      textArray(rows.map(({ record }) => record.clientReference)),
      textArray(rows.map(({ record }) => arrayLiteral(record.tags))),
      rows.map(({ record }) => record.revision),
      byteaArray(rows.map(({ digest }) => digest)),
      byteaArray(rows.map(({ record }) => sha256(record.question))),
      rows.map(({ record }) => record.platformCode),
      rows.map(({ record }) => record.provenance?.kind ?? "api"),
      textArray(rows.map(({ record }) => record.modelVersion)),
      rows.map(({ record }) => recipeOf(record.platformCode, record.provenance?.kind ?? null)),
      rows.map(({ described }) => described.contentLength),
      rows.map(({ described }) => described.searchCount),
      rows.map(({ record }) => record.durationMs),
      rows.map(({ record }) => record.chargedPoints),
      textArray(rows.map(({ described }) => arrayLiteral(described.flags))),
      textArray(rows.map(({ described }) => arrayLiteral(domainsOf(described)))),
      textArray(rows.map(({ described }) => arrayLiteral(entitiesOf(described)))),
      jsonbArray(rows.map(({ described }) => JSON.stringify(described.sources))),
      reader,
      jsonbArray(rows.map(({ described }) => JSON.stringify(described.mentions))),
      jsonbArray(rows.map(({ described }) => JSON.stringify(described.cards))),
      least,
      greatest,
      textArray(rows.map(({ matcher }) => matcher)),
      sourceRulesVersion,
      textArray(counted.map(({ types }) => arrayLiteral(types))),
      textArray(counted.map(({ citations }) => arrayLiteral(citations))),
      textArray(rows.map(({ described }) => citedSitesText(described.sources))),
      rows.map(({ described }) => described.entities),
      notSearchedFlag("changed"),
    ],
  });
}

const sha256 = (bytes: string | Buffer): Buffer => hash("sha256", bytes, "buffer");
