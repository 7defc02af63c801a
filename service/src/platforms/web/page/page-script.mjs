/** Functions that run inside a page. Each is sent there as text, so none can use another. */

/**
 * The HTML of elements, with their shadow roots and frames inlined, URLs made absolute, and what `noteLooks` noted. No scripts,
 * no hidden inputs, no typed values. `key`: an attribute that is returned with it.
 */
export const htmlOfElements = (elements, { charsMax, key: keyName }) => {
  let out = [];
  let length = 0;
  const put = (text) => {
    out.push(text);
    length += text.length;
  };
  const escape = (text) => text.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;");
  const quote = (text) => escape(text).replace(/"/g, "&quot;");
  const skipped = new Set(["script", "style", "noscript", "template", "link", "meta", "base", "object", "embed"]);
  const empty = new Set(["area", "br", "col", "hr", "img", "input", "source", "track", "wbr"]);
  const whole = new Set(["href", "src", "poster", "action", "cite"]);
  const secret = /csrf|xsrf|token|nonce|secret|password|session/i;
  const address = (value) => {
    if (/^\s*(javascript|data|blob):/i.test(value)) return null;
    try {
      return new URL(value, document.baseURI).href;
    } catch {
      return value;
    }
  };
  // What is in a frame of another site cannot be read from here.
  const inFrame = (node) => {
    try {
      return node.contentDocument?.body?.childNodes ?? [];
    } catch {
      return [];
    }
  };
  const tex = (node) => node.localName === "script" && node.type.startsWith("math/tex");
  const walk = (node) => {
    if (length > charsMax) return;
    if (node.nodeType === 3) {
      put(escape(node.data));
      return;
    }
    if (node.nodeType !== 1) return;
    const name = node.localName === "iframe" ? "div" : node.localName;
    if (tex(node)) {
      const display = /mode=display/.test(node.type) ? ' data-querent-display=""' : "";
      put('<span data-querent-tex="' + quote(node.text) + '"' + display + "></span>");
      return;
    }
    if (skipped.has(name) || (name === "input" && node.type === "hidden")) return;
    let attributes = "";
    for (const { name: key, value } of node.attributes) {
      if (
        key.startsWith("on") ||
        key === "srcset" ||
        key === "srcdoc" ||
        key === "nonce" ||
        key === "integrity" ||
        secret.test(key)
      )
        continue;
      if (key === "value" && (name === "input" || name === "textarea")) continue;
      const kept = whole.has(key) ? address(value) : value;
      if (kept === null) continue;
      attributes += " " + key + '="' + quote(kept.slice(0, 8192)) + '"';
    }
    for (const [look, value] of Object.entries(globalThis.querentLooks?.get(node) ?? {}))
      attributes += " data-querent-" + look + '="' + quote(value) + '"';
    put("<" + name + attributes + ">");
    if (empty.has(name)) return;
    const slotted = name === "slot" ? node.assignedNodes({ flatten: true }) : [];
    const below =
      node.localName === "iframe"
        ? inFrame(node)
        : name === "textarea"
          ? []
          : (node.shadowRoot?.childNodes ?? (slotted.length > 0 ? slotted : node.childNodes));
    for (const child of below) walk(child);
    put("</" + name + ">");
  };
  return Array.from(elements, (element) => {
    out = [];
    walk(element);
    return { html: out.join(""), key: keyName === null ? null : element.getAttribute(keyName) };
  });
};

/** Marks panels that are taken by themselves, unless the answer's text is in them. */
export const markPanels = (elements, textSelectors) => {
  const panels = (globalThis.querentPanels ??= new WeakSet());
  const hasText = (element) =>
    textSelectors.some((selector) => {
      try {
        return element.matches(selector) || element.querySelector(selector) !== null;
      } catch {
        return true;
      }
    });
  for (const element of elements) if (textSelectors.length > 0 && !hasText(element)) panels.add(element);
};

/** Marks the turns that exist before the question is asked. */
export const markOldTurns = (elements) => {
  const old = (globalThis.querentOldTurns ??= new WeakSet());
  for (const element of elements) old.add(element);
  return elements.length;
};

/**
 * The last turn: its index, its text without panels that were taken by themselves and without `dropped` selectors, and whether it
 * existed before.
 */
export const newTurn = (elements, dropped) => {
  const index = elements.length - 1;
  const element = elements[index];
  if (element === undefined) return null;
  const parts = [];
  const isDropped = (node) =>
    dropped.some((selector) => {
      try {
        return node.matches(selector);
      } catch {
        return false;
      }
    });
  // The text including shadow roots.
  const walk = (node) => {
    if (node.nodeType === 3) parts.push(node.data);
    if (node.nodeType !== 1 || node.localName === "script" || node.localName === "style") return;
    if (globalThis.querentPanels?.has(node) || isDropped(node)) return;
    const slotted = node.localName === "slot" ? node.assignedNodes({ flatten: true }) : [];
    let frame = null;
    try {
      frame = node.localName === "iframe" ? (node.contentDocument?.body?.childNodes ?? null) : null;
    } catch {
      // A frame of another site.
    }
    for (const child of frame ?? node.shadowRoot?.childNodes ?? (slotted.length > 0 ? slotted : node.childNodes))
      walk(child);
  };
  walk(element);
  return { index, text: parts.join("").slice(0, 4_000_000), old: globalThis.querentOldTurns?.has(element) ?? false };
};

/** The words of an error that the page shows in a turn or after it, and not in its text; null if there is none. */
export const shownError = (element, textSelectors) => {
  const says =
    /\b(errors?|wrong|fail(ed|ure)?|interrupted|(try|trying) again|retry|unable|couldn.t|could not|can.?not|can.t|lost|timed out)\b|出错|错误|失败|重试|中断|异常|エラー|오류|erreur|fehler/i;
  const isError = (node) =>
    node.getAttribute("role") === "alert" ||
    /(^|[-_\s])error($|[-_\s])/i.test((node.getAttribute("class") ?? "") + " " + (node.dataset?.testid ?? ""));
  const find = (node) => {
    if (textSelectors.some((selector) => node.matches(selector))) return null;
    if (isError(node) && node.checkVisibility({ visibilityProperty: true })) {
      const words = (node.innerText ?? "").replace(/\s+/g, " ").trim();
      if (words.length > 2 && words.length <= 500 && says.test(words)) return words;
    }
    for (const child of node.shadowRoot?.children ?? node.children) {
      const found = find(child);
      if (found !== null) return found;
    }
    return null;
  };
  for (let node = element, at = 0; node && at < 4; node = node.nextElementSibling, at++) {
    const found = find(node);
    if (found !== null) return found;
  }
  return null;
};

/** A field of a form, rather than an editor. */
export const isField = (element) => "value" in element;

/** The contents of a composer. */
export const heldText = (element) => ("value" in element ? element.value : element.innerText);

/** An attribute, or the value of a field. */
export const attributeOf = (element, name) => {
  const value = name === "value" && "value" in element ? element.value : element.getAttribute(name);
  return value === null ? null : String(value);
};

/** Enlarges scrollable areas to their contents, so that a screenshot shows all of it. */
export const unscroll = (element) => {
  for (let node = element; node; node = node.parentElement ?? node.getRootNode().host) {
    node.style.setProperty("overflow", "visible", "important");
    node.style.setProperty("height", "auto", "important");
    node.style.setProperty("max-height", "none", "important");
  }
};

/** Enlarges the areas in an answer that scroll up and down, such as code of limited height. */
export const unscrollWithin = (element) => {
  const walk = (root) => {
    for (const node of root.querySelectorAll("*")) {
      if (node.shadowRoot) walk(node.shadowRoot);
      if (node.scrollHeight <= node.clientHeight + 1 || !/auto|scroll/.test(getComputedStyle(node).overflowY)) continue;
      node.style.setProperty("height", "auto", "important");
      node.style.setProperty("max-height", "none", "important");
    }
  };
  walk(element);
  if (element.shadowRoot) walk(element.shadowRoot);
};

/** Brings the lower end of an element into view. */
export const showEnd = (element) => element.scrollIntoView({ block: "end", inline: "nearest", behavior: "instant" });

/** The full height of a document. */
export const heightOf = (element) => element.scrollHeight;

/** Sets the height of a frame. */
export const grow = (element, height) => {
  element.style.setProperty("height", height + "px", "important");
  element.style.setProperty("max-height", "none", "important");
};

/** Hides elements from a screenshot. */
export const hide = (elements) => {
  for (const element of elements) element.style.setProperty("visibility", "hidden", "important");
};
