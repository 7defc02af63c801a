import {
  entitiesPerRequestMax,
  EntityRequest,
  type EntityRecord,
  type NameChange as RequestedChange,
  type NameDecisions,
  type NameProposal,
  type ProblemItem,
} from "@querent/contract";
import { Type } from "typebox";
import { ProblemError } from "../../api/problem-error.ts";
import { compileCheck, problemItemsMax } from "../../kernel/validate.ts";
import type { EntityDefinition } from "./compile-entities.ts";
import { hasAtoms } from "./fold-text.ts";

/** An entity's definition, with every member. */
export type EntityContent = Omit<EntityRecord, "entityId" | "projectId" | "revision" | "createdAt" | "updatedAt">;

/** What an entity would become: an alias or a negative context more, or a name that is found only in its own case. */
export type EntityNameChange = Pick<NameProposal, "kind" | "text" | "caseSensitive" | "alsoAliases">;

/** The content of a request, or its errors with pointers below `at`. Spaces around a text are not a part of it. */
export function readContent(request: EntityRequest, at = ""): { content: EntityContent; errors: ProblemItem[] } {
  const content: EntityContent = {
    name: request.name.trim(),
    kind: request.kind ?? "brand",
    relation: request.relation ?? "other",
    caseSensitive: request.caseSensitive ?? false,
    aliases: (request.aliases ?? []).map(({ text, caseSensitive }) => ({
      text: text.trim(),
      caseSensitive: caseSensitive ?? false,
    })),
    negativeContexts: (request.negativeContexts ?? []).map((text) => text.trim()),
    domains: request.domains ?? [],
  };
  const texts = [
    { pointer: `${at}/name`, text: content.name },
    ...content.aliases.map(({ text }, index) => ({ pointer: `${at}/aliases/${index}/text`, text })),
    ...content.negativeContexts.map((text, index) => ({ pointer: `${at}/negativeContexts/${index}`, text })),
  ];
  return { content, errors: unfindable(texts) };
}

/** The content of one request. */
export function requireContent(request: EntityRequest): EntityContent {
  const { content, errors } = readContent(request);
  if (errors.length > 0) throw invalid(errors);
  return content;
}

/** What was approved and declined, with every member. Spaces around a text are not a part of it. */
export function requireDecisions({ approve = [], decline = [] }: NameDecisions): {
  readonly approve: readonly EntityNameChange[];
  readonly decline: readonly EntityNameChange[];
} {
  const changeOf = ({ kind, text, caseSensitive = false, alsoAliases = [] }: RequestedChange): EntityNameChange => ({
    ...{ kind, text: text.trim(), caseSensitive },
    alsoAliases: alsoAliases.map((each) => each.trim()),
  });
  const decisions = { approve: approve.map(changeOf), decline: decline.map(changeOf) };
  const texts = Object.entries(decisions).flatMap(([member, changes]) =>
    changes.flatMap(({ text, alsoAliases }, index) => [
      { pointer: `/${member}/${index}/text`, text },
      ...alsoAliases.map((each, nth) => ({ pointer: `/${member}/${index}/alsoAliases/${nth}`, text: each })),
    ]),
  );
  const errors = unfindable(texts);
  if (errors.length > 0) throw invalid(errors);
  return decisions;
}

const unfindable = (texts: readonly { readonly pointer: string; readonly text: string }[]): ProblemItem[] =>
  texts
    .filter(({ text }) => !hasAtoms(text))
    .map(({ pointer }) => ({
      pointer,
      code: "malformed",
      detail: "It has no letter, digit or sign that could be found.",
    }));

const checkLength = compileCheck(Type.Array(Type.Unknown(), { minItems: 1, maxItems: entitiesPerRequestMax }));
/** One by one, because a validation of everything stops at the first error of a long list. */
const checkEntity = compileCheck(EntityRequest);

/** The contents of a list. Throws an error that names every place that is not valid (the first 100). */
export function requireContents(body: unknown): EntityContent[] {
  const wrongLength = checkLength(body);
  if (wrongLength.length > 0) throw invalid(wrongLength);
  const names = new Set<string>();
  const contents: EntityContent[] = [];
  const errors = (body as unknown[]).flatMap((request, index): ProblemItem[] => {
    const shape = checkEntity(request, `/${index}`);
    if (shape.length > 0) return shape;
    const { content, errors: unfit } = readContent(request as EntityRequest, `/${index}`);
    const isRepeated = names.has(content.name);
    names.add(content.name);
    contents.push(content);
    return isRepeated
      ? [...unfit, { pointer: `/${index}/name`, code: "not_allowed", detail: "The list has this name before." }]
      : unfit;
  });
  if (errors.length > 0) throw invalid(errors.slice(0, problemItemsMax));
  return contents;
}

const invalid = (errors: readonly ProblemItem[]) =>
  new ProblemError("validation_failed", "The body is not valid. Nothing was changed.", { errors });

/** What the matcher needs of it. */
export function definitionOf(
  entityId: string,
  content: EntityContent,
  project: string | null = null,
): EntityDefinition {
  const { name, caseSensitive, aliases, negativeContexts } = content;
  const variants = [{ text: name, isCaseSensitive: caseSensitive }];
  for (const alias of aliases) variants.push({ text: alias.text, isCaseSensitive: alias.caseSensitive });
  return { entityId, variants, negativeContexts, project };
}
