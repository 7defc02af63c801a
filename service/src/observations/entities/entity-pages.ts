import type { Queryable } from "../../db/index.ts";
import type { EntityDefinition } from "./compile-entities.ts";
import { definitionOf, type EntityContent } from "./entity-content.ts";

/** Each is up to 100 kB. */
const entitiesAtOnce = 20;

/** What the entities with these ids are found by, as pages of text for `definitionsIn`. */
export async function* entityPages(
  db: Queryable,
  accountId: string,
  ids: readonly string[],
): AsyncGenerator<string, void, void> {
  for (let at = 0; at < ids.length; at += entitiesAtOnce) {
    // Index: the primary key. Locks nothing.
    const { rows } = await db.query<{ line: string }>(
      `select json_build_array(id, content)::text as line from entities where account_id = $1 and id = any($2::uuid[]) order by id`,
      [accountId, ids.slice(at, at + entitiesAtOnce)],
    );
    if (rows.length > 0) yield rows.map(({ line }) => line).join("\n");
  }
}

export const definitionsIn = (page: string): EntityDefinition[] =>
  page.split("\n").map((line) => {
    // Stored after it was checked.
    const [id, content] = JSON.parse(line) as [string, EntityContent];
    return definitionOf(id, content);
  });
