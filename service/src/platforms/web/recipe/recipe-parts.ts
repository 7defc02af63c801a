/** The building blocks of the recipe language: selectors, steps, fields. */
import { Type, type Static, type TSchema } from "typebox";

export const Closed = <Properties extends Record<string, TSchema>>(properties: Properties, description?: string) =>
  Type.Object(properties, { additionalProperties: false, ...(description === undefined ? {} : { description }) });
export const Maybe = Type.Optional;

export const definitions: Record<string, TSchema> = {};

/**
 * A schema that many places refer to. Inlined everywhere, the whole schema took a second to compile, and 6,000 lines to
 * publish.
 */
export function shared<Schema extends TSchema>(name: string, schema: Schema) {
  definitions[name] = schema;
  return Type.Unsafe<Static<Schema>>({ $ref: `#/$defs/${name}` });
}

export const Selector = Type.String({ minLength: 1, maxLength: 500 });
export const Selectors = shared(
  "selectors",
  Type.Union([Selector, Type.Array(Selector, { minItems: 1, maxItems: 20 })], {
    description: "A selector, or several that are tried in order. CSS; it sees into open shadow roots.",
  }),
);
export const Text = Type.String({ minLength: 1, maxLength: 500 });
export const Seconds = (description: string, maximum = 300) => Type.Number({ minimum: 0, maximum, description });

export const Step = shared(
  "step",
  Closed(
    {
      click: Maybe(Selectors),
      press: Maybe(
        Type.String({ minLength: 1, maxLength: 50, description: "A key, such as `Escape` or `Control+Enter`." }),
      ),
      hover: Maybe(Selectors),
      which: Maybe(
        Type.Union([Type.Enum(["first", "last"]), Type.Integer({ minimum: 1, maximum: 100 })], {
          description: "Which one to click or hover where several match; `last` where not said.",
        }),
      ),
      waitFor: Maybe(Selectors),
      if: Maybe(Selectors),
      unless: Maybe(Selectors),
      optional: Maybe(Type.Boolean({ description: "Goes on when there is nothing to click or wait for." })),
      timeoutSeconds: Maybe(
        Seconds(
          "How long to look for what it names. Where not said: 5; for an optional step of `expand`, not at all, because the answer is complete.",
          60,
        ),
      ),
    },
    "One thing to do. `if` and `unless` name what must be there, or must not, for it to be done at all.",
  ),
);

/** A field to be read: a selector below the element, an attribute after `@`, or, for more control, an object. */
export const Field = shared(
  "field",
  Type.Union([
    Type.String({
      minLength: 1,
      maxLength: 500,
      description:
        "`.title` (its text), `a@href` (an attribute), `@data-id` (an attribute of the element itself), `.` (its own text). Alternatives with `||`.",
    }),
    Closed({
      select: Maybe(Selectors),
      attribute: Maybe(Type.String({ minLength: 1, maxLength: 100 })),
      match: Maybe(
        Type.String({
          minLength: 1,
          maxLength: 500,
          description: "A regular expression; its first group is the value.",
        }),
      ),
      value: Maybe(Type.String({ maxLength: 500, description: "This very text." })),
      many: Maybe(Type.Boolean({ description: "Every match: for lists, such as `sellingPoints`." })),
    }),
  ]),
);

export const scope = {
  in: Maybe(
    Type.String({
      pattern: "^[a-z][a-zA-Z0-9-]{0,40}$",
      description:
        "Where to look: `turn` (where nothing is said), `page`, the name of an `expand` or of one of `network.others`, or `response`: the JSON of `network.answer`, in which a member is an element of its name and a list repeats it. Short values are attributes, too, and `at` is the index of an item.",
    }),
  ),
  each: Selectors,
};
export const fields = <Name extends string>(names: readonly Name[]) =>
  Closed(
    Object.fromEntries(names.map((name) => [name, Maybe(Field)])) as Record<
      Name,
      ReturnType<typeof Maybe<typeof Field>>
    >,
  );
export const listOf = <Name extends string>(names: readonly Name[]) => {
  const rule = Closed({ ...scope, fields: fields(names) });
  return Maybe(Type.Union([rule, Type.Array(rule, { minItems: 1, maxItems: 10 })]));
};

export type RecipeStep = Static<typeof Step>;
export type RecipeField = Static<typeof Field>;

/** A list, from either notation. */
export function selectors(value: string | readonly string[] | undefined): readonly string[] {
  return value === undefined ? [] : typeof value === "string" ? [value] : value;
}
