import { Type, type Static, type TSchema } from "typebox";
import { RunEnd } from "./event.ts";
import { BatchRecord } from "./batch.ts";
import { ProblemItem } from "./problem.ts";
import { Closed, Nullable, OptionalOrNull, StorableText, Timestamp, Uuid } from "./scalars.ts";
import { chosenFrom, SamplingFrame, SubmittedFrame } from "./prompt-proposal.ts";
import { AskUntil, AskUntilInput, QuotedWaves, RunWaves } from "./waves.ts";
import { questionOptions, requestedOptions, submittedOptions, SubmittedOptions } from "./question-options.ts";

export const panelPromptsMax = 1000;
/** The most tasks of one run: cells x repeats. They are created in one transaction. */
export const panelTasksMax = 10_000;

export const promptIdPattern = "^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$";

const promptId = Type.String({
  pattern: promptIdPattern,
  description:
    "Identifies the prompt in all revisions. Default: derived from its text, so that the same text has the same id.",
});
const topic = StorableText({ minLength: 1, maxLength: 100, description: "What the prompt is about." });
const intent = StorableText({
  minLength: 1,
  maxLength: 64,
  description: "What somebody who asks this wants, such as `compare` or `buy`.",
});
const promptText = StorableText({
  minLength: 1,
  description: "The question: 1 to 10,000 characters after trimming. Must not be blank.",
});
const personaName = StorableText({ minLength: 1, maxLength: 64, description: "Identifies the persona in the panel." });

export const PanelPrompt = Closed({
  text: promptText,
  promptId: OptionalOrNull(promptId),
  topic: OptionalOrNull(topic),
  intent: OptionalOrNull(intent),
  origins: OptionalOrNull(chosenFrom),
});

const { country, language, location } = submittedOptions;
/** Where and in which language a prompt is asked: options of the questions. At least one is set. */
export const PanelLocale = Closed({ country, language, location });
const { country: itsCountry, language: itsLanguage, location: itsLocation } = requestedOptions;
const returnedLocale = Type.Object({ country: itsCountry, language: itsLanguage, location: itsLocation });
export type Locale = Static<typeof returnedLocale>;

export const PanelPersona = Closed({
  name: personaName,
  text: questionOptions.persona.schema,
});

export const catchUps = ["all", "latest", "skip"] as const;
const cron = Type.String({
  minLength: 9,
  maxLength: 200,
  description:
    "Five fields: minute, hour, day of month, month, day of week. `0 6 * * MON` is every Monday at 6:00. A time that the change to summer time leaves out is moved forward; one that occurs twice in the autumn counts once.",
});
const timeZone = Type.String({
  minLength: 1,
  maxLength: 64,
  description: "An IANA time zone, such as `Europe/Berlin`.",
});
const jitterSeconds = Type.Integer({
  minimum: 0,
  maximum: 3600,
  description: "Each run starts up to so many seconds after its time, always the same for one time. Default: 0.",
});
const catchUp = Type.Enum([...catchUps], {
  description:
    "What happens to times that passed while no worker ran. `latest` (default): one run, for the last of them. `all`: a run for each. `skip`: none that is more than 15 minutes late.",
});
const paused = Type.Boolean({ description: "True: nothing is started until it is set to false. Default: false." });

export const PanelSchedule = Closed({
  cron,
  timeZone: OptionalOrNull(timeZone),
  jitterSeconds: OptionalOrNull(jitterSeconds),
  catchUp: OptionalOrNull(catchUp),
  paused: OptionalOrNull(paused),
});

const name = StorableText({ minLength: 1, maxLength: 200, description: "A name for people." });
const platforms = Type.Array(Type.String({ minLength: 1, maxLength: 64 }), {
  maxItems: 50,
  description:
    "Codes of answer platforms. Only a panel that an import has made may have none: it is never asked, and its answers are imported.",
});
const repeats = Type.Integer({ minimum: 1, maximum: 100, description: "How often a run asks each cell. Default: 1." });
const tags = Type.Array(StorableText({ minLength: 1, maxLength: 64, description: "A tag." }), {
  maxItems: 10,
  description: "Tags of the tasks.",
});

const platformShare = Type.Record(
  Type.String({ minLength: 1, maxLength: 64 }),
  Type.Number({ minimum: 0.01, maximum: 1 }),
  {
    maxProperties: 50,
    description:
      'Platforms of which a run asks a random part of the cells only, such as `{"chatgpt-web": 0.1}`: a tenth, rounded up, drawn anew for each run. In whole percent. `GET /v1/panels/{panel_id}/bridge` estimates their figures with the help of a platform that is asked everything.',
  },
);

/** Of one panel, own ones and competitors together. */
export const panelBrandsMax = 200;
const brandsOf = <Brand extends TSchema>(brand: Brand) => ({
  own: Type.Array(brand, { maxItems: panelBrandsMax }),
  competitors: Type.Array(brand, { maxItems: panelBrandsMax }),
});
const named = brandsOf(
  StorableText({
    minLength: 1,
    maxLength: 200,
    description: "The id or the name of an entity of the panel's project.",
  }),
);
const SubmittedBrands = Closed(
  { own: OptionalOrNull(named.own), competitors: OptionalOrNull(named.competitors) },
  {
    description:
      "The brands among which shares and places are counted, own ones and competitors: a brand that is not among them is in no figure of the panel. Left out: those of the revision before; of a new panel, the own brands and competitors that its project has by then, or by the first run at which it has any. Another set makes a new revision. It counts for all answers that were searched for these brands; for earlier ones, those of them that they were searched for.",
  },
);
const StoredBrands = Type.Object(brandsOf(Uuid));
const PanelBrands = Type.Object(brandsOf(Type.Object({ entityId: Uuid, name: Type.String() })));

/** A panel as sent. */
export const PanelInput = Closed(
  {
    name,
    prompts: Type.Array(PanelPrompt, { minItems: 1, maxItems: panelPromptsMax, description: "The questions." }),
    platforms,
    locales: OptionalOrNull(Type.Array(PanelLocale, { maxItems: 50 })),
    personas: OptionalOrNull(Type.Array(PanelPersona, { maxItems: 20 })),
    repeats: OptionalOrNull(repeats),
    platformShare: OptionalOrNull(platformShare),
    askUntil: OptionalOrNull(AskUntilInput),
    brands: OptionalOrNull(SubmittedBrands),
    tags: OptionalOrNull(tags),
    options: OptionalOrNull(SubmittedOptions),
    schedule: OptionalOrNull(PanelSchedule),
    frame: OptionalOrNull(SubmittedFrame),
  },
  {
    description: "A set of prompts that is asked again and again.",
    examples: [
      {
        name: "Coffee grinders",
        prompts: [
          { text: "Which coffee grinder should I buy?", topic: "grinders", intent: "buy" },
          { text: "Which grinder is best for espresso?", topic: "grinders", intent: "compare" },
        ],
        platforms: ["sample"],
        repeats: 3,
        tags: ["coffee"],
        schedule: { cron: "0 6 * * MON", timeZone: "Europe/Berlin" },
      },
    ],
  },
);
export type PanelInput = Static<typeof PanelInput>;

const panelContent = {
  prompts: Type.Array(Type.Object({ promptId, text: promptText, topic: Nullable(topic), intent: Nullable(intent) })),
  platforms,
  locales: Type.Array(returnedLocale, { description: "Empty: those in `options`, or the platforms' own." }),
  personas: Type.Array(Type.Object({ name: personaName, text: Type.String() })),
  repeats,
  platformShare: Type.Optional(platformShare),
  askUntil: Type.Optional(AskUntil),
  brands: Type.Optional(Nullable(StoredBrands)),
  tags,
  options: Type.Object(requestedOptions),
};
/** What is asked: what a revision consists of. */
export const PanelContent = Type.Object(panelContent);
export type PanelContent = Static<typeof PanelContent>;

export const CompleteSchedule = Type.Object({ cron, timeZone, jitterSeconds, catchUp, paused });
export type CompleteSchedule = Static<typeof CompleteSchedule>;

const revision = Type.Integer({
  minimum: 1,
  description: "Counts the changes of what is asked. A change of the name or the schedule makes no revision.",
});
const digest = Type.String({
  description: "`sha256:` and the SHA-256 of what is asked. The order of members makes no difference.",
});
const sizes = {
  promptCount: Type.Integer({ minimum: 1 }),
  cellCount: Type.Integer({
    minimum: 0,
    description: "prompts x platforms x locales x personas; of a platform with a `platformShare`, so many.",
  }),
  taskCount: Type.Integer({
    minimum: 0,
    description: "The tasks of a run: cells x repeats. With `askUntil`, of its first wave.",
  }),
};
const panelHead = {
  panelId: Uuid,
  projectId: Uuid,
  name,
  revision,
  digest,
  ...sizes,
  schedule: Nullable(CompleteSchedule, { description: "Null if it runs on request only." }),
  nextRunAt: Nullable(Timestamp, { description: "When the schedule starts its next run. Null: not at all." }),
  createdAt: Timestamp,
  updatedAt: Timestamp,
};

/** What a panel is and asks, as stored. */
export const StoredPanel = Type.Object({
  ...panelHead,
  ...panelContent,
  brands: Nullable(StoredBrands),
  frame: Type.Optional(SamplingFrame),
});
export type StoredPanel = Static<typeof StoredPanel>;

export const BrandedPrompt = Type.Object({
  promptId,
  entityIds: Type.Array(Uuid, { minItems: 1, description: "The entities that the text of the prompt names." }),
});
export const PanelRecord = Type.Object({
  ...panelHead,
  ...panelContent,
  brands: Nullable(PanelBrands, {
    description:
      "The brands among which shares and places are counted. Null: the panel names none, and its project had none when it last ran; as long as this is so, they are all own brands and competitors of the project.",
  }),
  brandedPrompts: Type.Array(BrandedPrompt, {
    description:
      "Prompts whose text names entities of the project as they are now. Their answers name them because they were asked to, so they are left out of the figures of these entities.",
  }),
  frame: Type.Optional(SamplingFrame),
  brandedPromptsUnknown: Type.Optional(
    Type.Boolean({
      description:
        "True: the prompts could not be searched for the account's entities, because they take too much work, or too many searches were waiting. Figures of the panel reply 503 as long as this is so. Otherwise absent.",
    }),
  ),
});
export type PanelRecord = Static<typeof PanelRecord>;
export const PanelSummary = Type.Object(panelHead, { description: "A panel without what it asks." });
export type PanelSummary = Static<typeof PanelSummary>;
export const PanelPage = Type.Object({ panels: Type.Array(PanelSummary), nextCursor: Nullable(Type.String()) });
export type PanelPage = Static<typeof PanelPage>;

export const PanelRevision = Type.Object({ revision, digest, ...sizes, createdAt: Timestamp });
export const PanelRevisions = Type.Object({
  revisions: Type.Array(PanelRevision, { description: "Newest first." }),
});
export type PanelRevisions = Static<typeof PanelRevisions>;

export const PanelQuote = Type.Object({
  valid: Type.Boolean({ description: "True if a run would be accepted." }),
  cellCount: Type.Integer({ minimum: 0 }),
  taskCount: Type.Integer({ minimum: 0, description: "The tasks of one run; with `askUntil`, the most." }),
  estimatedPoints: Type.Integer({ minimum: 0, description: "The price of one run; with `askUntil`, the most." }),
  waves: Nullable(QuotedWaves, { description: "Null if the panel has no `askUntil`." }),
  availablePoints: Type.Integer({ minimum: 0 }),
  affordable: Type.Boolean(),
  capExceeded: Nullable(Type.String(), {
    description: "Which caps a run would exceed now, and by how much. Null: none.",
  }),
  errors: Type.Array(ProblemItem),
  nextSlots: Type.Array(Timestamp, {
    description: "The next times of the schedule, at most 60. Empty if there is none, or it is paused.",
  }),
  firstInterval: Nullable(Timestamp, {
    description:
      "The time of the schedule with which its figures have intervals: of the fifth run. Null: they have them, or no time is scheduled.",
  }),
  firstVerdict: Nullable(Timestamp, {
    description:
      "The time of the schedule with which changes are judged: of the fifth day (UTC) with a run. Null: they are, or no time is scheduled.",
  }),
});
export type PanelQuote = Static<typeof PanelQuote>;

export const panelRunStates = ["started", "refused", "missed"] as const;
export const PanelRun = Type.Object({
  runId: Uuid,
  panelId: Uuid,
  revision,
  slot: Nullable(Timestamp, { description: "The time of the schedule. Null: it was requested." }),
  state: Type.Enum([...panelRunStates], {
    description:
      "`started`: its tasks were created; `batches` says how they are doing. `refused`: nothing was created and no points were held, for the reason in `problem`. `missed`: its time passed while no worker ran, and the schedule's `catchUp` left it out.",
  }),
  cellCount: Type.Integer({ minimum: 0 }),
  taskCount: Type.Integer({ minimum: 0 }),
  points: Type.Integer({
    minimum: 0,
    description: "The points that were held; for a refused run, its price if known.",
  }),
  problem: Nullable(Type.Object({ code: Type.String(), detail: Type.String() })),
  waves: Nullable(RunWaves, { description: "Null if the run asks everything at once." }),
  batches: Type.Array(BatchRecord, {
    description: "The batches of the run, at most 1,000 tasks each by default. Each wave adds its own.",
  }),
  createdAt: Timestamp,
  endedAt: Nullable(Timestamp, { description: "When the last of its tasks ended, noticed within seconds." }),
  tasks: Nullable(RunEnd, { description: "How its tasks ended. Null until all have." }),
});
export type PanelRun = Static<typeof PanelRun>;
export const PanelRuns = Type.Object({
  runs: Type.Array(PanelRun, { description: "Newest first." }),
  nextCursor: Nullable(Type.String()),
});
export type PanelRuns = Static<typeof PanelRuns>;
