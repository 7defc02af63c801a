import type { Cheerio, CheerioAPI } from "cheerio/slim";
import type { AnyNode } from "domhandler";
import type { AnswerPart } from "../../platform.ts";
import type { FoundCard } from "./read-items.ts";
import { closeGaps, removePills } from "./citation-pills.ts";
import { textOf } from "../recipe/read-field.ts";
import { codeLanguage } from "./markdown/mend-code.ts";
import { selectors } from "../recipe/recipe-parts.ts";
import type { Recipe } from "../recipe/recipe.ts";
import { withoutRepeats } from "./without-repeats.ts";
import type { LeftOut } from "./markdown/keep-words.ts";
import { cardMark, toMarkdown } from "./to-markdown.ts";

/** The text of the last turn, with each card at its position; cards outside the turn come last. */
export function readContent(
  recipe: Recipe,
  $: CheerioAPI,
  roots: readonly Cheerio<AnyNode>[],
  found: readonly FoundCard[],
): { parts: AnswerPart[]; text: string; leftOut: readonly LeftOut[] } {
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
  const leftOut: LeftOut[] = [];
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
