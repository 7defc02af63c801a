/** Functions that run inside a page. Each is sent there as text: those that scroll are sent with `rendered`. */
import { rendered } from "./page-scroll.mjs";

/**
 * Finds the lists in an element that contain their visible items only: scrolls from its beginning to its end, and sees which
 * elements lose children. Returns the number of scrollable areas to read step by step.
 */
export const findLists = async (element) => {
  const found = (globalThis.querentLists = { areas: [], lists: new Map() });
  const isArea = (node) =>
    node.scrollHeight > node.clientHeight + 40 &&
    node.clientHeight > 0 &&
    /auto|scroll|overlay/.test(getComputedStyle(node).overflowY);
  const roots = [element];
  const within = [];
  const walk = (node) => {
    if (node.shadowRoot) roots.push(node.shadowRoot);
    for (const child of node.shadowRoot?.children ?? node.children) {
      if (within.length < 10 && isArea(child)) within.push(child);
      walk(child);
    }
  };
  walk(element);
  let above = element.parentElement ?? element.getRootNode().host;
  while (above && !isArea(above)) above = above.parentElement ?? above.getRootNode().host;
  const around = above ?? document.scrollingElement;
  const removed = [];
  const observer = new MutationObserver((records) => {
    for (const { target, removedNodes } of records)
      for (const node of removedNodes) if (node.nodeType === 1) removed.push({ target, text: node.textContent.trim() });
  });
  for (const root of roots) observer.observe(root, { childList: true, subtree: true });
  for (const area of [around, ...within]) {
    if (area === around && element.getBoundingClientRect().height <= area.clientHeight) continue;
    const before = area.scrollTop;
    removed.length = 0;
    if (area === around) element.scrollIntoView({ block: "start", behavior: "instant" });
    else area.scrollTop = 0;
    await rendered();
    if (area === around) element.scrollIntoView({ block: "end", behavior: "instant" });
    else area.scrollTop = area.scrollHeight;
    await rendered();
    // An element that is replaced by another with the same text is no item of a list, and a list has no text of its own.
    const lists = removed.flatMap(({ target, text }) =>
      target.nodeType === 1 &&
      target.isConnected &&
      text !== "" &&
      !target.textContent.includes(text) &&
      Array.from(target.childNodes).every((node) => node.nodeType !== 3 || node.data.trim() === "")
        ? [target]
        : [],
    );
    area.scrollTop = before;
    for (const list of lists) if (!found.lists.has(list)) found.lists.set(list, found.lists.size);
    if (lists.length > 0) found.areas.push({ area, around: area === around });
  }
  observer.disconnect();
  return found.areas.length;
};

/** Scrolls an area that `findLists` found to the beginning of the element, or on; returns false at the end. */
export const scrollLists = async (element, { area: at, restart }) => {
  const { area, around } = globalThis.querentLists.areas[at];
  const before = area.scrollTop;
  if (!restart) area.scrollTop = before + Math.max(20, area.clientHeight * 0.6);
  else if (around) element.scrollIntoView({ block: "start", behavior: "instant" });
  else area.scrollTop = 0;
  const moved = restart || area.scrollTop > before;
  if (moved) await rendered();
  return moved;
};

/** How many items the lists that `findLists` found have at this moment. */
export const countItems = () => {
  let items = 0;
  for (const list of globalThis.querentLists?.lists.keys() ?? [])
    items += list.isConnected ? list.childElementCount : 0;
  return items;
};

/** Marks the lists and their items, for `htmlOfElements`; call it after `noteLooks`. */
export const noteLists = () => {
  const names = ["data-index", "data-item-index", "data-key", "aria-posinset", "aria-rowindex", "id"];
  const add = (node, more) => globalThis.querentLooks.set(node, { ...globalThis.querentLooks.get(node), ...more });
  for (const [list, number] of globalThis.querentLists.lists) {
    add(list, { list: String(number) });
    const top = list.getBoundingClientRect().top;
    const items = Array.from(list.children, (item) => ({ item, top: item.getBoundingClientRect().top - top }));
    items.sort((a, b) => a.top - b.top);
    items.forEach(({ item, top: own }, order) => {
      const name = names.find((each) => item.hasAttribute(each));
      const key = name === undefined ? "top:" + Math.round(own) : name + ":" + item.getAttribute(name);
      add(item, { item: key, order: String(order) });
    });
  }
};
