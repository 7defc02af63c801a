/**
 * Superscripts and subscripts, which Markdown lacks: 10<sup>6</sup> is not 106. Digits, signs, i and n become Unicode's own
 * characters, and other terms `^(…)` and `_(…)`. Words, such as ordinals and trademarks, stay text.
 */
import type { Element, ElementContent } from "hast";
import { textOf, type Parent } from "./hast.ts";

const characters: Readonly<Record<string, readonly [from: string, to: string]>> = {
  sup: ["0123456789+-−=()in", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻⁼⁽⁾ⁱⁿ"],
  sub: ["0123456789+-−=()in", "₀₁₂₃₄₅₆₇₈₉₊₋₋₌₍₎ᵢₙ"],
};
const signs: Readonly<Record<string, string>> = { sup: "^", sub: "_" };
const code = new Set(["pre", "code", "kbd", "samp"]);

export function mendRaised(tree: Parent): void {
  for (const [at, child] of tree.children.entries()) {
    if (child.type !== "element" || code.has(child.tagName)) continue;
    const before = tree.children[at - 1];
    const isAttached = before?.type === "text" && /[\p{L}\p{N})]$/u.test(before.value);
    const written = isRaised(child) ? raised(child.tagName, textOf(child).trim(), isAttached) : null;
    if (written === null) mendRaised(child);
    else tree.children[at] = { type: "text", value: written };
  }
}

/** A link in it is a citation. */
const isRaised = (node: Element): boolean => signs[node.tagName] !== undefined && hasTextOnly(node.children);
const hasTextOnly = (nodes: readonly ElementContent[]): boolean =>
  nodes.every(
    (node) =>
      node.type === "text" ||
      (node.type === "element" && ["em", "i", "span", "var"].includes(node.tagName) && hasTextOnly(node.children)),
  );

/** Letters that are written above others in words: 1ᵉ, Mᵉ, nᵒ, Dʳ, 2ᵈ. */
const ofWords = new Set("aeorsdºª");

/** `isAttached`: it follows a letter or a digit. */
function raised(tag: string, text: string, isAttached: boolean): string | null {
  const [from, to] = (characters[tag] ?? ["", ""]).map((list) => [...list]) as [string[], string[]];
  const mapped = [...text].map((character) => to[from.indexOf(character)]);
  if (text !== "" && mapped.every((character) => character !== undefined)) return mapped.join("");
  const isTerm =
    /^[\p{L}\d\s.,+\-−–=*/×·()]+$/u.test(text) && /[\d+−=*/×·,]/u.test(text) && /\p{L}|[.,/*×·]/u.test(text);
  // A variable above or below another.
  const isName = isAttached && /^\p{L}$/u.test(text) && (tag === "sub" || !ofWords.has(text.toLowerCase()));
  return isTerm || isName ? `${signs[tag]}(${text.replaceAll(/\s+/g, " ")})` : null;
}
