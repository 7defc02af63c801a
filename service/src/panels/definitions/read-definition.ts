import type { PanelRecord, StoredPanel, PanelContent } from "@querent/contract";
import type { PanelDefinition, AskedRevision } from "@querent/figures";
import { rowsAs, type Queryable } from "../../db/index.ts";
import type { EntitySearch } from "../../observations/entities/entity-search.ts";
import {
  entityNames,
  listEntities,
  searchChanges,
  type EntityRecordRow,
} from "../../observations/entities/entity-rows.ts";
import { ProblemError } from "../../api/problem-error.ts";
import { localeKey, textDigest } from "./cells.ts";
import type { PanelBrands } from "./panel-brands.ts";
import { getPanel } from "./panels.ts";
import canonicalize from "canonicalize";

/**
 * A panel in force, or at an earlier revision, with what its revisions asked, the entities of its project, and which of them each prompt
 * names. Null: the account has no such panel.
 */
export async function readDefinition(
  db: Queryable,
  entities: EntitySearch,
  accountId: string,
  panelId: string,
  revision?: number,
): Promise<PanelDefinition | null> {
  const panel = await getPanel(db, accountId, panelId, revision);
  if (panel === null) return null;
  const [named, rows, failuresSince, { asked, former }] = await Promise.all([
    namedBy(entities, accountId, panel),
    listEntities(db, accountId, { projects: [panel.projectId], relation: null, beforeId: null, limit: null }),
    readFailuresSince(db, accountId, panelId),
    readAsked(db, accountId, panel),
  ]);
  // A name of another project's entity is a word like any other.
  const isOfProject = new Set(rows.map(({ id }) => id));
  const namedHere = (promptId: string) => named(promptId).filter((id) => isOfProject.has(id));
  const relationOf = relationsIn(panel.brands);
  const brands = rows.filter((row) => relationOf(row) !== "other").map(({ id }) => id);
  const [changes, formerNamed] = await Promise.all([
    searchChanges(db, accountId, brands),
    former.length === 0
      ? []
      : entities.namedIn(
          accountId,
          `former ${textDigest(former.map(({ digest }) => digest).join())}`,
          former.map(({ text }) => text),
        ),
  ]);
  return {
    ...definitionOf(panel, namedHere),
    formerPrompts: former.map(({ promptId, digest, topic, intent, lastRevision }, index) => ({
      promptId,
      digest,
      topic,
      intent,
      branded: [...(formerNamed[index] ?? [])].filter((id) => isOfProject.has(id)),
      lastRevision,
    })),
    asked,
    entities: rows.map((row) => {
      const { id, content, created_at: createdAt } = row;
      const searchedSince = changes.get(id);
      return {
        entityId: id,
        name: content.name,
        kind: content.kind,
        relation: relationOf(row),
        domains: content.domains,
        ...(content.aliases.length === 0 ? {} : { aliases: content.aliases.map(({ text }) => text) }),
        createdAt: createdAt.toISOString(),
        ...(searchedSince === undefined ? {} : { searchedSince }),
      };
    }),
    failuresSince,
  };
}

/** The relations that a panel's set of brands gives to entities. Without a set, their own. */
function relationsIn(brands: PanelBrands | null): (entity: EntityRecordRow) => EntityRecordRow["content"]["relation"] {
  if (brands === null) return ({ content }) => content.relation;
  const [own, competitors] = [new Set(brands.own), new Set(brands.competitors)];
  return ({ id }) => (own.has(id) ? "own" : competitors.has(id) ? "competitor" : "other");
}

async function readFailuresSince(db: Queryable, accountId: string, panelId: string): Promise<string> {
  // Index: the primary key.
  const { rows } = await db.query<{ failures_since: Date }>(
    "select failures_since from panels where account_id = $1 and id = $2",
    [accountId, panelId],
  );
  // Deleted meanwhile: it has no tasks.
  return (rows[0]?.failures_since ?? new Date(0)).toISOString();
}

/** The public record of a panel: with the names of its brands, and the prompts that name entities. */
export async function panelRecord(
  { database, entities }: { readonly database: Queryable; readonly entities: EntitySearch },
  accountId: string,
  panel: StoredPanel,
): Promise<PanelRecord> {
  const record = { ...panel, brands: await namedBrands(database, accountId, panel) };
  try {
    const named = await namedBy(entities, accountId, panel);
    const ids = [...new Set(panel.prompts.flatMap(({ promptId }) => named(promptId)))];
    const isOfProject = await entityNames(database, accountId, ids, [panel.projectId]);
    const prompts = panel.prompts.map(({ promptId }) => ({
      promptId,
      entityIds: named(promptId).filter((id) => isOfProject.has(id)),
    }));
    return { ...record, brandedPrompts: prompts.filter(({ entityIds }) => entityIds.length > 0) };
  } catch (error) {
    // The panel is there, and may have just been stored.
    if (error instanceof ProblemError) return { ...record, brandedPrompts: [], brandedPromptsUnknown: true };
    throw error;
  }
}

/** Without those that were deleted. */
async function namedBrands(
  db: Queryable,
  accountId: string,
  { brands, projectId }: Pick<StoredPanel, "brands" | "projectId">,
): Promise<PanelRecord["brands"]> {
  if (brands === null) return null;
  const names = await entityNames(db, accountId, [...brands.own, ...brands.competitors], [projectId]);
  const named = (ids: readonly string[]) =>
    ids.flatMap((entityId) => {
      const name = names.get(entityId);
      return name === undefined ? [] : [{ entityId, name }];
    });
  return { own: named(brands.own), competitors: named(brands.competitors) };
}

/** The entities that a prompt of the panel names; sorted. */
async function namedBy(entities: EntitySearch, accountId: string, { digest, prompts }: StoredPanel) {
  const named = await entities.namedIn(
    accountId,
    digest,
    prompts.map(({ text }) => text),
  );
  const byPrompt = new Map(prompts.map(({ promptId }, index) => [promptId, named[index] ?? []]));
  return (promptId: string): string[] => [...(byPrompt.get(promptId) ?? [])];
}

function definitionOf(
  panel: StoredPanel,
  named: (promptId: string) => string[],
): Omit<PanelDefinition, "entities" | "asked" | "formerPrompts"> {
  const { panelId, name, revision, digest, prompts, platforms, locales, personas, repeats } = panel;
  return {
    panelId,
    name,
    revision,
    digest,
    prompts: prompts.map(({ promptId, text, topic, intent }) => ({
      promptId,
      digest: textDigest(text),
      topic,
      intent,
      branded: named(promptId),
    })),
    platforms,
    locales: locales.map(localeKey),
    personas: personas.map((persona) => persona.name),
    repeats,
  };
}

// What the revisions of a panel asked: its answers are of the revision that asked them, also after it was changed.

/** Answers of revisions before the newest ones are figured with the prompts that are left of theirs. */
const revisionsMax = 50;
/** As many as a panel may have now: each is searched for the names of brands. */
const formerMax = 1_000;

interface FormerText {
  readonly promptId: string;
  readonly digest: string;
  readonly text: string;
  readonly topic: string | null;
  readonly intent: string | null;
  readonly lastRevision: number;
}

type Asked = Pick<PanelContent, "options" | "personas"> & {
  readonly revision: number;
  /** The digests of the texts. */
  readonly prompts: readonly string[];
};

const currentPrompts = rowsAs<{ readonly promptId: string; readonly text: string }>("current", {
  id: ["text", ({ promptId }) => promptId],
  wording: ["text", ({ text }) => textDigest(text)],
});

async function readAsked(
  db: Queryable,
  accountId: string,
  panel: StoredPanel,
): Promise<{ readonly asked: readonly AskedRevision[]; readonly former: readonly FormerText[] }> {
  const { revision, options, personas } = panel;
  const texts = panel.prompts.map(({ text }) => textDigest(text));
  const now = { revision, options, personas, prompts: texts };
  // Index: the primary keys. Locks nothing. PostgreSQL makes the digests, so that texts which have not changed are not sent.
  const { rows } = await db.query<Asked & Record<string, unknown>>(
    `select revision, content->'options' as options, content->'personas' as personas,
            array(select encode(sha256(convert_to(prompt->>'text', 'UTF8')), 'hex')
                    from jsonb_array_elements(content->'prompts') as prompt) as prompts
       from panel_revisions where account_id = $1 and panel_id = $2 and revision <> $3
      order by revision desc limit $4`,
    [accountId, panel.panelId, revision, revisionsMax],
  );
  if (rows.length === 0) return { asked: [askedBy(now)], former: [] };
  const all = [...rows, now].toSorted((one, other) => one.revision - other.revision);
  const { rows: former } = await db.query<{
    prompt: Omit<FormerText, "digest" | "lastRevision">;
    digest: string;
    revision: number;
  }>(
    `select * from (
       select distinct on (prompt->>'promptId', of_text.wording) prompt, of_text.wording as digest, revision
       from panel_revisions
      cross join jsonb_array_elements(content->'prompts') as prompt
      cross join lateral (select encode(sha256(convert_to(prompt->>'text', 'UTF8')), 'hex') as wording) of_text
      where account_id = $1 and panel_id = $2 and revision = any($3::int[])
        and not exists (select from ${currentPrompts.after(4)}
                         where current.id = prompt->>'promptId' and current.wording = of_text.wording)
      order by prompt->>'promptId', of_text.wording, revision desc) wordings
      order by revision desc limit $4`,
    [accountId, panel.panelId, rows.map((row) => row.revision), formerMax, ...currentPrompts.values(panel.prompts)],
  );
  return {
    asked: withoutSame(all.map(askedBy)),
    former: former
      .map(({ prompt: { promptId, text, topic, intent }, digest, revision: lastRevision }) => ({
        promptId,
        digest,
        text,
        topic,
        intent,
        lastRevision,
      }))
      .toSorted((one, other) => one.lastRevision - other.lastRevision),
  };
}

function askedBy({ revision, options, personas, prompts }: Asked): AskedRevision {
  const askedAs = [{ name: "", text: null }, ...personas];
  return {
    revision,
    prompts: digestOf(prompts.toSorted()),
    conditions: Object.fromEntries(askedAs.map(({ name, text }) => [name, digestOf([options, text])])),
  };
}

/** As short as a report may contain it many times. */
const digestOf = (value: unknown): string => textDigest(canonicalize(value) ?? "").slice(0, 16);

const withoutSame = (revisions: readonly AskedRevision[]): AskedRevision[] =>
  revisions.filter((one, index) => {
    const before = revisions[index - 1];
    return before?.prompts !== one.prompts || canonicalize(before.conditions) !== canonicalize(one.conditions);
  });
