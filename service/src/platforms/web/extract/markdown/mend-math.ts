/**
 * Replaces rendered mathematics by its TeX, as `querent-math` elements. What a page draws is not what was written: KaTeX draws
 * `r^2` as the letters `r2`, and a fraction as its denominator followed by its numerator.
 */
import type { Element, ElementContent } from "hast";
import { toHtml } from "hast-util-to-html";
import { MathMLToLaTeX } from "mathml-to-latex";
import {
  attribute,
  classes,
  element,
  find,
  hasClass,
  isBlank,
  textOf,
  type LeftOutWords,
  type Parent,
} from "./hast.ts";

export const mathTag = "querent-math";

/** `isInLine`: a formula cannot have a line of its own there, such as in a cell of a table. */
export function mendMath(tree: Parent, leftOut: LeftOutWords[], isInLine = false): void {
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
function readMath(node: Element, isInLine: boolean, leftOut: LeftOutWords[]): ElementContent | null {
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
  const isRoot = (each: Element) => each.tagName === "mjx-math" || attribute(each, "dataMmlNode") === "math";
  const root = find(node, isRoot);
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

// The TeX of a formula that KaTeX only drew: exponents, indices, fractions, roots, accents, matrices and cases, from how they are
// stacked.

/** Undefined: nothing that KaTeX drew, or something in it is stacked in a way that is not known. */
function texOfKatexHtml(node: Element): string | undefined {
  const drawn = find(node, (each) => hasClass(each, "katex-html"));
  return drawn === undefined
    ? undefined
    : written(drawn)
        ?.replaceAll(/ +/g, " ")
        .replaceAll(/ (?=[_^])/g, "");
}

/** The letters of a formula in the order in which they are drawn. */
function textOfKatexHtml(node: Element): string {
  const drawn = find(node, (each) => hasClass(each, "katex-html")) ?? node;
  return textOf(drawn).replaceAll("\u200b", "").replaceAll(/\s+/g, " ").trim();
}

const blank = ["strut", "katex-strut", "pstrut", "vlist-s", "mspace", "nulldelimiter", "arraycolsep"];

function written(node: ElementContent): string | undefined {
  if (node.type === "text") return texOfText(node.value.replaceAll("\u200b", ""));
  if (node.type !== "element" || hasClass(node, ...blank)) return "";
  if (hasClass(node, "msupsub")) return supsub(node);
  if (hasClass(node, "mfrac")) return fraction(node);
  if (hasClass(node, "minner") && isFenced(node)) return fenced(node);
  if (hasClass(node, "mord") && isBinomial(node)) return all(node.children.slice(1, -1));
  if (hasClass(node, "sqrt")) return root(node);
  if (hasClass(node, "op-limits")) return limits(node);
  if (hasClass(node, "accent")) return accent(node);
  if (hasClass(node, "overline", "underline")) return lined(node);
  if (hasClass(node, "mtable")) return table(node, "", "");
  if (hasClass(node, "delimsizing", "delim-size1", "delim-size4")) return delimiter(node);
  if (hasClass(node, "vlist-t") || node.tagName === "svg") return undefined;
  if (hasClass(node, "text")) return plainText(node);
  const font = Object.keys(fonts).find((name) => hasClass(node, name));
  if (font !== undefined) {
    const inner = all(node.children);
    return inner === undefined ? undefined : `${fonts[font]}{${inner}}`;
  }
  if (hasClass(node, "mop") && /^[a-z]{2,}$/.test(textOf(node))) return name(textOf(node));
  return all(node.children);
}

const fonts: Readonly<Record<string, string>> = {
  mathbb: String.raw`\mathbb`,
  mathcal: String.raw`\mathcal`,
  mathscr: String.raw`\mathscr`,
  mathfrak: String.raw`\mathfrak`,
  mathbf: String.raw`\mathbf`,
  mathsf: String.raw`\mathsf`,
  mathtt: String.raw`\mathtt`,
  boldsymbol: String.raw`\boldsymbol`,
};

const names = new Set(
  "arccos arcsin arctan arg cos cosh cot coth csc deg det dim exp gcd hom inf ker lg lim ln log max min Pr sec sin sinh sup tan tanh".split(
    " ",
  ),
);
const name = (word: string) => (names.has(word) ? `\\${word} ` : `\\operatorname{${word}}`);

/** Words within a formula. */
function plainText(node: Element): string {
  const text = textOf(node).replaceAll("\u200b", "").replaceAll("\u00a0", " ");
  const command = hasClass(node, "textbf") || find(node, (each) => hasClass(each, "textbf")) ? "textbf" : "text";
  return text.trim() === "" ? "" : `\\${command}{${text.replaceAll(/[{}%#&$_]/g, String.raw`\$&`)}}`;
}

/** Characters that TeX has a command for, or that mean something else in it. */
const commands: Readonly<Record<string, string>> = Object.fromEntries(
  String.raw`α \alpha β \beta γ \gamma δ \delta ϵ \epsilon ε \varepsilon ζ \zeta η \eta θ \theta ϑ \vartheta ι \iota κ \kappa λ \lambda μ \mu ν \nu ξ \xi π \pi ρ \rho σ \sigma ς \varsigma τ \tau υ \upsilon ϕ \phi φ \varphi χ \chi ψ \psi ω \omega Γ \Gamma Δ \Delta Θ \Theta Λ \Lambda Ξ \Xi Π \Pi Σ \Sigma Υ \Upsilon Φ \Phi Ψ \Psi Ω \Omega ∑ \sum ∏ \prod ∫ \int ∬ \iint ∮ \oint ∂ \partial ∇ \nabla ∞ \infty ± \pm ∓ \mp × \times ÷ \div ⋅ \cdot · \cdot ∗ * ⋆ \star ∘ \circ ∙ \bullet ≤ \le ≥ \ge  \ne ≠ \ne ≈ \approx ≡ \equiv ∼ \sim ≃ \simeq ≅ \cong ∝ \propto ≪ \ll ≫ \gg ∈ \in ∉ \notin ∋ \ni ⊂ \subset ⊆ \subseteq ⊃ \supset ⊇ \supseteq ∪ \cup ∩ \cap ∅ \emptyset ∖ \setminus ∧ \land ∨ \lor ¬ \neg ∀ \forall ∃ \exists → \to ← \leftarrow ↔ \leftrightarrow ⇒ \Rightarrow ⇐ \Leftarrow ⇔ \Leftrightarrow ↦ \mapsto ⟶ \longrightarrow ⟹ \implies ⟺ \iff ↑ \uparrow ↓ \downarrow … \ldots ⋯ \cdots ⋮ \vdots ⋱ \ddots ℏ \hbar ℓ \ell ℜ \Re ℑ \Im ℵ \aleph ⟨ \langle ⟩ \rangle ⌊ \lfloor ⌋ \rfloor ⌈ \lceil ⌉ \rceil ∥ \parallel ∣ \mid ⊥ \perp ∠ \angle △ \triangle ⊕ \oplus ⊗ \otimes † \dagger ′ ' − - { \{ } \} % \% & \& # \# _ \_`
    .split(" ")
    .flatMap((word, at, words) => (at % 2 === 0 ? [[word, words[at + 1] ?? ""]] : [])),
);

function texOfText(text: string): string {
  return [...text]
    .map((character) => {
      const command = commands[character];
      return command === undefined ? character : /^\\[a-z]+$/i.test(command) ? `${command} ` : command;
    })
    .join("")
    .replaceAll("\u00a0", " ");
}

const all = (nodes: readonly ElementContent[]): string | undefined => joined(...nodes.map(written));

/** What is stacked, in the order of the page; `isDeep`: the first is below the line. */
function stack(node: Element): { rows: Element[]; isDeep: boolean } {
  const of = find(node, (each) => hasClass(each, "vlist-t"));
  const list = of === undefined ? undefined : find(of, (each) => hasClass(each, "vlist"));
  const rows = (list?.children ?? []).filter((child) => child.type === "element");
  return { rows, isDeep: of !== undefined && hasClass(of, "vlist-t2") };
}

const group = (mark: string, row: Element | undefined) => {
  const tex = row === undefined ? "" : written(row)?.trim();
  return tex === undefined ? undefined : tex === "" ? "" : `${mark}{${tex}}`;
};

const joined = (...parts: readonly (string | undefined)[]) => (parts.includes(undefined) ? undefined : parts.join(""));

function supsub(node: Element): string | undefined {
  const { rows, isDeep } = stack(node);
  const [first, second] = rows;
  if (rows.length > 2) return undefined;
  const tex = isDeep ? joined(group("_", first), group("^", second)) : group("^", first);
  return tex?.replace(/\^\{('+)\}/, "$1");
}

function fraction(node: Element): string | undefined {
  const { rows } = stack(node);
  const line = rows.find((row) => row.children.some((each) => each.type === "element" && hasClass(each, "frac-line")));
  const [below, above] = rows.filter((row) => row !== line);
  if (line !== undefined && rows.length === 3) return joined(group(String.raw`\frac`, above), group("", below));
  return rows.length === 2 ? joined(group(String.raw`\binom`, above), group("", below)) : undefined;
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
  return joined(written(symbol)?.trim(), group("_", rows[at - 1]), group("^", rows[at + 1]));
}

const accents: Readonly<Record<string, string>> = {
  "^": "hat",
  ˆ: "hat",
  "~": "tilde",
  "˜": "tilde",
  ˉ: "bar",
  "¯": "bar",
  "˙": "dot",
  "¨": "ddot",
  ˇ: "check",
  "˘": "breve",
  "⃗": "vec",
  ˊ: "acute",
  ˋ: "grave",
};

function accent(node: Element): string | undefined {
  const { rows } = stack(node);
  const [body, mark, ...others] = rows;
  if (body === undefined || mark === undefined || others.length > 0) return undefined;
  const holder = find(mark, (each) => hasClass(each, "accent-body"));
  const sign = textOf(mark).replaceAll("\u200b", "").trim();
  // The arrow of a vector is a drawing.
  const command = accents[sign] ?? (holder !== undefined && sign === "" ? "vec" : undefined);
  return command === undefined ? undefined : group(`\\${command}`, body);
}

function lined(node: Element): string | undefined {
  const rows = stack(node).rows.filter(
    (row) => find(row, (each) => hasClass(each, "overline-line", "underline-line")) === undefined,
  );
  return rows.length === 1
    ? group(hasClass(node, "overline") ? String.raw`\overline` : String.raw`\underline`, rows[0])
    : undefined;
}

/** Delimiters of the height of what stands between them: `\left` and `\right`, or an environment. */
const isFenced = (node: Element): boolean => {
  const [first, last] = [node.children.at(0), node.children.at(-1)];
  return first?.type === "element" && hasClass(first, "mopen") && last?.type === "element" && hasClass(last, "mclose");
};
const isFence = (node: Element) => hasClass(node, "delimcenter", "nulldelimiter");

/** Binomial coefficients are drawn as fractions without a line, in parentheses of their own. */
function isBinomial(node: Element): boolean {
  const [before, middle, after] = node.children;
  if (node.children.length !== 3 || before?.type !== "element" || middle?.type !== "element") return false;
  return (
    isFence(before) &&
    after?.type === "element" &&
    hasClass(middle, "mfrac") &&
    find(middle, (each) => hasClass(each, "frac-line")) === undefined
  );
}

/** What stands between delimiters of its height, such as the brace of `cases`. */
function fenced(node: Element): string | undefined {
  const content = node.children.filter((child) => child.type === "element");
  const first = content.at(0);
  const last = content.at(-1);
  if (first === undefined || last === undefined || content.length < 3) return all(node.children);
  const opened = fence(first);
  const closed = fence(last);
  if (opened === undefined || closed === undefined) return undefined;
  const within = content.slice(1, -1);
  const [holder] = within;
  const tables = holder === undefined ? [] : tablesIn(holder);
  if (within.length === 1 && holder !== undefined && tables[0] !== undefined && isOnly(holder, tables[0]))
    return table(tables[0], opened, closed);
  const inner = all(within);
  return inner === undefined ? undefined : `\\left${opened || "."}${inner}\\right${closed || "."}`;
}

const tablesIn = (node: Element): Element[] => {
  if (hasClass(node, "mtable")) return [node];
  return node.children.flatMap((child) => (child.type === "element" ? tablesIn(child) : []));
};

/** Whether an element contains nothing but another. */
function isOnly(holder: Element, wanted: Element): boolean {
  if (holder === wanted) return true;
  const content = holder.children.filter((child) => !(child.type === "element" && hasClass(child, ...blank)));
  return content.length === 1 && content[0]?.type === "element" && isOnly(content[0], wanted);
}

const fence = (node: Element): string | undefined =>
  hasClass(node, "nulldelimiter") || find(node, (each) => hasClass(each, "nulldelimiter")) ? "" : delimiter(node);

/** The widths of drawn delimiters: what is tall is a picture. */
const drawn: Readonly<Record<string, readonly [string, string]>> = {
  "875": ["(", ")"],
  "667": ["[", "]"],
  "333": ["|", "|"],
  "556": [String.raw`\|`, String.raw`\|`],
};

function delimiter(node: Element): string | undefined {
  const text = textOf(node).replaceAll("\u200b", "").trim();
  const picture = find(node, ({ tagName }) => tagName === "svg");
  if (/[⎧⎨⎩]/u.test(text)) return String.raw`\{`;
  if (/[⎫⎬⎭]/u.test(text)) return String.raw`\}`;
  if (/[⎛⎜⎝]/u.test(text)) return "(";
  if (/[⎞⎟⎠]/u.test(text)) return ")";
  if (/[⎡⎢⎣]/u.test(text)) return "[";
  if (/[⎤⎥⎦]/u.test(text)) return "]";
  if (/^[∣|⎪]+$/u.test(text)) return "|";
  if (/^[∥]+$/u.test(text)) return String.raw`\|`;
  if ([...text].length === 1) return texOfText(text).trim();
  if (picture === undefined || text !== "") return text === "" ? "" : undefined;
  const width = /^\S+ \S+ (\d+)/.exec(attribute(picture, "viewBox") ?? "")?.[1] ?? "";
  return drawn[width]?.[hasClass(node, "mclose") ? 1 : 0];
}

/** Rows and columns; the environment follows from the delimiters and the alignment. */
function table(node: Element, opened: string, closed: string): string | undefined {
  const columns = node.children.filter(
    (child) => child.type === "element" && classes(child).some((each) => each.startsWith("col-align-")),
  ) as Element[];
  const cells = columns.map((column) => stack(column).rows.map((row) => written(row)?.trim()));
  if (cells.length === 0 || cells.flat().includes(undefined)) return undefined;
  const rows = Array.from({ length: Math.max(...cells.map(({ length }) => length)) }, (_, at) =>
    cells
      .map((column) => column[at] ?? "")
      .join(" & ")
      .replace(/(?: &\s*)+$/, ""),
  );
  const body = rows.join(String.raw` \\ `);
  const aligns = columns.map((column) => /col-align-(\w)/.exec(classes(column).join(" "))?.[1] ?? "c").join("");
  const pair = `${opened}${closed}`;
  const environment = environments[pair];
  if (pair === String.raw`\{` && /^l+$/.test(aligns)) return wrapped("cases", body);
  if (environment !== undefined && /^c+$/.test(aligns)) return wrapped(environment, body);
  const inner = /^(rl)+r?$/.test(aligns) ? wrapped("aligned", body) : `\\begin{array}{${aligns}} ${body} \\end{array}`;
  return pair === "" ? inner : `\\left${opened || "."}${inner}\\right${closed || "."}`;
}

const environments: Readonly<Record<string, string>> = {
  "": "matrix",
  "()": "pmatrix",
  "[]": "bmatrix",
  [String.raw`\{\}`]: "Bmatrix",
  "||": "vmatrix",
  [String.raw`\|\|`]: "Vmatrix",
};

const wrapped = (environment: string, body: string) => `\\begin{${environment}} ${body} \\end{${environment}}`;
