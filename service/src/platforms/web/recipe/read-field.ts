import type { Cheerio, CheerioAPI } from "cheerio/slim";
import type { AnyNode } from "domhandler";
import { firstMatchOrNull } from "./expression.ts";
import { selectors, type RecipeField } from "./recipe.ts";

/** One way to read a field. */
interface FieldPart {
  /** Selects an element within; null for the element itself. */
  readonly select: string | null;
  /** The attribute that is read; null for the text. */
  readonly attribute: string | null;
  readonly match: string | null;
  readonly value: string | null;
}

/** A field parsed into its alternatives, in order. */
export function fieldParts(field: RecipeField): FieldPart[] {
  if (typeof field === "string") {
    return field.split("||").map((part): FieldPart => {
      const [, select = "", attribute] = /^(.*?)(?:@([A-Za-z_][\w:.-]*))?$/.exec(part.trim()) ?? [];
      const bare = select.trim();
      return {
        select: bare === "" || bare === "." ? null : bare,
        attribute: attribute ?? null,
        match: null,
        value: null,
      };
    });
  }
  const { attribute = null, match = null, value = null } = field;
  if (field.select === undefined) return [{ select: null, attribute, match, value }];
  return selectors(field.select).map((select) => ({ select, attribute, match, value }));
}

/** The values of a field below an element, from the first alternative that has any. */
export function readField($: CheerioAPI, element: Cheerio<AnyNode>, field: RecipeField | undefined): string[] {
  if (field === undefined) return [];
  for (const { select, attribute, match, value } of fieldParts(field)) {
    const found = select === null ? element : element.find(select).add(element.filter(select));
    if (value !== null && found.length > 0) return [value];
    const values = found
      .toArray()
      .map((node) => (attribute === null ? textOf($(node)) : ($(node).attr(attribute) ?? "").trim()))
      .map((text) => (match === null ? text : (firstMatchOrNull(match, "u", text)?.slice(0, 2).at(-1) ?? "")))
      .filter((text) => text !== "");
    if (values.length > 0) return values;
  }
  return [];
}

const formulas = ".katex:has(annotation[encoding='application/x-tex']), [data-querent-tex]";

/** The text of an element, with formulas as TeX: what draws them has their letters, without exponents and fractions. */
export function textOf(element: Cheerio<AnyNode>): string {
  const own = element.find(formulas).length > 0 ? element.clone() : element;
  const drawn = own.find(formulas);
  for (let at = 0; at < drawn.length; at++) {
    const formula = drawn.eq(at);
    formula.text(`$${formula.attr("data-querent-tex") ?? formula.find("annotation").first().text()}$`);
  }
  return own.text().replace(/\s+/g, " ").trim();
}
