import { hash } from "node:crypto";
import { rowsAs, type Transaction } from "../../db/index.ts";
import { idRange, idAt } from "../../kernel/ids.ts";
import type { AnsweredTask, ObserveAnswers, EndedTask } from "../../tasks/index.ts";
import type { EntitySearch } from "../entities/entity-search.ts";
import {
  citedSitesText,
  countDomains,
  describeAnswer,
  domainsOf,
  entitiesOf,
  notSearchedFlag,
  sourceRulesVersion,
} from "./describe-answer.ts";
import type { TaskRecord, Failure } from "@querent/contract";

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
        writeObservations(tx, { name: "observe tasks", text: observeStatement }, answered, instrument),
        recordFailures(tx, failed, instrument),
      ]);
    },
    revise: (tx, answered) =>
      writeObservations(tx, { name: "observe revisions", text: reviseStatement }, answered, instrument),
  };
}

interface Observation extends AnsweredTask {
  readonly id: string;
  readonly kind: string;
  readonly recipe: string | null;
  readonly counted: ReturnType<typeof countDomains>;
}

const observedRows = rowsAs<Observation>("e", {
  account_id: ["uuid", (observation) => observation.accountId],
  id: ["uuid", (observation) => observation.id],
  observed_at: ["timestamptz", ({ record }) => record.completedAt],
  task_id: ["uuid", ({ record }) => record.taskId],
  batch_id: ["uuid", ({ record }) => record.batchId],
  client_reference: ["text", ({ record }) => record.clientReference],
  tags: ["text[]", ({ record }) => record.tags],
  revision: ["int", ({ record }) => record.revision],
  result_digest: ["bytea", ({ observed }) => observed.digest],
  prompt_digest: ["bytea", ({ record }) => sha256(record.question)],
  platform: ["text", ({ record }) => record.platformCode],
  platform_kind: ["text", (observation) => observation.kind],
  model_version: ["text", ({ record }) => record.modelVersion],
  recipe: ["text", (observation) => observation.recipe],
  matcher: ["text", ({ observed }) => observed.matcher],
  version: ["bigint", ({ observed }) => observed.entities],
  content_length: ["int", ({ observed }) => observed.contentLength],
  search_count: ["int", ({ observed }) => observed.searchCount],
  duration_ms: ["int", ({ record }) => record.durationMs],
  points: ["int", ({ record }) => record.chargedPoints],
  flags: ["text[]", ({ observed }) => observed.flags],
  domains: ["text[]", ({ observed }) => domainsOf(observed)],
  entities: ["uuid[]", ({ observed }) => entitiesOf(observed)],
  sources: ["jsonb", ({ observed }) => JSON.stringify(observed.sources)],
  mentions: ["jsonb", ({ observed }) => JSON.stringify(observed.mentions)],
  cards: ["jsonb", ({ observed }) => JSON.stringify(observed.cards)],
  domain_types: ["text[]", ({ counted }) => counted.types],
  domain_citations: ["int[]", ({ counted }) => counted.citations],
  cited_sites: ["text", ({ observed }) => citedSitesText(observed.sources)],
  ad_availability: ["text", ({ observed }) => observed.adAvailability],
  ads: ["jsonb", ({ observed }) => (observed.ads.length === 0 ? null : JSON.stringify(observed.ads))],
  searches: ["jsonb", ({ observed }) => JSON.stringify(observed.searches)],
});

/**
 * Locks: only the new rows. Indexes: the primary keys; `offset 0` makes one look of four for whether entities have changed, and
 * keeps the planner from reading all tasks of panels. Entities that have changed since the answer was searched for them: it counts
 * as not searched, until a recount.
 */
const observeStatement = `insert into observations (account_id, id, observed_at, task_id, batch_id, client_reference, tags, revision, result_digest,
       panel_id, panel_revision, run_id, prompt_id, prompt_digest, platform, locale, persona, repeat,
       probability, platform_kind, model_version, recipe, reader, matcher, source_rules, content_length, search_count, duration_ms, points, flags,
       domains, entities, sources, mentions, cards, domain_types, domain_citations, cited_sites, ad_availability, ads, searches)
     select e.account_id, e.id, e.observed_at, e.task_id, e.batch_id, e.client_reference, e.tags, e.revision, e.result_digest,
       p.panel_id, p.revision, p.run_id, p.prompt_id, e.prompt_digest, e.platform, coalesce(p.locale, ''), coalesce(p.persona, ''),
       p.repeat, p.probability, e.platform_kind, e.model_version, e.recipe, $3, case when v.changed then null else e.matcher end, $4,
       e.content_length, e.search_count, e.duration_ms, e.points,
       case when v.changed then e.flags || $5::text else e.flags end, e.domains,
       case when v.changed then '{}' else e.entities end, e.sources, case when v.changed then '[]' else e.mentions end, e.cards,
       e.domain_types, e.domain_citations, e.cited_sites, e.ad_availability, e.ads,
       case when p.panel_id is null then null else e.searches end
     from ${observedRows.after(5)}
     cross join lateral (select e.version is distinct from (select version from entity_versions where account_id = e.account_id)
                                and e.content_length > 0 as changed offset 0) v
     left join lateral (select * from panel_tasks where account_id = e.account_id and task_id = e.task_id offset 0) p on true
     where e.id between $1 and $2`;

/**
 * Locks: the new rows, or those of the same tasks. A separate statement, because one that may find a row writes a record more to
 * the log for each row that it doesn't find.
 */
const reviseStatement = `${observeStatement}
     on conflict (account_id, id) do update set
       recorded_at = now(), revision = excluded.revision, result_digest = excluded.result_digest,
       model_version = excluded.model_version, recipe = excluded.recipe, reader = excluded.reader, matcher = excluded.matcher,
       source_rules = excluded.source_rules, content_length = excluded.content_length, search_count = excluded.search_count, flags = excluded.flags,
       domains = excluded.domains, entities = excluded.entities, sources = excluded.sources, mentions = excluded.mentions,
       cards = excluded.cards, domain_types = excluded.domain_types, domain_citations = excluded.domain_citations,
       cited_sites = excluded.cited_sites, ad_availability = excluded.ad_availability, ads = excluded.ads,
       searches = excluded.searches`;

async function writeObservations(
  tx: Transaction,
  statement: { readonly name: string; readonly text: string },
  answered: readonly AnsweredTask[],
  { reader, recipeOf }: ReadingInstrument,
): Promise<void> {
  if (answered.length === 0) return;
  const observations = answered.map(({ accountId, record, observed }) => {
    const kind = record.provenance?.kind ?? null;
    const recipe = recipeOf(record.platformCode, kind);
    return {
      id: observationId(record),
      accountId,
      record,
      observed,
      kind: kind ?? "api",
      recipe,
      counted: countDomains(observed),
    };
  });
  const { least, greatest } = idRange(observations.map(({ id }) => id));
  await tx.query({
    ...statement,
    values: [
      ...[least, greatest, reader, sourceRulesVersion, notSearchedFlag("changed")],
      ...observedRows.values(observations),
    ],
  });
}

function sha256(bytes: string | Buffer): Buffer {
  return hash("sha256", bytes, "buffer");
}

/** The id of what remains of a task: of its observation, or of its failure. */
const observationId = ({ taskId, completedAt, createdAt }: TaskRecord): string =>
  idAt(new Date(completedAt ?? createdAt), taskId);

/** What this process knows of a platform. */
interface FailingPlatforms {
  /** The recipe that reads its answers of this kind. Null: it has none, or is not configured. */
  readonly recipeOf: (platformCode: string, kind: string | null) => string | null;
  readonly kindOf: (platformCode: string) => string | null;
}

interface FailedTask {
  readonly accountId: string;
  readonly record: TaskRecord;
  readonly failure: Failure;
  readonly kind: string | null;
  readonly recipe: string | null;
}

const failureRows = rowsAs<FailedTask>("e", {
  account_id: ["uuid", (task) => task.accountId],
  id: ["uuid", ({ record }) => observationId(record)],
  failed_at: ["timestamptz", ({ record }) => record.completedAt],
  task_id: ["uuid", ({ record }) => record.taskId],
  batch_id: ["uuid", ({ record }) => record.batchId],
  client_reference: ["text", ({ record }) => record.clientReference],
  tags: ["text[]", ({ record }) => record.tags],
  platform: ["text", ({ record }) => record.platformCode],
  platform_kind: ["text", (task) => task.kind],
  recipe: ["text", (task) => task.recipe],
  code: ["text", ({ failure }) => failure.code],
  stage: ["text", ({ failure }) => failure.stage],
  attempts: ["int", ({ failure }) => failure.attempts],
});

/** Writes a row for each of these tasks that is one of a panel, in the transaction that ends them. */
async function recordFailures(
  tx: Transaction,
  failed: readonly EndedTask[],
  { recipeOf, kindOf }: FailingPlatforms,
): Promise<void> {
  const rows = failed.flatMap(({ accountId, record }): FailedTask[] =>
    record.failure === null
      ? []
      : [
          {
            ...{ accountId, record, failure: record.failure, kind: kindOf(record.platformCode) },
            recipe: recipeOf(record.platformCode, kindOf(record.platformCode)),
          },
        ],
  );
  if (rows.length === 0) return;
  // Locks: the new rows. Index: the primary key of panel_tasks; and observations_panel for the kind of a platform that this process
  // does not have, which is that of its last answer in the panel.
  await tx.query({
    name: "record failures",
    text: `insert into panel_failures (account_id, id, failed_at, task_id, batch_id, client_reference, tags, panel_id, panel_revision,
       run_id, prompt_id, platform, locale, persona, repeat, probability, platform_kind, recipe, code, stage, attempts)
     select e.account_id, e.id, e.failed_at, e.task_id, e.batch_id, e.client_reference, e.tags, p.panel_id, p.revision,
       p.run_id, p.prompt_id, e.platform, p.locale, p.persona, p.repeat, p.probability,
       coalesce(e.platform_kind, (
         select o.platform_kind from observations o
          where o.account_id = e.account_id and o.panel_id = p.panel_id and o.platform = e.platform and o.task_id is not null
          order by o.id desc limit 1), 'api'),
       e.recipe, e.code, e.stage, e.attempts
     from ${failureRows.after(0)}
     cross join lateral (select * from panel_tasks where account_id = e.account_id and task_id = e.task_id offset 0) p
     on conflict (account_id, id) do nothing`,
    values: failureRows.values(rows),
  });
}
