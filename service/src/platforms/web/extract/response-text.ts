/** The text of an answer from the response that brings it, and whether the page shows the same. */
import type { CheerioAPI } from "cheerio/slim";
import { cite } from "../../api/read/cite.ts";
import { readField } from "../recipe/read-field.ts";
import { selectors } from "../recipe/recipe-parts.ts";
import type { Recipe } from "../recipe/recipe.ts";

type Rule = NonNullable<Recipe["turn"]["response"]>;

/** The Markdown that the response has; empty if it has none. */
export function responseText($: CheerioAPI, rule: Rule): string {
  const text = rawText($, rule);
  if (text.trim() === "") return "";
  const { plain, citations } = withoutMarks($, rule, text);
  return cite({ text: plain, citations, numberings: [] }).trim();
}

function rawText($: CheerioAPI, { text, join = "append" }: Rule): string {
  for (const selector of selectors(text)) {
    const found = $(selector)
      .toArray()
      .map((node) => $(node).attr("json") ?? $(node).text());
    if (found.some((each) => each !== ""))
      return join === "append" ? found.join("") : (found.findLast((each) => each !== "") ?? "");
  }
  return "";
}

const marksMax = 2_000;

/** The text without the marks of its citations, and where they stood. */
function withoutMarks($: CheerioAPI, { citations: rule }: Rule, text: string) {
  const pages = new Map<string, { url: string; label?: string }[]>();
  const selector = selectors(rule?.each).find((each) => $(each).length > 0);
  if (rule !== undefined && selector !== undefined)
    for (const node of $(selector).toArray().slice(0, marksMax)) {
      const mark = readField($, $(node), rule.mark)[0] ?? "";
      const titles = readField($, $(node), rule.title);
      const urls = readField($, $(node), rule.url).filter((url) => /^https?:\/\//i.test(url));
      if (mark !== "" && !pages.has(mark))
        pages.set(
          mark,
          urls.map((url, at) => ({ url, ...(titles[at] === undefined ? {} : { label: titles[at] }) })),
        );
    }
  const citations: { start: number; end: number; url: string; label?: string }[] = [];
  const marks = [...pages.keys()].toSorted((a, b) => b.length - a.length).map((mark) => RegExp.escape(mark));
  // A mark that nothing explains, and the beginning of one that was cut off, are no text either.
  const expression = new RegExp(
    [...marks, "\ue200[^\ue200\ue201]*\ue201", "\ue200[^\ue200\ue201]*$", "[\ue200-\ue2ff]"].join("|"),
    "gu",
  );
  let plain = "";
  let from = 0;
  for (const match of text.matchAll(expression)) {
    plain += text.slice(from, match.index);
    from = match.index + match[0].length;
    const cited = pages.get(match[0]) ?? [];
    for (const page of cited) citations.push({ start: plain.length, end: plain.length, ...page });
    // Not two spaces, and none before a full stop.
    if (cited.length === 0 && /[ \t]$/.test(plain) && /^[ \t.,;:!?]/.test(text.slice(from)))
      plain = plain.replace(/[ \t]+$/, "");
  }
  return { plain: plain + text.slice(from), citations };
}

/** How much of two texts is the same, whatever marks them up. `part`: the page shows only some of the response's words. */
export function compareTexts(response: string, page: string): "same" | "part" | "different" {
  const [one, two] = [wordsIn(response), wordsIn(page)];
  const left = new Map<string, number>();
  for (const word of one) left.set(word, (left.get(word) ?? 0) + 1);
  let common = 0;
  for (const word of two) {
    const count = left.get(word) ?? 0;
    if (count === 0) continue;
    left.set(word, count - 1);
    common++;
  }
  if (common >= sameShare * Math.max(one.length, two.length)) return "same";
  return common >= sameShare * two.length && two.length > 0 ? "part" : "different";
}

const sameShare = 0.9;

/** The words of a text without addresses, marks and TeX's commands. One character each where words have no spaces between them. */
export function wordsIn(markdown: string): string[] {
  const plain = markdown.replaceAll(/\]\([^)\s]*(?:\s"[^"]*")?\)/g, " ").replaceAll(/https?:\/\/\S+/g, " ");
  return plain.toLowerCase().match(/\p{Script=Han}|\p{Script=Hiragana}|\p{Script=Katakana}|[\p{L}\p{N}]+/gu) ?? [];
}
