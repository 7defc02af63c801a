/** Functions that run inside a page. Each is sent there as text, so none can use another. */

/**
 * Notes what only the browser knows about elements and their descendants: what is hidden, bold, a block, a table or aligned, in which
 * order and with which numbers it is drawn, the TeX of MathJax's formulas, and the whole text of editors. `htmlOfElements` writes it as `data-querent-…` attributes.
 */
export const noteLooks = (elements) => {
  const looks = (globalThis.querentLooks = new WeakMap());
  const add = (node, name, value = "") => {
    const known = looks.get(node) ?? {};
    known[name] = value;
    looks.set(node, known);
  };
  const view = (node) => node.ownerDocument.defaultView ?? globalThis;
  const attempt = (work) => {
    try {
      return work() ?? null;
    } catch {
      return null;
    }
  };
  // MathJax 3 and 4 keep what was written in a list, MathJax 2 in scripts.
  for (const { math, display, typesetRoot } of attempt(() => Array.from(globalThis.MathJax.startup.document.math)) ??
    [])
    if (typesetRoot && typeof math === "string" && !math.startsWith("<")) {
      add(typesetRoot, "tex", math);
      if (display) add(typesetRoot, "display");
    }
  const isHeading = /^h[1-6]$/;
  // Elements that are emphasis, or that page styles draw like it: links, code and quotes.
  const styled = "a blockquote button caption code figcaption kbd label pre q samp sub sup td th".split(" ");
  const bolds = new Set([..."b strong summary dt h1 h2 h3 h4 h5 h6".split(" "), ...styled]);
  const italics = new Set([..."i em cite var dfn address".split(" "), ...styled]);
  const struck = new Set(["s", "del", "strike"]);
  const inlines = new Set("a abbr b button cite code em font i label mark q s small span strong sub sup u".split(" "));
  const isBold = (style) => Number(style.fontWeight) >= 600;
  const isItalic = (style) => style.fontStyle !== "normal";
  /** Text for screen readers: in the page, and not to be seen. Formulas are hidden in this way, too. */
  const isForReaders = (node, style) =>
    (style.position === "absolute" || style.position === "fixed") &&
    style.overflow !== "visible" &&
    (node.offsetWidth <= 1 || node.offsetHeight <= 1) &&
    (style.clip !== "auto" || style.clipPath !== "none") &&
    node.querySelector("math, annotation") === null &&
    node.closest(".katex, mjx-container, .MathJax") === null;
  const isFormula = (node) => node.closest(".katex, mjx-container, .MathJax") !== null;
  /** Words within a line that nobody sees, such as those that are only there to be copied. What fades in is seen in a moment. */
  const isUnseen = (node, style, above) => {
    if (style.contentVisibility === "hidden") return true;
    if (isFormula(node)) return false;
    if (Number.parseFloat(style.fontSize) === 0 && node.childElementCount === 0) return true;
    if (isOutside(node, style)) return true;
    if (!style.display.startsWith("inline") || style.transitionDuration !== "0s") return false;
    if ((attempt(() => node.getAnimations().length) ?? 0) > 0) return false;
    if (style.opacity === "0") return true;
    if (style.overflow !== "visible" && style.display !== "inline" && node.clientWidth * node.clientHeight === 0)
      return node.textContent.trim() !== "";
    // Words with a gradient are transparent, too.
    return (
      isTransparent(style.color) &&
      isTransparent(style.webkitTextFillColor) &&
      above !== null &&
      !isTransparent(above.color) &&
      style.backgroundImage === "none" &&
      style.textShadow === "none"
    );
  };
  const isTransparent = (color) => color === "transparent" || /^rgba\(.*, 0\)$/.test(color);
  /** Placed where no scrolling leads to. Items of a list that was scrolled stand above its top, too, but by no such distance. */
  const isOutside = (node, { position, left, top }) =>
    (position === "absolute" || position === "fixed") &&
    Math.min(Number.parseFloat(left), Number.parseFloat(top)) <= -900;
  const content = /"((?:[^"\\]|\\.)*)"\s*|counters?\(((?:[^")]|"(?:[^"\\]|\\.)*")*)\)\s*/g;
  const isContent = (text) => text.replace(content, "").trim() === "" && text !== "";
  const unquoted = (text) => text.replace(/\\(.)/g, "$1");
  // What a style writes as words or as a sign of its own, such as a tick. Arrows, bullets and the letters of icon fonts are drawings.
  const saying = /[\p{L}\p{N}\p{Emoji_Presentation}✓✔☑✗✘✖⚠★☆]/u;
  /** The words that a style generates, without icons and quotation marks. */
  const generatedWords = (node, where) => {
    const style = view(node).getComputedStyle(node, where);
    if (!isContent(style.content) || style.display === "none" || style.visibility !== "visible") return null;
    // A counter is a number of the text wherever its style puts it; words that are placed elsewhere are hints.
    if (style.content.includes("counter")) {
      const drawn = countersOf(node.ownerDocument).get(node)?.[where] ?? "";
      const isApart = !style.display.startsWith("inline") || style.display === "inline-block" || hasGap(style);
      const space = drawn !== "" && where === "::before" && isApart && /[\p{L}\p{N}.)]$/u.test(drawn) ? " " : "";
      return saying.test(drawn) ? drawn + space : null;
    }
    const text = style.content.replace(content, (_all, string) => unquoted(string));
    if (!saying.test(text) || style.position === "absolute" || style.position === "fixed") return null;
    return text;
  };
  const numbered = (value, style) => {
    const letters = () => {
      let [rest, text] = [value, ""];
      for (; rest > 0; rest = Math.floor((rest - 1) / 26)) text = String.fromCharCode(97 + ((rest - 1) % 26)) + text;
      return text;
    };
    const roman = () => {
      const signs = "m 1000 cm 900 d 500 cd 400 c 100 xc 90 l 50 xl 40 x 10 ix 9 v 5 iv 4 i 1".split(" ");
      let [rest, text] = [value, ""];
      for (let at = 0; at < signs.length; at += 2)
        for (; rest >= Number(signs[at + 1]); rest -= Number(signs[at + 1])) text += signs[at];
      return text;
    };
    if (style === "none") return "";
    if (style === "decimal-leading-zero") return String(value).padStart(2, "0");
    if (value < 1 || value > 3999) return String(value);
    if (/^lower-(alpha|latin)$/.test(style)) return letters();
    if (/^upper-(alpha|latin)$/.test(style)) return letters().toUpperCase();
    if (style === "lower-roman") return roman();
    if (style === "upper-roman") return roman().toUpperCase();
    return String(value);
  };
  /**
   * What counters draw at the elements of a document, by the rules of CSS: computed for all of it, since what a counter has reached
   * depends on all that stands before.
   */
  const documents = new Map();
  const countersOf = (document) => {
    const known = documents.get(document);
    if (known !== undefined) return known;
    const drawn = new WeakMap();
    documents.set(document, drawn);
    const scopes = new Map();
    const pairs = (text) =>
      Array.from(text.matchAll(/([^\s()]+)\s+(-?\d+)/g), ([, name, value]) => [name, Number(value)]);
    const reset = (name, value, parent) => {
      const scope = scopes.get(name) ?? [];
      scopes.set(name, scope);
      if (scope.at(-1)?.parent === parent) scope.at(-1).value = value;
      else scope.push({ value, parent });
    };
    const innermost = (name, parent) => {
      if ((scopes.get(name) ?? []).length === 0) reset(name, 0, parent);
      return scopes.get(name).at(-1);
    };
    const count = (style, parent) => {
      for (const [name, value] of pairs(style.counterReset)) reset(name, value, parent);
      for (const [name, value] of pairs(style.counterIncrement)) innermost(name, parent).value += value;
      for (const [name, value] of pairs(style.counterSet)) innermost(name, parent).value = value;
    };
    const parts = (text) =>
      text
        .match(/"(?:[^"\\]|\\.)*"|[^,\s]+/g)
        ?.map((part) => (part.startsWith('"') ? unquoted(part.slice(1, -1)) : part));
    const write = (node, where) => {
      const style = node.ownerDocument.defaultView.getComputedStyle(node, where);
      if (style.content === "none" || style.content === "normal" || style.display === "none") return;
      if (where !== "::marker") count(style, node);
      if (!style.content.includes("counter") || !isContent(style.content)) return;
      const text = style.content.replace(content, (token, string, inner) => {
        if (string !== undefined) return unquoted(string);
        const [name, ...others] = parts(inner) ?? [];
        const values = (scopes.get(name) ?? []).map(({ value }) => value);
        if (!token.startsWith("counters")) return numbered(values.at(-1) ?? 0, others[0] ?? "decimal");
        return values.map((value) => numbered(value, others[1] ?? "decimal")).join(others[0] ?? "");
      });
      drawn.set(node, { ...drawn.get(node), [where]: text });
    };
    const walkAll = (node, parent) => {
      if (node.nodeType !== 1 || node.localName === "svg") return;
      const style = node.ownerDocument.defaultView.getComputedStyle(node);
      if (style.display === "none") return;
      if (/^(ol|ul|menu)$/.test(node.localName)) reset("list-item", (node.start ?? 1) - 1, parent);
      if (node.localName === "li") {
        const own = innermost("list-item", parent);
        own.value = node.hasAttribute("value") ? node.value : own.value + 1;
      }
      count(style, parent);
      if (node.localName === "li") write(node, "::marker");
      write(node, "::before");
      const slotted = node.localName === "slot" ? node.assignedNodes({ flatten: true }) : [];
      for (const child of node.shadowRoot?.childNodes ?? (slotted.length > 0 ? slotted : node.childNodes))
        walkAll(child, node);
      write(node, "::after");
      for (const scope of scopes.values()) while (scope.at(-1)?.parent === node) scope.pop();
    };
    walkAll(document.documentElement, null);
    return drawn;
  };
  const lengthOf = (text) => Number.parseFloat(text) || 0;
  const gapMin = 3;
  const hasGap = (style) => lengthOf(style.marginRight) + lengthOf(style.paddingRight) >= gapMin;
  // Elements that pages lay out as parts of a line, without a space between them.
  const parted = new Set("span small label time div".split(" "));
  const tables = new Set("table caption colgroup col thead tbody tfoot tr td th".split(" "));
  const iconFont = /material (icons|symbols)|google (material )?(icons|symbols)/i;
  /** The places of the children of a box that draws them in another order than they stand in. */
  const notePlaces = (node, style) => {
    if (!/(flex|grid)$/.test(style.display)) return;
    const children = Array.from(node.children, (child) => ({
      child,
      order: Number(view(child).getComputedStyle(child).order) || 0,
    }));
    const isReversed = style.display.endsWith("flex") && style.flexDirection.endsWith("-reverse");
    if (!isReversed && children.every(({ order }) => order === 0)) return;
    children.sort((a, b) => a.order - b.order);
    if (isReversed) children.reverse();
    children.forEach(({ child }, place) => add(child, "place", String(place)));
  };
  const withoutWords = new Set(
    "button code hr iframe img input pre select svg textarea table tbody thead tr".split(" "),
  );
  // A block of formatted text that inherits it is formatted, and its line feeds are those of its source.
  const formatted = new Set("p li td th dd dt h1 h2 h3 h4 h5 h6 blockquote figcaption".split(" "));
  const keepsLines = (node, style, above) =>
    /^(pre|break-spaces)/.test(style.whiteSpace) &&
    !(formatted.has(node.localName) && style.whiteSpace === above?.whiteSpace) &&
    Array.from(node.childNodes).some(
      ({ nodeType, data }) => nodeType === 3 && data.includes("\n") && data.trim() !== "",
    );
  const editorText = (node) =>
    attempt(() => node.CodeMirror.getValue()) ??
    attempt(() => node.env.editor.getValue()) ??
    attempt(() =>
      (
        node.cmTile?.view ??
        node.cmTile?.root?.view ??
        node.cmView.rootView?.view ??
        node.cmView.view
      ).state.doc.toString(),
    );
  const note = (node, style, above, inCode) => {
    const name = node.localName;
    const display = style.display;
    if (inlines.has(name) && /^(block|flex|grid|flow-root|list-item|table)/.test(display)) add(node, "block");
    if (
      (name === "code" || name === "samp") &&
      /^(pre|break-spaces)/.test(style.whiteSpace) &&
      node.textContent.includes("\n")
    )
      add(node, "pre");
    if (name === "td" && /^(center|right|end)$/.test(style.textAlign) && style.direction === "ltr")
      add(node, "align", style.textAlign === "center" ? "center" : "right");
    const text = node.className && /editor|CodeMirror|cm-content/.test(node.className) ? editorText(node) : null;
    if (typeof text === "string" && text !== "") add(node, "code", text);
    if (inCode && style.userSelect === "none" && /^\s*\d{1,6}\s*$/.test(node.textContent)) return add(node, "hidden");
    if (
      iconFont.test(style.fontFamily) &&
      node.childElementCount === 0 &&
      /^\s*[a-z][a-z0-9_ ]{0,40}\s*$/.test(node.textContent)
    )
      return add(node, "icon", node.textContent.trim());
    if (parted.has(name) && display.startsWith("inline") && node.closest("pre, code") === null) {
      if (lengthOf(style.marginLeft) + lengthOf(style.paddingLeft) >= gapMin) add(node, "gap-before");
      if (hasGap(style)) add(node, "gap-after");
    }
    if (inCode) return;
    if (!tables.has(name) && /^(inline-)?table/.test(display)) add(node, "table", display.replace("inline-", ""));
    notePlaces(node, style);
    if (!withoutWords.has(name) && !isFormula(node)) {
      for (const where of name === "li" ? ["marker", "before", "after"] : ["before", "after"]) {
        const words = generatedWords(node, "::" + where);
        if (words === null) continue;
        const number = name === "li" && where !== "after" ? /^\s*(\d{1,9})\s*[.):、]?\s*$/.exec(words)?.[1] : undefined;
        // The marker of a numbered list is drawn by Markdown, too.
        if (number !== undefined) add(node, "number", number);
        else add(node, where === "after" ? "after" : "before", words);
      }
      if (keepsLines(node, style, above)) add(node, "lines");
    }
    if (above === null) return;
    if (isBold(style) && !isBold(above) && !bolds.has(name)) add(node, "bold");
    if (isItalic(style) && !isItalic(above) && !italics.has(name)) add(node, "italic");
    if (style.textDecorationLine.includes("line-through") && !struck.has(name)) add(node, "struck");
  };
  const walk = (node, above, inCode) => {
    if (node.nodeType !== 1 || node.localName === "svg" || node.localName === "math") return;
    const style = view(node).getComputedStyle(node);
    if (
      style.display === "none" ||
      style.visibility === "hidden" ||
      isForReaders(node, style) ||
      isUnseen(node, style, above)
    )
      return add(node, "hidden");
    note(node, style, above, inCode);
    const isCode = inCode || node.localName === "pre" || node.localName === "code" || isHeading.test(node.localName);
    const frame = node.localName === "iframe" ? attempt(() => node.contentDocument.body.childNodes) : null;
    const slotted = node.localName === "slot" ? node.assignedNodes({ flatten: true }) : [];
    for (const child of frame ?? node.shadowRoot?.childNodes ?? (slotted.length > 0 ? slotted : node.childNodes))
      walk(child, style, isCode);
  };
  for (const element of elements) walk(element, null, false);
};
