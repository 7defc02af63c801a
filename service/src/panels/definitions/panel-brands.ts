/** The set of brands of a panel: those among which its shares and places are counted. */
import { panelBrandsMax, type PanelContent, type ProblemItem } from "@querent/contract";
import type { Queryable, Transaction } from "../../db/index.ts";
import { idPattern } from "../../kernel/ids.ts";
import { isOfProjects } from "../../projects/index.ts";
import { storedName } from "../../observations/entities/entity-rows.ts";
import { refusal, type PanelVerdict, type ReadPanel } from "./read-panel.ts";

export type PanelBrands = NonNullable<PanelContent["brands"]>;

/** Where the brands of a panel stand. */
export interface PanelPlace {
  readonly accountId: string;
  readonly projectId: string;
}

/** Replaces the names of brands by their ids. Throws an error that tells every one that the project does not have. */
export async function withBrands(db: Queryable, place: PanelPlace, panel: ReadPanel): Promise<ReadPanel> {
  const verdict = await judgeBrands(db, place, panel);
  if ("panel" in verdict) return verdict.panel;
  throw refusal(verdict.errors);
}

export async function judgeBrands(
  db: Queryable,
  { accountId, projectId }: PanelPlace,
  panel: ReadPanel,
): Promise<PanelVerdict> {
  const { brands } = panel.content;
  if (brands === undefined || brands === null) return { panel };
  const given = [...brands.own, ...brands.competitors];
  // Index: the primary key, and entity_by_name.
  const { rows } = await db.query<{ id: string; name: string }>(
    `select id, content->>'name' as name from entities e
      where account_id = $1 and (id = any($2::uuid[]) or name = any($3)) and ${isOfProjects("e", 4)}`,
    [
      accountId,
      given.filter((one) => idPattern.test(one)),
      given.map((name) => storedName(accountId, projectId, name)),
      [projectId],
    ],
  );
  const idOf = new Map([
    ...rows.map(({ id, name }) => [name, id] as const),
    ...rows.map(({ id }) => [id, id] as const),
  ]);
  const errors: ProblemItem[] = [];
  const seen = new Set<string>();
  const read = (member: keyof PanelBrands) =>
    brands[member].flatMap((text, index) => {
      const id = idOf.get(text);
      const fault = (detail: string) => {
        errors.push({ pointer: `/brands/${member}/${index}`, code: "not_allowed", detail });
        return [];
      };
      if (id === undefined)
        return fault(
          projectId === accountId
            ? "The account has no entity with this id or name. Create it first."
            : "The panel's project has no entity with this id or name. Create it there first.",
        );
      if (seen.has(id)) return fault("The panel has this brand before.");
      seen.add(id);
      return [id];
    });
  // Sorted, so that another order is no other revision.
  const found = { own: read("own").toSorted(), competitors: read("competitors").toSorted() };
  if (seen.size > panelBrandsMax)
    errors.push({
      pointer: "/brands",
      code: "too_many",
      detail: `At most ${panelBrandsMax} brands; these are ${seen.size}.`,
    });
  return errors.length > 0 ? { errors } : { panel: { ...panel, content: { ...panel.content, brands: found } } };
}

/**
 * Gives a panel that names no brands those that its project has now, once: a brand that is made later, for whomever, is in none of its
 * figures until somebody adds it. As long as the project has none, the set stays open.
 */
export async function fixBrands(
  tx: Transaction,
  { accountId, panelId }: { readonly accountId: string; readonly panelId: string },
): Promise<void> {
  // Locks: the panel's row, only if there is something to write. Index: the primary keys; an account has few entities.
  await tx.query(
    `update panels p set brands = found.brands
       from (select jsonb_build_object(
                      'own', coalesce(jsonb_agg(id order by id) filter (where relation = 'own'), '[]'),
                      'competitors', coalesce(jsonb_agg(id order by id) filter (where relation = 'competitor'), '[]')) as brands
               from entities e
              where account_id = $1 and relation <> 'other'
                and coalesce(project_id, account_id)
                    = (select coalesce(project_id, account_id) from panels where account_id = $1 and id = $2)
             having count(*) > 0) found
      where p.account_id = $1 and p.id = $2 and p.brands is null`,
    [accountId, panelId],
  );
}
