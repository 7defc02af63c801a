import type { PanelRecord, StoredPanel } from "@querent/contract";
import type { PanelDefinition } from "@querent/figures";
import type { Queryable } from "../../db/index.ts";
import type { EntitySearch } from "../entities/entity-search.ts";
import { listEntities, type EntityRow } from "../entities/entity-rows.ts";
import { ProblemError } from "../../api/problem-error.ts";
import { localeKey } from "../panels/cells.ts";
import { getPanel } from "../panels/panels.ts";

/** A panel in force, or at an earlier revision, with the account's entities and which of them each prompt names. Null: the account has no such panel. */
export async function readDefinition(
  db: Queryable,
  entities: EntitySearch,
  accountId: string,
  panelId: string,
  revision?: number,
): Promise<PanelDefinition | null> {
  const panel = await getPanel(db, accountId, panelId, revision);
  if (panel === null) return null;
  const [named, rows, failuresSince] = await Promise.all([
    namedBy(entities, accountId, panel),
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
  entities: EntitySearch,
  accountId: string,
  panel: StoredPanel,
): Promise<PanelRecord> {
  try {
    const named = await namedBy(entities, accountId, panel);
    const prompts = panel.prompts.map(({ promptId }) => ({ promptId, entityIds: named(promptId) }));
    return { ...panel, brandedPrompts: prompts.filter(({ entityIds }) => entityIds.length > 0) };
  } catch (error) {
    // The panel is there, and may have just been stored.
    if (error instanceof ProblemError) return { ...panel, brandedPrompts: [], brandedPromptsUnknown: true };
    throw error;
  }
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
  entities: readonly EntityRow[],
  named: (promptId: string) => string[],
): PanelDefinition {
  const { panelId, name, revision, digest, prompts, platforms, locales, personas, repeats } = panel;
  return {
    panelId,
    name,
    revision,
    digest,
    prompts: prompts.map(({ promptId, topic, intent }) => ({ promptId, topic, intent, branded: named(promptId) })),
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
