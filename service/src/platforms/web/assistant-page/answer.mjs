/** The answers of the example page. */

/** The words `knob=value` of a question. */
export function readKnobs(question) {
  return Object.fromEntries([...question.matchAll(/(?:^|\s)([a-z]+)=(\S+)/g)].map(([, knob, value]) => [knob, value]));
}

/** A knob as a whole number from 0 to `max`. Anything else is `usual`: a question comes from anybody, and costs a bounded amount. */
export function boundedKnob(value, usual, max) {
  return /^\d{1,6}$/.test(value ?? "") ? Math.min(Number(value), max) : usual;
}

const sourcesMax = 100;
const paragraphsMax = 1000;

const escape = (text) => text.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;");

/**
 * `standInFor`: the code of the platform in whose place the page answers; null: it answers for itself.
 * @param {string} question
 * @param {{ deep?: boolean, standInFor?: string | null }} options
 */
export function answerTo(question, { deep = false, standInFor = null } = {}) {
  const knobs = readKnobs(question);
  const sources = Array.from({ length: boundedKnob(knobs.sources, 3, sourcesMax) }, (_, index) => ({
    title: `Source ${index + 1}`,
    url: `https://source${index + 1}.example/page?utm_source=assistant`,
    site: `Site ${index + 1}`,
    summary: `What source ${index + 1} says.`,
  }));
  const product =
    '<div class="card product" data-product="p1"><a class="card-link" href="https://shop.example/p/1"><img src="/picture.svg" alt=""><b class="name">Burr grinder</b></a><span class="price">129.00</span><span class="unit">EUR</span><span class="shop">Example shop</span><ul class="points"><li>Conical burrs</li><li>Quiet</li></ul></div>';
  const video =
    '<div class="card video"><a class="card-link" href="https://video.example/watch/7"><img src="/picture.svg" alt=""><b class="name">Dialing in</b></a><span class="by">A barista</span><time>12:30</time></div>';
  const html = [
    ...(standInFor === null
      ? []
      : [
          `<p><strong>This answer is a stand-in: ${standInFor} was not asked.</strong> It is always the same, and everything in it is invented.</p>`,
        ]),
    `<h2>An example answer</h2>`,
    `<p>You asked: <em>${escape(question)}</em></p>`,
    `<p>Grind <strong>finer</strong> when the shot runs fast<sup class="cite"><a href="${sources[0]?.url ?? "#"}">1</a></sup>, coarser when it runs slow.</p>`,
    product,
    `<ol><li>Weigh the beans.</li><li>Start at a middle setting.</li><li>Change one thing at a time.</li></ol>`,
    `<table><thead><tr><th>Setting</th><th>Seconds</th></tr></thead><tbody><tr><td>8</td><td>22</td></tr><tr><td>7</td><td>28</td></tr></tbody></table>`,
    video,
    `<pre><div class="bar">python<button>Copy</button></div><code class="language-python">def ratio(dose, shot):\n    return shot / dose\n</code></pre>`,
    ...Array.from(
      { length: boundedKnob(knobs.paragraphs, 0, paragraphsMax) },
      (_, index) => `<p>Paragraph ${index + 1} of a long answer.</p>`,
    ),
    ...(standInFor === null
      ? []
      : [
          '<figure class="card image"><img src="/picture.svg" alt="A blue picture"><figcaption>A picture that shows nothing</figcaption></figure>',
        ]),
    `<p>That is the end of the answer.</p>`,
  ].join("");
  const model = standInFor === null ? "example-2" : "stand-in-1";
  return {
    html,
    sources,
    model: deep ? `${model}-deep` : model,
    search: [{ query: `how to ${question.split(/\s+/)[0] ?? "ask"}`, results: sources.slice(0, 2) }],
    reasoning: deep ? ["First I looked at the grinder.", "Then at the time of the shot."] : [],
  };
}
