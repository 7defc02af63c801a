/** The other side of `SearchPool`: compiles entities, and searches one text after another for them. */
import { LRUCache } from "lru-cache";
import { endWithParent, yieldToService } from "../../runtime/child-process.ts";
import { EntityCompiler, type CompiledEntities } from "./compile-entities.ts";
import { definitionOf, type EntityContent } from "./entity-content.ts";
import { findIn, type FoundInText, type SearchKind } from "./find-in-text.ts";
import { findMentions } from "./find-mentions.ts";
import type { FoundProposals } from "./propose-names.ts";

/** An entity, with its content as the database has it. */
export interface StoredEntity {
  readonly id: string;
  readonly content: string;
  /** Absent or null: the default project. */
  readonly project?: string | null;
}

/** What is asked about the entities of a key. */
export type EntityQuestion =
  | { readonly kind: "search"; readonly text: string; readonly as: SearchKind }
  | {
      readonly kind: "propose";
      readonly entityId: string;
      /** Of this entity, as JSON. */
      readonly content: string;
      readonly answers: readonly AnswerText[];
      readonly declined: readonly string[];
      readonly withNeighbours: boolean;
    };

export interface AnswerText {
  readonly observationId: string;
  readonly text: string;
}

/**
 * What the process is sent: a question, such as a text to search for the entities of a key; and if it does not know them, these in parts. It replies to
 * each message, before it is sent the next.
 */
export type ToSearch =
  | ({ readonly key: string } & EntityQuestion)
  | { readonly kind: "begin" }
  | { readonly kind: "entities"; readonly entities: readonly StoredEntity[] }
  | { readonly kind: "end"; readonly key: string };
export type FromSearch =
  | { readonly kind: "found"; readonly found: FoundInText }
  | { readonly kind: "proposed"; readonly proposed: FoundProposals }
  | { readonly kind: "unknown" }
  | { readonly kind: "taken"; readonly isTooLarge: boolean };

/** The size of the entities of one account, and of those of all accounts that are kept, in units of `CompiledEntities`: 64 and 96 MB. */
const sizeMax = 1_600_000;
const sizesMax = 2_400_000;

const known = new LRUCache<string, CompiledEntities>({ maxSize: sizesMax, sizeCalculation: ({ size }) => size });
let compiler = new EntityCompiler();

endWithParent();
yieldToService();
process.on("message", (message: ToSearch) => void reply(message).then((replied) => process.send?.(replied)));

async function reply(message: ToSearch): Promise<FromSearch> {
  switch (message.kind) {
    case "search": {
      const entities = known.get(message.key);
      if (entities === undefined) return { kind: "unknown" };
      return { kind: "found", found: findIn(message.text, entities, message.as) };
    }
    case "propose": {
      const entities = known.get(message.key);
      if (entities === undefined) return { kind: "unknown" };
      return { kind: "proposed", proposed: await propose(message, entities) };
    }
    case "begin":
      compiler = new EntityCompiler();
      break;
    case "entities":
      for (const { id, content, project = null } of message.entities) {
        if (compiler.size > sizeMax) break;
        // Stored after it was checked.
        compiler.add(definitionOf(id, JSON.parse(content) as EntityContent, project));
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

async function propose(
  question: EntityQuestion & { kind: "propose" },
  entities: CompiledEntities,
): Promise<FoundProposals> {
  // With its tables of characters and endings, which other searches don't need.
  const { proposeNames } = await import("./propose-names.ts");
  const { entityId, declined, withNeighbours } = question;
  const answers = question.answers.map(({ observationId, text }) => ({
    observationId,
    text,
    others: findMentions(text, entities).mentions.filter((mention) => mention.entityId !== entityId),
  }));
  // Stored after it was checked.
  const content = JSON.parse(question.content) as EntityContent;
  return proposeNames(content, answers, { declined: new Set(declined), withNeighbours });
}
