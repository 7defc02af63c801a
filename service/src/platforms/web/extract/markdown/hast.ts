/** Helpers for HTML trees. */
import type { Element, ElementContent, Root } from "hast";

export type Parent = Root | Element;

/** Words of the answer's element that are not in its text. */
export interface LeftOutWords {
  readonly element: string;
  readonly text: string;
}

export function classes(element: Element): string[] {
  const { className } = element.properties;
  return Array.isArray(className) ? className.map(String) : [];
}

export const hasClass = (element: Element, ...names: string[]): boolean =>
  classes(element).some((name) => names.includes(name));

/** An attribute as text; undefined if the element has none. */
export function attribute(element: Element, name: string): string | undefined {
  const value = element.properties[name];
  return value === undefined || value === null || typeof value === "object" ? undefined : String(value);
}

/** The first descendant that `wanted` accepts. */
export function find(parent: Parent, wanted: (element: Element) => boolean): Element | undefined {
  for (const child of parent.children) {
    if (child.type !== "element") continue;
    const found = wanted(child) ? child : find(child, wanted);
    if (found !== undefined) return found;
  }
  return undefined;
}

export function textOf(node: ElementContent | Root): string {
  if (node.type === "text") return node.value;
  return "children" in node ? node.children.map((child) => textOf(child as ElementContent)).join("") : "";
}

export const element = (tagName: string, properties: Element["properties"], children: ElementContent[]): Element => ({
  type: "element",
  tagName,
  properties,
  children,
});

export const isBlank = (node: { type: string; value?: string }): boolean =>
  node.type === "comment" || (node.type === "text" && (node.value ?? "").trim() === "");

const blocks = new Set(
  "address article aside blockquote center dd details div dl dt fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 header hr li main nav ol p pre section summary table tbody td tfoot th thead tr ul".split(
    " ",
  ),
);

export const isBlock = (node: { type: string; tagName?: string }): boolean =>
  node.type === "element" && blocks.has(node.tagName ?? "");

/** True if the element has a block among its descendants. */
export const holdsBlock = (parent: Parent): boolean => find(parent, isBlock) !== undefined;
