import type { ObservationRecord, ObservedMention, ObservedSource } from "@querent/contract";

/** Rows from before lists were looked for lack the position. Those of earlier versions also have `recommended`, which is not shown. */
type StoredMention = Pick<ObservedMention, "entityId" | "start" | "end"> & Partial<ObservedMention>;

/** A row of `observations`, as read by `observationColumns`. */
export interface ObservationRow {
  id: string;
  observed_at: Date;
  recorded_at: Date;
  task_id: string | null;
  import_id: string | null;
  batch_id: string | null;
  client_reference: string | null;
  tags: string[];
  revision: number;
  result_digest: string;
  panel_id: string | null;
  panel_revision: number | null;
  run_id: string | null;
  prompt_id: string | null;
  prompt_digest: string;
  platform: string;
  locale: string;
  persona: string;
  repeat: number | null;
  probability: number | null;
  platform_kind: ObservationRecord["instrument"]["kind"];
  model_version: string | null;
  recipe: string | null;
  reader: number;
  matcher: string | null;
  source_rules: string | null;
  content_length: number;
  search_count: number | null;
  duration_ms: number | null;
  points: number;
  flags: string[];
  sources: ObservationRecord["sources"];
  mentions: StoredMention[];
  cards: ObservationRecord["cards"];
  ad_availability: ObservationRecord["adAvailability"];
  ads: ObservationRecord["ads"] | null;
  searches: ObservationRecord["searches"];
}

export const observationColumns = `o.id, o.observed_at, o.recorded_at, o.task_id, o.import_id, o.batch_id, o.client_reference, o.tags,
  o.revision, encode(o.result_digest, 'hex') as result_digest, o.panel_id, o.panel_revision, o.run_id, o.prompt_id,
  encode(o.prompt_digest, 'hex') as prompt_digest, o.platform, o.locale, o.persona, o.repeat, o.probability, o.platform_kind, o.model_version,
  o.recipe, o.reader, o.matcher, o.source_rules, o.content_length, o.search_count, o.duration_ms, o.points, o.flags, o.sources, o.mentions, o.cards,
  o.ad_availability, o.ads, o.searches`;

/** The public record of an observation. */
export function observationRecord(row: ObservationRow): ObservationRecord {
  return {
    observationId: row.id,
    taskId: row.task_id,
    importId: row.import_id,
    batchId: row.batch_id,
    clientReference: row.client_reference,
    tags: row.tags,
    observedAt: row.observed_at.toISOString(),
    recordedAt: row.recorded_at.toISOString(),
    revision: row.revision,
    resultDigest: row.result_digest,
    cell: {
      panelId: row.panel_id,
      panelRevision: row.panel_revision,
      runId: row.run_id,
      promptId: row.prompt_id,
      promptDigest: row.prompt_digest,
      platformCode: row.platform,
      locale: row.locale,
      persona: row.persona,
      repeat: row.repeat,
      probability: row.probability,
    },
    instrument: {
      kind: row.platform_kind,
      modelVersion: row.model_version,
      recipe: row.recipe,
      reader: row.reader,
      matcher: row.matcher,
      sourceRules: row.source_rules,
    },
    contentLength: row.content_length,
    searchCount: row.search_count,
    durationMs: row.duration_ms,
    chargedPoints: row.points,
    flags: row.flags,
    // Members in the order of the contract: jsonb sorts them.
    sources: row.sources.map((source) => sourceOf(source, row.source_rules)),
    mentions: row.mentions.map(mentionOf),
    cards: row.cards.map(({ kind, position, title, url, start, end, price, priceUnit, shop, domain }) => ({
      ...{ kind, position, title, url },
      ...(start === undefined ? {} : { start }),
      ...(end === undefined ? {} : { end }),
      ...(price === undefined ? {} : { price }),
      ...(priceUnit === undefined ? {} : { priceUnit }),
      ...(shop === undefined ? {} : { shop }),
      ...(domain === undefined ? {} : { domain }),
    })),
    adAvailability: row.ad_availability,
    ads: (row.ads ?? []).map(({ position, advertiser, title, url, host, domain, placement }) => ({
      ...{ position, advertiser, title, url, host, domain, placement },
    })),
    searches: row.searches?.map(({ kind, query }) => ({ kind, query })) ?? null,
  };
}

/** A source as it is stored, by these rules. */
export function sourceOf(source: ObservedSource, sourceRules: string | null): ObservedSource {
  const { url, canonicalUrl, domain, type, opaque, host = "" } = source;
  const isOpaque = opaque ?? (isBeforeOpaque(sourceRules) && domain === "" && /^https?:/u.test(canonicalUrl));
  return { url, canonicalUrl, domain, type, ...(isOpaque ? { opaque: true, host } : {}) };
}

/** The first rules for sources did not tell opaque ones: they are the web addresses without a domain. */
const isBeforeOpaque = (sourceRules: string | null) => sourceRules === null || sourceRules.startsWith("1/");

const mentionOf = ({ entityId, start, end, listPosition = null }: StoredMention): ObservedMention => ({
  entityId,
  start,
  end,
  listPosition,
});
