import type { Context } from "../context.ts";
import { UsageError } from "../exit-codes.ts";

/** The names of the entities of the account or of a project, by id. */
export async function entityNames(
  { querent, signal }: Context,
  project?: string,
): Promise<ReadonlyMap<string, string>> {
  const names = new Map<string, string>();
  for await (const { entityId, name } of querent.entities.list({ project }, { signal })) names.set(entityId, name);
  return names;
}

/** The id of the entity that is meant by a name or an id, of the project of a panel: another one may have the same name. */
export async function entityOfPanel(context: Context, panelId: string, given: string): Promise<string> {
  const { projectId } = await context.querent.panels.get(panelId, { signal: context.signal });
  return entityNamed(given, await entityNames(context, projectId));
}

/** The id of the entity that is meant by a name or an id. */
export function entityNamed(given: string, names: ReadonlyMap<string, string>): string {
  if (names.has(given)) return given;
  const ids = [...names].flatMap(([id, name]) => (name.toLowerCase() === given.toLowerCase() ? [id] : []));
  const [found, ...others] = ids;
  if (found === undefined) throw new UsageError(`There is no entity ${given}. \`querent entity list\` lists them.`);
  if (others.length > 0)
    throw new UsageError(
      `There are ${ids.length} entities ${given}, in different projects. Name the project with --project, or one of their ids: ${ids.join(", ")}.`,
    );
  return found;
}
