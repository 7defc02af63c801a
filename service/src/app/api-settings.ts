/** The model API part of a platform's entry: URL, model, key, switches, fallbacks. */
import { Type, type Static } from "typebox";
import { completeUpstream, efforts, vendors, type Upstream } from "../platforms/index.ts";

const effort = (description: string) => Type.Optional(Type.Enum([...efforts], { description }));
const members = (description: string) =>
  Type.Optional(Type.Record(Type.String(), Type.Unknown(), { description, maxProperties: 50 }));
const model = (description: string) => Type.Optional(Type.String({ minLength: 1, maxLength: 200, description }));

const upstreamMembers = {
  api: Type.Optional(
    Type.Enum(
      vendors.map(({ code }) => code),
      { description: "Whose API it speaks. A platform of the same name need not say it." },
    ),
  ),
  url: Type.Optional(
    Type.String({
      pattern: "^https?://[^\\s?#@]+$",
      maxLength: 2000,
      description: "The address that the API's paths are below, such as `https://api.openai.com/v1`.",
    }),
  ),
  model: model("The model."),
  deepModel: model("The model for `deepAnalysis`; the same when left out."),
  models: Type.Optional(
    Type.Array(Type.String({ minLength: 1, maxLength: 200 }), {
      maxItems: 100,
      description: "Further models that a question can request by `options.model`, at the same price.",
    }),
  ),
  keyVariable: Type.Optional(
    Type.Union([Type.String({ pattern: "^(?!QUERENT_)[A-Za-z_][A-Za-z0-9_]{0,127}$" }), Type.Null()], {
      description: "The environment variable that holds the key; null: none is needed.",
    }),
  ),
  keyHeader: Type.Optional(
    Type.String({
      pattern: "^[A-Za-z][A-Za-z0-9-]{0,63}$",
      description: "The header that carries the key, where it is not the API's own.",
    }),
  ),
  search: Type.Optional(Type.Boolean({ description: "Whether it searches the web. On, where the API can." })),
  thinking: Type.Optional(
    Type.Object(
      {
        normal: effort("Without `deepAnalysis`."),
        deep: effort("With `deepAnalysis`."),
      },
      {
        additionalProperties: false,
        description:
          "How hard the model thinks: `default` is the vendor's own choice, `none` switches it off, or asks for the least of which the model is capable.",
      },
    ),
  ),
  background: Type.Optional(
    Type.Boolean({ description: "Deep questions run in the vendor's background mode (`openai`, `perplexity`)." }),
  ),
  pollSeconds: Type.Optional(
    Type.Number({ minimum: 0.1, maximum: 300, description: "Between two looks at a background run." }),
  ),
  timeoutSeconds: Type.Optional(
    Type.Number({ minimum: 1, maximum: 1800, description: "How long one request may take." }),
  ),
  body: members("Members added to the body of every request."),
  searchBody: members("Members added when it searches. With them `openai-compatible` searches."),
  deepBody: members("Members added with `deepAnalysis`."),
};

const Fallback = Type.Object(upstreamMembers, { additionalProperties: false });

export const apiMembers = {
  name: Type.Optional(Type.String({ minLength: 1, maxLength: 100, description: "What people call it." })),
  ...upstreamMembers,
  returns: Type.Optional(
    Type.Array(Type.Enum(["sources", "videos", "media", "reasoningProcess", "searchProcess"]), {
      uniqueItems: true,
      description: "What its answers can hold, where the API can't know. The rest is `not_exposed`.",
    }),
  ),
  fallbacks: Type.Optional(
    Type.Array(Fallback, {
      maxItems: 9,
      description:
        "Asked in order when the one before can't answer. What one leaves out is as in the entry if it speaks the same API, else the vendor's own.",
    }),
  ),
};

const ApiEntry = Type.Object(apiMembers);
export type ApiEntry = Static<typeof ApiEntry>;

export interface ApiSettings {
  readonly name: string;
  readonly upstreams: readonly Upstream[];
  readonly returns: NonNullable<ApiEntry["returns"]> | null;
}

/** The complete API settings of a platform; null if it is not a model API. Throws a sentence for the operator. */
export function apiSettingsOf(code: string, entry: ApiEntry): ApiSettings | null {
  const own = vendors.find((vendor) => vendor.code === code);
  const vendor = vendors.find((each) => each.code === (entry.api ?? code));
  if (vendor === undefined) return null;
  if (vendor.code === "openai-compatible" && (entry.url === undefined || entry.model === undefined)) {
    throw new Error(`${code} speaks an API that anybody may offer: it needs \`url\` and \`model\`.`);
  }
  const first = upstreamOf(vendor.code, entry);
  const fallbacks = (entry.fallbacks ?? []).map((fallback) => {
    const api = fallback.api ?? vendor.code;
    return upstreamOf(api, api === vendor.code ? { ...entry, ...fallback } : fallback);
  });
  return {
    name: entry.name ?? own?.name ?? code,
    upstreams: [first, ...fallbacks],
    returns: entry.returns ?? null,
  };
}

function upstreamOf(api: string, { thinking, ...entry }: ApiEntry): Upstream {
  const complete = completeUpstream(api, entry);
  return { ...complete, thinking: { ...complete.thinking, ...thinking } };
}
