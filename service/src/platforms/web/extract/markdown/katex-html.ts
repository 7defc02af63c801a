/** The TeX of a formula that KaTeX only drew: its exponents, indices, fractions and roots, from how they are stacked. */
import type { Element, ElementContent } from "hast";
import { classes, find, hasClass, textOf } from "./hast.ts";

/** Undefined: nothing that KaTeX drew, or something else is stacked in it, such as a matrix. */
export function texOfKatexHtml(node: Element): string | undefined {
  const drawn = find(node, (each) => hasClass(each, "katex-html"));
  return drawn === undefined ? undefined : written(drawn);
}

const blank = ["strut", "pstrut", "vlist-s", "mspace", "nulldelimiter"];

function written(node: ElementContent): string | undefined {
  if (node.type === "text") return node.value.replaceAll("\u200b", "");
  if (node.type !== "element" || hasClass(node, ...blank)) return "";
  if (hasClass(node, "msupsub")) return supsub(node);
  if (hasClass(node, "mfrac")) return fraction(node);
  if (hasClass(node, "sqrt")) return root(node);
  if (hasClass(node, "op-limits")) return limits(node);
  if (hasClass(node, "vlist-t") || node.tagName === "svg") return undefined;
  const isName = hasClass(node, "mop") && /^[a-z]{2,}$/.test(textOf(node));
  return isName ? `\\operatorname{${textOf(node)}}` : all(node.children);
}

function all(nodes: readonly ElementContent[]): string | undefined {
  const parts = nodes.map(written);
  return parts.includes(undefined) ? undefined : parts.join("");
}

/** What is stacked, from the lowest to the highest; `isDeep`: the lowest is below the line. */
function stack(node: Element): { rows: Element[]; isDeep: boolean } {
  const table = find(node, (each) => hasClass(each, "vlist-t"));
  const list = table === undefined ? undefined : find(table, (each) => hasClass(each, "vlist"));
  const rows = (list?.children ?? []).filter((child) => child.type === "element");
  return { rows, isDeep: table !== undefined && hasClass(table, "vlist-t2") };
}

const group = (mark: string, row: Element | undefined) => {
  const tex = row === undefined ? "" : written(row);
  return tex === undefined ? undefined : tex === "" ? "" : `${mark}{${tex}}`;
};

const joined = (...parts: readonly (string | undefined)[]) => (parts.includes(undefined) ? undefined : parts.join(""));

function supsub(node: Element): string | undefined {
  const { rows, isDeep } = stack(node);
  const [first, second] = rows;
  if (rows.length > 2) return undefined;
  return isDeep ? joined(group("_", first), group("^", second)) : group("^", first);
}

function fraction(node: Element): string | undefined {
  const { rows } = stack(node);
  const [below, line, above] = rows;
  // Without a line it is something else, such as a binomial coefficient.
  const isLine = line !== undefined && find(line, (each) => hasClass(each, "frac-line")) !== undefined;
  return rows.length === 3 && isLine ? joined(group(String.raw`\frac`, above), group("", below)) : undefined;
}

function root(node: Element): string | undefined {
  const degree = node.children.find((child) => child.type === "element" && hasClass(child, "root"));
  const body = find(node, (each) => classes(each).includes("svg-align"));
  const of = degree?.type === "element" ? written(stack(degree).rows[0] ?? degree) : "";
  if (of === undefined || body === undefined) return undefined;
  return group(of === "" ? String.raw`\sqrt` : String.raw`\sqrt[${of}]`, body);
}

function limits(node: Element): string | undefined {
  const { rows } = stack(node);
  const at = rows.findIndex((row) => find(row, (each) => hasClass(each, "mop")) !== undefined);
  const symbol = rows[at];
  if (symbol === undefined) return undefined;
  return joined(written(symbol), group("_", rows[at - 1]), group("^", rows[at + 1]));
}
