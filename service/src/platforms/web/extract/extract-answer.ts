/**
 * Extracts the answer from the snapshots of a page. Pure: no browser, clock or files. The same snapshots and recipe give the
 * same answer, so old snapshots can be parsed again with a better recipe.
 */
import { load, type Cheerio, type CheerioAPI } from "cheerio/slim";
import type { AnyNode, Document, ChildNode, Element } from "domhandler";
import type { PlatformAnswer, DraftAd, DraftCard, ReturnedField, AnswerPart } from "../../platform.ts";
import type { PageSnapshots, Match } from "../page/snapshots.ts";
import type { LeftOutWords } from "./markdown/hast.ts";
import { readPills, closeGaps, removePills } from "./citation-pills.ts";
import { readField, textOf } from "../recipe/read-field.ts";
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
import { responseXml, compareTexts, responseText } from "./read-response.ts";
import { readAds, readRelated, removeAdsByLabel } from "./read-ads.ts";
import { selectors, type RecipeField, type Recipe } from "../recipe/recipe.ts";
import { codeLanguage } from "./markdown/mend-code.ts";
import { cardMark, toMarkdown } from "./to-markdown.ts";

export interface Extracted {
  readonly answer: PlatformAnswer;
  /** The answer's text without cards; empty if nothing was read. */
  readonly text: string;
  /** What stands in the answer with words in it, and is not in the text: controls that the page draws there. */
  readonly leftOut: readonly LeftOutWords[];
  /** Whether the page shows another text than the response has. */
  readonly differs: boolean;
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
  const rules: Rules = recipe.extract ?? {};
  const place = parsedPlaces(snapshots, selectors(rules.drop));
  place("turn")("[data-querent-draft]").remove();
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

  // First, because what they match is removed, and is in nothing else.
  const ads = [
    ...readAds(rules.ads, place, (one, list) => matches(one, list, "extract.ads")),
    ...removeAdsByLabel(place("turn"), recipe),
  ];
  const relatedQuestions = readRelated(rules.relatedQuestions, place, (one, list) =>
    matches(one, list, "extract.relatedQuestions"),
  );
  const relatedSearches = readRelated(rules.relatedSearches, place, (one, list) =>
    matches(one, list, "extract.relatedSearches"),
  );
  const isAd = adAddresses(ads.map(({ ad }) => ad));

  const pills = readPills(place("turn"));
  const sources = each("sources")
    .map(readSource)
    .map((source) => (isTitle(source.title) && !pills.isLabel(source.title) ? source : { ...source, title: "" }))
    .filter(({ url }) => url !== "" && !isOnPage(url, snapshots.url) && !isAd(url));
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
  const onPage = snapshots.turn === null ? null : readContent(recipe, $, roots, found);
  const { response: rule } = recipe.turn;
  const streamed = rule === undefined ? null : responseText(place(rule.in ?? "response"), rule);
  const witness =
    streamed === null || streamed === "" || onPage === null || roots.length === 0
      ? null
      : compareTexts(streamed, onPage.text);
  const isStreamed = streamed !== null && streamed !== "" && witness !== "different";
  const { parts, text, leftOut } = (isStreamed
    ? withCards(streamed, found)
    : copiedContent(recipe, snapshots, found)) ??
    onPage ?? { parts: [], text: "", leftOut: [] };
  const alternatives = (snapshots.alternatives ?? []).map(({ position, html }) => {
    const $draft = load(html, null, false);
    boundDepth($draft.root().get(0) as Document);
    const draftRoots = recipe.turn.text === undefined ? [] : (firstMatching($draft, recipe.turn.text)?.elements ?? []);
    return { position, content: readContent(recipe, $draft, draftRoots, []).text };
  });
  const counts = {
    sources: sources.length,
    products: count(found, "product"),
    videos: count(found, "video"),
    media: count(found, "media"),
    reasoning: reasoning.filter((step) => step.text !== "").length,
    search: search.length,
  };
  const failedChecks = checkCounts(recipe, counts, place);
  const dead = deadFields(recipe, snapshots, place, { counts, pills: pills.sources.length, text, matched });
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
      ...(rules.ads === undefined && ads.length === 0 ? {} : { ads: ads.map(({ ad }) => ad).filter(isReadable) }),
      ...(ads.length > 0 && !ads.some(({ ad }) => isReadable(ad)) ? { noAds: "parse_failed" as const } : {}),
      ...(relatedQuestions.length === 0 ? {} : { relatedQuestions }),
      ...(relatedSearches.length === 0 ? {} : { relatedSearches }),
      ...(alternatives.length === 0 ? {} : { alternatives }),
      unreadable: [
        ...new Set([
          ...dead.map((of) => returned[of]),
          ...failedChecks.map(({ of }) => returned[of]),
          ...missing.flatMap(({ name }) => readFrom(rules, name)),
        ]),
      ],
    },
    text,
    leftOut,
    differs: witness === "different",
    failedChecks,
    counts,
    matched,
    unmatched: [
      ...(recipe.turn.text !== undefined && roots.length === 0 && snapshots.turn !== null && snapshots.none !== true
        ? ["turn.text"]
        : []),
      ...missing.map(({ name }) => `expand.${name}`),
      ...dead.map((of) => `extract.${of}`),
      ...(streamed === "" && snapshots.none !== true ? ["turn.response"] : []),
      ...(snapshots.turn === null && snapshots.none !== true ? ["turn.each"] : []),
    ],
  };
}

/**
 * The fields of which nothing was read although the page has it: the text has links, and there are no sources; a rule matches, and its
 * fields are empty; the panel that it reads is there.
 */
function deadFields(
  recipe: Recipe,
  { expanded, none }: PageSnapshots,
  place: (name: string) => CheerioAPI,
  read: { counts: Counts; pills: number; text: string; matched: Readonly<Record<string, Match>> },
): CheckedField[] {
  const rules: Rules = recipe.extract ?? {};
  if (none === true) return [];
  return (Object.keys(returned) as CheckedField[]).filter((of) => {
    if (rules[of] === undefined || read.counts[of] > 0 || (of === "sources" && read.pills > 0)) return false;
    if (of === "sources" && /(?<!!\[[^\]]{0,500})\]\(https?:\/\//.test(read.text)) return true;
    if (read.matched[`extract.${of}`] !== undefined) return of !== "sources";
    return [rules[of]].flat().some(({ in: name }) => {
      if (name === undefined || expanded[name] === undefined) return false;
      const root = place(name).root().children().first();
      return root.length > 0 && root.attr("data-querent-hidden") === undefined && root.attr("hidden") === undefined;
    });
  });
}

const isReadable = ({ title, text, url, advertiser }: DraftAd) =>
  [title, text, url, advertiser].some((value) => value !== null);

/** Whether an address is that of an advertisement. */
function adAddresses(ads: readonly DraftAd[]): (url: string) => boolean {
  const known = new Set(
    ads
      .flatMap(({ url, products }) => [url, ...products.map((product) => product.url)])
      .flatMap((url) => (url === null ? [] : [bare(url)])),
  );
  return (url) => known.size > 0 && known.has(bare(url));
}
const bare = (url: string) =>
  /^https?:\/\//i.test(url) && URL.canParse(url) ? `${new URL(url).host}${new URL(url).pathname}` : url;

/** A link to a place on the page itself, such as a footnote. */
const isOnPage = (url: string, page: string) => {
  const [address, fragment] = url.split("#", 2);
  return fragment !== undefined && page !== "" && address === page.split("#", 1)[0];
};

function foundCards(each: (name: ListName) => FoundItem[]): FoundCard[] {
  return [
    ...each("products").map((one): FoundCard => ({ ...one, draft: { type: "product", card: readProduct(one) } })),
    ...each("videos").map((one): FoundCard => ({ ...one, draft: { type: "video", card: readVideo(one) } })),
    ...each("media").map((one): FoundCard => ({ ...one, draft: { type: "media", card: readMedia(one) } })),
  ];
}

/** The number of a citation, such as "[2]", is not a title. */
const isTitle = (title: string) => !/^[[(【]?\d{1,3}[\])】]?$/u.test(title);

/** What the page's own button copied is the whole text. */
function copiedContent({ turn }: Recipe, { copied }: PageSnapshots, found: readonly FoundCard[]) {
  const text = turn.copy === undefined ? "" : (copied ?? "").trim();
  return text === "" ? null : withCards(text, found);
}

/** A text in which cards have no places: they come after it. */
function withCards(text: string, found: readonly FoundCard[]) {
  return {
    parts: [{ type: "markdown" as const, markdown: text }, ...found.map(({ draft }) => draft)],
    text,
    leftOut: [],
  };
}

/** The parts of the captured page by name, each parsed once. */
function parsedPlaces(snapshots: PageSnapshots, dropped: readonly string[]): (name: string) => CheerioAPI {
  const parsed = new Map<string, CheerioAPI>();
  return (name) => {
    const known = parsed.get(name);
    if (known !== undefined) return known;
    const html = name === "turn" ? snapshots.turn : name === "page" ? snapshots.page : snapshots.expanded[name];
    const response = name === "response" ? snapshots.response : snapshots.others?.[name];
    const isResponse = name === "response" || (response !== undefined && response !== null);
    const $ = isResponse
      ? load(responseXml(response?.body ?? ""), { xml: true }, false)
      : load(html ?? "", null, false);
    if (name === "page") $("style").remove();
    for (const selector of dropped) $(selector).remove();
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

/** Pages nest about 60 elements. Parsers and tree transformations need a stack frame for each. */
const depthMax = 200;

/** Replaces what is nested more deeply by its text, so that no page can exhaust the stack, or minutes of time. */
function boundDepth(root: Document): void {
  const open: { node: Element | Document; depth: number }[] = [{ node: root, depth: 0 }];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { node, depth } = next;
    if (depth === depthMax) flatten(node);
    else
      for (const child of node.children)
        if ("children" in child) open.push({ node: child as Element, depth: depth + 1 });
  }
}

/** Moves the text nodes below an element to the element, in their order. */
function flatten(node: Element | Document): void {
  const texts: ChildNode[] = [];
  const open = node.children.toReversed();
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (next.nodeType === 3) texts.push(next);
    if ("children" in next) for (const child of next.children.toReversed()) open.push(child);
  }
  for (const [at, text] of texts.entries()) {
    text.parent = node;
    text.prev = texts[at - 1] ?? null;
    text.next = texts[at + 1] ?? null;
  }
  node.children = texts;
}

/** The text of the last turn, with each card at its position; cards outside the turn come last. */
function readContent(
  recipe: Recipe,
  $: CheerioAPI,
  roots: readonly Cheerio<AnyNode>[],
  found: readonly FoundCard[],
): { parts: AnswerPart[]; text: string; leftOut: readonly LeftOutWords[] } {
  const outer = withoutRepeats($, roots);
  const inText = new Set<number>();
  for (const [index, { $: own, element }] of found.entries()) {
    const stands =
      own === $ && (outer.length === 0 || outer.some((root) => root.find(element.get(0) as never).length > 0));
    if (!stands) continue;
    inText.add(index);
    element.replaceWith(`<${cardMark} data-index="${index}"></${cardMark}>`);
  }
  removePills($);
  rewrite(recipe, $);
  const html = outer.length === 0 ? $.html() : outer.map((root) => $.html(root)).join("\n");
  const leftOut: LeftOutWords[] = [];
  const stretches = toMarkdown(closeGaps(html), leftOut);
  const parts = stretches.flatMap((stretch): AnswerPart[] => {
    if ("markdown" in stretch) return [{ type: "markdown", markdown: stretch.markdown }];
    const draft = found[stretch.card]?.draft;
    return draft === undefined ? [] : [draft];
  });
  const last = found.flatMap(({ draft }, index) => (inText.has(index) ? [] : [draft]));
  const text = stretches.flatMap((stretch) => ("markdown" in stretch ? [stretch.markdown] : [])).join("\n\n");
  return { parts: [...parts, ...last], text, leftOut };
}

function rewrite({ rewrite: rules }: Recipe, $: CheerioAPI): void {
  $("script:not([type^='math/tex']), style, template, noscript, [data-querent-hidden]").remove();
  for (const selector of selectors(rules?.drop)) {
    $(selector).each((_index, node) => keepLanguage($, $(node)));
    $(selector).remove();
  }
  for (const selector of selectors(rules?.unwrap)) {
    $(selector).each((_index, node) => void $(node).replaceWith($(node).contents()));
  }
  for (const [selector, name] of Object.entries(rules?.rename ?? {})) {
    $(selector).each((_index, node) => {
      (node as { tagName?: string; name?: string }).name = name;
    });
  }
}

/** The bar of a code block may be dropped, and has its language. */
function keepLanguage($: CheerioAPI, bar: Cheerio<AnyNode>): void {
  const word = textOf(bar.clone().find("button, svg").remove().end());
  const language = word.length > 30 ? undefined : codeLanguage(word);
  const code = bar.nextAll().find("pre, code").addBack("pre, code").first();
  if (
    language !== undefined &&
    code.length > 0 &&
    bar.nextAll().length <= 2 &&
    $(code).attr("data-language") === undefined
  )
    code.attr("data-language", language);
}

/**
 * The elements of a text, without those that contain what another one contains: nested ones, hidden copies, and an answer that
 * broke off and was then shown as a whole.
 */
function withoutRepeats($: CheerioAPI, roots: readonly Cheerio<AnyNode>[]): Cheerio<AnyNode>[] {
  const shown = roots.filter((root) => root.closest("[data-querent-hidden]").length === 0);
  const candidates = shown.length > 0 ? shown : roots;
  const outer = candidates.filter(
    (root) => !candidates.some((other) => other !== root && other.find(root.get(0) as never).length > 0),
  );
  const texts = outer.map(textOf);
  const kept = outer.filter((_root, index) => {
    const text = texts[index] ?? "";
    return !texts.some((other, at) =>
      other === text ? at < index && text !== "" : text.length >= partCharsMin && other.startsWith(text),
    );
  });
  for (const root of kept) removeCutCopy($, root);
  return kept;
}

/** A shorter beginning of another text can be a text of its own. */
const partCharsMin = 20;

/** Removes the first blocks of a text if the same blocks follow, and the last of the first ones was cut. */
function removeCutCopy($: CheerioAPI, root: Cheerio<AnyNode>): void {
  const blocks = root.children().toArray();
  if (blocks.length === 1 && blocks[0] !== undefined) return removeCutCopy($, $(blocks[0]));
  const texts = blocks.map((block) => textOf($(block)));
  for (let count = 1; count * 2 <= blocks.length; count++) {
    const first = texts.slice(0, count);
    const again = texts.slice(count, count * 2);
    const cut = first.at(-1) ?? "";
    const isCopy = first.slice(0, -1).every((text, at) => text === again[at]) && again.at(-1)?.startsWith(cut) === true;
    if (!isCopy || cut === again.at(-1) || first.join("").length < partCharsMin) continue;
    $(blocks.slice(0, count)).remove();
    return;
  }
}
