import { Type, type Static, type TSchema } from "typebox";
import { Closed, Nullable, OptionalOrNull, StorableText, UtcTimestamp, Uuid } from "./scalars.ts";

/** Where proposals of prompts come from, in the order in which they are named. */
export const promptOrigins = ["search", "search_console", "page", "template", "pasted"] as const;
export type PromptOrigin = (typeof promptOrigins)[number];

/** The languages for which there are rules: of questions, of intents, and templates. */
export const proposalLanguages = ["en", "zh", "de", "fr", "es", "ja"] as const;
export type ProposalLanguage = (typeof proposalLanguages)[number];

export const promptIntents = ["informational", "comparison", "transactional", "navigational"] as const;
export type PromptIntent = (typeof promptIntents)[number];

/** The most proposals of a reply. More are counted, not listed. */
export const promptProposalsMax = 2_000;
/** How often proposals may have been drawn for one revision of a panel. */
export const promptDrawsMax = 20;
/** Pages of a site that are read. */
export const sitePagesMax = 20;

const count = (description: string) => Type.Integer({ minimum: 0, maximum: 10_000_000, description });
const ofOrigins = (description: string) =>
  Closed(
    Object.fromEntries(promptOrigins.map((origin) => [origin, count(`Of the origin \`${origin}\`.`)])) as OriginCounts,
    {
      description,
    },
  );
type OriginCounts = Record<PromptOrigin, ReturnType<typeof count>>;

const language = Type.Enum([...proposalLanguages]);
const atMost = <Item extends TSchema>(item: Item, maxItems: number, description: string) =>
  Type.Array(item, { minItems: 1, maxItems, description });

/** From what prompts are proposed. */
export const PromptProposalRequest = Closed(
  {
    panelId: OptionalOrNull({
      ...Uuid,
      description: "A panel: what it asks already is marked. Its project is the one whose brands and panels are read.",
    }),
    language: OptionalOrNull(
      Type.Enum([...proposalLanguages], {
        description: "The language of texts whose language is not recognised by their letters and words.",
      }),
    ),
    searches: OptionalOrNull(
      Closed(
        {
          panelIds: OptionalOrNull(atMost(Uuid, 50, "Panels of the project. Default: its newest 50.")),
          from: OptionalOrNull({ ...UtcTimestamp, description: "Default: 90 days before `to`." }),
          to: OptionalOrNull({ ...UtcTimestamp, description: "Default: now." }),
        },
        {
          description:
            "The searches that platforms made for the answers of the project's panels, and the related questions and searches that they showed: of the newest 50,000 answers in the window.",
        },
      ),
    ),
    searchConsole: OptionalOrNull(
      Closed(
        {
          csv: Type.String({
            minLength: 1,
            maxLength: 8_000_000,
            description:
              "The text of `Queries.csv` of an export: the first column has the queries, whatever its header is called. Clicks, impressions and positions are read if their headers are known, in the languages of the exports. Separated by commas, semicolons or tabs, with or without a byte order mark. At most 50,000 rows are read.",
          }),
        },
        { description: "What people searched for, as Google Search Console exports it." },
      ),
    ),
    site: OptionalOrNull(
      Closed(
        {
          address: StorableText({
            minLength: 1,
            maxLength: 2048,
            description: `A page, \`example.com\` or \`https://example.com/shop\`. It and up to ${sitePagesMax - 1} pages of the same site are read, which its links and the sitemap name, as far as the site's \`robots.txt\` allows it to \`Querent\`.`,
          }),
        },
        { description: "The site's own pages: titles, headings, and questions that they answer." },
      ),
    ),
    templates: OptionalOrNull(
      Closed(
        {
          topics: OptionalOrNull(
            atMost(
              StorableText({ minLength: 1, maxLength: 100, description: "What is sold, as customers call it." }),
              20,
              "For `the best …`. Proposals that contain all words of a topic are grouped under it.",
            ),
          ),
          languages: OptionalOrNull(atMost(language, proposalLanguages.length, "Default: `language`, or `en`.")),
        },
        {
          description:
            "Prompts made from the topics, and from the names of the project's brands: alternatives to each competitor, and each own brand against each competitor.",
        },
      ),
    ),
    questions: OptionalOrNull(
      Closed(
        {
          text: Type.String({
            minLength: 1,
            maxLength: 1_000_000,
            description: "Lines, or texts of forums and mails. The sentences in it that are questions are taken.",
          }),
        },
        { description: "Questions that people ask." },
      ),
    ),
  },
  {
    description: "At least one of the five sources.",
    examples: [
      {
        templates: { topics: ["coffee grinder"], languages: ["en", "de"] },
        searchConsole: { csv: "Top queries,Clicks,Impressions,CTR,Position\nbest coffee grinder,12,340,3.5%,8.2\n" },
      },
    ],
  },
);
export type PromptProposalRequest = Static<typeof PromptProposalRequest>;

const origins = Type.Array(Type.Enum([...promptOrigins]), { maxItems: promptOrigins.length, uniqueItems: true });
/** From which origins a prompt was chosen, as it is sent. */
export const chosenFrom = Type.Array(Type.Enum([...promptOrigins]), {
  maxItems: promptOrigins.length,
  description:
    "The origins of the proposal that the prompt was chosen from. Left out: as in the revision before; of a new prompt, it was written by hand. Returned in counts only, in `frame`.",
});

/** What was drawn from: how many proposals there were, and by which settings. */
export const PromptDraw = Closed({
  proposedAt: { ...UtcTimestamp, description: "When they were proposed." },
  proposals: count("Different proposals."),
  byOrigin: ofOrigins("Of each origin; a proposal may have several."),
  settings: Closed(
    {
      panels: OptionalOrNull(count("Panels whose answers' searches were read.")),
      from: OptionalOrNull(UtcTimestamp),
      to: OptionalOrNull(UtcTimestamp),
      rows: OptionalOrNull(count("Rows of the Search Console export.")),
      site: OptionalOrNull(StorableText({ minLength: 1, maxLength: 300, description: "The host that was read." })),
      pages: OptionalOrNull(count("Pages that were read.")),
      topics: OptionalOrNull(
        Type.Array(StorableText({ minLength: 1, maxLength: 100, description: "A topic." }), { maxItems: 20 }),
      ),
      languages: OptionalOrNull(Type.Array(language, { maxItems: proposalLanguages.length })),
      questions: OptionalOrNull(count("Questions in what was pasted.")),
    },
    { description: "What was read for them." },
  ),
});
export type PromptDraw = Static<typeof PromptDraw>;

/** As it is sent with a panel. */
export const SubmittedFrame = Closed(
  {
    draws: Type.Array(PromptDraw, {
      maxItems: promptDrawsMax,
      description: "`draw` of each reply of `POST /v1/prompt-proposals` from which prompts were chosen, unchanged.",
    }),
  },
  {
    description:
      "From which proposals the prompts were chosen. It is kept with the revision and changes nothing of what is asked. Left out: as in the revision before. Empty: not known.",
  },
);

const frameCounts = {
  proposals: count("Proposals of all draws."),
  byOrigin: ofOrigins("Of each origin; a proposal may have several."),
  chosen: count("Prompts of the revision that were chosen from them."),
  chosenByOrigin: ofOrigins("Of each origin; a prompt may have several."),
  written: count("Prompts of the revision that were not: they were written by hand."),
};

/** As a report tells it. */
export const ReportFrame = Type.Object(frameCounts, {
  description: "From how many proposals the prompts of the current revision were chosen. Absent: it is not known.",
});
export type ReportFrame = Static<typeof ReportFrame>;

/** As it is returned. */
export const SamplingFrame = Type.Object(
  {
    draws: Type.Array(PromptDraw, { description: "Oldest first." }),
    ...frameCounts,
  },
  {
    description:
      "From how many proposals the prompts were chosen. Absent if it is not known, as of panels whose prompts were all written by hand or come from a file.",
  },
);
export type SamplingFrame = Static<typeof SamplingFrame>;

export const ProposedEntity = Type.Object({
  entityId: Uuid,
  name: Type.String(),
  relation: Type.Enum(["own", "competitor", "other"]),
});

export const PromptEvidence = Type.Object(
  {
    origin: Type.Enum([...promptOrigins]),
    kind: Type.Optional(
      Type.String({
        description:
          "Of `search`: `search`, `related_question` or `related_search`. Of `page`: `title`, `heading`, `question`, `faq` or `details`. Of `template`: which one.",
      }),
    ),
    text: Type.Optional(Type.String({ description: "As it was found, if it is not the proposal's text." })),
    answers: Type.Optional(count("Of `search`: answers with it.")),
    panelId: Type.Optional(Uuid),
    runId: Type.Optional(Nullable(Uuid, { description: "Of the newest of these answers." })),
    taskId: Type.Optional(Nullable(Uuid)),
    observationId: Type.Optional(Uuid),
    platformCode: Type.Optional(Type.String()),
    clicks: Type.Optional(Nullable(count("Of `search_console`."))),
    impressions: Type.Optional(Nullable(count("Of `search_console`."))),
    position: Type.Optional(Nullable(Type.Number({ description: "Of `search_console`: the mean position." }))),
    address: Type.Optional(Type.String({ description: "Of `page`." })),
    line: Type.Optional(count("Of `pasted` and `search_console`: where it stands.")),
    entityIds: Type.Optional(Type.Array(Uuid, { description: "Of `template`: the brands that it names." })),
  },
  { description: "Why it is proposed." },
);
export type PromptEvidence = Static<typeof PromptEvidence>;

export const PromptProposal = Type.Object({
  text: Type.String({ description: "As it was found most often: a question, or the keywords of a search." }),
  question: Nullable(Type.String(), {
    description: "The same as a question, if `text` is none and a rule can make one of it. Read it before you use it.",
  }),
  language: Nullable(Type.String(), { description: "As its letters and words say; null if they don't." }),
  topic: Nullable(Type.String(), {
    description: "A term that several proposals have in common. Null: there is none.",
  }),
  intent: Type.Enum([...promptIntents], {
    description:
      "`comparison`: it chooses between things. `transactional`: it is about buying. `navigational`: it looks for a page of a brand. `informational`: anything else.",
  }),
  intentWord: Nullable(Type.String(), { description: "The word that decided it. Null: none did." }),
  branded: Type.Boolean({
    description:
      "True if it names an own brand or a competitor, in whatever case, or a host of theirs. Its answers name them because they were asked to, so it belongs into no panel that measures visibility.",
  }),
  entities: Type.Array(ProposedEntity, { description: "The entities of the project that it names." }),
  origins,
  evidence: Type.Array(PromptEvidence, { description: "At most five, the strongest of each origin first." }),
  evidenceCount: count("All of it."),
  variants: Type.Array(Type.String(), { description: "Other ways in which it was written, at most five." }),
  inPanel: Type.Boolean({ description: "True if the panel of `panelId` asks it already, in whatever form." }),
});
export type PromptProposal = Static<typeof PromptProposal>;

export const PromptSourceFacts = Type.Object({
  origin: Type.Enum([...promptOrigins]),
  found: count("Texts that were found and taken."),
  leftOut: Type.Record(Type.String(), Type.Integer({ minimum: 1 }), {
    description:
      "Texts that were not taken: `too_long`, `too_short`, `no_question`, `chrome` (of the site's menus), `faulty_row`, `too_many`.",
  }),
  pages: Type.Optional(
    Type.Array(
      Type.Object({
        address: Type.String(),
        outcome: Type.Enum(
          [
            "read",
            "cut",
            "disallowed",
            "robots_unavailable",
            "elsewhere",
            "not_allowed",
            "not_html",
            "failed",
            "too_late",
          ],
          {
            description:
              "`cut`: read up to the limit of a page. `disallowed`: by the site's robots.txt. `robots_unavailable`: robots.txt could not be read, so no page was. `elsewhere`: it redirects to another site. `not_allowed`: its address is not one of a public host. `failed`: no answer, or an error. `too_late`: the time for the site was over.",
          },
        ),
        status: Type.Optional(Type.Integer()),
      }),
      { description: "Of `page`: what was requested, in that order." },
    ),
  ),
});
export type PromptSourceFacts = Static<typeof PromptSourceFacts>;

export const PromptProposals = Type.Object({
  proposals: Type.Array(PromptProposal, {
    maxItems: promptProposalsMax,
    description: "By topic, those with the most proposals first; within a topic, the strongest first.",
  }),
  more: count("Proposals that are counted but not listed."),
  sources: Type.Array(PromptSourceFacts),
  draw: PromptDraw,
});
export type PromptProposals = Static<typeof PromptProposals>;
