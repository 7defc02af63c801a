/** Tables that only a style makes: boxes with rows and cells become a table, unless they are a layout. */
import type { Element, ElementContent } from "hast";
import { attribute, element, isBlank, type Parent } from "./hast.ts";

export function mendTables(tree: Parent): void {
  tree.children = (tree.children as ElementContent[]).flatMap((child): ElementContent[] => {
    if (child.type !== "element" || child.tagName === "pre") return [child];
    mendTables(child);
    return displayOf(child) === "table" ? (tableOf(child) ?? [child]) : [child];
  });
}

const displayOf = (node: ElementContent): string =>
  node.type === "element" ? (attribute(node, "dataQuerentTable") ?? "") : "";

interface Row {
  readonly isHead: boolean;
  readonly cells: readonly Element[];
}

/** The table, below its captions; null if it is how a page places its parts: one row, one column, or rows that do not match. */
function tableOf(node: Element): ElementContent[] | null {
  const rows: Row[] = [];
  const captions: Element[] = [];
  const isWhole = node.children.every((child) => isBlank(child) || take(child, false));
  if (!isWhole || rows.length < 2) return null;
  const columns = rows[0]?.cells.length ?? 0;
  if (columns < 2 || rows.some(({ cells }) => cells.length !== columns)) return null;
  const rowOf = ({ isHead, cells }: Row) =>
    element(
      "tr",
      {},
      cells.map((cell) => ({ ...cell, tagName: isHead ? "th" : "td" })),
    );
  const head = rows.filter(({ isHead }) => isHead);
  const body = rows.filter(({ isHead }) => !isHead);
  return [
    ...captions.map((caption) => element("p", {}, caption.children)),
    element("table", {}, [
      ...(head.length === 0 ? [] : [element("thead", {}, head.map(rowOf))]),
      element("tbody", {}, body.map(rowOf)),
    ]),
  ];

  function take(child: ElementContent, isHead: boolean): boolean {
    if (child.type !== "element") return false;
    const display = displayOf(child);
    if (display === "table-caption") captions.push(child);
    else if (display === "table-row")
      rows.push({
        isHead,
        cells: child.children.filter((cell): cell is Element => displayOf(cell) === "table-cell"),
      });
    else if (/^table-(header|row|footer)-group$/.test(display))
      return child.children.every((row) => isBlank(row) || take(row, display === "table-header-group"));
    else return display.startsWith("table-column");
    return true;
  }
}
