import { hash } from "node:crypto";
import { entityAliasesMax, negativeContextsMax, type NameProposal } from "@querent/contract";
import type { EntityContent, EntityNameChange } from "./entity-content.ts";
import { foldWord } from "./fold-text.ts";

/** The same for a change in any case and with any separators. So short that an entity can have many. */
export const keyOf = ({ kind, text }: Pick<NameProposal, "kind" | "text">): string =>
  hash("sha256", `${kind} ${foldWord(text)}`).slice(0, 16);

/** The content with a change. Null: it has it already, or the name that it is about is gone. */
export function withChange(
  content: EntityContent,
  { kind, text, ...change }: EntityNameChange,
): EntityContent | "no_room" | null {
  const { aliases, negativeContexts } = content;
  const isAlias = (one: string): boolean => content.name === one || aliases.some((alias) => alias.text === one);
  switch (kind) {
    case "alias":
      if (isAlias(text)) return null;
      if (aliases.length >= entityAliasesMax) return "no_room";
      return { ...content, aliases: [...aliases, { text, caseSensitive: change.caseSensitive }] };
    case "negative_context":
      if (negativeContexts.includes(text)) return null;
      if (negativeContexts.length >= negativeContextsMax) return "no_room";
      return { ...content, negativeContexts: [...negativeContexts, text] };
    case "own_case": {
      if (!isAlias(text)) return null;
      const more = change.alsoAliases
        .filter((alias) => !isAlias(alias))
        .map((alias) => ({ text: alias, caseSensitive: true }));
      if (aliases.length + more.length > entityAliasesMax) return "no_room";
      const cased = aliases.map((alias) => (alias.text === text ? { ...alias, caseSensitive: true } : alias));
      return {
        ...content,
        caseSensitive: content.caseSensitive || content.name === text,
        aliases: [...cased, ...more],
      };
    }
  }
}
