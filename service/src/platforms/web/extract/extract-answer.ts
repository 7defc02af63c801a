/**
 * Extracts the answer from the snapshots of a page. Pure: no browser, clock or files. The same snapshots and recipe give the
 * same answer, so old snapshots can be parsed again with a better recipe.
 */
import { load, type Cheerio, type CheerioAPI } from "cheerio/slim";
import type { AnyNode, Document } from "domhandler";
import type { PlatformAnswer, DraftCard, ReturnedField } from "../../platform.ts";
import type { PageSnapshots, Match } from "../page/snapshots.ts";
import { boundDepth } from "./bound-depth.ts";
import { readPills } from "./citation-pills.ts";
import { readContent } from "./read-content.ts";
import { readField } from "../recipe/read-field.ts";
import {
  reader,
  readMedia,
  readProduct,
  readSource,
  readVideo,
  type ItemFields,
  type FoundItem,
  type FoundCard,
} from "./read-items.ts";
import { responseXml } from "./response-xml.ts";
import { selectors, type RecipeField } from "../recipe/recipe-parts.ts";
import type { Recipe } from "../recipe/recipe.ts";

export interface Extracted {
  readonly answer: PlatformAnswer;
  /** The answer's text without cards; empty if nothing was read. */
  readonly text: string;
  /** Checks that failed for what was read. */
  readonly failedChecks: readonly { readonly of: CheckedField; readonly expected: number; readonly read: number }[];
  /** The number of items of each rule, for authors of recipes. */
  readonly counts: Readonly<Record<string, number>>;
  /** Which selector of each list matched. */
  readonly matched: PageSnapshots["matched"];
  /** Places in the recipe that every answer needs, and for which nothing matched. */
  readonly unmatched: readonly string[];
}

type CheckedField = NonNullable<Recipe["checks"]>[number]["of"];
type Rules = NonNullable<Recipe["extract"]>;
type ListName = "sources" | "products" | "videos" | "media" | "reasoning";

export function extractAnswer(recipe: Recipe, snapshots: PageSnapshots): Extracted {
  const place = parsedPlaces(snapshots);
  const rules: Rules = recipe.extract ?? {};
  const matched: Record<string, Match> = {};
  const matches = ($: CheerioAPI, list: string | readonly string[], name: string) => {
    const found = firstMatching($, list);
    if (found !== null) matched[name] = found.match;
    return found?.elements ?? [];
  };
  const each = (name: ListName): FoundItem[] =>
    [rules[name] ?? []].flat().flatMap((rule) => {
      const $ = place(rule.in ?? "turn");
      return matches($, rule.each, `extract.${name}`).map((element) => ({
        $,
        element,
        fields: rule.fields as ItemFields,
      }));
    });

  const pills = readPills(place("turn"));
  const sources = each("sources")
    .map(readSource)
    .map((source) => (isTitle(source.title) && !pills.isLabel(source.title) ? source : { ...source, title: "" }))
    .filter(({ url }) => url !== "");
  const found = foundCards(each);
  const reasoning = each("reasoning").map(({ $, element, fields }) => ({
    text: readField($, element, fields["text"] ?? ".").join("\n\n"),
  }));
  const search = readSearch(rules.search, place, matches);
  const model = rules.modelVersion;
  const modelVersion = model === undefined ? undefined : first(place(model.in ?? "turn"), model.field);

  // Last, because it removes the cards from the turn.
  const $ = place("turn");
  const roots = recipe.turn.text === undefined ? [] : matches($, recipe.turn.text, "turn.text");
  const { parts, text } = copiedContent(recipe, snapshots, found) ?? readContent(recipe, $, roots, found);
  const counts = {
    sources: sources.length,
    products: count(found, "product"),
    videos: count(found, "video"),
    media: count(found, "media"),
    reasoning: reasoning.length,
    search: search.length,
  };
  const failedChecks = checkCounts(recipe, counts, place);
  const missing = (recipe.expand ?? []).filter(
    ({ name, optional }) => optional === false && snapshots.none !== true && snapshots.expanded[name] === undefined,
  );
  return {
    answer: {
      parts,
      sources: [...sources, ...pills.sources],
      reasoning: rules.reasoning === undefined ? null : reasoning,
      search: rules.search === undefined ? null : search,
      pageHtml: snapshots.page,
      modelVersion: modelVersion ?? null,
      observedAt: new Date(snapshots.observedAt),
      endpoint: snapshots.url === "" ? null : snapshots.url,
      region: recipe.browser?.region ?? null,
      unreadable: [
        ...new Set([
          ...failedChecks.map(({ of }) => returned[of]),
          ...missing.flatMap(({ name }) => readFrom(rules, name)),
        ]),
      ],
    },
    text,
    failedChecks,
    counts,
    matched,
    unmatched: [
      ...(recipe.turn.text !== undefined && roots.length === 0 && snapshots.none !== true ? ["turn.text"] : []),
      ...missing.map(({ name }) => `expand.${name}`),
    ],
  };
}

function foundCards(each: (name: ListName) => FoundItem[]): FoundCard[] {
  return [
    ...each("products").map((one): FoundCard => ({ ...one, draft: { type: "product", card: readProduct(one) } })),
    ...each("videos").map((one): FoundCard => ({ ...one, draft: { type: "video", card: readVideo(one) } })),
    ...each("media").map((one): FoundCard => ({ ...one, draft: { type: "media", card: readMedia(one) } })),
  ];
}

/** The number of a citation, such as "[2]", is not a title. */
const isTitle = (title: string) => !/^[[(【]?\d{1,3}[\])】]?$/u.test(title);

/** What the page's own button copied is the whole text; cards come after it, because their places in it are unknown. */
function copiedContent({ turn }: Recipe, { copied }: PageSnapshots, found: readonly FoundCard[]) {
  const text = turn.copy === undefined ? "" : (copied ?? "").trim();
  if (text === "") return null;
  return { parts: [{ type: "markdown" as const, markdown: text }, ...found.map(({ draft }) => draft)], text };
}

/** The parts of the captured page by name, each parsed once. */
function parsedPlaces(snapshots: PageSnapshots): (name: string) => CheerioAPI {
  const parsed = new Map<string, CheerioAPI>();
  return (name) => {
    const known = parsed.get(name);
    if (known !== undefined) return known;
    const html = name === "turn" ? snapshots.turn : name === "page" ? snapshots.page : snapshots.expanded[name];
    const $ =
      name === "response"
        ? load(responseXml(snapshots.response?.body ?? ""), { xml: true }, false)
        : load(html ?? "", null, false);
    if (name === "page") $("style").remove();
    boundDepth($.root().get(0) as Document);
    parsed.set(name, $);
    return $;
  };
}

type Counts = Readonly<Record<CheckedField, number>>;

/** The checks of a recipe that fail: the page names a larger number than was read. */
function checkCounts(recipe: Recipe, counts: Counts, place: (name: string) => CheerioAPI): Extracted["failedChecks"] {
  return (recipe.checks ?? []).flatMap(({ of, in: where, count: field }) => {
    const shown = first(place(where ?? "turn"), field)?.replaceAll(/[,. ](?=\d{3})/g, "") ?? "";
    const expected = Number(/\d+/.exec(shown)?.[0] ?? Number.NaN);
    return Number.isNaN(expected) || counts[of] >= expected ? [] : [{ of, expected, read: counts[of] }];
  });
}

const returned: Readonly<Record<CheckedField, ReturnedField>> = {
  sources: "sources",
  products: "products",
  videos: "videos",
  media: "media",
  reasoning: "reasoningProcess",
  search: "searchProcess",
};

function readFrom(rules: Rules, name: string): ReturnedField[] {
  return (Object.keys(returned) as CheckedField[])
    .filter((field) => [rules[field] ?? []].flat().some((rule) => rule.in === name))
    .map((field) => returned[field]);
}

/** The snapshots that a field is read from. */
export function placesOf({ extract = {} }: Recipe, of: CheckedField): string[] {
  return [extract[of] ?? []].flat().map((rule) => rule.in ?? "turn");
}

const count = (found: readonly FoundCard[], type: DraftCard["type"]) =>
  found.filter(({ draft }) => draft.type === type).length;

/** The elements of the first selector that matches any. */
function firstMatching(
  $: CheerioAPI,
  list: string | readonly string[],
): { match: Match; elements: Cheerio<AnyNode>[] } | null {
  const all = selectors(list);
  for (const [at, selector] of all.entries()) {
    const elements = $(selector).toArray();
    if (elements.length > 0)
      return {
        match: { selector, at, of: all.length, count: elements.length },
        elements: elements.map((element) => $(element) as Cheerio<AnyNode>),
      };
  }
  return null;
}

type Matches = ($: CheerioAPI, list: string | readonly string[], name: string) => Cheerio<AnyNode>[];

function first($: CheerioAPI, field: RecipeField): string | undefined {
  return readField($, $.root(), field)[0];
}

function readSearch(rule: Rules["search"], place: (name: string) => CheerioAPI, matches: Matches) {
  if (rule === undefined) return [];
  const $ = place(rule.in ?? "turn");
  return matches($, rule.each, "extract.search").map((element) => ({
    query: readField($, element, rule.query)[0] ?? "",
    results: rule.results === undefined ? [] : readResults($, element, rule.results),
  }));
}

function readResults(
  $: CheerioAPI,
  element: Cheerio<AnyNode>,
  rule: NonNullable<NonNullable<Rules["search"]>["results"]>,
) {
  const selector = selectors(rule.each).find((each) => element.find(each).length > 0);
  if (selector === undefined) return [];
  return element
    .find(selector)
    .toArray()
    .map((node) => {
      const { text } = reader({ $, element: $(node), fields: rule.fields });
      return { title: text("title"), url: text("url"), site: text("site") };
    });
}
