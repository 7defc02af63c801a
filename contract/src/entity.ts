import { Type, type Static } from "typebox";
import { Closed, Nullable, StorableText, Timestamp, Uuid } from "./scalars.ts";

export const entityKinds = ["brand", "product", "person"] as const;
export const entityRelations = ["own", "competitor", "other"] as const;

/** Entities of one account. Their definitions are kept in memory where answers are read. */
export const entitiesMax = 2_000;
/** Entities in one `PUT /v1/entities`. */
export const entitiesPerRequestMax = 500;

const nameText = (description: string) => StorableText({ minLength: 1, maxLength: 200, description });

/** Another way to write the name. */
export const EntityAlias = Closed({
  text: nameText("Found in any case, with or without accents, spaces and hyphens."),
  caseSensitive: Type.Optional(
    Type.Boolean({ default: false, description: "Found only as it is written here: `HP`, not `hp`." }),
  ),
});

const content = {
  name: nameText("The name, which is also what is looked for. Unique in the account. Spaces around it are dropped."),
  kind: Type.Optional(Type.Enum([...entityKinds], { default: "brand" })),
  relation: Type.Optional(
    Type.Enum([...entityRelations], { default: "other", description: "Whether it is yours, or a competitor's." }),
  ),
  caseSensitive: Type.Optional(
    Type.Boolean({ default: false, description: "The name is found only in its own case: `Zoom`, not `zoom`." }),
  ),
  aliases: Type.Optional(Type.Array(EntityAlias, { maxItems: 50, default: [] })),
  negativeContexts: Type.Optional(
    Type.Array(nameText("A phrase."), {
      maxItems: 100,
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
