import type { Tools } from "./tools/tools.ts";

/** The names of the account's entities by their ids; none if the token may not read them. */
export async function entityNames(
  { querent, allows }: Pick<Tools, "querent" | "allows">,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, string>> {
  const names = new Map<string, string>();
  if (!allows("reports:read")) return names;
  for await (const { entityId, name } of querent.entities.list({}, { signal })) names.set(entityId, name);
  return names;
}
