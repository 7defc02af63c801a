/**
 * Replaces rendered mathematics by its TeX, as `querent-math` elements. What a page draws is not what was written: KaTeX draws
 * `r^2` as the letters `r2`, and a fraction as its denominator followed by its numerator.
 */
import type { Element, ElementContent } from "hast";
import { toHtml } from "hast-util-to-html";
import { MathMLToLaTeX } from "mathml-to-latex";
import { attribute, classes, element, find, hasClass, isBlank, textOf, type Parent } from "./hast.ts";
import { texOfKatexHtml, textOfKatexHtml } from "./katex-html.ts";
import type { LeftOut } from "./keep-words.ts";

export const mathTag = "querent-math";

/** `isInLine`: a formula cannot have a line of its own there, such as in a cell of a table. */
export function mendMath(tree: Parent, leftOut: LeftOut[], isInLine = false): void {
  const kept: ElementContent[] = [];
  const isLine = isInLine || (tree.type === "element" && lines.has(tree.tagName));
  for (const child of tree.children as ElementContent[]) {
    const math = child.type === "element" ? readMath(child, isLine, leftOut) : null;
    // MathJax 2 places its output before the script with the source.
    if (math !== null && hasSource(child)) while (isMathJaxOutput(kept.findLast((node) => !isBlank(node)))) kept.pop();
    if (math === null && child.type === "element") mendMath(child, leftOut, isLine);
    kept.push(...(math === null ? [child] : [math]));
  }
  tree.children = liftDisplays(tree, kept);
}

const hasSource = (node: ElementContent) =>
  node.type === "element" && (sourceOf(node) !== undefined || (attribute(node, "type") ?? "").startsWith("math/tex"));
const isMathJaxOutput = (node: ElementContent | undefined) =>
  node !== undefined &&
  (isBlank(node) ||
    (node.type === "element" &&
      (node.tagName === mathTag || classes(node).some((name) => /^MathJax(_|$)/.test(name)))));

const lines = new Set("td th h1 h2 h3 h4 h5 h6 a strong b em i del s caption summary dt label".split(" "));

/** Formulas of this element; null if it is none. */
function readMath(node: Element, isInLine: boolean, leftOut: LeftOut[]): ElementContent | null {
  const tex = texOf(node)?.trim();
  if (tex !== undefined && tex !== "") return mathElement(tex, !isInLine && isDisplay(node));
  if (!isKatex(node)) return null;
  // Its letters in the order in which they are drawn, in one piece: it has no TeX, and nothing is known to rebuild it from.
  const drawn = textOfKatexHtml(node);
  if (drawn === "") return null;
  leftOut.push({ element: "formula", text: drawn });
  return { type: "text", value: drawn };
}

const isKatex = (node: Element) => hasClass(node, "katex", "katex-display");

// The content keeps the white space around it from being collapsed.
const mathElement = (tex: string, display: boolean) =>
  element(mathTag, { tex, display: display ? "true" : "false" }, [{ type: "text", value: "x" }]);

const sourceOf = (node: Element) => attribute(node, "dataQuerentTex");

function texOf(node: Element): string | undefined {
  const source = sourceOf(node);
  if (source !== undefined) return source;
  if (node.tagName === "script" && (attribute(node, "type") ?? "").startsWith("math/tex")) return textOf(node);
  if (hasClass(node, "katex-error")) return textOf(node);
  if (node.tagName === "math") return texOfMathMl(node);
  const isContainer =
    node.tagName === "mjx-container" ||
    classes(node).some((name) => /^(katex(-display)?|MathJax(_Display|_SVG|_SVG_Display|_CHTML)?)$/.test(name));
  const isNamed = isContainer || classes(node).some((name) => /math|latex|formula|equation/i.test(name));
  const given = sourceAttributes.map((name) => attribute(node, name)).find((value) => value !== undefined);
  if (isNamed && given !== undefined) return given;
  if (!isContainer) return undefined;
  const root = find(node, ({ tagName }) => tagName === "mjx-math");
  const latex = root === undefined ? undefined : latexOf(root);
  if (latex !== undefined) return latex;
  const math = find(node, ({ tagName }) => tagName === "math");
  return math === undefined ? texOfKatexHtml(node) : texOfMathMl(math);
}

/** Gemini's pages use `data-math`, MathJax 4 `data-latex`. */
const sourceAttributes = ["dataMath", "dataTex", "dataLatex", "dataFormula"];

function texOfMathMl(math: Element): string | undefined {
  const annotation = find(
    math,
    (node) =>
      node.tagName === "annotation" && /^(application\/x-tex|tex|latex)$/i.test(attribute(node, "encoding") ?? ""),
  );
  if (annotation !== undefined) return textOf(annotation);
  const given = latexOf(math) ?? attribute(math, "alttext");
  if (given !== undefined) return given;
  try {
    return MathMLToLaTeX.convert(toHtml(math, { closeSelfClosing: true }));
  } catch {
    return undefined;
  }
}

/** MathJax 4 writes the source of each part, and of the whole on the root or its only part. */
function latexOf(root: Element): string | undefined {
  const own = attribute(root, "dataLatex");
  const [part, ...others] = root.children.filter((child) => child.type === "element");
  return own ?? (part === undefined || others.length > 0 ? undefined : attribute(part, "dataLatex"));
}

function isDisplay(node: Element): boolean {
  return (
    attribute(node, "dataQuerentDisplay") !== undefined ||
    attribute(node, "display") === "true" ||
    attribute(node, "display") === "block" ||
    /mode=display/.test(attribute(node, "type") ?? "") ||
    classes(node).some((name) => /^katex-display$|_Display$|math-?(block|display)|(block|display)-?math/.test(name)) ||
    (node.tagName !== "math" && find(node, ({ properties }) => properties["display"] === "block") !== undefined)
  );
}

/** A formula on a line of its own splits the paragraph that the page put it in. Elsewhere it is inline. */
function liftDisplays(parent: Parent, children: ElementContent[]): ElementContent[] {
  const isRoom = parent.type === "root" || rooms.has(parent.tagName);
  return children.flatMap((child): ElementContent[] => {
    if (child.type !== "element" || child.tagName !== "p" || !isRoom) return [child];
    const parts: Element[] = [];
    let part: ElementContent[] = [];
    const flush = () => {
      if (part.some((node) => !isBlank(node))) parts.push({ ...child, children: part });
      part = [];
    };
    for (const node of child.children.flatMap(withoutWrapper)) {
      if (node.type === "element" && node.tagName === mathTag && node.properties["display"] === "true") {
        flush();
        parts.push(node);
      } else part.push(node);
    }
    flush();
    return parts;
  });
}

const rooms = new Set(["div", "section", "article", "li", "blockquote", "main", "dd", "details", "body", "html"]);

/** The formula within spans that contain nothing else. */
function withoutWrapper(node: ElementContent): ElementContent[] {
  if (node.type !== "element" || node.tagName !== "span") return [node];
  const within = node.children.filter((child) => !isBlank(child));
  const [only] = within;
  if (within.length !== 1 || only?.type !== "element") return [node];
  const inner = only.tagName === mathTag ? [only] : withoutWrapper(only);
  return inner[0]?.type === "element" && inner[0].tagName === mathTag ? inner : [node];
}
