/** The options that say from where, as whom and with what a question is asked: one table of members. */
import { Type, type Static, type TArray, type TString } from "typebox";
import { Closed, Nullable, OptionalOrNull, StorableText } from "./scalars.ts";

export const personaLengthMax = 2_000;
export const domainsMax = 100;
export const searchDepths = ["low", "medium", "high"] as const;
export const unsupportedPolicies = ["refuse", "ignore"] as const;

const country = Type.String({
  format: "country-code",
  description: "ISO 3166-1 alpha-2 code of the country to ask from, such as `DE`. Returned in upper case.",
});
const language = Type.String({
  format: "language-tag",
  maxLength: 35,
  description: "Language of the answer as a BCP 47 tag, such as `de` or `pt-BR`. Returned in canonical form.",
});
const place = (description: string) =>
  Type.String({ format: "plain-text", minLength: 1, maxLength: 100, pattern: "\\S", description });
const city = place("City, such as `Munich`.");
const region = place("Region or state, such as `Bavaria`.");
const latitude = Type.Number({ minimum: -90, maximum: 90, description: "Degrees north. Requires `longitude`." });
const longitude = Type.Number({ minimum: -180, maximum: 180, description: "Degrees east. Requires `latitude`." });
const persona = Type.String({
  format: "plain-text",
  minLength: 1,
  maxLength: personaLengthMax,
  pattern: "\\S",
  description: `Whom the assistant talks to or whom it plays, as a system text of up to ${personaLengthMax.toLocaleString("en")} characters. Line breaks and tabs are the only control characters allowed.`,
});
const model = StorableText({
  minLength: 1,
  maxLength: 200,
  description: "One of the models that the platform lists in `optionValues.model`.",
});
const searchDepth = Type.Enum([...searchDepths], {
  description: "How much the platform searches before it answers.",
});
const domainList = (description: string) =>
  Type.Array(Type.String({ format: "domain-name", maxLength: 253 }), { maxItems: domainsMax, description });
const allow = domainList("Search only these domains and their subdomains.");
const deny = domainList("Don't use these domains and their subdomains.");
const since = Type.String({
  format: "date",
  description: "Use only pages that were published on or after this date (`YYYY-MM-DD`), which is not in the future.",
});
const onUnsupported = Type.Enum([...unsupportedPolicies], {
  description:
    "What happens if the platform does not support one of these options. `refuse` (default): the submission is rejected. `ignore`: the question is asked without the option, and `effective` reports it as `unsupported`.",
});

/** As submitted. Empty objects and lists are the same as omitted ones. */
export const submittedAskedAs = {
  country: OptionalOrNull(country),
  language: OptionalOrNull(language),
  location: OptionalOrNull(
    Closed(
      {
        city: OptionalOrNull(city),
        region: OptionalOrNull(region),
        latitude: OptionalOrNull(latitude),
        longitude: OptionalOrNull(longitude),
      },
      { description: "Where in the country: a place, coordinates, or both." },
    ),
  ),
  persona: OptionalOrNull(persona),
  model: OptionalOrNull(model),
  searchDepth: OptionalOrNull(searchDepth),
  domains: OptionalOrNull(
    Closed({ allow: OptionalOrNull(allow), deny: OptionalOrNull(deny) }, { description: "Domains to search." }),
  ),
  since: OptionalOrNull(since),
  onUnsupported: OptionalOrNull(onUnsupported),
} as const;

/** A returned text has been checked. Its schema has no format, which only the service's validator knows. */
const checked = ({ description = "" }: TString & { description?: string }) => Type.String({ description });
const checkedList = ({ description = "" }: TArray & { description?: string }) =>
  Type.Array(Type.String(), { description });

const values = {
  country: checked(country),
  language: checked(language),
  location: Type.Object({
    city: Type.Optional(checked(city)),
    region: Type.Optional(checked(region)),
    latitude: Type.Optional(latitude),
    longitude: Type.Optional(longitude),
  }),
  persona: checked(persona),
  model: checked(model),
  searchDepth,
  domains: Type.Object({ allow: Type.Optional(checkedList(allow)), deny: Type.Optional(checkedList(deny)) }),
  since: checked(since),
} as const;

/** As returned: in canonical form. Members that were not requested are absent, because they have no default. */
export const returnedAskedAs = {
  country: Type.Optional(values.country),
  language: Type.Optional(values.language),
  location: Type.Optional(values.location),
  persona: Type.Optional(values.persona),
  model: Type.Optional(values.model),
  searchDepth: Type.Optional(values.searchDepth),
  domains: Type.Optional(values.domains),
  since: Type.Optional(values.since),
  onUnsupported: Type.Optional(onUnsupported),
} as const;
const AskedAs = Type.Object(returnedAskedAs);
export type AskedAs = Static<typeof AskedAs>;

/** The members that a platform can support, in the order in which they are listed. */
export const askedAsMembers = Object.keys(values) as (keyof typeof values)[];
export type AskedAsMember = keyof typeof values;
export const locationParts = ["city", "region", "latitude", "longitude"] as const;
export type LocationPart = (typeof locationParts)[number];

export const supports = ["native", "prompted", "unsupported"] as const;
export type Support = (typeof supports)[number];
const support = Type.Enum([...supports], {
  description:
    "`native`: in a place that the platform provides for it. `prompted`: as a sentence in the system text, which a model may disregard. `unsupported`: not possible.",
});

/** How a platform supports each member. */
export const PlatformOptions = Type.Object({
  country: support,
  language: support,
  location: support,
  persona: support,
  model: support,
  searchDepth: support,
  domains: support,
  since: support,
});
export type PlatformOptions = Static<typeof PlatformOptions>;

/** Which values it supports. */
export const PlatformOptionValues = Type.Object({
  country: Nullable(Type.Array(Type.String()), { description: "The supported countries. Null: all." }),
  location: Type.Array(Type.Enum([...locationParts]), { description: "The supported members of `location`." }),
  model: Type.Array(Type.String(), { description: "The models that can be requested." }),
  domains: Nullable(
    Type.Object({
      allowMax: Type.Integer({ minimum: 0, description: "The largest number of domains in `allow`." }),
      denyMax: Type.Integer({ minimum: 0, description: "The largest number of domains in `deny`." }),
      together: Type.Boolean({ description: "Whether `allow` and `deny` can be used together." }),
    }),
    { description: "Null if `domains` is unsupported." },
  ),
});
export type PlatformOptionValues = Static<typeof PlatformOptionValues>;

const inForce = <Member extends AskedAsMember>(member: Member) =>
  Type.Optional(Type.Object({ value: Nullable(values[member]), how: support }));

/** What was really in force when the question was asked: one member for each that was requested. */
export const Effective = Type.Object(
  {
    country: inForce("country"),
    language: inForce("language"),
    location: inForce("location"),
    persona: inForce("persona"),
    model: inForce("model"),
    searchDepth: inForce("searchDepth"),
    domains: inForce("domains"),
    since: inForce("since"),
  },
  {
    description:
      "What was in force when the platform was asked: for each requested option its value and how it was applied. `value` is null if it was not applied.",
  },
);
export type Effective = Static<typeof Effective>;
