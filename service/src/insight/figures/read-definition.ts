import type { PanelRecord, StoredPanel } from "@querent/contract";
import type { PanelDefinition } from "@querent/figures";
import type { Queryable } from "../../db/index.ts";
import type { EntityMemory } from "../entities/entity-memory.ts";
import { listEntities, type EntityRow } from "../entities/entity-rows.ts";
import { findMentions } from "../entities/find-mentions.ts";
import { localeKey } from "../panels/cells.ts";
import { getPanel } from "../panels/panels.ts";

/** A panel in force, or at an earlier revision, with the account's entities and which of them each prompt names. Null: the account has no such panel. */
export async function readDefinition(
  db: Queryable,
  entities: EntityMemory,
  accountId: string,
  panelId: string,
  revision?: number,
): Promise<PanelDefinition | null> {
  const panel = await getPanel(db, accountId, panelId, revision);
  if (panel === null) return null;
  const [named, rows, failuresSince] = await Promise.all([
    entitiesNamed(db, entities, accountId),
    listEntities(db, accountId, { relation: null, beforeId: null, limit: null }),
    readFailuresSince(db, accountId, panelId),
  ]);
  return { ...definitionOf(panel, rows, named), failuresSince };
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

/** The public record of a panel: with the prompts that name entities. */
export async function withBrandedPrompts(
  db: Queryable,
  entities: EntityMemory,
  accountId: string,
  panel: StoredPanel,
): Promise<PanelRecord> {
  const named = await entitiesNamed(db, entities, accountId);
  const prompts = panel.prompts.map(({ promptId, text }) => ({ promptId, entityIds: named(text) }));
  return { ...panel, brandedPrompts: prompts.filter(({ entityIds }) => entityIds.length > 0) };
}

/** Which of the account's entities a text names; sorted. */
async function entitiesNamed(db: Queryable, entities: EntityMemory, accountId: string) {
  const compiled = (await entities.read(db, [accountId])).get(accountId)?.compiled;
  return (text: string): string[] => {
    if (compiled === undefined) return [];
    return [...new Set(findMentions(text, compiled).mentions.map(({ entityId }) => entityId))].toSorted();
  };
}

function definitionOf(
  panel: StoredPanel,
  entities: readonly EntityRow[],
  named: (text: string) => string[],
): PanelDefinition {
  const { panelId, name, revision, digest, prompts, platforms, locales, personas, repeats } = panel;
  return {
    panelId,
    name,
    revision,
    digest,
    prompts: prompts.map(({ promptId, text, topic, intent }) => ({ promptId, topic, intent, branded: named(text) })),
    platforms,
    locales: locales.map(localeKey),
    personas: personas.map((persona) => persona.name),
    repeats,
    entities: entities.map(({ id, content, created_at: createdAt }) => ({
      entityId: id,
      name: content.name,
      kind: content.kind,
      relation: content.relation,
      domains: content.domains,
      createdAt: createdAt.toISOString(),
    })),
  };
}
