import type { ChildNode, Document, Element } from "domhandler";

/** Pages nest about 60 elements. Parsers and tree transformations need a stack frame for each. */
const depthMax = 200;

/** Replaces what is nested more deeply by its text, so that no page can exhaust the stack, or minutes of time. */
export function boundDepth(root: Document): void {
  const open: { node: Element | Document; depth: number }[] = [{ node: root, depth: 0 }];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { node, depth } = next;
    if (depth === depthMax) flatten(node);
    else
      for (const child of node.children)
        if ("children" in child) open.push({ node: child as Element, depth: depth + 1 });
  }
}

/** Moves the text nodes below an element to the element, in their order. */
function flatten(node: Element | Document): void {
  const texts: ChildNode[] = [];
  const open = node.children.toReversed();
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (next.nodeType === 3) texts.push(next);
    if ("children" in next) for (const child of next.children.toReversed()) open.push(child);
  }
  for (const [at, text] of texts.entries()) {
    text.parent = node;
    text.prev = texts[at - 1] ?? null;
    text.next = texts[at + 1] ?? null;
  }
  node.children = texts;
}
