import { Type, type Static } from "typebox";
import { Nullable } from "./scalars.ts";
import { outputs, platformKinds, resultFormats } from "./task.ts";

/** A platform as `GET /v1/platforms` lists it: what it can return, what it costs, how it does. */
export const PlatformRecord = Type.Object({
  platformCode: Type.String(),
  name: Type.String(),
  kind: Type.Enum([...platformKinds]),
  configured: Type.Boolean({
    description: "False when something that it needs is missing, such as its key; tasks for it are refused then.",
  }),
  outputs: Type.Array(Type.Enum([...outputs])),
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
    finished: Type.Integer({ description: "Tasks completed or failed in the window." }),
    successRate: Nullable(Type.Number({ minimum: 0, maximum: 1 })),
    p50Seconds: Nullable(Type.Number({ minimum: 0 })),
    p95Seconds: Nullable(Type.Number({ minimum: 0 })),
    queued: Type.Integer({ minimum: 0, description: "Your own tasks that wait." }),
    running: Type.Integer({ minimum: 0, description: "Your own tasks that run." }),
  }),
});
export type PlatformRecord = Static<typeof PlatformRecord>;

export const PlatformList = Type.Object({ platforms: Type.Array(PlatformRecord) });
export type PlatformList = Static<typeof PlatformList>;
