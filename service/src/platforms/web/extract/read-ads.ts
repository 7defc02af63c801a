/**
 * Advertisements, and questions and searches that a page shows beside an answer. What is read here is removed, so that it is in nothing
 * that is read later: no text, source or card.
 */
import type { Cheerio, CheerioAPI } from "cheerio/slim";
import type { AnyNode } from "domhandler";
import type { DraftAd } from "../../platform.ts";
import { textOf } from "../recipe/read-field.ts";
import { selectors, type Recipe } from "../recipe/recipe.ts";
import { reader } from "./read-items.ts";

type Rules = NonNullable<Recipe["extract"]>;
type Place = (name: string) => CheerioAPI;
type Matching = ($: CheerioAPI, list: string | readonly string[]) => Cheerio<AnyNode>[];

interface FoundAd {
  readonly ad: DraftAd;
}

export function readAds(rules: Rules["ads"], place: Place, matching: Matching): FoundAd[] {
  return [rules ?? []].flat().flatMap((rule) => {
    const $ = place(rule.in ?? "turn");
    const elements = matching($, rule.each);
    const found = elements.map((element) => ({ ad: readAd($, element, rule) }));
    for (const element of elements) element.remove();
    return found;
  });
}

function readAd(
  $: CheerioAPI,
  element: Cheerio<AnyNode>,
  rule: NonNullable<Extract<Rules["ads"], { each: unknown }>>,
): DraftAd {
  const { maybe } = reader({ $, element, fields: rule.fields });
  const each = selectors(rule.products?.each).find((selector) => element.find(selector).length > 0);
  const products = each === undefined ? [] : element.find(each).toArray();
  return {
    advertiser: maybe("advertiser"),
    title: maybe("title"),
    text: maybe("text"),
    url: maybe("url"),
    displayUrl: maybe("displayUrl"),
    thumbnail: maybe("thumbnail"),
    label: maybe("label"),
    placement: maybe("placement") ?? "other",
    products: products.map((node) => {
      const one = reader({ $, element: $(node), fields: rule.products?.fields ?? {} });
      return {
        title: one.text("title"),
        price: one.maybe("price"),
        url: one.maybe("url"),
        thumbnail: one.maybe("thumbnail"),
      };
    }),
  };
}

export function readRelated(rules: Rules["relatedQuestions"], place: Place, matching: Matching): string[] {
  return [rules ?? []].flat().flatMap((rule) => {
    const $ = place(rule.in ?? "turn");
    const elements = matching($, rule.each);
    const texts = elements.map((element) =>
      rule.fields.text === undefined ? textOf(element) : reader({ $, element, fields: rule.fields }).text("text"),
    );
    for (const element of elements) element.remove();
    return texts.filter((text) => text !== "");
  });
}

const labels =
  /^(sponsored|ads?|advert|advertisement|promoted|sponsored (result|link|content|product)s?|anzeigen?|gesponsert|sponsorisé|annonce|publicité|patrocinado|publicidad|anúncios?|sponsorizzato|annuncio|広告|スポンサー|广告|廣告|推广|赞助|贊助|스폰서|광고|реклама)[\s·•:.]*$/iu;
const adCharsMax = 1_500;
const words = "p, li, table, blockquote, pre, code, h1, h2, h3, h4, h5, h6, strong, em, a";

/**
 * What the page itself marks as advertising in the turn, where the recipe has no rule for it: a label that stands by itself, and the
 * nearest element around it that leads somewhere.
 */
export function removeAdsByLabel($: CheerioAPI, recipe: Recipe): FoundAd[] {
  // Not at the ends of words: the texts of neighbouring elements follow each other without a space.
  if (
    !/spons[oe]r|ad|promot|anzeige|annon|publi|patroc|an[úu]nci|広告|スポンサー|广告|廣告|推广|赞助|贊助|스폰서|광고|реклама/iu.test(
      $.root().text(),
    )
  )
    return [];
  const found: FoundAd[] = [];
  for (const node of $("*").toArray()) {
    const label = $(node);
    if (label.children().length > 0 || !labels.test(label.text().trim()) || label.closest(words).length > 0) continue;
    if (label.parents().last().get(0) === undefined) continue;
    const around = label
      .parents()
      .toArray()
      .find((parent) => $(parent).find("a[href^=http]").length > 0);
    if (around === undefined) continue;
    const element = $(around) as Cheerio<AnyNode>;
    const holdsText = selectors(recipe.turn.text).some(
      (selector) => element.find(selector).add(element.filter(selector)).length > 0,
    );
    if (holdsText || textOf(element).length > adCharsMax || element.parent().length === 0) continue;
    found.push({ ad: labelledAd($, element, label.text().trim()) });
    element.remove();
  }
  return found;
}

function labelledAd($: CheerioAPI, element: Cheerio<AnyNode>, label: string): DraftAd {
  const links = element.find("a[href^=http]");
  const link = links.toArray().find((node) => textOf($(node)) !== "") ?? links.get(0);
  const title = link === undefined ? "" : textOf($(link));
  const text = textOf(element).replace(label, "").trim();
  return {
    advertiser: null,
    title: title === "" ? null : title,
    text: text === "" || text === title ? null : text,
    url: link === undefined ? null : ($(link).attr("href") ?? null),
    displayUrl: null,
    thumbnail: element.find("img[src^=http]").attr("src") ?? null,
    products: [],
    placement: "other",
    label,
  };
}
