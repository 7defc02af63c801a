import { Type, type Static } from "typebox";
import { Closed, Nullable, StorableText, Timestamp, Uuid } from "./scalars.ts";

export const entityKinds = ["brand", "product", "person"] as const;
export const entityRelations = ["own", "competitor", "other"] as const;

/** Entities of one account. Their definitions are kept in memory where answers are read. */
export const entitiesMax = 2_000;
/** Entities in one `PUT /v1/entities`. */
export const entitiesPerRequestMax = 500;

export const entityAliasesMax = 50;
export const negativeContextsMax = 100;

const nameText = (description: string) => StorableText({ minLength: 1, maxLength: 200, description });

/** Another way to write the name. */
export const EntityAlias = Closed({
  text: nameText("Found in any case, with or without accents, spaces and hyphens."),
  caseSensitive: Type.Optional(
    Type.Boolean({ default: false, description: "Found only as it is written here: `HP`, not `hp`." }),
  ),
});

const content = {
  name: nameText("The name, which is also what is looked for. Unique in its project. Spaces around it are dropped."),
  kind: Type.Optional(Type.Enum([...entityKinds], { default: "brand" })),
  relation: Type.Optional(
    Type.Enum([...entityRelations], { default: "other", description: "Whether it is yours, or a competitor's." }),
  ),
  caseSensitive: Type.Optional(
    Type.Boolean({ default: false, description: "The name is found only in its own case: `Zoom`, not `zoom`." }),
  ),
  aliases: Type.Optional(Type.Array(EntityAlias, { maxItems: entityAliasesMax, default: [] })),
  negativeContexts: Type.Optional(
    Type.Array(nameText("A phrase."), {
      maxItems: negativeContextsMax,
      default: [],
      description:
        "Phrases that show that the name means something else. A phrase with the name in it excludes the mention in it: `Monday morning`. Any other phrase excludes the mentions of its sentence: `horsepower`.",
    }),
  ),
  domains: Type.Optional(
    Type.Array(
      Type.String({
        maxLength: 253,
        pattern: "^([a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9])?\\.)+[a-z0-9-]{2,63}$",
        description: "A host name in lower case, such as `example.com`. Its subdomains are included.",
      }),
      { maxItems: 50, default: [], description: "Its own sites, to tell own sources from those of competitors." },
    ),
  ),
};

/** What an entity is called and where it is found. */
export const EntityRequest = Closed(content);
export type EntityRequest = Static<typeof EntityRequest>;

export const EntityList = Type.Array(EntityRequest, { minItems: 1, maxItems: entitiesPerRequestMax });

const whole = {
  name: Type.String(),
  kind: Type.Enum([...entityKinds]),
  relation: Type.Enum([...entityRelations]),
  caseSensitive: Type.Boolean(),
  aliases: Type.Array(Type.Object({ text: Type.String(), caseSensitive: Type.Boolean() })),
  negativeContexts: Type.Array(Type.String()),
  domains: Type.Array(Type.String()),
};

/** A brand, product or person that is looked for in answers. */
export const EntityRecord = Type.Object({
  entityId: Uuid,
  projectId: Uuid,
  revision: Type.Integer({ minimum: 1, description: "1 higher with each change of its content." }),
  ...whole,
  createdAt: Timestamp,
  updatedAt: Timestamp,
});
export type EntityRecord = Static<typeof EntityRecord>;

export const EntityPage = Type.Object({
  entities: Type.Array(EntityRecord),
  nextCursor: Nullable(Type.String()),
});
export type EntityPage = Static<typeof EntityPage>;

export const EntityRevision = Type.Object({
  revision: Type.Integer({ minimum: 1 }),
  ...whole,
  createdAt: Timestamp,
});
export type EntityRevision = Static<typeof EntityRevision>;

export const EntityRevisions = Type.Object({
  revisions: Type.Array(EntityRevision, { description: "Newest first. At most 200." }),
});
export type EntityRevisions = Static<typeof EntityRevisions>;

export const EntityChanges = Type.Object({
  created: Type.Integer({ minimum: 0 }),
  updated: Type.Integer({ minimum: 0 }),
  unchanged: Type.Integer({ minimum: 0 }),
});
export type EntityChanges = Static<typeof EntityChanges>;

export const EntityTrial = Closed({
  text: StorableText({ minLength: 0, maxLength: 1_048_576, description: "A text in Markdown, such as an answer." }),
  entity: Type.Optional(
    Type.Unsafe<EntityRequest>({
      ...EntityRequest,
      description: "Looks for this one instead of the account's entities.",
    }),
  ),
});
export type EntityTrial = Static<typeof EntityTrial>;

export const EntityMention = Type.Object({
  entityId: Nullable(Uuid, { description: "Null for the entity in the request." }),
  name: Type.String(),
  variant: Type.String({ description: "The name or alias that was found." }),
  start: Type.Integer({ minimum: 0, description: "UTF-16 code units from the start of the text." }),
  end: Type.Integer({ minimum: 0 }),
});
export type EntityMention = Static<typeof EntityMention>;

export const EntityMentions = Type.Object({
  matcher: Type.String({ description: "The version of the code that found the mentions." }),
  complete: Type.Boolean({
    description:
      "False if there are more mentions than are returned, or if the text was not searched to its end because that takes more work than a text may.",
  }),
  mentions: Type.Array(EntityMention, { description: "By their order in the text. At most 10,000." }),
});
export type EntityMentions = Static<typeof EntityMentions>;

export const proposalKinds = ["alias", "negative_context", "own_case"] as const;
/** By how sure they are. */
export const proposalReasons = [
  "script",
  "inflected",
  "own_case",
  "sense",
  "quantity",
  "lower_case",
  "neighbour",
] as const;

const change = {
  kind: Type.Enum([...proposalKinds], {
    description:
      "`alias`: another name. `negative_context`: a phrase in which the name means something else. `own_case`: the name, or the alias, of this text is found only in its own case.",
  }),
  text: nameText("The alias, the phrase, or the name."),
};
const caseSensitive = "The alias is found only as it is written.";
const alsoAliases =
  "With `own_case`: the other spellings in the answers that begin with a capital letter, such as `PUMA`. They become aliases, so that they are still found.";

/** What a person approves or declines. A proposal has these members. */
export const NameChange = Closed({
  ...change,
  caseSensitive: Type.Optional(Type.Boolean({ default: false, description: caseSensitive })),
  alsoAliases: Type.Optional(
    Type.Array(nameText("A spelling."), { maxItems: 5, default: [], description: alsoAliases }),
  ),
});
export type NameChange = Static<typeof NameChange>;

export const NameProposal = Type.Object({
  ...change,
  caseSensitive: Type.Boolean({ description: caseSensitive }),
  alsoAliases: Type.Array(Type.String(), { description: alsoAliases }),
  reason: Type.Enum([...proposalReasons], {
    description:
      "`script`: the name in the other Chinese script. `inflected`: the name with an ending of a language that inflects names. `own_case`: the name stands in lower case, as a word does. `sense`: it stands beside a word that shows another sense, such as juice or river. `quantity`: it counts something. `lower_case`: it is always in lower case in this phrase, and `own_case` was declined. `neighbour`: a word that stands mostly beside this name; it may or may not show another sense.",
  }),
  mentions: Type.Integer({
    minimum: 1,
    description: "The mentions that the change would add, or take away, in the answers that were searched.",
  }),
  answers: Type.Integer({ minimum: 1, description: "The answers that have them." }),
  evidence: Type.Array(
    Type.Object({
      observationId: Uuid,
      snippet: Type.String({ description: "The text around the mention." }),
      start: Type.Integer({ minimum: 0, description: "UTF-16 code units from the start of the snippet." }),
      end: Type.Integer({ minimum: 0 }),
    }),
    { description: "Some of the mentions: at most 5." },
  ),
});
export type NameProposal = Static<typeof NameProposal>;

export const NameProposals = Type.Object({
  proposals: Type.Array(NameProposal, {
    description: "By their reasons, the surest first, and then the most frequent first.",
  }),
  answers: Type.Integer({
    minimum: 0,
    description: "The newest answers whose texts are still there, which were searched.",
  }),
  mentions: Type.Integer({ minimum: 0, description: "The mentions of the entity in them, as it is now." }),
  notSearched: Type.Integer({
    minimum: 0,
    description: "Answers with more work or mentions than are looked at. They are in no count.",
  }),
});
export type NameProposals = Static<typeof NameProposals>;

const decided = { maxItems: 50, default: [] };
export const NameDecisions = Closed({
  approve: Type.Optional(Type.Array(NameChange, { ...decided, description: "Becomes a part of the entity." })),
  decline: Type.Optional(
    Type.Array(NameChange, {
      ...decided,
      description: "Is not proposed again for this entity, until 200 others have been declined.",
    }),
  ),
});
export type NameDecisions = Static<typeof NameDecisions>;
