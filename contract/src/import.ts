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
  modelVersion: OptionalOrNull(text(255, "The model that the platform reported.")),
  locale: OptionalOrNull(text(255, "Country and language of the question, in any notation.")),
  persona: OptionalOrNull(text(255, "The persona that asked.")),
  promptId: OptionalOrNull(text(255, "The prompt: answers with the same one are answers to the same prompt.")),
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
      }),
      { maxItems: 1000, description: "In the order in which the answer shows them." },
    ),
  ),
  searches: OptionalOrNull(
    Type.Array(text(2000, "What was searched for."), { maxItems: 1000, description: "Null if it is not known." }),
  ),
});
export type ImportedAnswer = Static<typeof ImportedAnswer>;

/** An import so far. */
export const ImportRecord = Type.Object({
  importId: Uuid,
  name: Type.String(),
  format: Type.Enum([...importFormats]),
  nextLine: Type.Integer({
    minimum: 1,
    description: "The first line that has not been received. To continue an interrupted import, send from here on.",
  }),
  importedCount: Type.Integer({ minimum: 0, description: "Answers that became observations." }),
  duplicateCount: Type.Integer({ minimum: 0, description: "Answers that were there already, and were left alone." }),
  createdAt: Timestamp,
  updatedAt: Timestamp,
});
export type ImportRecord = Static<typeof ImportRecord>;

export const ImportPage = Type.Object({
  imports: Type.Array(ImportRecord),
  nextCursor: Nullable(Type.String()),
});
export type ImportPage = Static<typeof ImportPage>;
