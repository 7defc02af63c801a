import type { PanelRecord } from "@querent/contract";
import type { PanelDefinition } from "@querent/figures";
import type { Queryable } from "../../db/index.ts";
import type { EntityMemory } from "../entities/entity-memory.ts";
import { listEntities, type EntityRow } from "../entities/entity-rows.ts";
import { findMentions } from "../entities/find-mentions.ts";
import { localeKey } from "../panels/cells.ts";
import { getPanel } from "../panels/panels.ts";

/** A panel in force, with the account's entities and which of them each prompt names. Null: the account has no such panel. */
export async function readDefinition(
  db: Queryable,
  entities: EntityMemory,
  accountId: string,
  panelId: string,
): Promise<PanelDefinition | null> {
  const panel = await getPanel(db, accountId, panelId);
  if (panel === null) return null;
  const [known, rows] = await Promise.all([
    entities.read(db, [accountId]),
    listEntities(db, accountId, { relation: null, beforeId: null, limit: null }),
  ]);
  const compiled = known.get(accountId)?.compiled;
  const namedIn = (text: string) =>
    compiled === undefined ? [] : findMentions(text, compiled).mentions.map(({ entityId }) => entityId);
  return definitionOf(panel, rows, (text) => [...new Set(namedIn(text))].toSorted());
}

function definitionOf(
  panel: PanelRecord,
  entities: readonly EntityRow[],
  namedIn: (text: string) => string[],
): PanelDefinition {
  const { panelId, name, revision, digest, prompts, platforms, locales, personas, repeats } = panel;
  return {
    panelId,
    name,
    revision,
    digest,
    prompts: prompts.map(({ promptId, text, topic, intent }) => ({ promptId, topic, intent, branded: namedIn(text) })),
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
