import type { EntityRecord, EntityRequest } from "@querent/client";

/** A brand as its form has it: lists are lines of text. */
export interface BrandDraft {
  readonly name: string;
  readonly relation: EntityRecord["relation"];
  readonly caseSensitive: boolean;
  readonly aliases: string;
  readonly contexts: string;
  readonly domains: string;
}

export const emptyDraft: BrandDraft = {
  name: "",
  relation: "own",
  caseSensitive: false,
  aliases: "",
  contexts: "",
  domains: "",
};

export const draftOf = (entity: EntityRecord): BrandDraft => ({
  name: entity.name,
  relation: entity.relation,
  caseSensitive: entity.caseSensitive,
  aliases: entity.aliases.map(({ text, caseSensitive }) => (caseSensitive ? `=${text}` : text)).join("\n"),
  contexts: entity.negativeContexts.join("\n"),
  domains: entity.domains.join("\n"),
});

/** @param kind that of the saved brand, which the form does not show */
export const requestOf = (draft: BrandDraft, kind: EntityRecord["kind"]): EntityRequest => ({
  name: draft.name.trim(),
  kind,
  relation: draft.relation,
  caseSensitive: draft.caseSensitive,
  aliases: lines(draft.aliases).map((line) => ({
    text: line.replace(/^=(?=.)/u, ""),
    caseSensitive: line.length > 1 && line.startsWith("="),
  })),
  negativeContexts: lines(draft.contexts),
  domains: lines(draft.domains).map((line) => line.toLowerCase()),
});

const lines = (text: string): string[] =>
  text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");
