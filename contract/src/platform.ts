import { Type, type Static } from "typebox";
import { Nullable, Timestamp } from "./scalars.ts";
import { failureCodes } from "./failure.ts";
import { outputs, PlatformOptions, PlatformOptionValues, resultFormats } from "./question-options.ts";
import { platformKinds } from "./task-result.ts";

export const driftSigns = ["fallback", "unmatched", "check", "unread"] as const;

/** Why a platform or output is unavailable. The codes are those of the errors that a submission returns. */
export const Unavailability = Type.Object({
  code: Type.Enum(["platform_not_configured", "browser_unavailable"]),
  detail: Type.String({ description: "An explanation for people." }),
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
  "no_worker",
] as const;
export type PlatformState = (typeof platformStates)[number];

/** How far a recipe is known to match its page. */
export const recipeStatuses = ["checked_live", "from_source", "unchecked"] as const;

/** A platform as listed by `GET /v1/platforms`: its outputs, prices and health. */
export const PlatformRecord = Type.Object({
  platformCode: Type.String(),
  name: Type.String(),
  kind: Type.Enum([...platformKinds]),
  recipe: Nullable(
    Type.Object({
      status: Type.Enum([...recipeStatuses], {
        description:
          "`checked_live`: it was seen to work on the page. `from_source`: it was written from public sources of `checkedOn`, and not checked on the page. `unchecked`: neither is known.",
      }),
      checkedOn: Nullable(Type.String({ format: "date" })),
    }),
    { description: "How far a web platform's recipe is known to match its page. Null for platforms of other kinds." },
  ),
  configured: Type.Boolean({
    description:
      "False if something that it requires is missing, such as its key or a browser. Tasks for it are rejected.",
  }),
  unavailable: Nullable(Unavailability, {
    description: "Why tasks for it are currently rejected. Null while they are accepted.",
  }),
  standIn: Type.Boolean({
    description:
      "True: an example page of the service answers in place of the platform until the operator has set that up. Its answers are invented, and their `provenance` has the kind `sample` and `standIn: true`.",
  }),
  setUp: Nullable(
    Type.Object({
      reason: Type.String({ description: "What the platform lacks, for people." }),
      command: Type.String({ description: "The command with which the operator sets it up." }),
    }),
    { description: "What the operator can do to set the platform up. Null if it is set up." },
  ),
  outputs: Type.Array(Type.Enum([...outputs]), { description: "The outputs that are currently accepted." }),
  unavailableOutputs: Type.Array(Type.Object({ output: Type.Enum([...outputs]), ...Unavailability.properties }), {
    description: "The outputs that are currently rejected, with the reason.",
  }),
  state: Type.Enum([...platformStates], {
    description:
      "The current state. `ready`: no known problem. `degraded`: the last attempt failed, or fewer than 9 in 10 recent attempts succeeded. `failing`: no recent attempt succeeded, or the circuit breaker has opened and no probe has succeeded since. `throttled`: it returned a rate limit, and no request is sent before `throttledUntil`. `paused`: the operator has set its limit to 0. `not_configured`: something that it requires is missing, and tasks for it are rejected. `no_browser`: it requires a browser, and none is available. `no_worker`: no running worker can ask it, and its tasks wait for one. More states may be added.",
  }),
  failingSince: Nullable(Timestamp, {
    description: "The time of the first failure after the last success. Null if the last attempt succeeded.",
  }),
  lastFailure: Nullable(
    Type.Object({
      code: Type.Enum([...failureCodes]),
      message: Type.String({ description: "A message for people. Contains no secrets." }),
      at: Timestamp,
      platformStatus: Nullable(Type.Integer()),
    }),
    {
      description: "The last failed or throttled attempt, over all accounts. Kept after the platform has recovered.",
    },
  ),
  breakerOpenUntil: Nullable(Timestamp, {
    description:
      "Set while the circuit breaker is open after consecutive failures. No request is sent before this time.",
  }),
  throttledSince: Nullable(Timestamp),
  throttledUntil: Nullable(Timestamp, {
    description: "Set while it is throttled. No request is sent before this time.",
  }),
  nextTryAt: Nullable(Timestamp, {
    description: "The later of `breakerOpenUntil` and `throttledUntil`. Null if both are null.",
  }),
  resultFormats: Type.Array(Type.Enum([...resultFormats])),
  options: Type.Object(PlatformOptions.properties, {
    description:
      "How the platform supports each of the options that say from where, as whom and with what a question is asked.",
  }),
  optionValues: Type.Object(PlatformOptionValues.properties, {
    description: "Which values of these options the platform supports.",
  }),
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
        "The fields that the platform can return. A field that is false here is `not_exposed` in a task's `availability`.",
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
    { description: "Points: `base`, and the amount that each option adds." },
  ),
  runTimeoutSeconds: Type.Integer(),
  health: Type.Object({
    windowSeconds: Type.Integer(),
    finished: Type.Integer({
      description: "The number of attempts that completed or failed in the window, over all accounts.",
    }),
    successRate: Nullable(Type.Number({ minimum: 0, maximum: 1 })),
    p50Seconds: Nullable(Type.Number({ minimum: 0 }), {
      description:
        "Median duration of the successful attempts in seconds. Excludes time in the queue, throttling, open circuit breakers and failed attempts.",
    }),
    p95Seconds: Nullable(Type.Number({ minimum: 0 }), { description: "The 95th percentile of the same." }),
    recent: Type.Object(
      {
        windowSeconds: Type.Integer(),
        finished: Type.Integer({ minimum: 0 }),
        successRate: Nullable(Type.Number({ minimum: 0, maximum: 1 })),
      },
      {
        description:
          "The same for the last 5 minutes, or for the whole window if no attempt ended in them. `state` is derived from it. Up to 5 seconds old.",
      },
    ),
    queued: Type.Integer({ minimum: 0, description: "Your account's waiting tasks." }),
    running: Type.Integer({ minimum: 0, description: "Your account's running tasks." }),
    drift: Nullable(
      Type.Array(
        Type.Object({
          what: Type.String({ description: "The key in the recipe, such as `composer.input` or `extract.sources`." }),
          sign: Type.Enum([...driftSigns], {
            description:
              "`fallback`: a selector other than the first of its list matched. `unmatched`: no selector of a required list matched. `check`: the page indicates more items than were parsed. `unread`: a field that most earlier answers had is no longer parsed.",
          }),
          since: Timestamp,
          share: Type.Number({
            minimum: 0,
            maximum: 1,
            description: "The share of the attempts of the last 24 hours.",
          }),
        }),
        {
          description:
            "Mismatches between a web platform's page and its current recipe in the last 8 days, most frequent first. Empty if there are none.",
        },
      ),
      { description: "Null for platforms of other kinds." },
    ),
  }),
});
export type PlatformRecord = Static<typeof PlatformRecord>;

export const PlatformList = Type.Object({ platforms: Type.Array(PlatformRecord) });
export type PlatformList = Static<typeof PlatformList>;
