/** Runs inside a page while an author points at elements of it. */

/**
 * Reports the next element that is clicked, which the page does not learn of: selectors for it, the most stable first. `what`: null
 * ends the pointing, and clicks are the page's again. What shows that an answer is complete, and advertisements, are looked for
 * first: true if they were found, and reported without a click.
 */
export const pickNext = (what) => {
  globalThis.querentPicking?.abort();
  if (what === null) return false;
  const picking = (globalThis.querentPicking = new AbortController());
  const isStable = (word) => word.length > 1 && word.length < 40 && !/\d{3}|[A-Z].*\d|[_-][a-zA-Z0-9]{5,8}$/.test(word);
  const quote = (text) => JSON.stringify(text);
  // What changes with the state of a page, or belongs to a framework.
  const isVolatile = (name) =>
    /^data-(state|index|key|id|v-|radix|react|headlessui|aos|active|selected|focus|highlight|orientation|side|align|theme)/.test(
      name,
    );
  const attributesOf = (element) => {
    const data = element.getAttributeNames().filter((name) => name.startsWith("data-") && !isVolatile(name));
    const first = data.filter((name) => /test|message|role|author|turn|content/.test(name));
    return [
      ...first,
      ...data.filter((name) => !first.includes(name)),
      "role",
      "aria-label",
      "name",
      "placeholder",
      "id",
    ];
  };
  const selectorsOf = (element, depth = 0) => {
    const tag = element.localName;
    const found = [];
    for (const name of attributesOf(element)) {
      const value = element.getAttribute(name);
      if (value !== null && isStable(value)) found.push(`${tag}[${name}=${quote(value)}]`);
      else if (value === "" && name.startsWith("data-")) found.push(`${tag}[${name}]`);
    }
    const classes = [...element.classList].filter(isStable).slice(0, 2);
    if (classes.length > 0) found.push(tag + classes.map((name) => "." + CSS.escape(name)).join(""));
    if (found.length > 0) return found.slice(0, 3);
    const words = element.matches("button, [role=button]") ? element.innerText.trim() : "";
    if (words !== "" && words.length <= 30 && !/[\n"\d]/.test(words)) return [`${tag}:has-text(${quote(words)})`];
    // Without anything stable of its own, it is told by where it stands.
    const { parentElement: parent } = element;
    if (parent === null || tag === "main" || tag === "body" || depth > 3) return [tag];
    return [`${selectorsOf(parent, depth + 1)[0]} > ${tag}`];
  };
  /** Only those of the selected elements that contain what this selects: a turn of the user may look the same. */
  const having = (selectors, inner) =>
    selectors.map((selector) =>
      [...document.querySelectorAll(selector)].every((element) => element.querySelector(inner) !== null)
        ? selector
        : `${selector}:has(${inner})`,
    );
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
      turn:
        turn === null || turn === document.body
          ? []
          : having(selectorsOf(turn), what === "done" ? selectorsOf(marked.answer)[0] : "*"),
      text: what === "answer" ? target.innerText.slice(0, 20_000) : "",
    });
  };
  if (what === "done" || what === "ads") {
    const found = what === "done" ? doneBeside(marked.answer) : labelledBeside(marked.answer);
    if (found !== null) report(found);
    if (what === "ads" || found !== null) {
      picking.abort();
      return found !== null;
    }
  }
  for (const type of ["pointerdown", "mousedown", "pointerup", "mouseup", "click"])
    addEventListener(type, onEvent, { capture: true, signal: picking.signal });
  return false;

  /** The button that pages show below an answer when it is complete: what copies, rates or repeats it. */
  function doneBeside(answer) {
    const words =
      /copy|copier|kopieren|copiar|copia|复制|複製|コピー|복사|thumb|good response|like|regenerate|retry|重新/i;
    for (
      let around = answer?.parentElement ?? null;
      around !== null && around !== document.body;
      around = around.parentElement
    ) {
      // The question field is in no turn.
      if (around.querySelector("textarea, [contenteditable=true]") !== null) return null;
      const buttons = [...around.querySelectorAll("button, [role=button]")].filter(
        (button) =>
          !answer.contains(button) &&
          button.checkVisibility() &&
          words.test(`${button.getAttribute("aria-label") ?? ""} ${button.title} ${button.innerText}`),
      );
      if (buttons.length > 0) return buttons.at(-1);
    }
    return null;
  }

  /** What the page itself marks as advertising, in the answer or beside it. */
  function labelledBeside(answer) {
    const label =
      /^(sponsored|ads?|advertisement|promoted|anzeigen?|gesponsert|sponsorisé|patrocinado|publicidad|広告|广告|廣告|推广|광고|реклама)[\s·•:.]*$/i;
    for (let around = answer ?? null; around !== null && around !== document.body; around = around.parentElement) {
      if (around.querySelector("textarea, [contenteditable=true]") !== null) return null;
      for (const element of around.querySelectorAll("*")) {
        if (element.childElementCount > 0 || !label.test(element.textContent.trim())) continue;
        let ad = element.parentElement;
        while (ad !== null && ad !== around && ad.querySelector("a[href^=http]") === null) ad = ad.parentElement;
        if (ad !== null && ad !== around && !ad.contains(answer)) return ad;
      }
    }
    return null;
  }
};
