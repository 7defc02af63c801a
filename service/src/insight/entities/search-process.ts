/** The other side of `SearchPool`: compiles entities, and searches one text after another for them. */
import { LRUCache } from "lru-cache";
import { endWithParent, yieldToService } from "../../runtime/child-process.ts";
import { EntityCompiler, type CompiledEntities } from "./compile-entities.ts";
import { definitionOf, type EntityContent } from "./entity-content.ts";
import { findIn, type FoundInText, type SearchKind } from "./find-in-text.ts";

/** An entity, with its content as the database has it. */
export interface StoredEntity {
  readonly id: string;
  readonly content: string;
}

/**
 * What the process is sent: a text to search for the entities of a key; and if it does not know them, these in parts. It replies to
 * each message, before it is sent the next.
 */
export type ToSearch =
  | { readonly kind: "search"; readonly key: string; readonly text: string; readonly as: SearchKind }
  | { readonly kind: "begin" }
  | { readonly kind: "entities"; readonly entities: readonly StoredEntity[] }
  | { readonly kind: "end"; readonly key: string };
export type FromSearch =
  | { readonly kind: "found"; readonly found: FoundInText }
  | { readonly kind: "unknown" }
  | { readonly kind: "taken"; readonly isTooLarge: boolean };

/** The size of the entities of one account, and of those of all accounts that are kept, in units of `CompiledEntities`: 64 and 96 MB. */
const sizeMax = 1_600_000;
const sizesMax = 2_400_000;

const known = new LRUCache<string, CompiledEntities>({ maxSize: sizesMax, sizeCalculation: ({ size }) => size });
let compiler = new EntityCompiler();

endWithParent();
yieldToService();
process.on("message", (message: ToSearch) => process.send?.(reply(message)));

function reply(message: ToSearch): FromSearch {
  switch (message.kind) {
    case "search": {
      const entities = known.get(message.key);
      if (entities === undefined) return { kind: "unknown" };
      return { kind: "found", found: findIn(message.text, entities, message.as) };
    }
    case "begin":
      compiler = new EntityCompiler();
      break;
    case "entities":
      for (const { id, content } of message.entities) {
        if (compiler.size > sizeMax) break;
        // Stored after it was checked.
        compiler.add(definitionOf(id, JSON.parse(content) as EntityContent));
      }
      break;
    case "end":
      if (compiler.size <= sizeMax) known.set(message.key, compiler.compiled());
      break;
  }
  const isTooLarge = compiler.size > sizeMax;
  if (isTooLarge || message.kind === "end") compiler = new EntityCompiler();
  return { kind: "taken", isTooLarge };
}
