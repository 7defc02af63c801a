import { Type, type Static } from "typebox";
import { Closed, Nullable, OptionalOrNull, StorableText, Timestamp, Uuid, UtcTimestamp } from "./scalars.ts";

/** The forms of lines that can be imported. */
export const importFormats = ["querent", "serpapi", "dataforseo"] as const;
export type ImportFormat = (typeof importFormats)[number];

const text = (maxLength: number, description: string) => StorableText({ minLength: 1, maxLength, description });

/** One line of an import in the service's own form: an answer from elsewhere. */
export const ImportedAnswer = Closed({
  id: OptionalOrNull(
    text(255, "Identifies the answer where it comes from. Without it, an answer is the same if its line is the same."),
  ),
  question: text(100_000, "The question, as it was asked."),
  platformCode: text(64, "Where it was asked. Any code, also of platforms that this service does not have."),
  observedAt: UtcTimestamp,
  content: Nullable(StorableText({ minLength: 0, maxLength: 1_048_576, description: "The answer." })),
  unread: OptionalOrNull(
    Type.Boolean({
      description:
        "True: the platform had an answer, but its text and sources were not read. It counts as an answer, and in no figure about what answers say. `content` must be null.",
    }),
  ),
  modelVersion: OptionalOrNull(text(255, "The model that the platform reported.")),
  locale: OptionalOrNull(text(255, "Country and language of the question, in any notation.")),
  persona: OptionalOrNull(text(255, "The persona that asked.")),
  panelId: Type.Optional(
    Nullable(Uuid, {
      description: "The panel whose prompt was asked. Default: the panel that the request names, if any.",
    }),
  ),
  promptId: OptionalOrNull(
    text(
      255,
      "The prompt: answers with the same one are answers to the same prompt. With a panel, one of its prompts; without it, the panel's prompt whose text is `question`.",
    ),
  ),
  topic: OptionalOrNull(
    text(100, "The topic of the prompt. Only read if the import adds the prompt to a panel of imported answers."),
  ),
  run: OptionalOrNull(
    text(
      255,
      "With a panel: in which run it was asked. The id of a run of the panel, or any name: answers with the same one are of one run. Default: the day of `observedAt` (UTC).",
    ),
  ),
  repeat: OptionalOrNull(Type.Integer({ minimum: 1, maximum: 1_000_000, description: "Which of several repeats." })),
  clientReference: OptionalOrNull(text(255, "Your own reference.")),
  tags: OptionalOrNull(Type.Array(text(64, "A tag."), { maxItems: 10 })),
  sources: OptionalOrNull(
    Type.Array(
      Closed({
        url: text(8192, "The address as the platform gave it."),
        title: OptionalOrNull(StorableText({ minLength: 0, maxLength: 2000, description: "Its title." })),
        site: OptionalOrNull(
          StorableText({
            minLength: 0,
            maxLength: 2000,
            description:
              "The host name of its site. Only read if `url` is a redirect that does not contain the address of its page; what is no host name is ignored. For redirects of Gemini, the title is read where there is none.",
          }),
        ),
      }),
      { maxItems: 1000 },
    ),
  ),
  products: OptionalOrNull(
    Type.Array(
      Closed({
        title: text(2000, "The product's name."),
        url: OptionalOrNull(text(8192, "Its address.")),
        price: OptionalOrNull(text(255, "The price, as it was shown.")),
        priceUnit: OptionalOrNull(text(255, "Its unit, if that stood beside it.")),
        shop: OptionalOrNull(text(255, "The shop, as it was named.")),
      }),
      { maxItems: 1000, description: "In the order in which the answer shows them." },
    ),
  ),
  ads: OptionalOrNull(
    Type.Array(
      Closed({
        advertiser: OptionalOrNull(text(2000, "As the advertisement names it.")),
        title: OptionalOrNull(text(2000, "Its title.")),
        url: OptionalOrNull(text(8192, "The landing page. Identifiers of clicks are removed; it is never opened.")),
        displayUrl: OptionalOrNull(text(8192, "The address as the advertisement shows it.")),
        placement: OptionalOrNull(text(255, "Where it stood, such as `below_answer`.")),
      }),
      {
        maxItems: 50,
        description:
          "The advertisements beside the answer. Empty: there were none. Null: it is not known whether there were any.",
      },
    ),
  ),
  relatedQuestions: OptionalOrNull(
    Type.Array(text(2000, "A question."), {
      maxItems: 1000,
      description: "Questions that were shown beside the answer.",
    }),
  ),
  relatedSearches: OptionalOrNull(
    Type.Array(text(2000, "A search."), { maxItems: 1000, description: "Searches that were shown beside the answer." }),
  ),
  searches: OptionalOrNull(
    Type.Array(text(2000, "What was searched for."), { maxItems: 1000, description: "Null if it is not known." }),
  ),
});
export type ImportedAnswer = Static<typeof ImportedAnswer>;

const ImportWarning = Type.Object({
  pointer: Type.String({ description: "`/LINE`, with the number of the line." }),
  detail: Type.String(),
});
export type ImportWarning = Static<typeof ImportWarning>;

/** An import so far. */
export const ImportRecord = Type.Object({
  importId: Uuid,
  name: Type.String(),
  format: Type.Enum([...importFormats]),
  panelId: Nullable(Uuid, {
    description:
      "The panel that the request named, or that the import made: that of answers which name none. Null: none.",
  }),
  nextLine: Type.Integer({
    minimum: 1,
    description: "The first line that has not been received. To continue an interrupted import, send from here on.",
  }),
  importedCount: Type.Integer({ minimum: 0, description: "Answers that became observations." }),
  duplicateCount: Type.Integer({ minimum: 0, description: "Answers that were there already, and were left alone." }),
  createdAt: Timestamp,
  updatedAt: Timestamp,
  warnings: Type.Optional(
    Type.Array(ImportWarning, {
      description:
        "In the reply to a part: lines that were imported, but with less than they announce (the first 100). Absent if there are none.",
    }),
  ),
});
export type ImportRecord = Static<typeof ImportRecord>;

export const ImportPage = Type.Object({
  imports: Type.Array(ImportRecord),
  nextCursor: Nullable(Type.String()),
});
export type ImportPage = Static<typeof ImportPage>;
