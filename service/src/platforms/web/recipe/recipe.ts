/**
 * The recipe language: what to click and what to read on an assistant's web page. This schema is published, and recipes are
 * validated against it when they are loaded. Lists of selectors are tried in order, and the first match is used.
 */
import { failureCodes } from "@querent/contract";
import { Type, type Static, type TSchema } from "typebox";
import { hostPattern } from "../../../browser/index.ts";
import { Stopped } from "./stopped.ts";

const Closed = <Properties extends Record<string, TSchema>>(properties: Properties, description?: string) =>
  Type.Object(properties, { additionalProperties: false, ...(description === undefined ? {} : { description }) });
const Maybe = Type.Optional;

const definitions: Record<string, TSchema> = {};

/**
 * A schema that many places refer to. Inlined everywhere, the whole schema took a second to compile, and 6,000 lines to
 * publish.
 */
function shared<Schema extends TSchema>(name: string, schema: Schema) {
  definitions[name] = schema;
  return Type.Unsafe<Static<Schema>>({ $ref: `#/$defs/${name}` });
}

const Selector = Type.String({ minLength: 1, maxLength: 500 });
const Selectors = shared(
  "selectors",
  Type.Union([Selector, Type.Array(Selector, { minItems: 1, maxItems: 20 })], {
    description: "A selector, or several that are tried in order. CSS; it sees into open shadow roots.",
  }),
);
const Text = Type.String({ minLength: 1, maxLength: 500 });
const Seconds = (description: string, maximum = 300) => Type.Number({ minimum: 0, maximum, description });

const Step = shared(
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
const Field = shared(
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

const scope = {
  in: Maybe(
    Type.String({
      pattern: "^[a-z][a-zA-Z0-9-]{0,40}$",
      description:
        "Where to look: `turn` (where nothing is said), `page`, the name of an `expand` or of one of `network.others`, or `response`: the JSON of `network.answer`, in which a member is an element of its name and a list repeats it. Short values are attributes, too, and `at` is the index of an item.",
    }),
  ),
  each: Selectors,
};
const fields = <Name extends string>(names: readonly Name[]) =>
  Closed(
    Object.fromEntries(names.map((name) => [name, Maybe(Field)])) as Record<
      Name,
      ReturnType<typeof Maybe<typeof Field>>
    >,
  );
const listOf = <Name extends string>(names: readonly Name[]) => {
  const rule = Closed({ ...scope, fields: fields(names) });
  return Maybe(Type.Union([rule, Type.Array(rule, { minItems: 1, maxItems: 10 })]));
};

export type RecipeStep = Static<typeof Step>;
export type RecipeField = Static<typeof Field>;

/** A list, from either notation. */
export function selectors(value: string | readonly string[] | undefined): readonly string[] {
  return value === undefined ? [] : typeof value === "string" ? [value] : value;
}

/** What a recipe can read of a product card. */
export const productFields = [
  "title",
  "url",
  "deepLink",
  "trackingUrl",
  "fallbackUrl",
  "thumbnail",
  "mall",
  "mallPlatform",
  "mallProductId",
  "skuId",
  "shopId",
  "price",
  "priceUnit",
  "sales",
  "sellingPoints",
] as const;

const AdRule = Closed(
  {
    ...scope,
    fields: fields(["advertiser", "title", "text", "url", "displayUrl", "thumbnail", "label", "placement"]),
    products: Maybe(Closed({ each: Selectors, fields: fields(["title", "price", "url", "thumbnail"]) })),
  },
  "Advertisements. What this matches is read first, and is in no other field. Their pages are never opened.",
);

const Extract = Closed({
  sources: listOf(["title", "url", "summary", "site", "publishedAt"]),
  products: listOf(productFields),
  videos: listOf(["title", "url", "cover", "author", "duration", "videoId", "videoPlatform"]),
  media: listOf(["mediaType", "title", "url", "thumbnail", "content"]),
  reasoning: listOf(["text"]),
  search: Maybe(
    Closed({
      ...scope,
      query: Field,
      results: Maybe(Closed({ each: Selectors, fields: fields(["title", "url", "site"]) })),
    }),
  ),
  modelVersion: Maybe(Closed({ in: scope.in, field: Field })),
  ads: Maybe(Type.Union([AdRule, Type.Array(AdRule, { minItems: 1, maxItems: 10 })])),
  relatedQuestions: listOf(["text"]),
  relatedSearches: listOf(["text"]),
  drop: Maybe(
    shared(
      "left-out",
      Type.Union([Selector, Type.Array(Selector, { minItems: 1, maxItems: 50 })], {
        description:
          "What is no part of the answer in any place that is read, such as links to help pages: neither text nor source. Every selector of the list counts.",
      }),
    ),
  ),
});

// What ends a task, in the recipe language.

const Blockers = Type.Array(
  Closed({
    name: Text,
    visible: Maybe(Selectors),
    text: Maybe(
      Type.String({
        minLength: 1,
        maxLength: 300,
        description: "A regular expression over the visible text of the matched element, or of the page.",
      }),
    ),
    url: Maybe(
      Type.String({ minLength: 1, maxLength: 300, description: "A regular expression over the page's address." }),
    ),
    in: Maybe(
      Type.Enum(["outside", "turn", "page"], {
        description:
          "Where it looks. `outside`: outside the conversation, so that a question or an answer about an error is none. `turn`: in the assistant's turns. `page`: everywhere. `outside` where not said.",
      }),
    ),
    status: Maybe(
      Type.Array(Type.Integer({ minimum: 100, maximum: 599 }), {
        minItems: 1,
        description: "Statuses of the entry or of the answer's response.",
      }),
    ),
    exceptStatus: Maybe(
      Type.Array(Type.Integer({ minimum: 100, maximum: 599 }), {
        minItems: 1,
        description: "It does not apply if the answer's response has one of these statuses.",
      }),
    ),
    failure: Type.Enum([...failureCodes.filter((code) => code.startsWith("platform_"))]),
    retryable: Maybe(Type.Boolean()),
    retryAfterSeconds: Maybe(Seconds("For `platform_rate_limited`: how long the platform is left alone.", 86_400)),
    message: Maybe(Text),
  }),
  {
    maxItems: 50,
    description:
      "What ends a task: a login wall, a human check, a limit, a closed region. Every condition named must hold.",
  },
);

export const Recipe = Type.Object(
  {
    recipe: Type.Literal(1, { description: "The version of this language." }),
    name: Text,
    version: Type.Integer({ minimum: 1, description: "Of this recipe: add one with every change." }),
    verified: Type.Boolean({ description: "Whether it was seen to work on the page itself." }),
    checked: Maybe(
      Closed(
        {
          how: Type.Enum(["live", "source"], {
            description: "`live`: it was seen to work on the page. `source`: written from public sources of that day.",
          }),
          on: Type.String({ pattern: "^\\d{4}-\\d{2}-\\d{2}$" }),
        },
        "When the recipe was last compared with the page, and how. Shown in `GET /v1/platforms`.",
      ),
    ),
    about: Maybe(Type.String({ maxLength: 2000 })),
    entry: Type.String({
      pattern: "^https?://[^\\s]+$",
      maxLength: 2000,
      description:
        "Where a conversation begins. `{question}` after `?` or `#` stands for the question, encoded: the page is asked by its address then, and needs no `composer`.",
    }),
    reach: Maybe(
      Type.Array(Type.String({ pattern: hostPattern.source, maxLength: 260 }), {
        maxItems: 100,
        description:
          "Hosts beside the entry's that the page may reach: `cdn.example`, `*.example`, `*`; `:port` after it for one port.",
      }),
    ),
    frame: Maybe(
      shared(
        "frames",
        Type.Union([Selector, Type.Array(Selector, { minItems: 1, maxItems: 20 })], {
          description:
            "The `iframe` that the assistant is in, where it is not the page itself; ` >>> ` leads into one within another. All selectors look in it then; those of `open`, `blockers`, `dismiss` and steps also on the page around it.",
        }),
      ),
    ),
    open: Maybe(
      Type.Array(Step, {
        maxItems: 20,
        description:
          "Done before the composer is there: what opens the assistant on a page that is about something else.",
      }),
    ),
    browser: Maybe(
      Closed({
        locale: Maybe(Type.String({ pattern: "^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*$" })),
        timezone: Maybe(Text),
        region: Maybe(Type.String({ maxLength: 50, description: "Shown in `provenance.region`." })),
        viewport: Maybe(
          Closed({
            width: Type.Integer({ minimum: 320, maximum: 3840 }),
            height: Type.Integer({ minimum: 320, maximum: 4320 }),
          }),
        ),
      }),
    ),
    session: Maybe(
      Closed(
        { storageState: Type.String({ minLength: 1, maxLength: 1000 }) },
        "The operator's own signed-in session: a Playwright storage state file, relative to the recipe.",
      ),
    ),
    blockers: Maybe(Blockers),
    dismiss: Maybe(
      Type.Array(Closed({ visible: Maybe(Selectors), click: Maybe(Selectors), press: Maybe(Text) }), {
        maxItems: 20,
        description:
          "Elements that can cover the page at any time, such as cookie notices and offers, and how to dismiss them.",
      }),
    ),
    composer: Maybe(
      Closed({
        before: Maybe(
          Type.Array(Step, { maxItems: 20, description: "Done first: open a new conversation, choose a model." }),
        ),
        input: Selectors,
        fill: Maybe(
          Type.Enum(["auto", "set", "type", "insert"], {
            description:
              "How the question gets in. `set`: at once, as a field. `insert`: as a paste. `type`: key by key. `auto` finds out.",
          }),
        ),
        submit: Type.Union([Closed({ click: Selectors }), Closed({ press: Text })]),
        timeoutSeconds: Maybe(Seconds("How long the page may take to show it; 30 where not said.", 120)),
      }),
    ),
    options: Maybe(
      Closed({
        deepAnalysis: Maybe(
          Closed({
            on: Maybe(Type.Array(Step, { maxItems: 10 })),
            off: Maybe(Type.Array(Step, { maxItems: 10 })),
          }),
        ),
      }),
    ),
    network: Maybe(
      Closed({
        answer: Closed(
          {
            url: Type.String({
              minLength: 1,
              maxLength: 300,
              description: "A regular expression over the whole address.",
            }),
            method: Maybe(Type.String({ pattern: "^[A-Z]+$" })),
            keep: Maybe(Type.Boolean({ description: "Its body is kept among the captures." })),
            bodyEnd: Maybe(
              Type.String({
                minLength: 1,
                maxLength: 300,
                description:
                  "For a page that asks again and again whether there is more: a regular expression over the response that ends an answer.",
              }),
            ),
            frameEnd: Maybe(
              Type.String({
                minLength: 1,
                maxLength: 300,
                description: "For a WebSocket: a regular expression over the message that ends an answer.",
              }),
            ),
          },
          "Which request brings the answer.",
        ),
        others: Maybe(
          Type.Record(
            Type.String({ pattern: "^[a-z][a-zA-Z0-9-]{0,40}$" }),
            Closed({
              url: Type.String({
                minLength: 1,
                maxLength: 300,
                description: "A regular expression over the whole address.",
              }),
              method: Maybe(Type.String({ pattern: "^[A-Z]+$" })),
            }),
            {
              description:
                "Further requests whose last response is kept, for rules of `extract` with `in` and its name. The answer does not wait for them.",
            },
          ),
        ),
      }),
    ),
    turn: Closed({
      each: Selectors,
      text: Maybe(Selectors),
      alternatives: Maybe(
        shared(
          "drafts",
          Type.Union([Selector, Type.Array(Selector, { minItems: 1, maxItems: 20 })], {
            description:
              "The drafts of one answer that the page shows beside each other, in the turn or as turns of their own. One is the answer, and the others are its `alternatives`.",
          }),
        ),
      ),
      response: Maybe(
        Closed(
          {
            in: scope.in,
            text: Selectors,
            join: Maybe(
              Type.Enum(["append", "last"], {
                description:
                  "What several matches are: pieces of the text in their order, or states of it, of which the last one counts. `append` where not said.",
              }),
            ),
            citations: Maybe(
              Closed(
                { each: Selectors, mark: Field, url: Field, title: Maybe(Field) },
                "What the marks in the text stand for: `mark` is the mark as it stands there, `url` and `title` the pages in its place.",
              ),
            ),
          },
          "The answer's text in the response that brings it, as Markdown. The page is read, too: where both differ, the page counts, and the difference is recorded.",
        ),
      ),
      copy: Maybe(
        shared(
          "copyButtons",
          Type.Union([Selector, Type.Array(Selector, { minItems: 1, maxItems: 20 })], {
            description:
              "The page's own button that copies the answer, in the last turn or on the page. What it copies is the answer's text, as Markdown; without it, the text is read from the page.",
          }),
        ),
      ),
      question: Maybe(
        shared(
          "questions",
          Type.Union([Selector, Type.Array(Selector, { minItems: 1, maxItems: 20 })], {
            description:
              "The user's turns, where blockers do not look. A text that only repeats the question needs none.",
          }),
        ),
      ),
    }),
    complete: Closed(
      {
        busy: Maybe(Selectors),
        done: Maybe(Selectors),
        none: Maybe(
          Closed(
            {
              visible: Selectors,
              afterSeconds: Maybe(Seconds("How long it must be so; 3 where not said.", 60)),
            },
            "What shows that the page has no answer to this question, such as search results without an overview. It counts while there is no new turn. The task completes without content.",
          ),
        ),
        incomplete: Maybe(
          Type.Array(
            Closed({
              visible: Maybe(Selectors),
              text: Maybe(
                Type.String({
                  minLength: 1,
                  maxLength: 300,
                  description: "A regular expression over the words of what is visible, or of the answer's turn.",
                }),
              ),
              click: Maybe(Selectors),
              times: Maybe(
                Type.Integer({ minimum: 1, maximum: 50, description: "The most clicks; 10 where not said." }),
              ),
              failure: Maybe(Type.Enum([...failureCodes.filter((code) => code.startsWith("platform_"))])),
            }),
            {
              maxItems: 20,
              description:
                "What shows that an answer is not whole although it has ended, such as a button to continue it. With `click` it is clicked, and the rest is waited for; without, the task fails with the page's words, as `platform_unavailable` where no `failure` is said.",
            },
          ),
        ),
        watchSeconds: Maybe(
          Seconds(
            "How long the text is watched after its end, for pages that replace an answer by another. A change begins the wait anew. Where not said: 3 if the page sent nothing over the network since the question and no `network` is named, otherwise 0.",
            60,
          ),
        ),
        quietSeconds: Maybe(Type.Number({ minimum: 1.2, maximum: 60 })),
        startSeconds: Maybe(Seconds("How long the answer may take to begin; 60 where not said.", 600)),
      },
      "An answer is whole when nothing says that the page is busy, the text has not changed for a while, and something says that it is whole: `done` inside the last turn, or the end of `network.answer`; both where both are named.",
    ),
    expand: Maybe(
      Type.Array(
        Closed({
          name: Type.String({ pattern: "^[a-z][a-zA-Z0-9-]{0,40}$" }),
          each: Maybe(
            shared(
              "repeated",
              Type.Union([Selector, Type.Array(Selector, { minItems: 1, maxItems: 20 })], {
                description:
                  "For every element of these in the last turn, one after the other: it is clicked, `steps` are done, `capture` is taken, and `close` is done. At most 50.",
              }),
            ),
          ),
          steps: Type.Array(Step, { maxItems: 20, description: "Clicks are looked for in the last turn first." }),
          capture: Selectors,
          scroll: Maybe(
            Closed({
              area: Selectors,
              each: Selectors,
              key: Maybe(
                Type.String({
                  minLength: 1,
                  maxLength: 100,
                  description: "The attribute that tells one item from another.",
                }),
              ),
            }),
          ),
          optional: Maybe(Type.Boolean({ description: "False: the answer counts as unreadable without it." })),
          close: Maybe(Type.Array(Step, { maxItems: 5 })),
        }),
        {
          maxItems: 10,
          description:
            "What has to be unfolded to be read. `scroll` collects lists that show a part of themselves only.",
        },
      ),
    ),
    rewrite: Maybe(
      Closed(
        {
          drop: Maybe(Selectors),
          unwrap: Maybe(Selectors),
          rename: Maybe(Type.Record(Type.String(), Type.String({ pattern: "^[a-z][a-z0-9]*$" }))),
        },
        "Done to the answer's HTML before it becomes Markdown. Here every selector of a list counts.",
      ),
    ),
    extract: Maybe(Extract),
    checks: Maybe(
      Type.Array(
        Closed({
          of: Type.Enum(["sources", "products", "videos", "media", "reasoning", "search"]),
          in: scope.in,
          count: Field,
          settleSeconds: Maybe(Seconds("How long what is missing may still come; 10 where not said.", 60)),
        }),
        { maxItems: 10, description: "A number that the page itself tells, to hold against what was read." },
      ),
    ),
    share: Maybe(
      Closed({
        steps: Type.Array(Step, { maxItems: 20 }),
        from: Maybe(
          Type.Enum(["element", "address", "clipboard"], {
            description:
              "Where the address is after the steps: in an element, which `address` reads; the page's own address; or what the page copied. `element` where not said.",
          }),
        ),
        address: Maybe(Field),
        in: Maybe(Selectors),
        pattern: Maybe(Text),
      }),
    ),
    adsShown: Maybe(
      Closed(
        {
          countries: Maybe(Type.Array(Type.String({ pattern: "^[A-Z]{2}$" }), { minItems: 1, maxItems: 250 })),
          visitors: Maybe(Type.Enum(["signed_in", "signed_out"])),
        },
        "Where and to whom the page shows advertisements, so that `availability.ads` can say why there are none.",
      ),
    ),
    screenshot: Maybe(
      Closed({
        root: Maybe(Selectors),
        hide: Maybe(Selectors),
        unscroll: Maybe(Selectors),
      }),
    ),
  },
  {
    additionalProperties: false,
    $defs: definitions,
    title: "Querent recipe",
    description: "How to ask an assistant's web page, and what to read of its answer.",
  },
);

export type Recipe = Static<typeof Recipe>;
export type RecipeBlocker = NonNullable<Recipe["blockers"]>[number];
export type RecipeExpand = NonNullable<Recipe["expand"]>[number];

const place = "{question}";
/** What servers commonly accept. */
const addressCharsMax = 8000;

/** Whether the page is asked by its address, and not in a composer. */
export function isAskedByAddress({ entry }: Pick<Recipe, "entry">): boolean {
  return entry.includes(place);
}

/** The address to open. A question in it is encoded, so it cannot change any other part of the address. */
export function entryAddress({ entry }: Pick<Recipe, "entry">, question: string): string {
  if (!entry.includes(place)) return entry;
  const address = entry.replaceAll(place, encodeURIComponent(question.toWellFormed()));
  if (address.length <= addressCharsMax) return address;
  throw new Stopped(
    "platform_refused",
    `The question is too long for this page, which takes it in its address: encoded, the address has ${address.length} characters, and at most ${addressCharsMax} are sent.`,
  );
}

/** Where a question may stand: in the query or the fragment. Elsewhere `..` would lead to another page. */
export function entryFault(entry: string): string | null {
  const url = URL.parse(entry.replaceAll(place, "question"));
  if (url === null) return "Expected an absolute http or https address.";
  const before = entry.search(/[?#]/);
  const at = entry.indexOf(place);
  return at >= 0 && (before < 0 || at < before) ? `${place} may stand only after \`?\` or \`#\`.` : null;
}
