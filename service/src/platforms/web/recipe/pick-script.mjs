/** Runs inside a page while an author points at elements of it. */

/**
 * Reports the next element that is clicked, which the page does not learn of: selectors for it, the most stable first. `what`: null
 * ends the pointing, and clicks are the page's again.
 */
export const pickNext = (what) => {
  globalThis.querentPicking?.abort();
  if (what === null) return;
  const picking = (globalThis.querentPicking = new AbortController());
  const isStable = (word) => word.length > 1 && word.length < 40 && !/\d{3}|[A-Z].*\d|[_-][a-zA-Z0-9]{5,8}$/.test(word);
  const quote = (text) => JSON.stringify(text);
  const selectorsOf = (element) => {
    const tag = element.localName;
    const found = [];
    for (const name of ["data-testid", "data-test-id", "id", "aria-label", "name", "role", "placeholder"]) {
      const value = element.getAttribute(name);
      if (value !== null && isStable(value)) found.push(`${tag}[${name}=${quote(value)}]`);
    }
    const classes = [...element.classList].filter(isStable).slice(0, 2);
    if (classes.length > 0) found.push(tag + classes.map((name) => "." + CSS.escape(name)).join(""));
    return found.length > 0 ? found.slice(0, 3) : [tag];
  };
  const marked = (globalThis.querentPicks ??= {});
  let picked = false;
  const onEvent = (event) => {
    event.preventDefault();
    event.stopImmediatePropagation();
    // A button that is disabled gets no click; a click without a pointer is one, too.
    if (picked || (event.type !== "pointerup" && event.type !== "click")) return;
    picked = true;
    report(event.composedPath()[0]);
  };
  const report = (element) => {
    // A click on an icon means its button, and one on a part of a link the link.
    const meant = element.closest("button, a, [role=button], textarea, input, [contenteditable=true]") ?? element;
    // A click on a paragraph of the answer means all of it.
    const parts = new Set(
      "p li ul ol h1 h2 h3 h4 h5 h6 span strong em b i a code pre table thead tbody tr td th blockquote".split(" "),
    );
    let whole = element;
    while (parts.has(whole.localName) && whole.parentElement !== null) whole = whole.parentElement;
    const target = what === "answer" ? whole : meant;
    marked[what] = target;
    // The turn is the nearest element that has both the answer and what appears at its end.
    let turn = marked.answer?.parentElement ?? null;
    while (what === "done" && turn !== null && !turn.contains(target)) turn = turn.parentElement;
    void globalThis.querentPicked({
      what,
      selectors: selectorsOf(target),
      turn: turn === null || turn === document.body ? [] : selectorsOf(turn),
    });
  };
  for (const type of ["pointerdown", "mousedown", "pointerup", "mouseup", "click"])
    addEventListener(type, onEvent, { capture: true, signal: picking.signal });
};
