/**
 * Footnotes, as `[^1]` and `[^1]: …`. Pages draw them as links within the page, to notes at the end of the text that link back.
 */
import type { Element, ElementContent } from "hast";
import { attribute, classes, element, isBlank, textOf, type Parent } from "./hast.ts";

export const noteMarkTag = "querent-note-mark";
export const noteTag = "querent-note";

export function mendFootnotes(tree: Parent): void {
  const ids = idsOf(tree);
  const notes = [...ids].flatMap(([id, place]) => (isNote(place, ids) ? [id] : []));
  const named = new Map(notes.map((id, at) => [id, labelOf(id, at)]));
  const cited = new Set<string>();
  replaceMarks(tree, { ids, named, cited, isInNote: false });
  if (cited.size === 0) return;
  const taken: Element[] = [];
  removeNotes(tree, new Map([...named].filter(([id]) => cited.has(id))), taken);
  tree.children.push(...taken);
}

type Ids = ReadonlyMap<string, { readonly node: Element; readonly above: readonly Element[] }>;

function idsOf(tree: Parent): Ids {
  const ids = new Map<string, { node: Element; above: Element[] }>();
  const walk = (parent: Parent, above: Element[]) => {
    for (const child of parent.children) {
      if (child.type !== "element") continue;
      const id = attribute(child, "id");
      if (id !== undefined && id !== "" && !ids.has(id)) ids.set(id, { node: child, above });
      walk(child, [...above, child]);
    }
  };
  walk(tree, []);
  return ids;
}

/** The id that a link leads to on its own page. The snapshot's addresses are absolute. */
const fragmentOf = (node: Element): string | undefined => {
  const fragment = /#(.+)$/.exec(attribute(node, "href") ?? "")?.[1];
  if (fragment === undefined) return undefined;
  try {
    return decodeURIComponent(fragment);
  } catch {
    return fragment;
  }
};

const isBackLink = (node: Element, ids: Ids, above: readonly Element[]): boolean => {
  if (node.tagName !== "a") return false;
  if (attribute(node, "dataFootnoteBackref") !== undefined || attribute(node, "role") === "doc-backlink") return true;
  if (classes(node).some((name) => /^footnote-?back(ref|link)?$|^reversefootnote$/i.test(name))) return true;
  const to = ids.get(fragmentOf(node) ?? "");
  return (
    to !== undefined &&
    /^(?:[\s\u21a9\u2191\u2934^\d]|\ufe0e|\ufe0f)*$/u.test(textOf(node)) &&
    !above.includes(to.node) &&
    isReference(to.node, to.above)
  );
};

const isReference = (node: Element, above: readonly Element[]): boolean =>
  [node, ...above.slice(-2)].some(
    (each) =>
      each.tagName === "sup" ||
      attribute(each, "dataFootnoteRef") !== undefined ||
      attribute(each, "role") === "doc-noteref" ||
      classes(each).some((name) => /^footnote-?ref$/i.test(name)),
  );

/** A note stands among others of its kind, or links back to where it is cited. */
function isNote({ node, above }: { readonly node: Element; readonly above: readonly Element[] }, ids: Ids): boolean {
  if (node.tagName !== "li" && node.tagName !== "p" && node.tagName !== "div" && node.tagName !== "aside") return false;
  const isAmongNotes = above.some(
    (each) =>
      attribute(each, "dataFootnotes") !== undefined ||
      attribute(each, "role") === "doc-endnotes" ||
      classes(each).some((name) => /^footnotes?(-list|-sep)?$/i.test(name)),
  );
  if (node.tagName === "li" && isAmongNotes) return true;
  let found = false;
  const walk = (parent: Element) => {
    for (const child of parent.children) {
      if (child.type !== "element") continue;
      found ||= isBackLink(child, ids, above);
      walk(child);
    }
  };
  walk(node);
  return found;
}

/** A label as it was written, if the id has one. */
const labelOf = (id: string, at: number): string => {
  const label = /^(?:user-content-)?(?:fn|footnote|note|cite_note|ftnt)[-_:]?(?:fn)?[-_:]?([\w-]+)$/i.exec(id)?.[1];
  return label ?? String(at + 1);
};

interface Marks {
  readonly ids: Ids;
  readonly named: ReadonlyMap<string, string>;
  readonly cited: Set<string>;
  readonly isInNote: boolean;
}

function replaceMarks(parent: Parent, marks: Marks): void {
  for (const [at, child] of parent.children.entries()) {
    if (child.type !== "element") continue;
    const inner = soleLink(child);
    const to = inner === undefined ? undefined : fragmentOf(inner);
    const label = to === undefined ? undefined : marks.named.get(to);
    if (label !== undefined && to !== undefined && !isBackLink(inner as Element, marks.ids, [])) {
      marks.cited.add(to);
      // The content keeps the white space around it from being collapsed.
      parent.children[at] = element(noteMarkTag, { label }, [{ type: "text", value: "x" }]);
    } else replaceMarks(child, marks);
  }
}

/** The link that an element is, or contains with nothing else but brackets. */
function soleLink(node: Element): Element | undefined {
  if (node.tagName === "a") return node;
  if (node.tagName !== "sup" && node.tagName !== "span") return undefined;
  const content = node.children.filter(
    (child) => !isBlank(child) && !(child.type === "text" && /^[[\]()\s]+$/.test(child.value)),
  );
  const [only] = content;
  return content.length === 1 && only?.type === "element" ? soleLink(only) : undefined;
}

/** Takes the notes out of the tree, with the lists, headings and lines that belong to nothing else. */
function removeNotes(parent: Parent, labels: ReadonlyMap<string, string>, taken: Element[]): boolean {
  let removed = false;
  parent.children = parent.children.filter((child) => {
    if (child.type !== "element") return true;
    const id = attribute(child, "id");
    const label = labels.get(id ?? "");
    if (label !== undefined) {
      dropBackLinks(child);
      taken.push(element(noteTag, { label }, child.children));
      removed = true;
      return false;
    }
    if (child.tagName === "hr" && classes(child).some((name) => /^footnotes?-/i.test(name))) return false;
    if (!removeNotes(child, labels, taken)) return true;
    removed = true;
    const rest = child.children.filter((node) => !isBlank(node) && !isNotesHead(node));
    return rest.length > 0;
  }) as Parent["children"];
  return removed;
}

const isNotesHead = (node: ElementContent) =>
  node.type === "element" && (/^h[1-6r]$/.test(node.tagName) || node.properties["dataQuerentHidden"] !== undefined);

function dropBackLinks(note: Element): void {
  note.children = note.children.filter((child) => {
    if (child.type !== "element") return true;
    if (child.tagName === "a" && isBack(child)) return false;
    dropBackLinks(child);
    return child.tagName !== "sup" || child.children.some((node) => !isBlank(node));
  });
  const last = note.children.at(-1);
  if (last?.type === "text") last.value = last.value.replace(/[\s\u00a0]+$/, "");
}

const isBack = (link: Element) =>
  attribute(link, "dataFootnoteBackref") !== undefined ||
  attribute(link, "role") === "doc-backlink" ||
  /^(?:[\s\u21a9\u2191\u2934^]|\ufe0e|\ufe0f)*\d{0,3}$/u.test(textOf(link));
