/** What administrators set up of a platform while the service runs: its vendor's key, its model and its prices. */
import { Type, type Static, type TSchema } from "typebox";
import { Closed, Nullable, OptionalOrNull, StorableText, Timestamp } from "./scalars.ts";
import { platformKinds } from "./task-result.ts";

export const settingOrigins = ["file", "stored", "built_in"] as const;

const set = <Value extends TSchema>(value: Value, description: string) =>
  Type.Object({ value, from: Type.Enum([...settingOrigins]) }, { description });

const origin =
  "`from`: where the value comes from. `file`: the file of `QUERENT_CONFIG`, which takes precedence. `stored`: it was set with the API or in the console. `built_in`: nobody has set it.";

const points = (description: string) => set(Type.Integer({ minimum: 0 }), description);

/** A platform as administrators set it up. Keys are never part of it. */
export const PlatformSetup = Type.Object({
  platformCode: Type.String(),
  name: Type.String(),
  kind: Type.Enum([...platformKinds]),
  missing: Nullable(Type.String(), {
    description: "What the platform still needs, for people. Null: it can be asked.",
  }),
  key: Nullable(
    Type.Object({
      variable: Type.String({
        description:
          "The environment variable that can contain the key. Platforms that name the same variable use the same key.",
      }),
      from: Nullable(Type.Enum(["environment", "stored"]), {
        description:
          "Where the key comes from. `environment`: the environment of the process that answers, which takes precedence. Null: there is none.",
      }),
      ending: Nullable(Type.String(), {
        description: "The last four characters of the stored key. Null without one, or if it has fewer than 16.",
      }),
      storedAt: Nullable(Timestamp, { description: "When the stored key was stored. Null: none is stored." }),
      readable: Type.Boolean({
        description: "False: the key is stored, but the master key of the process that answers can't decrypt it.",
      }),
      page: Nullable(Type.String(), { description: "The vendor's page where one gets a key, if it is known." }),
    }),
    { description: "Null: the platform needs no key." },
  ),
  model: Nullable(set(Type.String(), `The model that is asked. ${origin}`), {
    description: "Null: the platform is not a model API.",
  }),
  deepModel: Nullable(set(Type.String(), `The model for questions with \`deepAnalysis\`. ${origin}`)),
  price: Type.Object(
    {
      base: points("Points of a task."),
      deepAnalysis: points("Added by `deepAnalysis`."),
      screenshot: points("Added by `output: screenshot`."),
      shareLink: points("Added by `output: share_link`."),
      pageHtml: points("Added by `resultFormat: html` or `all`."),
    },
    { description: origin },
  ),
});
export type PlatformSetup = Static<typeof PlatformSetup>;

export const PlatformSetupList = Type.Object({ platforms: Type.Array(PlatformSetup) });
export type PlatformSetupList = Static<typeof PlatformSetupList>;

export const PlatformKeyRequest = Closed({
  key: Type.String({
    minLength: 1,
    maxLength: 1000,
    pattern: "^[\\x21-\\x7e]+$",
    description: "The vendor's key: printable ASCII characters without spaces. It can't be read again.",
  }),
});
export type PlatformKeyRequest = Static<typeof PlatformKeyRequest>;

const newPoints = OptionalOrNull(Type.Integer({ minimum: 0, maximum: 1_000_000 }));
const newModel = OptionalOrNull(
  StorableText({ minLength: 1, maxLength: 200, description: "The name of a model, as the vendor's API takes it." }),
);

/** Replaces what was stored. What is absent or null is as built in. */
export const PlatformSettingsRequest = Closed({
  model: newModel,
  deepModel: newModel,
  price: OptionalOrNull(
    Closed({
      base: newPoints,
      deepAnalysis: newPoints,
      screenshot: newPoints,
      shareLink: newPoints,
      pageHtml: newPoints,
    }),
  ),
});
export type PlatformSettingsRequest = Static<typeof PlatformSettingsRequest>;

/** What came back from one question. The order is that of the reference. */
export const keyTestResults = [
  "answered",
  "key_refused",
  "no_credit",
  "unknown_model",
  "rate_limited",
  "unreachable",
  "timed_out",
  "vendor_fault",
  "refused",
] as const;

export const PlatformKeyTest = Type.Object({
  platformCode: Type.String(),
  result: Type.Enum([...keyTestResults], {
    description:
      "`answered`: it works. `key_refused`: the vendor does not accept the key. `no_credit`: the account at the vendor has no credit or quota left. `unknown_model`: the vendor does not have the model, or its address has changed. `rate_limited`: it limits requests at the moment, so it knows the key. `unreachable`: there is no connection to the vendor. `timed_out`: no answer within 55 seconds. `vendor_fault`: the vendor has a fault, or its answer can't be parsed. `refused`: it refuses the question or the request.",
  }),
  detail: Type.String({ description: "What came back, for people. Contains no key." }),
  status: Nullable(Type.Integer(), { description: "The HTTP status of the vendor's response, if there was one." }),
  model: Type.String({ description: "The model that was asked." }),
  seconds: Type.Number({ minimum: 0 }),
});
export type PlatformKeyTest = Static<typeof PlatformKeyTest>;
