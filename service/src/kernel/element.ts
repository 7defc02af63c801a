import type { Element, ElementContent, Properties } from "hast";

export type Child = ElementContent | string | null | false | readonly Child[];

/**
 * An element of the page. The page is built as a tree and serialized, so that any text is output as text. Nothing here accepts
 * HTML.
 */
export function h(tagName: string, properties: Properties, ...children: readonly Child[]): Element {
  return { type: "element", tagName, properties, children: children.flatMap(flat) };
}

function flat(child: Child): ElementContent[] {
  if (child === null || child === false) return [];
  if (typeof child === "string") return child === "" ? [] : [{ type: "text", value: visible(child) }];
  if (Array.isArray(child)) return (child as readonly Child[]).flatMap(flat);
  return [child as ElementContent];
}

/** Removes the characters that change a text's direction: they can make one URL look like another. */
export function visible(text: string): string {
  return text.replace(/[\u202D\u202E]/gu, "");
}

/** Opens in a new tab, without a referrer. */
export function outwardLink(address: string, className: string, ...children: readonly Child[]): Element {
  return h(
    "a",
    { href: address, className: [className], rel: ["noopener", "noreferrer", "nofollow"], target: "_blank" },
    ...children,
  );
}
