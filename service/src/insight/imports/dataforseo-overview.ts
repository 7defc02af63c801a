import { elements, members, textOf, type Members } from "./foreign.ts";

const depthMax = 6;
const textCharsMax = 1_000_000;

/** The AI overview among the elements of a page: one of them, or inside the knowledge graph. Null: the page has none. */
export function overviewIn(items: readonly Members[]): Members | null {
  return (
    items.find(({ type }) => type === "ai_overview") ??
    items
      .filter(({ type }) => type === "knowledge_graph")
      .flatMap((graph) => elements(graph["items"]).map(members))
      .find(({ type }) => type === "knowledge_graph_ai_overview_item") ??
    null
  );
}

interface OverviewParts {
  readonly texts: readonly string[];
  /** The lists of references, that of the whole first. */
  readonly references: readonly unknown[];
}

/** The texts and references of an overview and of its elements, expanded elements and their components included. */
export function partsOfOverview(overview: Members): OverviewParts {
  const texts: string[] = [];
  const references: unknown[] = [overview["references"]];
  const visit = (list: unknown, depth: number): void => {
    if (depth > depthMax) return;
    for (const element of elements(list).map(members)) {
      const text = textOf(element["markdown"] ?? element["text"], textCharsMax);
      // An element of a video has these instead, and an expanded one has a title above its components.
      const named = [element["title"], element["snippet"]].flatMap((part) => textOf(part, textCharsMax) ?? []);
      if (text !== null || named.length > 0) texts.push(text ?? named.join(": "));
      references.push(element["references"]);
      visit(element["items"], depth + 1);
      visit(element["components"], depth + 1);
    }
  };
  visit(overview["items"], 0);
  return { texts, references };
}
