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
      // A script checks a box without its attribute.
      if (key === "checked" && name === "input") continue;
      if (key === "value" && (name === "input" || name === "textarea")) continue;
      const kept = whole.has(key) ? address(value) : value;
      if (kept === null) continue;
      attributes += " " + key + '="' + quote(kept.slice(0, 8192)) + '"';
    }
    for (const [look, value] of Object.entries(globalThis.querentLooks?.get(node) ?? {}))
      attributes += " data-querent-" + look + '="' + quote(value) + '"';
    if (name === "input" && node.checked) attributes += ' checked=""';
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
    if (globalThis.querentPanels?.has(node) || node.hasAttribute("data-querent-draft") || isDropped(node)) return;
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

/**
 * The words with which the page says that an answer broke off, in a turn or after it; null if there are none. An error in the text itself
 * counts only beside a button to try again, which no text has.
 */
export const shownError = (element, textSelectors) => {
  const says =
    /\b(errors?|wrong|fail(ed|ure)?|interrupted|(try|trying) again|retry|unable|couldn.t|could not|can.?not|can.t|lost|timed out|stopped|disconnected|went offline)\b|出错|错误|失败|重试|中断|异常|断开|エラー|오류|erreur|fehler/i;
  const again =
    /^(re-?generate( response)?|retry|try again|resend|reload|重试|重新生成|再試行|다시 시도|réessayer|erneut versuchen|reintentar)$/i;
  const goesOn =
    /^((continue|keep|resume) (generating|writing|the (response|answer)|response|answer(ing)?)|继续生成|繼續生成|続きを生成(する)?|계속 생성|weiter (generieren|schreiben)|continuer (la génération|à générer)|(continuar|seguir) (generando|gerando))$/i;
  const wordsOf = (node) => (node.innerText ?? "").replace(/\s+/g, " ").trim();
  const isSeen = (node) => node.checkVisibility({ visibilityProperty: true });
  const isButton = (node) => node.localName === "button" || node.getAttribute("role") === "button";
  const isError = (node) =>
    node.getAttribute("role") === "alert" ||
    /(^|[-_\s])error($|[-_\s])/i.test((node.getAttribute("class") ?? "") + " " + (node.dataset?.testid ?? ""));
  const broke =
    /network (connection|error)|connection (was |has been )?(lost|interrupted|closed)|something went wrong|error (occurred|generating|while|in )|(response|answer|generation|message|stream)\b.{0,30}\b(failed|interrupted|stopped|incomplete|lost|cut off)|(failed|unable|couldn.t|could not|can.t) (to )?(generate|load|get|fetch|complete|finish|respond)|出错|网络|中断|エラー|오류|erreur|fehler/i;
  const isText = (node) => textSelectors.some((selector) => node.matches(selector));
  /** The words without those of buttons and of the answer's text. */
  const ownWords = (node) => {
    const parts = [];
    const walk = (each) => {
      if (each.nodeType === 3) parts.push(each.data);
      else if (each.nodeType === 1 && !isButton(each) && !(each !== node && isText(each)))
        each.childNodes.forEach(walk);
    };
    walk(node);
    return parts.join(" ").replace(/\s+/g, " ").trim();
  };
  /** What stands beside a button to try again, if that says that something broke off. */
  const besideAgain = (button) => {
    for (
      let node = button.parentElement, at = 0;
      node && at < 4 && node !== element && !isText(node);
      node = node.parentElement, at++
    ) {
      const words = ownWords(node);
      if (words !== "") return words.length <= 300 && broke.test(words) ? wordsOf(node) : null;
    }
    return null;
  };
  const find = (node, inText) => {
    if (node.localName === "pre" || node.localName === "svg") return null;
    if (isButton(node)) {
      if (!isSeen(node)) return null;
      const label = wordsOf(node);
      if (!inText && goesOn.test(label)) return label;
      return again.test(label) || again.test(node.getAttribute("aria-label") ?? "") ? besideAgain(node) : null;
    }
    if (!inText && isError(node) && !isText(node) && isSeen(node)) {
      const words = wordsOf(node);
      if (words.length > 2 && words.length <= 500 && says.test(words)) return words;
    }
    for (const child of node.shadowRoot?.children ?? node.children) {
      const found = find(child, inText || isText(node));
      if (found !== null) return found;
    }
    return null;
  };
  for (let node = element, at = 0; node && at < 4; node = node.nextElementSibling, at++) {
    const found = find(node, false);
    if (found !== null) return found;
  }
  for (const button of document.querySelectorAll("button, [role=button]"))
    if (goesOn.test(wordsOf(button)) && isSeen(button) && button.closest("nav, [role=navigation]") === null)
      return wordsOf(button);
  return null;
};

/**
 * The drafts of one answer that the page shows beside each other: those of `drafts`, if they are new; otherwise turns that each have what
 * shows that an answer is whole; otherwise texts that stand side by side in the turn. Marks those within the turn that are not taken, and
 * returns for each its HTML's element, and whether it is the one that is taken. Null: there is only one.
 */
export const findDrafts = (turn, { drafts, turns, texts, done, question }) => {
  const all = (root, selectors) => {
    for (const selector of selectors)
      try {
        const found = Array.from(root.querySelectorAll(selector));
        if (found.length > 0) return found;
      } catch {
        // A selector that only Playwright knows.
      }
    return [];
  };
  const isSeen = (node) => node.checkVisibility({ visibilityProperty: true }) && (node.innerText ?? "").trim() !== "";
  const outermost = (nodes) => nodes.filter((node) => !nodes.some((other) => other !== node && other.contains(node)));
  const root = turn.getRootNode();
  const isNew = (node) => !globalThis.querentOldTurns?.has(node);
  const isAsked = (node) =>
    all(root, question).some((asked) => node.compareDocumentPosition(asked) & Node.DOCUMENT_POSITION_FOLLOWING);
  const isBeside = (a, b) => {
    const [one, two] = [a.getBoundingClientRect(), b.getBoundingClientRect()];
    const height = Math.min(one.bottom, two.bottom) - Math.max(one.top, two.top);
    return height > 0.5 * Math.min(one.height, two.height) && (one.right <= two.left + 1 || two.right <= one.left + 1);
  };
  let found = outermost(all(root, drafts).filter((node) => isSeen(node) && isNew(node) && !isAsked(node)));
  if (found.length < 2 && done.length > 0)
    found = outermost(
      all(root, turns).filter((node) => isSeen(node) && isNew(node) && !isAsked(node) && all(node, done).some(isSeen)),
    );
  if (found.length < 2 || !found.some((node) => node.contains(turn) || turn.contains(node))) {
    const within = outermost(all(turn, texts).filter(isSeen));
    found = within.filter((node) => within.some((other) => other !== node && isBeside(node, other)));
  }
  if (found.length < 2) return null;
  const taken = found.find((node) => node.contains(turn)) ?? found.find((node) => turn.contains(node));
  if (taken === undefined) return null;
  for (const node of found) if (node !== taken && turn.contains(node)) node.setAttribute("data-querent-draft", "");
  return found.map((node) => ({ node, isTaken: node === taken }));
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
