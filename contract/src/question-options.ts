/**
 * The options of a question: one table of members. Schemas, validation, quotes, records, filters, the client's types, the columns
 * of question files, the flags of the command line, the arguments of the assistant's tool and the fields of the console are derived
 * from it. What an addition costs besides its entry is in docs/decisions/0075-one-table-for-options-and-one-file-for-a-vendor.md.
 */
import {
  Type,
  type Static,
  type TArray,
  type TObject,
  type TOptional,
  type TNull,
  type TSchema,
  type TString,
  type TUnion,
} from "typebox";
import { Closed, Nullable, OptionalOrNull, StorableText } from "./scalars.ts";

/** The longest question, in characters (code points) after trimming. */
export const questionLengthMax = 10_000;

export const outputs = ["answer", "screenshot", "share_link"] as const;
export const resultFormats = ["json", "html", "all"] as const;
export type Output = (typeof outputs)[number];
export type ResultFormat = (typeof resultFormats)[number];
export const personaLengthMax = 2_000;
export const domainsMax = 100;
export const searchDepths = ["low", "medium", "high"] as const;
export const unsupportedPolicies = ["refuse", "ignore"] as const;
export const locationParts = ["city", "region", "latitude", "longitude"] as const;
export type LocationPart = (typeof locationParts)[number];

/** How people enter a value: as a column of a file, a flag or an argument. Its kind follows from the schema. */
export interface OptionColumn {
  /** Other names of the column. */
  readonly aliases?: readonly string[];
  /** The flag, such as `search-depth <depth>`. Null: another flag has it, such as `--coordinates`. */
  readonly flag: string | null;
  readonly words: string;
}

interface Member {
  /** As submitted. A member with `parts` is an object of them. */
  readonly schema?: TSchema;
  readonly parts?: Readonly<Record<string, TSchema>>;
  readonly description?: string;
  /** What a task has if the member is omitted. A member without a default is then absent. Fingerprints of submissions rest on it. */
  readonly default?: boolean | string;
  /** Members that platforms support or not: an example. Other members apply to all platforms. */
  readonly example?: unknown;
  /** Which values a platform supports, where support depends on the value. */
  readonly values?: TSchema;
  /** Whether lists of tasks can be filtered by it. */
  readonly isFilter?: boolean;
  /** By the name of the column; with `parts`, in their order. */
  readonly columns: Readonly<Record<string, OptionColumn>>;
}

const place = (description: string) =>
  Type.String({ format: "plain-text", minLength: 1, maxLength: 100, pattern: "\\S", description });
const domainList = (description: string) =>
  Type.Array(Type.String({ format: "domain-name", maxLength: 253 }), { maxItems: domainsMax, description });

// Defaults are given in the descriptions, because client generators treat a member with the keyword `default` as always present.
export const questionOptions = {
  deepAnalysis: {
    schema: Type.Boolean({ description: "Requests a deeper analysis. Default: false." }),
    default: false,
    columns: { deepAnalysis: { aliases: ["deep"], flag: "deep", words: "request a deeper analysis" } },
  },
  output: {
    schema: Type.Enum([...outputs], {
      description:
        "`answer` (default): the standard answer. `screenshot`: the answer and a screenshot. `share_link`: the answer and a public URL of it. Web platforms always return `answer` here.",
    }),
    default: "answer",
    columns: { output: { flag: "output <kind>", words: "what to return" } },
  },
  resultFormat: {
    schema: Type.Enum([...resultFormats], {
      description:
        "For web platforms. `json` (default): the structured answer. `html`: the content of the web page. `all`: both. Other platforms always return the structured answer.",
    }),
    default: "json",
    columns: { resultFormat: { aliases: ["format"], flag: "result-format <form>", words: "for web platforms" } },
  },
  country: {
    schema: Type.String({
      format: "country-code",
      description: "ISO 3166-1 alpha-2 code of the country to ask from, such as `DE`. Returned in upper case.",
    }),
    example: "DE",
    values: Nullable(Type.Array(Type.String()), { description: "The supported countries. Null: all." }),
    isFilter: true,
    columns: { country: { flag: "country <code>", words: "country to ask from, such as de" } },
  },
  language: {
    schema: Type.String({
      format: "language-tag",
      maxLength: 35,
      description: "Language of the answer as a BCP 47 tag, such as `de` or `pt-BR`. Returned in canonical form.",
    }),
    example: "de-AT",
    isFilter: true,
    columns: { language: { flag: "language <tag>", words: "language of the answer, such as de or pt-BR" } },
  },
  location: {
    parts: {
      city: place("City, such as `Munich`."),
      region: place("Region or state, such as `Bavaria`."),
      latitude: Type.Number({ minimum: -90, maximum: 90, description: "Degrees north. Requires `longitude`." }),
      longitude: Type.Number({ minimum: -180, maximum: 180, description: "Degrees east. Requires `latitude`." }),
    },
    description: "Where in the country: a place, coordinates, or both.",
    example: { city: "Munich" },
    values: Type.Array(Type.Enum([...locationParts]), { description: "The supported members of `location`." }),
    columns: {
      city: { flag: "city <name>", words: "city to ask from" },
      region: { flag: "region <name>", words: "region or state to ask from" },
      latitude: { flag: null, words: "degrees north, with longitude" },
      longitude: { flag: null, words: "degrees east, with latitude" },
    },
  },
  persona: {
    schema: Type.String({
      format: "plain-text",
      minLength: 1,
      maxLength: personaLengthMax,
      pattern: "\\S",
      description: `Whom the assistant talks to or whom it plays, as a system text of up to ${personaLengthMax.toLocaleString("en")} characters. Line breaks and tabs are the only control characters allowed.`,
    }),
    example: "I am a nurse.",
    columns: { persona: { flag: "persona <text>", words: "whom the assistant talks to or plays" } },
  },
  model: {
    schema: StorableText({
      minLength: 1,
      maxLength: 200,
      description: "One of the models that the platform lists in `optionValues.model`.",
    }),
    example: "model-1",
    values: Type.Array(Type.String(), { description: "The models that can be requested." }),
    columns: { model: { flag: "model <name>", words: "one of the platform's models" } },
  },
  searchDepth: {
    schema: Type.Enum([...searchDepths], { description: "How much the platform searches before it answers." }),
    example: "high",
    columns: { searchDepth: { aliases: ["depth"], flag: "search-depth <depth>", words: "how much to search" } },
  },
  domains: {
    parts: {
      allow: domainList("Search only these domains and their subdomains."),
      deny: domainList("Don't use these domains and their subdomains."),
    },
    description: "Domains to search.",
    example: { allow: ["example.com"] },
    values: Nullable(
      Type.Object({
        allowMax: Type.Integer({ minimum: 0, description: "The largest number of domains in `allow`." }),
        denyMax: Type.Integer({ minimum: 0, description: "The largest number of domains in `deny`." }),
        together: Type.Boolean({ description: "Whether `allow` and `deny` can be used together." }),
      }),
      { description: "Null if `domains` is unsupported." },
    ),
    columns: {
      domains: {
        aliases: ["domain"],
        flag: "domain <domains>",
        words: "search only these domains, separated by commas",
      },
      excludeDomains: {
        aliases: ["excludeDomain"],
        flag: "exclude-domain <domains>",
        words: "do not use these domains, separated by commas",
      },
    },
  },
  since: {
    schema: Type.String({
      format: "date",
      description:
        "Use only pages that were published on or after this date (`YYYY-MM-DD`), which is not in the future.",
    }),
    example: "2026-01-31",
    columns: { since: { flag: "since <date>", words: "use only pages published since this date, such as 2026-01-31" } },
  },
  onUnsupported: {
    schema: Type.Enum([...unsupportedPolicies], {
      description:
        "What happens if the platform does not support one of these options. `refuse` (default): the submission is rejected. `ignore`: the question is asked without the option, and `effective` reports it as `unsupported`.",
    }),
    columns: {
      onUnsupported: {
        flag: "on-unsupported <policy>",
        words: "what to do if the platform does not support one of these",
      },
    },
  },
} as const satisfies Readonly<Record<string, Member>>;

type Table = typeof questionOptions;
type OptionName = keyof Table;
type Having<Key extends string> = {
  [Name in OptionName]: Key extends keyof Table[Name] ? Name : never;
}[OptionName];

/** A member that a platform can support: what says from where, as whom and with what a question is asked. */
export type AskedAsMember = Having<"example">;

const members = Object.entries<Member>(questionOptions);
const table: Readonly<Record<string, Member>> = questionOptions;

/** In the order in which they are listed. */
export const askedAsMembers = having("example");

/** The defaults of members that every task has, and of the policy for members that a platform does not support. */
export const optionDefaults = {
  ...valuesOf(having("default"), "default"),
  onUnsupported: "refuse" as const,
};

/** The members that are objects. */
export const nestedOptions: readonly string[] = having("parts");

function having<Key extends string>(key: Key): readonly Having<Key>[] {
  return members.filter(([, member]) => key in member).map(([name]) => name as Having<Key>);
}

function valuesOf<Name extends OptionName, Key extends keyof Member>(names: readonly Name[], key: Key) {
  return Object.fromEntries(names.map((name) => [name, table[name]?.[key]])) as {
    [Each in Name]: Table[Each] extends Record<Key, infer Value> ? Value : never;
  };
}

type Submitted<Entry> = Entry extends { parts: infer Parts extends Record<string, TSchema> }
  ? TObject<{ [Part in keyof Parts]: OrNull<Parts[Part]> }>
  : Entry extends { schema: infer Schema extends TSchema }
    ? Schema
    : never;
type OrNull<Schema extends TSchema> = TOptional<TUnion<[Schema, TNull]>>;

/** Members as submitted. Empty objects and lists are the same as omitted ones. */
export const submittedOptions = Object.fromEntries(
  members.map(([name, { schema, parts, description = "" }]) => [
    name,
    OptionalOrNull(schema ?? Closed(each(parts, OptionalOrNull), { description })),
  ]),
) as { [Name in OptionName]: OrNull<Submitted<Table[Name]>> };

export const SubmittedOptions = Closed(submittedOptions);
export type SubmittedOptions = Static<typeof SubmittedOptions>;

type Returned<Entry> = Entry extends { parts: infer Parts extends Record<string, TSchema> }
  ? TObject<{ [Part in keyof Parts]: TOptional<Checked<Parts[Part]>> }>
  : Entry extends { schema: infer Schema extends TSchema }
    ? Checked<Schema>
    : never;
type Checked<Schema extends TSchema> = Schema extends TString
  ? TString
  : Schema extends TArray
    ? TArray<TString>
    : Schema;

/** Members as returned, in canonical form. */
const returned = Object.fromEntries(
  members.map(([name, { schema, parts }]) => [
    name,
    schema === undefined ? Type.Object(each(parts, (part) => Type.Optional(checked(part)))) : checked(schema),
  ]),
) as { [Name in OptionName]: Returned<Table[Name]> };

/** A returned text has been checked. Its schema has no format, which only the service's validator knows. */
function checked(schema: TSchema & { type?: string; enum?: unknown; description?: string }): TSchema {
  const { type, description = "" } = schema;
  if (type === "array") return Type.Array(Type.String(), { description });
  return type === "string" && schema.enum === undefined ? Type.String({ description }) : schema;
}

function each(parts: Member["parts"] = {}, change: (schema: TSchema) => TSchema): Record<string, TSchema> {
  return Object.fromEntries(Object.entries(parts).map(([name, schema]) => [name, change(schema)]));
}

type Requested = { [Name in OptionName]: TOptional<Returned<Table[Name]>> };

/** As returned where no defaults are filled in: members that were not requested are absent. */
export const requestedOptions = Object.fromEntries(
  Object.entries<TSchema>(returned).map(([name, schema]) => [name, Type.Optional(schema)]),
) as Requested;

type Complete = Omit<Requested, Having<"default">> & { [Name in Having<"default">]: Returned<Table[Name]> };
const complete = Object.fromEntries(
  members.map(([name, member]) => [
    name,
    ("default" in member ? returned : requestedOptions)[name as OptionName] as TSchema,
  ]),
) as unknown as Complete;

/** As returned by a task: the members with a default are always there. */
export const TaskOptions = Type.Object(complete);
export type TaskOptions = Static<typeof TaskOptions>;

export type AskedAs = Static<TObject<Pick<Requested, AskedAsMember | "onUnsupported">>>;

/** The filters of lists of tasks, as parameters of a query. */
export const optionFilters = Object.fromEntries(
  having("isFilter").map((name) => {
    const { format = "" } = questionOptions[name].schema as { format?: string };
    const description = `The requested \`options.${name}\`, such as \`${questionOptions[name].example}\`.`;
    return [name, Type.Optional(Type.String({ format, description }))];
  }),
) as { [Name in Having<"isFilter">]: TOptional<TString> };

export const supports = ["native", "prompted", "unsupported"] as const;
export type Support = (typeof supports)[number];
const support = Type.Enum([...supports], {
  description:
    "`native`: in a place that the platform provides for it. `prompted`: as a sentence in the system text, which a model may disregard. `unsupported`: not possible.",
});

/** An entry for each member that a platform can support. */
export function forEachAskedAs<Value>(value: (member: AskedAsMember) => Value): Record<AskedAsMember, Value> {
  return Object.fromEntries(askedAsMembers.map((member) => [member, value(member)])) as Record<AskedAsMember, Value>;
}

/** How a platform supports each member. */
export const PlatformOptions = Type.Object(forEachAskedAs(() => support));
export type PlatformOptions = Static<typeof PlatformOptions>;

/** Which values it supports. */
export const PlatformOptionValues = Type.Object(valuesOf(having("values"), "values"));
export type PlatformOptionValues = Static<typeof PlatformOptionValues>;

type InForce = {
  [Name in AskedAsMember]: TOptional<TObject<{ value: TUnion<[Returned<Table[Name]>, TNull]>; how: typeof support }>>;
};

/** What was really in force when the question was asked: one member for each that was requested. */
export const Effective = Type.Object(
  forEachAskedAs((member) =>
    Type.Optional(Type.Object({ value: Nullable(returned[member] as TSchema), how: support })),
  ) as InForce,
  {
    description:
      "What was in force when the platform was asked: for each requested option its value and how it was applied. `value` is null if it was not applied.",
  },
);
export type Effective = Static<typeof Effective>;

/** The columns of all members, with the schema of what stands in them. */
export const optionColumns: readonly (OptionColumn & {
  readonly name: string;
  readonly member: OptionName;
  readonly part: string | null;
  readonly schema: TSchema;
})[] = members.flatMap(([member, { schema, parts, columns }]) =>
  Object.entries(columns).map(([name, column], index) => {
    const [part, partSchema] = Object.entries(parts ?? {})[index] ?? [null, schema];
    if (partSchema === undefined) throw new Error(`The column ${name} has no part of ${member}.`);
    return { ...column, name, member: member as OptionName, part, schema: partSchema };
  }),
);
