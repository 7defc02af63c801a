import type { PanelContent, ReportFrame, ReportLooks, SamplingFrame } from "@querent/contract";
import type { SignedPanelSeal } from "@querent/evidence";
import type { PanelDefinition, ReportFacts } from "@querent/figures";
import canonicalize from "canonicalize";
import type { Queryable } from "../../db/index.ts";
import { firstIdAt, millisecondAt } from "../../kernel/ids.ts";
import { readFoundWithin } from "../changes/found-changes.ts";
import type { EntitySearch } from "../../observations/entities/entity-search.ts";
import { readDefinition } from "../../panels/definitions/read-definition.ts";
import { getPanel, projectOfPanel } from "../../panels/definitions/panels.ts";
import { readLooks } from "../../projects/index.ts";
import { digestText } from "../../panels/definitions/cells.ts";

export interface ReportDeps {
  readonly database: Queryable;
  readonly entities: EntitySearch;
  readonly version: string;
}

export interface ReportInput {
  readonly accountId: string;
  readonly panelId: string;
  readonly window: ReportFacts["window"];
}

/** A revision as it stands in the zip: with the exact text whose SHA-256 is its digest, and its seal. */
export interface ReportRevision {
  readonly revision: number;
  readonly digest: string;
  readonly content: string;
  readonly seal: SignedPanelSeal | null;
}

export interface ReportSources {
  readonly facts: ReportFacts;
  readonly revisions: readonly ReportRevision[];
  /** How many answers there are. */
  readonly answers: number;
  /** Of its page and its PDF alone: nothing of them is signed. */
  readonly looks: ReportLooks;
}

/** What a report is made from, besides its answers. Null: the account has no such panel. */
export async function readFacts(
  { database, entities, version }: ReportDeps,
  { accountId, panelId, window }: ReportInput,
): Promise<ReportSources | null> {
  const definition = await readDefinition(database, entities, accountId, panelId);
  if (definition === null) return null;
  const panel = ofOwnBrands(definition);
  const projectId = (await projectOfPanel(database, accountId, panelId)) ?? accountId;
  const stored = await getPanel(database, accountId, panelId, panel.revision);
  const counts = await countAnswers(database, { accountId, panelId, window });
  const found = await readFoundWithin(database, { accountId, panelId, window });
  const rows = await readRevisions(database, { accountId, panelId, revisions: [...counts.keys(), panel.revision] });
  return {
    facts: {
      panel,
      window,
      revisions: rows.map(({ revision, digest, sealed_at: sealedAt, runs_before: runsBefore, kid }) => ({
        revision,
        digest: digestText(digest),
        seal:
          sealedAt === null || runsBefore === null || kid === null
            ? null
            : { sealedAt: sealedAt.toISOString(), kid, runsBefore },
      })),
      service: { name: "Querent", version },
      found,
      ...(stored?.frame === undefined ? {} : { frame: countsOf(stored.frame) }),
    },
    revisions: rows.map(({ revision, digest, content, seal, signature }) => ({
      revision,
      digest: digestText(digest),
      content: canonicalize(content) ?? "",
      seal: seal === null || signature === null ? null : { seal, signature },
    })),
    answers: [...counts.values()].reduce((sum, count) => sum + count, 0),
    looks: await readLooks(database, { accountId, projectId }),
  };
}

/** Without what was read for the proposals, such as topics and the panels of others: a report is for others. */
const countsOf = ({ proposals, byOrigin, chosen, chosenByOrigin, written }: SamplingFrame): ReportFrame => ({
  ...{ proposals, byOrigin, chosen, chosenByOrigin, written },
});

/** Without the brands of the account that are not the panel's: a report is for the client whom the panel is about. */
function ofOwnBrands(panel: PanelDefinition): PanelDefinition {
  const entities = panel.entities.filter(({ relation }) => relation !== "other");
  const ids = new Set(entities.map(({ entityId }) => entityId));
  const named = <Prompt extends { readonly branded: readonly string[] }>(prompt: Prompt): Prompt => ({
    ...prompt,
    branded: prompt.branded.filter((id) => ids.has(id)),
  });
  const { prompts, formerPrompts = [] } = panel;
  return { ...panel, entities, prompts: prompts.map(named), formerPrompts: formerPrompts.map(named) };
}

/** The text of each prompt of the panel's current revision. */
export function textsOf({ facts, revisions }: ReportSources): ReadonlyMap<string, string> {
  const current = revisions.find(({ revision }) => revision === facts.panel.revision);
  const { prompts = [] } = JSON.parse(current?.content ?? "{}") as Partial<PanelContent>;
  return new Map(prompts.map(({ promptId, text }) => [promptId, text]));
}

/** The answers of each revision in the window. */
async function countAnswers(
  db: Queryable,
  { accountId, panelId, window }: ReportInput,
): Promise<ReadonlyMap<number, number>> {
  // Index: observations_panel. Locks nothing.
  const { rows } = await db.query<{ revision: number; answers: number }>(
    `select coalesce(panel_revision, 0) as revision, count(*)::int as answers from observations
      where account_id = $1 and panel_id = $2 and id >= $3::uuid and id < $4::uuid and prompt_id is not null
      group by 1`,
    [accountId, panelId, firstIdAt(millisecondAt(window.from)), firstIdAt(millisecondAt(window.to))],
  );
  return new Map(rows.map(({ revision, answers }) => [revision, answers]));
}

interface RevisionRow {
  revision: number;
  digest: Buffer;
  content: PanelContent;
  sealed_at: Date | null;
  runs_before: number | null;
  kid: string | null;
  seal: string | null;
  signature: string | null;
}

async function readRevisions(
  db: Queryable,
  { accountId, panelId, revisions }: { accountId: string; panelId: string; revisions: readonly number[] },
): Promise<RevisionRow[]> {
  // Index: the primary keys.
  const { rows } = await db.query<RevisionRow & Record<string, unknown>>(
    `select r.revision, r.digest, r.content, s.sealed_at, s.runs_before, s.seal::jsonb->'key'->>'kid' as kid, s.seal, s.signature
       from panel_revisions r
       left join panel_seals s on s.account_id = r.account_id and s.panel_id = r.panel_id and s.revision = r.revision
      where r.account_id = $1 and r.panel_id = $2 and r.revision = any($3::int[]) order by r.revision`,
    [accountId, panelId, revisions],
  );
  return rows;
}
