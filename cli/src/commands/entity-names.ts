import type { Context } from "../context.ts";
import { UsageError } from "../exit-codes.ts";

/** The names of the account's entities, by id. */
export async function entityNames({ querent, signal }: Context): Promise<ReadonlyMap<string, string>> {
  const names = new Map<string, string>();
  for await (const { entityId, name } of querent.entities.list({}, { signal })) names.set(entityId, name);
  return names;
}

/** The id of the entity that is meant by a name or an id. */
export function entityNamed(given: string, names: ReadonlyMap<string, string>): string {
  const found = [...names].find(([id, name]) => id === given || name.toLowerCase() === given.toLowerCase());
  if (found === undefined) throw new UsageError(`There is no entity ${given}. \`querent entity list\` lists them.`);
  return found[0];
}
