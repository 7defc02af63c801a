import { Type, type Static } from "typebox";
import { Effective } from "./question-options.ts";
import { Ad, MediaCard, ProductCard, Source, VideoCard } from "./cards.ts";
import { PageEvidence } from "./evidence.ts";
import { Nullable, Timestamp } from "./scalars.ts";

export const availabilityFields = [
  "content",
  "sources",
  "products",
  "videos",
  "media",
  "reasoningProcess",
  "searchProcess",
  "pageHtml",
  "screenshot",
  "share",
] as const;
export const availabilities = ["present", "none_on_platform", "not_requested", "not_exposed", "parse_failed"] as const;
export type AvailabilityField = (typeof availabilityFields)[number];
export type AvailabilityValue = (typeof availabilities)[number];

const AvailabilityEntry = Type.Enum([...availabilities], {
  description:
    "`present`: the field has a value. `none_on_platform`: the platform can return it, but returned none. `not_requested`: the options did not request it. `not_exposed`: this platform never returns it. `parse_failed`: the platform returned it, but it could not be parsed.",
});

export const adAvailabilities = [
  "shown",
  "none",
  "not_requested",
  "not_exposed",
  "parse_failed",
  "signed_in_state",
  "country_without_ads",
] as const;
export type AdAvailability = (typeof adAvailabilities)[number];

/** Why each field of a result is present or empty. */
export const Availability = Type.Object({
  content: AvailabilityEntry,
  sources: AvailabilityEntry,
  products: AvailabilityEntry,
  videos: AvailabilityEntry,
  media: AvailabilityEntry,
  reasoningProcess: AvailabilityEntry,
  searchProcess: AvailabilityEntry,
  pageHtml: AvailabilityEntry,
  screenshot: AvailabilityEntry,
  share: AvailabilityEntry,
  ads: Type.Optional(
    Type.Enum([...adAvailabilities], {
      description:
        "`shown`: there are advertisements in `ads`. `none`: they were looked for, and there were none. `not_requested`: the options did not request it. `not_exposed`: it is not known how this platform shows them, or it never does. `parse_failed`: an advertisement was there, and nothing of it could be read. `signed_in_state`: the platform shows none to visitors who are signed in, or who are not, as this one. `country_without_ads`: it shows none in the country of the visitor. Absent in results of earlier versions.",
    }),
  ),
});
export type Availability = Static<typeof Availability>;

export const ReasoningStep = Type.Object({ position: Type.Integer({ minimum: 1 }), text: Type.String() });
export type ReasoningStep = Static<typeof ReasoningStep>;

export const SearchStep = Type.Object({
  position: Type.Integer({ minimum: 1 }),
  query: Type.String({
    description:
      "What was searched for, on the web or within the page in `results`. Empty if the platform opened the pages in `results`.",
  }),
  results: Type.Array(Type.Object({ title: Type.String(), url: Type.String(), site: Type.String() })),
});
export type SearchStep = Static<typeof SearchStep>;

export const platformKinds = ["api", "web", "sample"] as const;
export type PlatformKind = (typeof platformKinds)[number];

/** The origin of the answer. */
export const Provenance = Type.Object({
  kind: Type.Enum([...platformKinds]),
  platform: Type.String(),
  endpoint: Nullable(Type.String()),
  region: Nullable(Type.String()),
  standIn: Type.Optional(
    Type.Boolean({
      description:
        "True: an example page of the service answered in place of the platform, and everything in the answer is invented. Absent if the platform itself answered.",
    }),
  ),
});
export type Provenance = Static<typeof Provenance>;

export const truncations = ["length_limit", "content_filter"] as const;
export type Truncation = (typeof truncations)[number];
export const Truncation = Type.Enum([...truncations]);

const Alternative = Type.Object({
  position: Type.Integer({ minimum: 1, description: "Its place among all drafts, in the order of the page." }),
  content: Type.String({ description: "Its text in Markdown." }),
});

/** The result of a task: the part of the record that expires. */
export const resultFields = {
  content: Nullable(
    Type.String({
      description:
        "The answer in Markdown (CommonMark and GFM), including its cards. Null before completion. Formulas of web pages are TeX in `$…$` and `$$…$$`.",
    }),
  ),
  pageHtml: Nullable(Type.String()),
  modelVersion: Nullable(Type.String({ description: "The model that the platform reported." })),
  observedAt: Nullable(Timestamp),
  sources: Type.Array(Source),
  products: Type.Array(ProductCard),
  videos: Type.Array(VideoCard),
  media: Type.Array(MediaCard),
  reasoningProcess: Nullable(Type.Array(ReasoningStep)),
  searchProcess: Nullable(Type.Array(SearchStep)),
  ads: Type.Array(Ad, {
    description:
      "Advertisements that the platform showed with its answer. They are in no other field. Empty before completion, and if there were none: see `availability.ads`.",
  }),
  alternatives: Type.Array(Alternative, {
    description:
      "Other drafts of the answer, if the platform showed several of them beside each other. `content` is the draft whose position is missing here.",
  }),
  relatedQuestions: Type.Array(Type.String(), {
    description: "Questions that the platform showed beside its answer. They are no part of `content`.",
  }),
  relatedSearches: Type.Array(Type.String(), {
    description: "Searches that the platform showed beside its answer. They are no part of `content`.",
  }),
  screenshotUrl: Nullable(Type.String()),
  shareUrl: Nullable(Type.String()),
} as const;

const { ads, alternatives, relatedQuestions, relatedSearches, ...storedFields } = resultFields;

/** The part of a record that expires, as stored. */
const StoredResult = Type.Object({
  ...storedFields,
  // Absent in the results of earlier versions, and if there are none.
  ads: Type.Optional(ads),
  alternatives: Type.Optional(alternatives),
  relatedQuestions: Type.Optional(relatedQuestions),
  relatedSearches: Type.Optional(relatedSearches),
  /** Absent or null if the platform ended its answer by itself. */
  truncatedBy: Type.Optional(Nullable(Truncation)),
  availability: Availability,
  provenance: Provenance,
  // Absent in the results of earlier versions.
  effective: Type.Optional(Effective),
  // Absent where the operator keeps nothing of the page besides its HTML.
  evidence: Type.Optional(Type.Array(PageEvidence)),
});
export type StoredResult = Static<typeof StoredResult>;
