import { Type, type Static } from "typebox";
import { failureCodes, failureStages } from "./failure.ts";
import { Nullable, Timestamp, Uuid } from "./scalars.ts";
import { adAvailabilities, platformKinds } from "./task-result.ts";

const digest = (about: string) => Type.String({ pattern: "^[0-9a-f]{64}$", description: `${about} SHA-256, in hex.` });
const count = (about: string) => Type.Integer({ minimum: 0, description: about });

/** A cited source as it is counted. */
export const ObservedSource = Type.Object({
  url: Type.String({ description: "As the platform returned it." }),
  canonicalUrl: Type.String({
    description: "Without tracking parameters and wrappers: the same page has the same canonical URL.",
  }),
  domain: Type.String({
    description:
      "The registrable domain of the site, or the host if it has none; each user of a host such as `github.io` is a site. With `opaque`, of the site that the platform names beside the redirect. Empty if the site is not known.",
  }),
  type: Nullable(
    Type.String({
      description:
        "The type of the site, such as `news`; `other` if it is not in the list. Null if the site is not known.",
    }),
  ),
  opaque: Type.Optional(
    Type.Literal(true, {
      description:
        "`canonicalUrl` is a redirect that does not contain the address of its page: the page is not known. Left out for all other sources.",
    }),
  ),
  host: Type.Optional(
    Type.String({
      description: "With `opaque`: the host of the site, such as `docs.example.com`. Empty if it is not known.",
    }),
  ),
});
export type ObservedSource = Static<typeof ObservedSource>;

/** Where an entity was found in the answer. */
export const ObservedMention = Type.Object({
  entityId: Uuid,
  start: count("Offset in `content`, in UTF-16 code units."),
  end: count("The offset after its last code unit."),
  listPosition: Nullable(Type.Integer({ minimum: 1 }), {
    description:
      "The place of the item of a list that begins with it. Lists that warn of what they list, and lists of sources, give none. Null: it begins none, or `matcher` is older than version 2. Version 2 read fewer forms of lists, and those that warn as well.",
  }),
});
export type ObservedMention = Static<typeof ObservedMention>;

/** A card of the answer. */
export const ObservedCard = Type.Object({
  kind: Type.Enum(["product", "video", "media"]),
  position: Type.Integer({ minimum: 1 }),
  title: Type.String(),
  url: Nullable(Type.String()),
  start: Type.Optional(
    count(
      "Offset of its heading in `content`, in UTF-16 code units: mentions from there to `end` name what the card shows. Left out by earlier versions, and if the text has no cards.",
    ),
  ),
  end: Type.Optional(count("The offset after its heading.")),
  price: Type.Optional(Type.String({ description: "Of a product: the display price. Left out if there is none." })),
  priceUnit: Type.Optional(
    Type.String({ description: "Of a product: the unit of the price. Left out if there is none." }),
  ),
  shop: Type.Optional(
    Type.String({ description: "Of a product: the shop, as the platform names it. Left out if it names none." }),
  ),
  domain: Type.Optional(
    Type.String({
      description:
        "Of a product: the registrable domain of the page that it leads to. Left out if only an app opens it, if a redirect hides the page, and by earlier versions.",
    }),
  ),
});
export type ObservedCard = Static<typeof ObservedCard>;

/** An advertisement that was shown with the answer, as it is counted. */
export const ObservedAd = Type.Object({
  position: Type.Integer({ minimum: 1 }),
  advertiser: Nullable(Type.String({ description: "As the advertisement names it." })),
  title: Nullable(Type.String()),
  url: Nullable(Type.String({ description: "The landing page, without identifiers of clicks. It was not opened." })),
  host: Type.String({
    description:
      "The host of the landing page, without `www.`; if it is hidden by a redirect, that of the address which the advertisement shows. Empty if neither tells it.",
  }),
  domain: Type.String({ description: "The registrable domain of `host`: the advertiser, as figures count it." }),
  placement: Type.String(),
});
export type ObservedAd = Static<typeof ObservedAd>;

/** What an answer was searched for with, and what it suggests to search for. */
export const searchKinds = ["search", "related_question", "related_search"] as const;

/** A search that the platform made for an answer, or a question or search that it showed beside it. */
export const ObservedSearch = Type.Object({
  kind: Type.Enum([...searchKinds], {
    description: "`search`: made by the platform. `related_question`, `related_search`: shown beside the answer.",
  }),
  query: Type.String(),
});
export type ObservedSearch = Static<typeof ObservedSearch>;

export const observationKinds = [...platformKinds, "imported"] as const;

/** What remains of a completed task, or of an imported answer, after its result has expired. */
export const ObservationRecord = Type.Object({
  observationId: Uuid,
  taskId: Nullable(Uuid, { description: "Null for imported answers." }),
  importId: Nullable(Uuid, { description: "Null for answers of tasks." }),
  batchId: Nullable(Uuid),
  clientReference: Nullable(Type.String()),
  tags: Type.Array(Type.String()),
  observedAt: Timestamp,
  recordedAt: Timestamp,
  revision: Type.Integer({ minimum: 1, description: "The revision of the result that it describes." }),
  resultDigest: digest("The digest of the result that it describes, or of the imported line."),
  cell: Type.Object(
    {
      panelId: Nullable(Uuid),
      panelRevision: Nullable(Type.Integer({ minimum: 1 })),
      runId: Nullable(Uuid),
      promptId: Nullable(Type.String({ description: "The prompt in its panel. Null without a panel." })),
      promptDigest: digest("The digest of the question's text."),
      platformCode: Type.String(),
      locale: Type.String(),
      persona: Type.String(),
      repeat: Nullable(Type.Integer({ minimum: 1 })),
      probability: Nullable(Type.Number({ exclusiveMinimum: 0, maximum: 1 }), {
        description:
          "With which probability a run with `askUntil` asked the cell in this wave: figures count the answer by the reciprocal. Null: 1.",
      }),
    },
    { description: "Answers of the same cell are answers to the same question under the same conditions." },
  ),
  instrument: Type.Object(
    {
      kind: Type.Enum([...observationKinds]),
      modelVersion: Nullable(Type.String({ description: "As the platform reported it." })),
      recipe: Nullable(Type.String({ description: "Digest of the recipe that read the web page." })),
      reader: Type.Integer({ minimum: 0, description: "Version of the code that parsed the answer. 0: not by us." }),
      matcher: Nullable(
        Type.String({ description: "Version of the code that found the mentions. Null: none looked." }),
      ),
      sourceRules: Nullable(
        Type.String({
          description:
            "Version of the rules of canonical URLs and of the list of domain types. Null before they were recorded.",
        }),
      ),
    },
    { description: "What the answer was taken with. Figures of two instruments are not comparable without a look." },
  ),
  contentLength: count("Length of the answer in UTF-16 code units."),
  searchCount: Nullable(count("Searches that the platform reported. Null if it never reports them.")),
  durationMs: Nullable(count("Duration of the attempt that answered.")),
  chargedPoints: count("Points that the answer was charged. Imported answers are free."),
  flags: Type.Array(Type.String(), {
    description:
      "`not_searched:limit`: the answer has no mentions because it takes more work to search for the account's entities than an answer may, or names more than 500. `not_searched:busy`: because too many texts were waiting to be searched. `not_searched:changed`: because the entities were changed while it ended. A recount searches it again. `empty`: no text. `unread`: an imported answer that was there, but whose text and sources were not read. `opaque_sources`: at least one source is a redirect whose site is not known. `not_exposed:FIELD`: the platform never returns the field. `parse_failed:FIELD`: it did, and it could not be parsed. `truncated:sources`, `truncated:cards`: the answer has more than 200, and only the first 200 are kept and counted.",
  }),
  sources: Type.Array(ObservedSource, { description: "At most 200; more are told in `flags`." }),
  mentions: Type.Array(ObservedMention),
  cards: Type.Array(ObservedCard),
  adAvailability: Nullable(Type.Enum([...adAvailabilities]), {
    description:
      "As `availability.ads` of the result. Null: not known, as of imported answers and of answers of earlier versions.",
  }),
  ads: Type.Array(ObservedAd, { description: "Advertisements are in no other member." }),
  searches: Nullable(Type.Array(ObservedSearch), {
    description:
      "The searches that the platform made, in their order, and the related questions and searches that it showed: at most 50 of each. Null for answers without a panel, because they outlive the question; and of earlier versions.",
  }),
});
export type ObservationRecord = Static<typeof ObservationRecord>;

export const ObservationPage = Type.Object({
  observations: Type.Array(ObservationRecord),
  nextCursor: Nullable(Type.String()),
});
export type ObservationPage = Static<typeof ObservationPage>;

/** What remains of a task of a panel that failed. */
export const FailedTaskRecord = Type.Object({
  failureId: Uuid,
  taskId: Uuid,
  batchId: Uuid,
  clientReference: Nullable(Type.String()),
  tags: Type.Array(Type.String()),
  failedAt: Timestamp,
  cell: Type.Object(
    {
      panelId: Uuid,
      panelRevision: Type.Integer({ minimum: 1 }),
      runId: Uuid,
      promptId: Type.String(),
      platformCode: Type.String(),
      locale: Type.String(),
      persona: Type.String(),
      repeat: Type.Integer({ minimum: 1 }),
      probability: Nullable(Type.Number({ exclusiveMinimum: 0, maximum: 1 }), {
        description: "With which probability a run with `askUntil` asked the cell in this wave. Null: 1.",
      }),
    },
    { description: "As of observations." },
  ),
  kind: Type.Enum([...observationKinds], { description: "As of the platform's answers." }),
  recipe: Nullable(Type.String({ description: "Digest of the recipe of the web page. Null: it has none." })),
  code: Type.Enum([...failureCodes], { description: "Why it failed: as in the failure of the task." }),
  stage: Type.Enum([...failureStages]),
  attempts: count("Attempts that were started."),
});
export type FailedTaskRecord = Static<typeof FailedTaskRecord>;

export const FailedTaskPage = Type.Object({
  failures: Type.Array(FailedTaskRecord),
  nextCursor: Nullable(Type.String()),
});
export type FailedTaskPage = Static<typeof FailedTaskPage>;

export const DeletedObservations = Type.Object({
  deletedCount: count("The observations that were deleted."),
  deletedFailureCount: count("The failed tasks of panels that were deleted."),
});
export type DeletedObservations = Static<typeof DeletedObservations>;

/** A domain or an address, and the answers that cite it. */
export const SourceCount = Type.Object({
  domain: Type.String(),
  canonicalUrl: Nullable(
    Type.String({
      description:
        "Null in counts by domain. In counts by address, null for the pages of the domain that redirects hide.",
    }),
  ),
  type: Nullable(Type.String()),
  answers: count("Answers that cite it at least once."),
  citations: count("Citations, counting each canonical URL once per answer."),
  share: Type.Number({
    minimum: 0,
    maximum: 1,
    description: "The share of the citations of all sources in the selection.",
  }),
  firstCitedAt: { ...Timestamp, description: "When the first answer of the selection was observed that cites it." },
  lastCitedAt: { ...Timestamp, description: "When the last one was." },
});
export type SourceCount = Static<typeof SourceCount>;

export const SourceCounts = Type.Object({
  from: Timestamp,
  to: Timestamp,
  answers: count("Answers in the selection."),
  answersWithSources: count("Those that cite at least one source."),
  citations: count("Citations of all sources."),
  sources: Type.Array(SourceCount, { description: "Most answers first, then by name." }),
});
export type SourceCounts = Static<typeof SourceCounts>;

/** A place at which an answer names an entity. */
export const EntitySpan = Type.Object({
  observationId: Uuid,
  taskId: Nullable(Uuid),
  importId: Nullable(Uuid),
  platformCode: Type.String(),
  observedAt: Timestamp,
  start: count("Offset in the answer, in UTF-16 code units."),
  end: count("The offset after its last code unit."),
  text: Nullable(Type.String({ description: "What was written. Null if the answer has expired." })),
  before: Nullable(Type.String({ description: "Up to 80 code units of the answer before it." })),
  after: Nullable(Type.String({ description: "Up to 80 code units after it." })),
});
export type EntitySpan = Static<typeof EntitySpan>;

export const EntitySpanPage = Type.Object({
  mentions: Type.Array(EntitySpan, { description: "Newest answer first, in the order of the answer." }),
  nextCursor: Nullable(Type.String()),
});
export type EntitySpanPage = Static<typeof EntitySpanPage>;

/** What became of observations whose mentions were found again. */
export const MentionRecount = Type.Object({
  recounted: count("Observations whose answer was searched again."),
  changed: count("Those whose mentions changed."),
  notSearched: count(
    "Observations whose answer takes more work to search for the account's entities than an answer may: they keep their mentions. Define fewer names that contain each other, or differ only in their separators.",
  ),
  expired: count("Observations whose answer has expired: they keep their mentions, and the `matcher` that found them."),
  nextCursor: Nullable(Type.String({ description: "Where to continue. Null: every observation was visited." })),
});
export type MentionRecount = Static<typeof MentionRecount>;
