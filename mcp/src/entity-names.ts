import type { Querent } from "@querent/client";

export async function entityNames(querent: Querent, signal: AbortSignal): Promise<ReadonlyMap<string, string>> {
  const names = new Map<string, string>();
  for await (const { entityId, name } of querent.entities.list({}, { signal })) names.set(entityId, name);
  return names;
}
