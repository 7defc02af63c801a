/** Functions that run inside a page. Each is sent there as text, so none can use another. */

/**
 * Prepares a page for a screenshot of an element, with a style sheet, so that elements that the page renders anew stay as they
 * are wanted: `hidden` selectors and whatever floats over the page are not seen, bars that stick cover no text, and blocks that
 * the browser skips off screen are painted. Returns the selectors that are not CSS.
 */
export const styleForPicture = (element, { hidden }) => {
  const rules = [
    "*, ::before, ::after { content-visibility: visible !important; contain-intrinsic-size: none !important }",
  ];
  const isCss = (selector) => CSS.supports("selector(" + selector + ")");
  for (const selector of hidden.filter(isCss))
    rules.push(":is(" + selector + "), :is(" + selector + ") * { visibility: hidden !important }");
  const around = new Set();
  for (let node = element; node; node = node.parentElement ?? node.getRootNode().host) around.add(node);
  const roots = [];
  const floating = [];
  const walk = (root) => {
    roots.push(root);
    for (const node of root.querySelectorAll("*")) {
      if (node.shadowRoot) walk(node.shadowRoot);
      const { position } = getComputedStyle(node);
      const isDialog = node.matches("dialog[open], [role=dialog], [role=alertdialog], [aria-modal=true], [popover]");
      if (position === "sticky") floating.push({ node, root, style: "position: relative; inset: auto" });
      else if ((position === "fixed" || isDialog) && !around.has(node))
        floating.push({ node, root, style: "display: none" });
    }
  };
  walk(document);
  // By the rule that makes it float, if there is one: an attribute is lost when the page renders the element anew.
  const makers = [];
  const collect = (list) => {
    for (const rule of list) {
      if (rule.cssRules?.length > 0 && !rule.selectorText) collect(rule.cssRules);
      else if (/^(sticky|fixed)$/.test(rule.style?.position ?? "")) makers.push(rule.selectorText);
    }
  };
  for (const root of roots)
    for (const sheet of [...root.styleSheets, ...root.adoptedStyleSheets]) {
      try {
        collect(sheet.cssRules);
      } catch {
        // The sheet of another site.
      }
    }
  const important = (style) => style.replaceAll(/(;|$)/g, " !important$1");
  for (const { node, root, style } of floating) {
    const maker = makers.find(
      (selector) =>
        node.matches(selector) && !Array.from(root.querySelectorAll(selector)).some((each) => around.has(each)),
    );
    if (maker === undefined) node.setAttribute("data-querent-floats", style);
    else rules.push(maker + " { " + important(style) + " }");
  }
  for (const style of new Set(floating.map((each) => each.style)))
    rules.push('[data-querent-floats="' + style + '"] { ' + important(style) + " }");
  const sheet = new CSSStyleSheet();
  for (const rule of new Set(rules)) {
    try {
      sheet.insertRule(rule, sheet.cssRules.length);
    } catch {
      // A selector that only its own sheet understands.
    }
  }
  for (const root of roots) root.adoptedStyleSheets = [...root.adoptedStyleSheets, sheet];
  return hidden.filter((selector) => !isCss(selector));
};

/** Waits, but not for long, for images that are loaded only when they come into view. */
export const loadImages = async (element, { waitMs }) => {
  const images = Array.from(element.querySelectorAll("img"));
  for (const image of images) image.loading = "eager";
  const loaded = Promise.all(images.map((image) => image.decode().catch(() => undefined)));
  await Promise.race([loaded, new Promise((done) => setTimeout(done, waitMs))]);
};
