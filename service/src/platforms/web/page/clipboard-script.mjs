/** Runs in every frame of a page before its own scripts: what the page copies is reported, and no other page reads it. */
export const keepClipboard = () => {
  let last = "";
  const keep = (text) => {
    last = String(text);
    void globalThis.querentCopied?.(last);
  };
  const keepItems = async (items) => {
    for (const item of items)
      if (item.types.includes("text/plain")) keep(await (await item.getType("text/plain")).text());
  };
  // A browser has one clipboard for all of its contexts, and asks for permission.
  Object.defineProperty(navigator, "clipboard", {
    configurable: true,
    value: { writeText: async (text) => keep(text), write: keepItems, readText: async () => last },
  });
  // The older way, `document.execCommand("copy")`: after the page's own handlers.
  addEventListener("copy", (event) => keep(event.clipboardData?.getData("text/plain") || String(getSelection())));
};
