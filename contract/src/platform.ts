import { Type, type Static } from "typebox";
import { Nullable, Timestamp } from "./scalars.ts";
import { failureCodes } from "./failure.ts";
import { outputs, resultFormats } from "./task-options.ts";
import { platformKinds } from "./task-result.ts";

export const driftSigns = ["fallback", "unmatched", "check", "unread"] as const;

/** Why something is refused although it is known. The codes are those of the errors that a submission gets. */
export const Unavailability = Type.Object({
  code: Type.Enum(["platform_not_configured", "browser_unavailable"]),
  detail: Type.String({ description: "For people, in one or a few sentences." }),
});
export type Unavailability = Static<typeof Unavailability>;
export const platformStates = [
  "ready",
  "degraded",
  "failing",
  "throttled",
  "paused",
  "not_configured",
  "no_browser",
] as const;
export type PlatformState = (typeof platformStates)[number];

/** A platform as `GET /v1/platforms` lists it: what it can return, what it costs, how it does. */
export const PlatformRecord = Type.Object({
  platformCode: Type.String(),
  name: Type.String(),
  kind: Type.Enum([...platformKinds]),
  configured: Type.Boolean({
    description:
      "False when something that it needs is missing, such as its key or a browser; tasks for it are refused then.",
  }),
  unavailable: Nullable(Unavailability, {
    description: "Why tasks for it are refused at present; null while they are accepted.",
  }),
  outputs: Type.Array(Type.Enum([...outputs]), { description: "The outputs that are accepted at present." }),
  unavailableOutputs: Type.Array(Type.Object({ output: Type.Enum([...outputs]), ...Unavailability.properties }), {
    description: "Outputs that are refused at present, with why.",
  }),
  state: Type.Enum([...platformStates], {
    description:
      "Whether it answers now. `ready`: nothing speaks against it. `degraded`: its last attempt failed, or less than 9 of 10 succeeded lately. `failing`: none succeeded lately, or its breaker has opened and no probe has succeeded since. `throttled`: it asked for fewer requests, and is not asked before `throttledUntil`. `paused`: the operator has set its limit to 0. `not_configured`: something that it needs is missing; tasks for it are refused. `no_browser`: it needs a browser, and there is none. More states may be added.",
  }),
  failingSince: Nullable(Timestamp, {
    description: "Its first failure after its last success; null: the last attempt succeeded.",
  }),
  lastFailure: Nullable(
    Type.Object({
      code: Type.Enum([...failureCodes]),
      message: Type.String({ description: "For people. Holds no secret." }),
      at: Timestamp,
      platformStatus: Nullable(Type.Integer()),
    }),
    {
      description:
        "The last time that it failed, or throttled, over all accounts. It stays when the platform works again.",
    },
  ),
  breakerOpenUntil: Nullable(Timestamp, {
    description: "Set while its breaker is open: it failed many times in a row, and nothing is asked before.",
  }),
  throttledSince: Nullable(Timestamp),
  throttledUntil: Nullable(Timestamp, { description: "Set while it is throttled: nothing is asked before." }),
  nextTryAt: Nullable(Timestamp, { description: "The later of the two; null: it may be asked now." }),
  resultFormats: Type.Array(Type.Enum([...resultFormats])),
  returns: Type.Object(
    {
      sources: Type.Boolean(),
      products: Type.Boolean(),
      videos: Type.Boolean(),
      media: Type.Boolean(),
      reasoningProcess: Type.Boolean(),
      searchProcess: Type.Boolean(),
      pageHtml: Type.Boolean(),
    },
    {
      description:
        "What the platform can give. A field that is false here is `not_exposed` in a task's `availability`.",
    },
  ),
  price: Type.Object(
    {
      base: Type.Integer({ minimum: 0 }),
      deepAnalysis: Type.Integer({ minimum: 0 }),
      screenshot: Type.Integer({ minimum: 0 }),
      shareLink: Type.Integer({ minimum: 0 }),
      pageHtml: Type.Integer({ minimum: 0 }),
    },
    { description: "Whole points: `base`, and what each option adds." },
  ),
  runTimeoutSeconds: Type.Integer(),
  health: Type.Object({
    windowSeconds: Type.Integer(),
    finished: Type.Integer({ description: "Attempts completed or failed in the window, over all accounts." }),
    successRate: Nullable(Type.Number({ minimum: 0, maximum: 1 })),
    p50Seconds: Nullable(Type.Number({ minimum: 0 }), {
      description:
        "Seconds to answer: half of the attempts that brought an answer took no longer, from their start to their end. Time in the queue, throttles, open breakers and attempts that failed are not part of it.",
    }),
    p95Seconds: Nullable(Type.Number({ minimum: 0 }), { description: "19 of 20 took no longer." }),
    recent: Type.Object(
      {
        windowSeconds: Type.Integer(),
        finished: Type.Integer({ minimum: 0 }),
        successRate: Nullable(Type.Number({ minimum: 0, maximum: 1 })),
      },
      {
        description:
          "The same of the last 5 minutes, or of the whole window where nothing ended in these. `state` is derived from it. Up to 5 seconds behind.",
      },
    ),
    queued: Type.Integer({ minimum: 0, description: "Your own tasks that wait." }),
    running: Type.Integer({ minimum: 0, description: "Your own tasks that run." }),
    drift: Nullable(
      Type.Array(
        Type.Object({
          what: Type.String({ description: "The place in the recipe, such as `composer.input` or `extract.sources`." }),
          sign: Type.Enum([...driftSigns], {
            description:
              "`fallback`: not the first selector of the list matched, but a later one. `unmatched`: none of a list that every answer needs. `check`: the page told of more than was read. `unread`: nothing is read any more of what most answers had before.",
          }),
          since: Timestamp,
          share: Type.Number({ minimum: 0, maximum: 1, description: "Of the asks of the last 24 hours." }),
        }),
        {
          description:
            "Where a web platform's page is not as its recipe says, the most frequent first; empty while it is. It looks back 8 days, and at the recipe that is in use.",
        },
      ),
      { description: "Null for platforms that are not web pages." },
    ),
  }),
});
export type PlatformRecord = Static<typeof PlatformRecord>;

export const PlatformList = Type.Object({ platforms: Type.Array(PlatformRecord) });
export type PlatformList = Static<typeof PlatformList>;
