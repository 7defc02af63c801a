/** Functions that run inside a page. Each is sent there as text, so none can use another. */

/** Notes the styles of a document, of its frames and of its shadow roots as HTML, for `documentParts`. */
export const noteStyles = (elements, { charsMax }) => {
  const styles = (globalThis.querentStyles = new WeakMap());
  let left = charsMax;
  const until = performance.now() + 1000;
  const escape = (text) => text.replace(/&/g, "&amp;").replace(/"/g, "&quot;").replace(/</g, "&lt;");
  const isUsed = (root, rule) => {
    if (performance.now() > until) return true;
    try {
      // What a pseudo-class needs may come true later; the element must be there.
      return root.querySelector(rule.selectorText.replace(/::?[\w-]+(\([^()]*\))?/g, "") || "*") !== null;
    } catch {
      return true;
    }
  };
  const textOf = (root, list, base) => {
    let text = "";
    for (const rule of list) {
      if (text.length > left) break;
      if (rule.styleSheet) text += attempt(() => textOf(root, rule.styleSheet.cssRules, rule.styleSheet.href)) ?? "";
      else if (rule.selectorText !== undefined && rule.style !== undefined)
        text += isUsed(root, rule) ? rule.cssText + "\n" : "";
      else if (/^@(media|supports|layer|container)/.test(rule.cssText) && rule.cssRules !== undefined)
        text += rule.cssText.slice(0, rule.cssText.indexOf("{") + 1) + textOf(root, rule.cssRules, base) + "}\n";
      else text += rule.cssText + "\n";
    }
    return text.replace(/url\((["']?)(?!data:|#)([^"')]+)\1\)/g, (whole, _quote, address) => {
      const absolute = URL.canParse(address, base) ? new URL(address, base).href : address;
      return 'url("' + absolute.replace(/"/g, "%22") + '")';
    });
  };
  const attempt = (work) => {
    try {
      return work();
    } catch {
      return null;
    }
  };
  const sheetHtml = (root, sheet) => {
    if (sheet.disabled) return "";
    const media = sheet.media.length > 0 ? ' media="' + escape(sheet.media.mediaText) + '"' : "";
    const base = sheet.href ?? (root.ownerDocument ?? root).baseURI;
    const text = attempt(() => textOf(root, sheet.cssRules, base));
    // The sheet of another site cannot be read, and is referred to.
    if (text === null || text.length > left)
      return sheet.href === null ? "" : '<link rel="stylesheet" href="' + escape(sheet.href) + '"' + media + ">";
    left -= text.length;
    return text === "" ? "" : "<style" + media + ">" + text.replace(/<\//g, "<\\/") + "</style>";
  };
  const walk = (root) => {
    const sheets = [...root.styleSheets, ...(root.adoptedStyleSheets ?? [])];
    styles.set(root, sheets.map((sheet) => sheetHtml(root, sheet)).join("\n"));
    for (const node of root.querySelectorAll("*")) {
      if (node.shadowRoot) walk(node.shadowRoot);
      if (node.localName === "iframe") attempt(() => node.contentDocument && walk(node.contentDocument));
    }
  };
  for (const element of elements) walk(element.ownerDocument);
};

/**
 * A document as it looks, as HTML that opens by itself: shadow roots are declared, frames of the same site are within. No
 * scripts, no hidden inputs, no typed values. Call `noteStyles` before.
 */
export const documentParts = (elements, { charsMax }) => {
  let length = 0;
  const escape = (text) => text.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;");
  const quote = (text) => escape(text).replace(/"/g, "&quot;");
  const skipped = new Set("script style noscript template link meta base object embed title".split(" "));
  const empty = new Set("area br col hr img input source track wbr".split(" "));
  const whole = new Set(["href", "src", "poster", "action", "cite"]);
  const secret = /csrf|xsrf|token|nonce|secret|password|session/i;
  const address = (node, value) => {
    if (/^\s*(javascript|data|blob):/i.test(value)) return /^\s*data:image\//i.test(value) ? value : null;
    return value.startsWith("#") || !URL.canParse(value, node.baseURI) ? value : new URL(value, node.baseURI).href;
  };
  const attributesOf = (node) => {
    let text = "";
    for (const { name, value } of node.attributes) {
      if (/^(on|srcset$|srcdoc$|nonce$|integrity$|data-querent)/.test(name) || secret.test(name)) continue;
      if (name === "value" && /^(input|textarea)$/.test(node.localName)) continue;
      if (name === "src" && node.localName === "iframe") continue;
      const kept = whole.has(name) ? address(node, value) : value;
      if (kept !== null) text += " " + name + '="' + quote(kept.slice(0, 65536)) + '"';
    }
    return text;
  };
  const children = (node) => Array.from(node.childNodes, htmlOf).join("");
  const frameOf = (node) => {
    try {
      const { documentElement } = node.contentDocument;
      return ' srcdoc="' + quote(documentOf(documentElement)) + '"';
    } catch {
      return "";
    }
  };
  const htmlOf = (node) => {
    if (length > charsMax) return "";
    if (node.nodeType === 3) {
      length += node.data.length;
      return escape(node.data);
    }
    const name = node.localName;
    if (node.nodeType !== 1 || skipped.has(name) || (name === "input" && node.type === "hidden")) return "";
    const opening = "<" + name + attributesOf(node) + (name === "iframe" ? frameOf(node) : "") + ">";
    length += opening.length;
    if (empty.has(name)) return opening;
    const root = node.shadowRoot;
    const shadow = root
      ? '<template shadowrootmode="open">' + (globalThis.querentStyles.get(root) ?? "") + children(root) + "</template>"
      : "";
    const inside = name === "textarea" || name === "iframe" ? "" : children(node);
    return opening + shadow + inside + "</" + name + ">";
  };
  const headOf = ({ ownerDocument: own }) =>
    '<meta charset="utf-8"><base href="' +
    quote(own.baseURI) +
    '"><meta name="viewport" content="width=device-width">' +
    "<title>" +
    escape(own.title) +
    "</title>" +
    (globalThis.querentStyles.get(own) ?? "");
  const documentOf = (element) =>
    "<!doctype html><html" +
    attributesOf(element) +
    "><head>" +
    headOf(element) +
    "</head>" +
    (element.querySelector(":scope > body") === null ? "" : htmlOf(element.querySelector(":scope > body"))) +
    "</html>";
  return Array.from(elements, (element) => ({
    title: element.ownerDocument.title,
    html: documentOf(element),
    styles: globalThis.querentStyles.get(element.ownerDocument) ?? "",
    body: Array.from(element.querySelectorAll(":scope > body"), children).join(""),
  }));
};
