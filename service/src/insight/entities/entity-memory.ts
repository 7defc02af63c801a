import { LRUCache } from "lru-cache";
import type { Queryable } from "../../db/index.ts";
import { compileEntities, type CompiledEntities } from "./compile-entities.ts";
import { definitionOf, type EntityContent } from "./entity-content.ts";

/** The entities of an account, compiled for the matcher. */
export interface KnownEntities {
  readonly version: string;
  readonly compiled: CompiledEntities;
  readonly names: ReadonlyMap<string, string>;
}

/** Accounts whose entities are kept in memory: 2,000 entities take about 20 MB, most accounts have a few. */
const accountsMax = 100;

/** The entities of accounts, compiled once for each change of them. */
export class EntityMemory {
  readonly #known = new LRUCache<string, KnownEntities>({ max: accountsMax });

  /** The current entities of each account that has had any. */
  async read(db: Queryable, accountIds: readonly string[]): Promise<ReadonlyMap<string, KnownEntities>> {
    // Index: the primary key.
    const { rows } = await db.query<{ account_id: string; version: string }>({
      name: "entity versions",
      text: "select account_id, version::text from entity_versions where account_id = any($1::uuid[])",
      values: [accountIds],
    });
    const current = new Map<string, KnownEntities>();
    for (const { account_id: accountId, version } of rows) {
      const known = this.#known.get(accountId);
      const entities = known?.version === version ? known : await this.#compile(db, accountId, version);
      current.set(accountId, entities);
    }
    return current;
  }

  async #compile(db: Queryable, accountId: string, version: string): Promise<KnownEntities> {
    // Index: the primary key. A change that is committed in between is found with the next version.
    const { rows } = await db.query<{ id: string; content: EntityContent }>(
      "select id, content from entities where account_id = $1 order by id",
      [accountId],
    );
    const entities = {
      version,
      compiled: compileEntities(rows.map(({ id, content }) => definitionOf(id, content))),
      names: new Map(rows.map(({ id, content }) => [id, content.name])),
    };
    this.#known.set(accountId, entities);
    return entities;
  }
}
