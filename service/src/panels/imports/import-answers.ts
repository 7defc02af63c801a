import { createHash } from "node:crypto";
import type { ImportedAnswer, ImportFormat, ImportRecord, ImportWarning } from "@querent/contract";
import { ProblemError } from "../../api/problem-error.ts";
import { countStored } from "../../accounts/index.ts";
import { retryDeadlock, rowsAs, type Database, type Transaction } from "../../db/index.ts";
import { idAt, newId } from "../../kernel/ids.ts";
import { noteAudit } from "../../runtime/audited.ts";
import { problemItemsMax } from "../../kernel/validate.ts";
import { composeAds, withProducts } from "../../answers/index.ts";
import { sliceMs, yieldToEventLoop } from "../../runtime/slices.ts";
import type { EntitySearch, Searched } from "../../observations/entities/entity-search.ts";
import { fixBrands } from "../definitions/panel-brands.ts";
import {
  describeAnswer,
  countDomains,
  domainsOf,
  entitiesOf,
  notSearchedFlag,
  sourceRulesVersion,
  citedSitesText,
} from "../../observations/records/describe-answer.ts";
import { placeAnswers, type PanelChoice, type Placed, type PlacedAnswer, type LocatedAnswer } from "./place-answers.ts";
import { refuseLines } from "./read-lines.ts";
import { importColumns, importRecord, type ImportRow } from "./read-imports.ts";
import type { DescribedAnswer } from "../../tasks/index.ts";

export interface ImportPart {
  readonly accountId: string;
  readonly name: string;
  readonly format: ImportFormat;
  readonly firstLine: number;
  readonly lineCount: number;
  readonly answers: readonly LocatedAnswer[];
  readonly choice: PanelChoice;
  /** Whether the token may make and change panels. */
  readonly mayWritePanels: boolean;
}

/** Refuses a part whose answers do not all have a place, or that would change a panel without the right to do so. */
export function requirePlaced(
  { mayWritePanels }: Pick<ImportPart, "mayWritePanels">,
  { faults, changesPanel }: Pick<Placed, "faults" | "changesPanel">,
): void {
  if (faults.length > 0) throw refuseLines(faults);
  if (changesPanel && !mayWritePanels)
    throw new ProblemError(
      "scope_missing",
      "Nothing was imported: to make a panel of the answers, or to add prompts to it, the token needs the scope `panels:write`.",
    );
}

const notSearched: Searched = { entities: null, notSearched: "busy" };

/**
 * Stores a part of an import, as a whole or not at all. An answer that was imported before has the same id, and is left alone: so a
 * part can be sent again after any interruption. Texts are kept for `retentionMs`, as results are.
 */
export async function importAnswers(
  database: Database,
  part: ImportPart,
  { entities, retentionMs }: { readonly entities: EntitySearch; readonly retentionMs: number },
): Promise<ImportRecord> {
  const contents = await contentsOf(part.answers);
  const searched = await entities.observeAll(
    part.accountId,
    contents.map((content) => content ?? ""),
  );
  return retryDeadlock(() =>
    database.transaction(async (tx) => {
      // Again, as the panels may have changed while the texts were searched.
      const placed = await placeAnswers(tx, part, true);
      requirePlaced(part, placed);
      const { importId, isNew } = await lockImport(tx, part, placed.panelId);
      const places = await placed.write(tx);
      for (const panelId of new Set(places.flatMap((place) => place.panelId ?? [])))
        await fixBrands(tx, { accountId: part.accountId, panelId });
      const observations = uniqueById(
        part.answers.map(({ answer }, index) =>
          observationOf(answer, contents[index] ?? null, places[index] ?? nowhere, searched[index] ?? notSearched),
        ),
      );
      const imported = await insertImported(tx, { accountId: part.accountId, importId, retentionMs }, observations);
      // Locks: the import's row, which is locked already. Index: the primary key.
      const { rows } = await tx.query<ImportRow>(
        `update imports i set imported = imported + $3, duplicates = duplicates + $4, next_line = greatest(next_line, $5),
                updated_at = date_trunc('milliseconds', now())
          where i.account_id = $1 and i.id = $2 returning ${importColumns}`,
        [
          part.accountId,
          importId,
          imported.length,
          part.answers.length - imported.length,
          part.firstLine + part.lineCount,
        ],
      );
      const [row] = rows;
      if (row === undefined) throw new Error("the row of the import is gone");
      noteAudit({
        target: { type: "import", id: importId },
        after: { name: part.name, format: part.format, imported: imported.length },
      });
      await countStored(tx, { accountId: part.accountId, kind: "imports" }, imported, isNew ? importId : null);
      const warnings = warningsOf(part.answers);
      return { ...importRecord(row), ...(warnings.length === 0 ? {} : { warnings }) };
    }),
  );
}

const nowhere: PlacedAnswer = { panelId: null, revision: null, promptId: null, runId: null };

const warningsOf = (answers: readonly LocatedAnswer[]): ImportWarning[] =>
  answers
    .filter(({ answer }) => answer.unread === true)
    .slice(0, problemItemsMax)
    .map(({ at }) => ({ pointer: at, detail: unreadWarning }));

const unreadWarning =
  "The platform had an answer whose text is not in this line. It counts as an answer, and in no figure about what answers say. Import the line with its text instead, if you can get it.";

/** Creates the import, or finds it by its name. Parts of one import are stored one after the other. */
async function lockImport(
  tx: Transaction,
  { accountId, name, format }: ImportPart,
  panelId: string | null,
): Promise<{ importId: string; isNew: boolean }> {
  const newImportId = newId();
  // Locks: the import's row. Index: import_by_name.
  const { rows } = await tx.query<{ id: string; format: ImportFormat; panel_id: string | null }>(
    `insert into imports (account_id, id, name, format, panel_id, next_line, imported, duplicates, created_at, updated_at)
     values ($1, $2, $3, $4, $5, 1, 0, 0, date_trunc('milliseconds', now()), date_trunc('milliseconds', now()))
     on conflict (account_id, name) do update set updated_at = imports.updated_at
     returning id, format, panel_id`,
    [accountId, newImportId, name, format, panelId],
  );
  const [row] = rows;
  if (row === undefined) throw new Error("the import was neither created nor found");
  if (row.format !== format)
    throw new ProblemError(
      "state_conflict",
      `The import "${name}" has the format ${row.format}. Nothing of this part was imported: use another name.`,
    );
  if (row.panel_id !== panelId)
    throw new ProblemError(
      "state_conflict",
      `The import "${name}" is ${row.panel_id === null ? "of no panel" : `of the panel ${row.panel_id}`}. Nothing of this part was imported: use another name.`,
    );
  return { importId: row.id, isNew: row.id === newImportId };
}

/** The texts with the products that were shown beside them; null: no text was there. */
async function contentsOf(answers: readonly LocatedAnswer[]): Promise<(string | null)[]> {
  const contents: (string | null)[] = [];
  let sliceEnd = performance.now() + sliceMs;
  for (const { answer } of answers) {
    contents.push(answer.content === null ? null : withProducts(answer.content, productsOf(answer)));
    if (performance.now() < sliceEnd) continue;
    await yieldToEventLoop();
    sliceEnd = performance.now() + sliceMs;
  }
  return contents;
}

const productsOf = ({ products }: ImportedAnswer) =>
  (products ?? []).map(({ title, url, price, priceUnit, shop }, index) => ({
    position: index + 1,
    title,
    url: url ?? null,
    ...{ price: price ?? "", priceUnit: priceUnit ?? "", mall: shop ?? "" },
  }));

/** `content`: the text of the answer with its products. */
function observationOf(
  answer: ImportedAnswer,
  content: string | null,
  place: PlacedAnswer,
  searched: Searched,
): ImportedObservation {
  const observedAt = new Date(answer.observedAt);
  const line = JSON.stringify(answer);
  const own = (answer.id ?? null) === null ? line : JSON.stringify([answer.platformCode, answer.id]);
  // An answer is in each panel once: also if it was imported before without one.
  const identity = place.panelId === null ? own : JSON.stringify([place.panelId, own]);
  const ads = answer.ads ?? null;
  return {
    id: idAt(observedAt, uuidOf(sha256(identity))),
    observedAt,
    answer,
    content,
    place,
    lineDigest: sha256(line),
    promptDigest: sha256(answer.question),
    described: {
      ...describeImported(answer, content, ads ?? [], searched),
      adAvailability: ads === null ? null : ads.length === 0 ? "none" : "shown",
    },
  };
}

const describeImported = (
  answer: ImportedAnswer,
  content: string | null,
  ads: NonNullable<ImportedAnswer["ads"]>,
  searched: Searched,
): DescribedAnswer =>
  describeAnswer(
    {
      content,
      sources: answer.sources ?? [],
      products: productsOf(answer),
      videos: [],
      media: [],
      searchProcess: answer.searches?.map((query) => ({ query })) ?? null,
      availability: null,
      isUnread: answer.unread === true,
      ads: composeAds(ads.map(draftOf)),
      relatedQuestions: answer.relatedQuestions ?? [],
      relatedSearches: answer.relatedSearches ?? [],
    },
    searched,
  );

const draftOf = ({ advertiser, title, url, displayUrl, placement }: NonNullable<ImportedAnswer["ads"]>[number]) => ({
  ...{ advertiser: advertiser ?? null, title: title ?? null, url: url ?? null, displayUrl: displayUrl ?? null },
  ...{ text: null, thumbnail: null, products: [], placement: placement ?? "other", label: null },
});

const uniqueById = (all: readonly ImportedObservation[]) => [...new Map(all.map((each) => [each.id, each])).values()];

const sha256 = (text: string): Buffer => createHash("sha256").update(text).digest();

const uuidOf = (digest: Buffer): string =>
  digest.toString("hex", 0, 16).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");

interface ImportedObservation {
  readonly id: string;
  readonly observedAt: Date;
  readonly answer: ImportedAnswer;
  readonly content: string | null;
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
  ad_availability: ["text", ({ described }) => described.adAvailability],
  ads: ["jsonb", ({ described }) => (described.ads.length === 0 ? null : JSON.stringify(described.ads))],
  searches: ["jsonb", ({ place, described }) => (place.panelId === null ? null : JSON.stringify(described.searches))],
});

const textRows = rowsAs<ImportedObservation>("e", {
  id: ["uuid", (observation) => observation.id],
  question: ["text", ({ answer }) => answer.question],
  content: ["text", ({ content }) => content ?? ""],
});

/** Inserts those that are not there yet, with their texts. Returns their ids. */
async function insertImported(
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
       domain_types, domain_citations, cited_sites, searches, ad_availability, ads)
     select $1, e.id, e.observed_at, $2, e.client_reference, e.tags, 1, e.result_digest,
       e.panel_id, e.panel_revision, e.run_id, e.prompt_id, e.prompt_digest, e.platform, coalesce(e.locale, ''), coalesce(e.persona, ''), e.repeat, 'imported',
       e.model_version, 0, case when v.changed then null else e.matcher end, $3, e.content_length, e.search_count,
       case when v.changed then e.flags || $4::text else e.flags end, e.domains,
       case when v.changed then '{}' else e.entities end, e.sources,
       case when v.changed then '[]' else e.mentions end, e.cards, e.domain_types, e.domain_citations, e.cited_sites,
       e.searches, e.ad_availability, e.ads
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
