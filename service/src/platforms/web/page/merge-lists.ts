import { load, type CheerioAPI } from "cheerio/slim";

/**
 * One HTML from snapshots of the same element, taken while it was scrolled from its beginning to its end: its lists contain every
 * item that was in any of them, in the order of appearance.
 */
export function mergeLists(snapshots: readonly string[]): string {
  const lists = new Map<string, Map<string, string>>();
  const documents = snapshots.map((html) => load(html, null, false));
  for (const $ of documents)
    for (const list of outerLists($)) {
      const items = lists.get(list.number) ?? new Map<string, string>();
      lists.set(list.number, items);
      for (const { key, html } of list.items) {
        // An item can be a placeholder before it is complete.
        if ((items.get(key)?.length ?? -1) < html.length) items.set(key, html);
      }
    }
  const last = documents.at(-1);
  if (last === undefined) return "";
  for (const { number, element } of outerLists(last)) element.html([...(lists.get(number)?.values() ?? [])].join("\n"));
  return last.html();
}

function outerLists($: CheerioAPI) {
  return $("[data-querent-list]")
    .toArray()
    .map((node) => $(node))
    .filter((element) => element.parents("[data-querent-list]").length === 0)
    .map((element) => ({
      number: element.attr("data-querent-list") ?? "",
      element,
      items: element
        .children("[data-querent-item]")
        .toArray()
        .map((node) => ({
          key: $(node).attr("data-querent-item") ?? "",
          order: Number($(node).attr("data-querent-order")),
          html: $.html(node),
        }))
        .toSorted((a, b) => a.order - b.order),
    }));
}
