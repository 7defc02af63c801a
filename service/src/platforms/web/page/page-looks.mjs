/** Functions that run inside a page. Each is sent there as text, so none can use another. */

/**
 * Notes what only the browser knows about elements and their descendants: what is hidden, bold, a block or aligned, the TeX
 * of MathJax's formulas, and the whole text of editors. `htmlOfElements` writes it as `data-querent-…` attributes.
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
  /** The words that a style generates, without icons, quotation marks and counters. */
  const generatedWords = (node, where) => {
    const { content, position, display, visibility } = view(node).getComputedStyle(node, where);
    if (!/^("(?:[^"\\]|\\.)*"\s*)+$/.test(content) || !/[\p{L}\p{N}]/u.test(content)) return null;
    if (position === "absolute" || position === "fixed" || display === "none" || visibility !== "visible") return null;
    return content.replace(/"((?:[^"\\]|\\.)*)"\s*/g, (_all, text) => text.replace(/\\(.)/g, "$1"));
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
    if (inCode) return;
    if (!withoutWords.has(name) && !isFormula(node)) {
      for (const where of ["before", "after"]) {
        const words = generatedWords(node, "::" + where);
        if (words !== null) add(node, where, words);
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
