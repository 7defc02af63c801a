/** Functions that run inside a page, about its conversation. Each is sent there as text, so none can use another. */

/** Marks elements that belong to the conversation: turns, the questions, the composer. */
export const markConversation = (elements) => {
  const marked = (globalThis.querentConversation ??= new WeakSet());
  for (const element of elements) marked.add(element);
  return elements.length;
};

/**
 * The visible text of elements; null for an element that `where` excludes. `outside`: without the conversation, and without
 * texts that only repeat the question. `turn`: only what is inside the conversation. `page`: everything. `menus`: includes
 * menus, which list the titles of conversations.
 */
export const wordsOf = (elements, { question, where, menus }) => {
  const marked = globalThis.querentConversation ?? new WeakSet();
  const squeeze = (text) => text.replace(/\s+/g, " ").trim();
  const asked = squeeze(question);
  const isOutside = where === "outside";
  const isInside = (element) => {
    for (let node = element; node; node = node.parentElement ?? node.getRootNode().host)
      if (marked.has(node)) return true;
    return false;
  };
  const isLeftOut = (node) =>
    marked.has(node) ||
    node.localName === "textarea" ||
    node.isContentEditable ||
    (!menus && (node.localName === "nav" || node.getAttribute("role") === "navigation"));
  const skipped = new Set(["script", "style", "noscript", "template"]);
  const textOf = (element) => {
    const parts = [];
    let length = 0;
    const walk = (node, shown) => {
      if (length > 200_000) return;
      if (node.nodeType === 3) {
        if (shown) parts.push(node.data);
        length += node.data.length;
        return;
      }
      if (node.nodeType !== 1 || skipped.has(node.localName) || (isOutside && isLeftOut(node))) return;
      const style = getComputedStyle(node);
      if (style.display === "none") return;
      const start = parts.length;
      const slotted = node.localName === "slot" ? node.assignedNodes({ flatten: true }) : [];
      const below = node.shadowRoot ? node.shadowRoot.childNodes : slotted.length > 0 ? slotted : node.childNodes;
      for (const child of below) walk(child, style.visibility === "visible");
      // The page repeats the question: as the user's turn, as the title of the conversation.
      if (isOutside && asked !== "" && squeeze(parts.slice(start).join("")) === asked) parts.length = start;
      if (!style.display.startsWith("inline")) parts.push("\n");
    };
    walk(element, true);
    return parts.join("");
  };
  return Array.from(elements, (element) => {
    if (where === "turn" && !isInside(element)) return null;
    if (isOutside && (isInside(element) || (!menus && element.closest("nav, [role=navigation]") !== null))) return null;
    return textOf(element);
  });
};
