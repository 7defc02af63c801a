/**
 * Keeps the words of a text whatever element they stand in: links that are drawn as buttons, emoji that are images, captions. What is
 * left out with words in it is noted, so that an author of a recipe sees it.
 */
import type { Element, ElementContent } from "hast";
import { attribute, classes, element, find, isBlank, isBlock, textOf, type LeftOutWords, type Parent } from "./hast.ts";
import { isCodeControl } from "./mend-code.ts";

export function keepWords(tree: Parent, leftOut: LeftOutWords[]): void {
  keepIn(tree, [], leftOut);
}

function keepIn(parent: Parent, above: readonly Parent[], leftOut: LeftOutWords[]): void {
  const within = [...above, parent];
  const kept = parent.children.flatMap((child): ElementContent[] => {
    if (child.type !== "element") return [child as ElementContent];
    if (child.tagName === "pre") return [child];
    if (child.tagName === "td" || child.tagName === "th") sayIcon(child);
    // The letters of an icon font are the name of a drawing.
    if (attribute(child, "dataQuerentIcon") !== undefined) return note(child, textOf(child), leftOut);
    if (isBox(child)) return [checkbox(child)];
    if (isButton(child)) return keptOfButton(child, within, leftOut);
    if (child.tagName === "svg") return note(child, svgWords(child), leftOut);
    const emoji = emojiOf(child);
    if (emoji !== undefined) return [{ type: "text", value: emoji }];
    keepIn(child, within, leftOut);
    if (child.tagName === "table") return withCaption(child);
    return child.tagName === "ol" ? numberedAsShown(child) : [child];
  });
  parent.children = kept;
}

const note = (node: Element, text: string, leftOut: LeftOutWords[]): [] => {
  if (/\p{L}/u.test(text)) leftOut.push({ element: node.tagName, text: text.slice(0, 200) });
  return [];
};

const isBox = (node: Element) => attribute(node, "role") === "checkbox" && node.tagName !== "input";
const isButton = (node: Element) => node.tagName === "button" || attribute(node, "role") === "button";

/** What a button says without its icon. */
const labelOf = (node: ElementContent): string => {
  if (node.type === "text") return node.value;
  return node.type !== "element" || node.tagName === "svg" ? "" : node.children.map(labelOf).join("");
};
const svgWords = (node: Element) => {
  const words: string[] = [];
  const walk = (each: ElementContent) => {
    if (each.type !== "element") return;
    if (each.tagName === "text") words.push(textOf(each).trim());
    else each.children.forEach(walk);
  };
  walk(node);
  return words.join(" ");
};

function keptOfButton(button: Element, above: readonly Parent[], leftOut: LeftOutWords[]): ElementContent[] {
  const label = labelOf(button).replaceAll(/\s+/g, " ").trim();
  if (label === "") return pictureOf(button);
  const parent = above.at(-1);
  if (parent === undefined) return [];
  const flow = runAround(button, above);
  const isOfCode = parent.type === "element" && parent.tagName === "code";
  const isBetween = flow.before && flow.after && !isBlockLike(button) && !isOfCode;
  if (isControl(label) && !isBetween) return [];
  if (!/\p{L}/u.test(label) && !/\p{Extended_Pictographic}/u.test(label))
    return isBetween && !isMarker(label) ? words(button, above, leftOut) : [];
  if (button.tagName !== "button") return words(button, above, leftOut);
  if (isCitation(button)) return note(button, label, leftOut);
  const isInSentence = (flow.before || flow.after) && !isBlockLike(button);
  const isAllOf = parent.type === "element" && holdsWords.has(parent.tagName);
  return isInSentence || isAllOf ? words(button, above, leftOut) : note(button, label, leftOut);
}

/** A number of a citation: "1", "[2]", "+3". */
const isMarker = (label: string) => /^[[(【+]?\s?\d{1,3}[\])】]?$/u.test(label);

/** The words, as a link if the button says where it leads. */
function words(button: Element, above: readonly Parent[], leftOut: LeftOutWords[]): ElementContent[] {
  const url = ["dataHref", "dataUrl", "dataLink", "href"]
    .map((name) => attribute(button, name) ?? "")
    .find((value) => /^https?:\/\//i.test(value));
  const kept = element(url === undefined ? "span" : "a", url === undefined ? {} : { href: url }, button.children);
  for (const look of ["dataQuerentBold", "dataQuerentItalic", "dataQuerentStruck"] as const)
    if (button.properties[look] !== undefined) kept.properties[look] = button.properties[look];
  keepIn(kept, above, leftOut);
  return [kept];
}

/** A picture that a click enlarges. Several, or one without a description, are icons. */
function pictureOf(button: Element): ElementContent[] {
  const pictures: Element[] = [];
  const walk = (node: ElementContent) => {
    if (node.type !== "element") return;
    if (node.tagName === "img") pictures.push(node);
    else node.children.forEach(walk);
  };
  walk(button);
  const [only] = pictures;
  return only !== undefined && pictures.length === 1 && (attribute(only, "alt") ?? "").trim() !== "" ? [only] : [];
}

const checkbox = (button: Element) =>
  element("input", { type: "checkbox", checked: attribute(button, "ariaChecked") === "true" }, []);

const isBlockLike = (node: Element) => node.properties["dataQuerentBlock"] !== undefined;

/** Elements that are there for their words: a button that is all of one is its words. */
const holdsWords = new Set(
  "a b blockquote caption cite code dd del dt em figcaption h1 h2 h3 h4 h5 h6 i label legend li mark p q s strong sub summary sup td th u".split(
    " ",
  ),
);

/** Whether there are words of no button before and after it in its line of text. */
function runAround(button: Element, above: readonly Parent[]): { before: boolean; after: boolean } {
  const found = { before: false, after: false };
  let inner: Element = button;
  for (const parent of above.toReversed()) {
    const at = parent.children.indexOf(inner);
    found.before ||= hasWords((parent.children.slice(0, at) as ElementContent[]).toReversed());
    found.after ||= hasWords(parent.children.slice(at + 1) as ElementContent[]);
    if (parent.type !== "element" || isBlock(parent) || isBlockLike(parent)) break;
    inner = parent;
  }
  return found;
}

function hasWords(siblings: readonly ElementContent[]): boolean {
  for (const sibling of siblings) {
    if (sibling.type === "element" && (isBlock(sibling) || sibling.tagName === "br" || isBlockLike(sibling)))
      return false;
    if (wordsOutsideButtons(sibling)) return true;
  }
  return false;
}

function wordsOutsideButtons(node: ElementContent): boolean {
  if (node.type === "text") return /[\p{L}\p{N}]/u.test(node.value);
  return (
    node.type === "element" && !isButton(node) && node.tagName !== "svg" && node.children.some(wordsOutsideButtons)
  );
}

const isCitation = (button: Element): boolean =>
  /citation|footnote|source-?(pill|chip|badge|marker)/i.test(
    [
      ...classes(button),
      ...["dataTestid", "ariaLabel", "dataSlot", "dataType"].map((name) => attribute(button, name) ?? ""),
    ].join(" "),
  );

const controls =
  /^(share|like|dislike|good response|bad response|helpful|not helpful|regenerate|retry|try again|rewrite|read aloud|listen|(show|see|view|load|read) (more|less|all|details)|more|less|hide|close|zoom|full ?screen|print|open in \S+|add to cart|continue( generating)?|copied|(copy|download|open|view|export|save)( (the )?(table|image|chart|csv|png|file|link|answer|response|message|text))?( as \w+)?|分享|赞|重新生成|重试|展开|收起|更多|查看更多|もっと見る|閉じる|더 보기|mehr anzeigen|teilen|partager|compartir)[.…]?$/i;

/** A button's label that is no part of a text, unless words stand on both sides of it. */
const isControl = (label: string) => isCodeControl(label) || controls.test(label);

const isEmoji = (text: string) =>
  text.length <= 30 &&
  /^(?:\p{Extended_Pictographic}|\p{Regional_Indicator}|\p{Emoji_Component}|\u200d|\ufe0f)+$/u.test(text) &&
  !/^[\d#*]+$/.test(text);

/** The emoji that an image or an icon stands for. */
function emojiOf(node: Element): string | undefined {
  if (node.tagName !== "img" && attribute(node, "role") !== "img") return undefined;
  if (node.tagName !== "img" && textOf(node).trim() !== "") return undefined;
  const alt = (attribute(node, "alt") ?? attribute(node, "ariaLabel") ?? "").trim();
  if (isEmoji(alt)) return alt;
  return node.tagName === "img" && /(^|\W)emojis?(\W|$)/i.test(classes(node).join(" ")) && alt !== "" ? alt : undefined;
}

const signs: Readonly<Record<string, RegExp>> = {
  "✓": /(^|[-_: ])(check|checked|checkmark|check[-_]?circle|tick|done|yes|task_alt)($|[-_ ])/i,
  "✗": /(^|[-_: ])(x|xmark|cross|close|cancel|clear|times|no)($|[-_ ])/i,
};

/** What an icon says that is all of a table's cell, such as a tick: its description, or else the sign that its name means. */
function sayIcon(cell: Element): void {
  const isIcon = (node: Element) => attribute(node, "dataQuerentIcon") !== undefined;
  const words = (node: ElementContent): string => {
    if (node.type === "text") return node.value;
    if (node.type !== "element" || node.tagName === "svg" || isIcon(node)) return "";
    return node.children.map(words).join("");
  };
  if (words(cell).trim() !== "" || find(cell, ({ tagName }) => tagName === "input") !== undefined) return;
  if (find(cell, ({ tagName, properties }) => tagName === "img" && (properties["src"] ?? "") !== "") !== undefined)
    return;
  const icons: Element[] = [];
  const walk = (node: Element) => {
    for (const child of node.children) {
      if (child.type !== "element") continue;
      icons.push(child);
      walk(child);
    }
  };
  walk(cell);
  const described = icons.map((icon) => {
    const title =
      icon.tagName === "svg"
        ? icon.children.find((each) => each.type === "element" && each.tagName === "title")
        : undefined;
    return attribute(icon, "ariaLabel") ?? attribute(icon, "alt") ?? (title === undefined ? "" : textOf(title));
  });
  const named = icons.flatMap((icon) => [attribute(icon, "dataQuerentIcon") ?? "", ...classes(icon)]);
  const sign = Object.entries(signs).find(([, names]) => named.some((name) => names.test(name)))?.[0];
  const value = described.find((text) => text.trim() !== "")?.trim() ?? sign;
  if (value !== undefined) cell.children = [{ type: "text", value }];
}

/** Markdown's tables have no caption: it becomes a paragraph above the table. */
function withCaption(table: Element): ElementContent[] {
  const captions = table.children.filter((child) => child.type === "element" && child.tagName === "caption");
  if (captions.length === 0) return [table];
  table.children = table.children.filter((child) => !captions.includes(child));
  return [...captions.map((caption) => element("p", {}, (caption as Element).children)), table];
}

/** The numbers of items that give their own: a list ends where they jump, and the next begins with the new number. */
function numberedAsShown(list: Element): ElementContent[] {
  if (find(list, ({ tagName, properties }) => tagName === "li" && properties["value"] !== undefined) === undefined)
    return [list];
  const lists: Element[] = [];
  let next = Number(list.properties["start"] ?? 1);
  for (const child of list.children) {
    const value = child.type === "element" && child.tagName === "li" ? Number(child.properties["value"] ?? next) : null;
    const isJump = value !== null && Number.isInteger(value) && value !== next;
    if (value !== null && isJump) next = value;
    if (lists.length === 0 || (isJump && lists.at(-1)?.children.some((node) => !isBlank(node)) === true))
      lists.push({ ...list, properties: { ...list.properties, start: next }, children: [] });
    else if (isJump) Object.assign(lists.at(-1)?.properties ?? {}, { start: next });
    lists.at(-1)?.children.push(child);
    if (value !== null) next++;
  }
  return lists;
}
