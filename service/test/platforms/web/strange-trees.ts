/** Trees that pages make of an answer, or that could mislead whoever reads it, and what they say. */
export interface StrangeTree {
  readonly name: string;
  readonly html: string;
  readonly want: string;
  readonly css?: string;
  /** Runs in the page. */
  readonly script?: string;
}

export const strangeTrees: readonly StrangeTree[] = [
  {
    name: "nested list code",
    html: '<ol><li>One<ul><li>inner<pre><code class="language-js">a()\nb()</code></pre></li></ul></li><li>Two</li></ol>',
    want: "1. One\n   - inner\n     ```js\n     a()\n     b()\n     ```\n2. Two",
  },
  {
    name: "table pipes",
    html: "<table><thead><tr><th>a|b</th><th>c</th></tr></thead><tbody><tr><td>x<br>y</td><td><code>p|q</code></td></tr></tbody></table>",
    want: "| a\\|b   | c      |\n| ------ | ------ |\n| x<br>y | `p\\|q` |",
  },
  {
    name: "table paras",
    html: "<table><thead><tr><th>a</th></tr></thead><tbody><tr><td><p>one</p><p>two</p><ul><li>x</li><li>y</li></ul></td></tr></tbody></table>",
    want: "| a                    |\n| -------------------- |\n| one<br>two<br>x<br>y |",
  },
  {
    name: "table newline",
    html: "<table><tr><th>a</th></tr><tr><td>one\ntwo</td></tr></table>",
    want: "| a       |\n| ------- |\n| one two |",
  },
  {
    name: "dl",
    html: "<dl><dt>Burr</dt><dd>A disc.</dd><dt>Hopper</dt><dd>A box.</dd></dl>",
    want: "- Burr\n\n  A disc.\n\n- Hopper\n\n  A box.",
  },
  {
    name: "details open",
    html: "<details open><summary>More</summary><p>Inside.</p></details>",
    want: "More\n\nInside.",
  },
  { name: "details closed", html: "<details><summary>More</summary><p>Inside.</p></details>", want: "More\n\nInside." },
  {
    name: "ruby",
    html: "<p><ruby>漢<rp>(</rp><rt>かん</rt><rp>)</rp>字<rp>(</rp><rt>じ</rt><rp>)</rp></ruby></p>",
    want: "漢(かん)字(じ)",
  },
  { name: "ruby no rp", html: "<p>見る <ruby>漢字<rt>かんじ</rt></ruby>です</p>", want: "見る 漢字(かんじ)です" },
  {
    name: "del ins mark",
    html: '<p>a <del>b</del> <ins>c</ins> <mark>d</mark> <u>e</u> <kbd>Ctrl</kbd> <samp>out</samp> <abbr title="x">HTML</abbr> <q>quoted</q></p>',
    want: 'a ~~b~~ c _d_ _e_ `Ctrl` `out` HTML "quoted"',
  },
  {
    name: "link image",
    html: '<p><a href="https://a.example/"><img src="https://i.example/a.png" alt="Pic"></a></p>',
    want: "[![Pic](https://i.example/a.png)](https://a.example/)",
  },
  {
    name: "link around block",
    html: '<a href="https://a.example/"><h3>Title</h3><p>Body</p></a>',
    want: "### [Title](https://a.example/)\n\n[Body](https://a.example/)",
  },
  {
    name: "cite sup",
    html: '<p>Fact<sup><a href="https://s.example/1">1</a></sup><sup><a href="https://s.example/2">2</a></sup>. Next.</p>',
    want: "Fact[1](https://s.example/1)[2](https://s.example/2). Next.",
  },
  {
    name: "cite btn sup",
    html: '<p>Fact<sup><button>1</button></sup>. Next<span class="citation"><button>[2]</button></span>.</p>',
    want: "Fact. Next.",
  },
  {
    name: "shadow",
    html: "<x-a></x-a>",
    want: "In **shadow**\n\nslotted",
    script:
      "const r=document.querySelector('x-a').attachShadow({mode:'open'}); r.innerHTML='<style>p{color:red}</style><p>In <b>shadow</b></p><slot></slot>'; document.querySelector('x-a').innerHTML='<p>slotted</p>';",
  },
  {
    name: "shadow unslotted",
    html: "<x-a><p>never shown</p></x-a>",
    want: "shown",
    script: "document.querySelector('x-a').attachShadow({mode:'open'}).innerHTML='<p>shown</p>';",
  },
  {
    name: "slot fallback",
    html: "<x-a></x-a>",
    want: "fallback text",
    script: "document.querySelector('x-a').attachShadow({mode:'open'}).innerHTML='<p><slot>fallback</slot> text</p>';",
  },
  {
    name: "contenteditable",
    html: '<div contenteditable="true"><p>Canvas text.</p><p>Second.</p></div>',
    want: "Canvas text.\n\nSecond.",
  },
  {
    name: "aria hidden decoy",
    html: '<p>Seen<span aria-hidden="true" style="display:none">DECOY</span> text<span style="visibility:hidden">DECOY2</span><span style="opacity:0">DECOY3</span><span style="font-size:0">DECOY4</span></p>',
    want: "Seen text",
  },
  {
    name: "aria hidden visible",
    html: '<p>Price <span aria-hidden="true">$5</span><span style="position:absolute;width:1px;height:1px;overflow:hidden;clip:rect(0,0,0,0)">five dollars</span></p>',
    want: "Price \\$5",
  },
  {
    name: "display contents",
    html: '<p style="display:contents"><span style="display:contents">One.</span></p><div style="display:contents"><p>Two.</p></div>',
    want: "One.\n\nTwo.",
  },
  {
    name: "css content",
    html: '<p><span class="p"></span>grams</p>',
    want: "15 grams",
    css: '.p::before{content:"15 "}',
  },
  {
    name: "css content after",
    html: '<p>Cost<span class="u"></span></p>',
    want: "Cost in euros",
    css: '.u::after{content:" in euros"}',
  },
  {
    name: "css quotes",
    html: '<blockquote class="q"><p>Text</p></blockquote>',
    want: "> Text",
    css: ".q p::before{content:open-quote}.q p::after{content:close-quote}",
  },
  {
    name: "prose backticks",
    html: "<p>Use <code>x</code> now</p>",
    want: "Use `x` now",
    css: 'code::before,code::after{content:"`"}',
  },
  {
    name: "icon font",
    html: '<p><i class="ic"></i>Text</p>',
    want: "Text",
    css: '.ic::before{content:"\\e900";font-family:x}',
  },
  {
    name: "content visibility",
    html: '<div style="content-visibility:auto;contain-intrinsic-size:10px 5000px"><p>A</p></div><div style="height:9000px"></div><div style="content-visibility:auto;contain-intrinsic-size:10px 5000px"><p>far</p></div>',
    want: "A\n\nfar",
  },
  { name: "content vis hidden", html: '<p>A</p><div style="content-visibility:hidden"><p>gone</p></div>', want: "A" },
  {
    name: "rtl",
    html: '<div dir="rtl"><p>مرحبا <b>عالم</b></p><ul><li>واحد</li></ul><table><tr><th>أ</th></tr><tr><td>ب</td></tr></table></div>',
    want: "مرحبا **عالم**\n\n- واحد\n\n| أ |\n| - |\n| ب |",
  },
  {
    name: "emoji img",
    html: '<p>Hi <img class="emoji" alt="🎉" src="https://c.example/x.svg"> <img alt="👍🏽" src="https://c.example/y.png"></p>',
    want: "Hi 🎉 👍🏽",
  },
  {
    name: "mathml",
    html: "<p>So <math><mfrac><mi>a</mi><mi>b</mi></mfrac></math> is.</p>",
    want: "So $\\frac{a}{b}$ is.",
  },
  {
    name: "mathml sq",
    html: '<math display="block"><mrow><msup><mi>x</mi><mn>2</mn></msup><mo>+</mo><msqrt><mi>y</mi></msqrt><mo>=</mo><munderover><mo>∑</mo><mrow><mi>i</mi><mo>=</mo><mn>1</mn></mrow><mi>n</mi></munderover><msub><mi>a</mi><mi>i</mi></msub></mrow></math>',
    want: "$$\nx^{2} + \\sqrt{y} = \\sum_{i = 1}^{n} a_{i}\n$$",
  },
  {
    name: "mathml table",
    html: "<math><mrow><mo>(</mo><mtable><mtr><mtd><mn>1</mn></mtd><mtd><mn>2</mn></mtd></mtr><mtr><mtd><mn>3</mn></mtd><mtd><mn>4</mn></mtd></mtr></mtable><mo>)</mo></mrow></math>",
    want: "$\\begin{pmatrix} 1 & 2 \\\\ 3 & 4 \\end{pmatrix}$",
  },
  {
    name: "mathjax assistive",
    html: '<p>See <mjx-container class="MathJax" jax="CHTML"><mjx-math aria-hidden="true"><mjx-mi><mjx-c class="mjx-c1D465"></mjx-c></mjx-mi></mjx-math><mjx-assistive-mml><math xmlns="http://www.w3.org/1998/Math/MathML"><msup><mi>x</mi><mn>2</mn></msup></math></mjx-assistive-mml></mjx-container>.</p>',
    want: "See $x^{2}$.",
  },
  {
    name: "mermaid",
    html: '<pre><div class="mermaid"><svg viewBox="0 0 1 1"><text>Start</text><text>End</text></svg></div></pre><p>After</p>',
    want: "After",
  },
  {
    name: "code header",
    html: '<div class="code-wrap"><div class="head"><span>python</span><button>Copy code</button></div><pre><code class="hljs language-python"><span>x</span> = 1\nprint(x)\n</code></pre></div>',
    want: "```python\nx = 1\nprint(x)\n```",
  },
  {
    name: "code header in pre",
    html: '<pre><div><div>bash</div><div><button>Copy</button></div></div><div><code class="language-bash">ls -l\n</code></div></pre>',
    want: "```bash\nls -l\n```",
  },
  {
    name: "code numbers table",
    html: '<pre><code><table><tbody><tr><td class="ln">1</td><td>a = 1</td></tr><tr><td class="ln">2</td><td>b = 2</td></tr></tbody></table></code></pre>',
    want: "```\na = 1\nb = 2\n```",
  },
  {
    name: "code numbers span",
    html: '<pre><code class="language-js"><span class="line"><span class="line-number" style="user-select:none">1</span>a()</span>\n<span class="line"><span class="line-number" style="user-select:none">2</span>b()</span></code></pre>',
    want: "```js\na()\nb()\n```",
  },
  {
    name: "code gutter sibling",
    html: '<div class="codeblock"><pre class="gutter">1\n2</pre><pre><code>a\nb</code></pre></div>',
    want: "```\na\nb\n```",
  },
  {
    name: "code css numbers",
    html: '<pre><code class="language-js"><span class="l">a()\n</span><span class="l">b()\n</span></code></pre>',
    want: "```js\na()\nb()\n```",
    css: ".l::before{counter-increment:n;content:counter(n)}",
  },
  {
    name: "code diff",
    html: '<pre><code class="language-diff"><span class="line del"><span class="sign" style="user-select:none">-</span>old</span>\n<span class="line add"><span class="sign" style="user-select:none">+</span>new</span></code></pre>',
    want: "```diff\n-old\n+new\n```",
  },
  {
    name: "code block lines",
    html: "<pre><code><div>a</div><div>  b</div><div><br></div><div>c</div></code></pre>",
    want: "```\na\n  b\n\nc\n```",
  },
  { name: "code fence inside", html: "<pre><code>```js\nx\n```</code></pre>", want: "````\n```js\nx\n```\n````" },
  { name: "inline code ticks", html: "<p>Use <code>a `b` c</code>.</p>", want: "Use ``a `b` c``." },
  {
    name: "footnote",
    html: '<p>Text<sup><a href="#fn1" id="fnref1">1</a></sup>.</p><section class="footnotes"><ol><li id="fn1"><p>Note <a href="#fnref1">↩</a></p></li></ol></section>',
    want: "Text[^1].\n\n[^1]: Note",
  },
  {
    name: "tasks",
    html: '<ul class="contains-task-list"><li class="task-list-item"><input type="checkbox" disabled checked> Done</li><li class="task-list-item"><input type="checkbox" disabled> Open</li></ul>',
    want: "- [x] Done\n- [ ] Open",
  },
  {
    name: "task label",
    html: '<ul><li><label><input type="checkbox" checked> Done</label></li></ul>',
    want: "- [x] Done",
  },
  { name: "ol start", html: '<ol start="4"><li>d</li><li>e</li></ol>', want: "4. d\n5. e" },
  { name: "ol reversed", html: "<ol reversed><li>c</li><li>b</li><li>a</li></ol>", want: "3. c\n\n2) b\n\n1. a" },
  { name: "ol type", html: '<ol type="a"><li>x</li><li>y</li></ol>', want: "1. x\n2. y" },
  {
    name: "bullet em",
    html: "<ul><li><p><strong>Bold:</strong> text</p></li><li><p>two</p></li></ul>",
    want: "- **Bold:** text\n\n- two",
  },
  {
    name: "loose star",
    html: "<p>5 * 3 and _x_ and # no</p><p>1. not a list</p><p>- not</p><p>+ x</p><p>&gt; q</p><p>[a](b)</p><p>~~x~~</p><p>&lt;b&gt;</p><p>| a |</p>",
    want: "5 \\* 3 and \\_x\\_ and # no\n\n1\\. not a list\n\n\\- not\n\n\\+ x\n\n\\> q\n\n\\[a]\\(b)\n\n\\~\\~x\\~\\~\n\n\\<b>\n\n\\| a |",
  },
  { name: "hard break", html: "<p>one<br>two</p>", want: "one\\\ntwo" },
  {
    name: "pre wrap text",
    html: '<div style="white-space:pre-wrap">one\ntwo\n\nthree</div>',
    want: "one\\\ntwo\n\nthree",
  },
  { name: "pre line p", html: '<p style="white-space:pre-line">one\ntwo</p>', want: "one\\\ntwo" },
  {
    name: "bold split",
    html: "<p><b>bo</b><b>ld</b>er <i>it</i>alic <b>a</b>b</p>",
    want: "**bold**er _i&#x74;_&#x61;lic **a**b",
  },
  { name: "nbsp", html: "<p>10&nbsp;g and&#8203;zero</p>", want: "10 g and​zero" },
  {
    name: "colspan",
    html: '<table><tr><th colspan="2">Both</th></tr><tr><td>a</td><td>b</td></tr></table>',
    want: "| Both |   |\n| ---- | - |\n| a    | b |",
  },
  {
    name: "rowspan",
    html: '<table><tr><th>x</th><th>y</th></tr><tr><td rowspan="2">a</td><td>b</td></tr><tr><td>c</td></tr></table>',
    want: "| x | y |\n| - | - |\n| a | b |\n|   | c |",
  },
  {
    name: "table no head",
    html: "<table><tbody><tr><td>a</td><td>b</td></tr><tr><td>c</td><td>d</td></tr></tbody></table>",
    want: "|   |   |\n| - | - |\n| a | b |\n| c | d |",
  },
  {
    name: "figure",
    html: '<figure><img src="https://i.example/a.png" alt="Alt"><figcaption>Caption here</figcaption></figure>',
    want: "![Alt](https://i.example/a.png)\n\nCaption here",
  },
  {
    name: "picture",
    html: '<picture><source srcset="https://i.example/a.webp"><img src="https://i.example/a.png" alt="Alt"></picture>',
    want: "![Alt](https://i.example/a.png)",
  },
  {
    name: "video",
    html: '<p>Look</p><video src="https://v.example/a.mp4" controls></video>',
    want: "Look\n\n[a.mp4](https://v.example/a.mp4)",
  },
  {
    name: "callout",
    html: '<div class="callout" role="note"><div class="t">Note</div><div>Careful.</div></div>',
    want: "Note\n\nCareful.",
  },
  { name: "uppercase", html: '<p style="text-transform:uppercase">hello</p>', want: "hello" },
  {
    name: "tooltip",
    html: '<p>Use <span class="term" title="def">WDT<span role="tooltip" style="display:none">explain</span></span>.</p>',
    want: "Use WDT.",
  },
  { name: "wbr", html: "<p>long<wbr>word</p>", want: "longword" },
  { name: "soft hyphen", html: "<p>Kaffee&shy;mühle</p>", want: "Kaffee­mühle" },
  {
    name: "heading anchor",
    html: '<h2 id="x">Title<a class="anchor" href="#x" aria-label="Permalink">#</a></h2>',
    want: "## Title",
  },
  {
    name: "link text",
    html: '<p><a href="https://a.example/?q=(1)&amp;b=2">a (b) [c]</a></p>',
    want: "[a (b) \\[c\\]](https://a.example/?q=\\(1\\)\\&b=2)",
  },
  { name: "empty link", html: '<p>x <a href="https://a.example/"></a> y</p>', want: "x y" },
  {
    name: "tight heading",
    html: '<div><span role="heading" aria-level="3">H</span><span style="display:block">t</span></div>',
    want: "### H\n\nt",
  },
  { name: "sub num", html: "<p>H<sub>2</sub>O x<sup>n+1</sup></p>", want: "H₂O xⁿ⁺¹" },
  { name: "strike css", html: '<p><span style="text-decoration:line-through">old</span> new</p>', want: "~~old~~ new" },
  {
    name: "two cols",
    html: '<div style="display:flex"><div><h3>A</h3><p>one</p></div><div><h3>B</h3><p>two</p></div></div>',
    want: "### A\n\none\n\n### B\n\ntwo",
  },
  {
    name: "svg text",
    html: '<p>Chart:</p><svg width="10" height="10"><text x="0" y="5">Label</text></svg>',
    want: "Chart:",
  },
  {
    name: "anim spans",
    html: '<p><span class="w">Hel</span><span class="w">lo </span><span class="w">wor</span><span class="w">ld</span></p>',
    want: "Hello world",
    css: ".w{display:inline-block;white-space:pre}",
  },
  {
    name: "anim opacity",
    html: '<p><span style="opacity:0;animation:f 1s">fading</span></p>',
    want: "fading",
    css: "@keyframes f{to{opacity:1}}",
  },
  { name: "iframe srcdoc", html: '<iframe srcdoc="<p>framed</p>"></iframe>', want: "framed" },
  { name: "data copy", html: '<p>See <span data-copy="x">this</span></p>', want: "See this" },
  {
    name: "pre wrap rendered",
    html: '<div class="w">\n<p>one\n</p>\n<ul>\n<li>a</li>\n</ul>\n</div>',
    want: "one\n\n- a",
    css: ".w{white-space:pre-wrap}",
  },
  {
    name: "pre wrap span",
    html: '<div><span style="white-space:pre-wrap">one\ntwo\n\nthree</span></div>',
    want: "one\\\ntwo\\\n\\\nthree",
  },
  {
    name: "pre wrap links",
    html: '<p style="white-space:pre-wrap">See <a href="https://a.example/">A</a>\nand <b>B</b>.\n\nEnd</p>',
    want: "See [A](https://a.example/)\\\nand **B**.\n\nEnd",
  },
  {
    name: "attr content",
    html: '<p><span data-x="18" class="a"></span> g</p>',
    want: "18 g",
    css: ".a::before{content:attr(data-x)}",
  },
  {
    name: "line clamp hidden",
    html: '<div style="display:-webkit-box;-webkit-line-clamp:1;-webkit-box-orient:vertical;overflow:hidden"><p>one</p><p>two</p></div>',
    want: "one\n\ntwo",
  },
  {
    name: "sr only heading",
    html: '<h6 class="sr">ChatGPT said:</h6><p>Hi</p>',
    want: "Hi",
    css: ".sr{position:absolute;width:1px;height:1px;overflow:hidden;clip:rect(0,0,0,0)}",
  },
  {
    name: "sr only offscreen",
    html: '<span style="position:absolute;left:-9999px">offscreen decoy</span><p>Hi</p>',
    want: "Hi",
  },
  {
    name: "zero size",
    html: '<p>Hi<span style="display:inline-block;width:0;height:0;overflow:hidden">decoy</span></p>',
    want: "Hi",
  },
  { name: "transparent", html: '<p>Hi <span style="color:transparent">decoy</span></p>', want: "Hi" },
  { name: "user select none", html: '<p>Hi <span style="user-select:none">seen</span></p>', want: "Hi seen" },
  {
    name: "katex text",
    html: '<p>So <span class="katex"><span class="katex-mathml"><math><semantics><mrow><mi>x</mi></mrow><annotation encoding="application/x-tex">x|y</annotation></semantics></math></span><span class="katex-html" aria-hidden="true"><span class="base"><span class="mord">x</span></span></span></span>.</p>',
    want: "So $x|y$.",
  },
  {
    name: "katex in table",
    html: '<table><tr><th>f</th></tr><tr><td><span class="katex"><span class="katex-mathml"><math><semantics><mrow><mi>x</mi></mrow><annotation encoding="application/x-tex">|x|</annotation></semantics></math></span></span></td></tr></table>',
    want: "| f               |\n| --------------- |\n| $\\vert x\\vert $ |",
  },
  {
    name: "mathjax4",
    html: '<p>A <mjx-container class="MathJax" jax="SVG"><svg><g data-mml-node="math" data-latex="x^2"></g></svg></mjx-container> b</p>',
    want: "A $x^2$ b",
  },
  {
    name: "mathjax script",
    html: '<p>A <span class="MathJax_Preview"></span><script type="math/tex">x^2</script> b</p>',
    want: "A $x^2$ b",
  },
  {
    name: "math in heading",
    html: '<h3>On <span class="katex"><span class="katex-mathml"><math><semantics><mi>x</mi><annotation encoding="application/x-tex">x</annotation></semantics></math></span></span></h3>',
    want: "### On $x$",
  },
  { name: "dollars", html: "<p>Costs $5 and $6.</p>", want: "Costs \\$5 and \\$6." },
  {
    name: "nested quote",
    html: "<blockquote><p>a</p><blockquote><p>b</p></blockquote><pre><code>c</code></pre></blockquote>",
    want: "> a\n>\n> > b\n>\n> ```\n> c\n> ```",
  },
  {
    name: "list para",
    html: "<ol><li><p>one</p><p>more</p></li><li><p>two</p></li></ol>",
    want: "1. one\n\n   more\n\n2. two",
  },
  {
    name: "list table",
    html: "<ul><li>x<table><tr><th>a</th></tr><tr><td>b</td></tr></table></li></ul>",
    want: "- x\n\n  | a |\n  | - |\n  | b |",
  },
  { name: "ul in p", html: "<div>Intro<ul><li>a</li></ul>Outro</div>", want: "Intro\n\n- a\n\nOutro" },
  {
    name: "div list",
    html: '<div role="list"><div role="listitem">a</div><div role="listitem">b</div></div>',
    want: "- a\n- b",
  },
  { name: "div heading", html: '<div role="heading" aria-level="2">H</div><div>t</div>', want: "## H\n\nt" },
  { name: "span br", html: "<div>a<br><br>b<br>c</div>", want: "a\\\n\\\nb\\\nc" },
  { name: "emoji svg", html: '<p>ok <span role="img" aria-label="🔥"><svg></svg></span></p>', want: "ok 🔥" },
  {
    name: "chip popover",
    html: '<p>Fact<button aria-haspopup="dialog" data-slot="citation">wiki.example</button>. B</p>',
    want: "Fact. B",
  },
  { name: "cite range", html: '<p>Fact<sup class="cite">[1, 2]</sup>.</p>', want: "Fact\\[1, 2]." },
  {
    name: "copy in heading",
    html: '<h2>Title <button aria-label="Copy link"><svg></svg></button></h2>',
    want: "## Title",
  },
  {
    name: "table wrapper",
    html: "<div><div><button>Copy table</button><button>Download</button></div><div><table><thead><tr><th>a</th></tr></thead><tbody><tr><td>b</td></tr></tbody></table></div></div>",
    want: "| a |\n| - |\n| b |",
  },
  {
    name: "cell list",
    html: "<table><tr><th>a</th></tr><tr><td><ol><li>x</li><li>y</li></ol></td></tr></table>",
    want: "| a      |\n| ------ |\n| x<br>y |",
  },
  {
    name: "code shiki",
    html: '<pre class="shiki" tabindex="0"><code><span class="line"><span style="color:red">a</span></span>\n<span class="line"></span>\n<span class="line">b</span></code></pre>',
    want: "```\na\n\nb\n```",
  },
  {
    name: "code rsh",
    html: '<pre style="x"><code class="language-python" style="white-space:pre"><span class="linenumber react-syntax-highlighter-line-number" style="user-select:none">1</span><span>a</span>\n<span class="linenumber" style="user-select:none">2</span><span>b</span></code></pre>',
    want: "```python\na\nb\n```",
  },
  {
    name: "code prism",
    html: '<pre class="language-js line-numbers"><code class="language-js">a\nb<span aria-hidden="true" class="line-numbers-rows"><span></span><span></span></span></code></pre>',
    want: "```js\na\nb\n```",
  },
  {
    name: "code diff gutter",
    html: '<pre><code><div class="row"><span class="num" style="user-select:none">1</span><span class="num" style="user-select:none">1</span><span>a</span></div><div class="row"><span class="num" style="user-select:none">2</span><span class="num" style="user-select:none">2</span><span>b</span></div></code></pre>',
    want: "```\na\nb\n```",
  },
  {
    name: "monaco",
    html: '<div class="monaco-editor" data-mode-id="python"><div class="margin">1 2</div><div class="view-lines"><div class="view-line" style="top:19px"><span>b</span></div><div class="view-line" style="top:0px"><span>a</span></div></div></div>',
    want: "```python\na\nb\n```",
  },
  {
    name: "code copied",
    html: '<div class="code"><div class="bar"><span>json</span><span class="actions"><button>Copy</button><span class="tip">Copied!</span></span></div><pre><code>{}</code></pre></div>',
    want: "```json\n{}\n```",
  },
  { name: "inline code btn", html: "<p>Run <code>npm i<button>Copy</button></code> now</p>", want: "Run `npm i` now" },
  { name: "sup th", html: "<p>the 4<sup>th</sup> of m<sup>2</sup></p>", want: "the 4th of m²" },
  { name: "anchor js", html: '<p><a href="javascript:void(0)">Click</a> here</p>', want: "Click here" },
  { name: "rel link", html: '<p><a href="/x">Rel</a></p>', want: "[Rel](https://assistant.example/x)" },
  {
    name: "img no alt",
    html: '<p>a <img src="https://i.example/x.png"> b</p>',
    want: "a ![](https://i.example/x.png) b",
  },
  {
    name: "lazy img",
    html: '<p><img src="data:image/gif;base64,R0" data-src="https://i.example/x.png" alt="Mill"></p>',
    want: "![Mill](https://i.example/x.png)",
  },
  { name: "bg text", html: "<p>a<span hidden>h</span><template>t</template><noscript>n</noscript>b</p>", want: "ab" },
  { name: "inert", html: "<p inert>still shown</p>", want: "still shown" },
  { name: "popover", html: "<div popover>popped</div><p>a</p>", want: "a" },
  { name: "dialog closed", html: "<dialog>dlg</dialog><p>a</p>", want: "a" },
  { name: "virtual spacer", html: '<div style="height:400px"></div><p>a</p>', want: "a" },
  { name: "fieldset", html: "<fieldset><legend>L</legend><p>t</p></fieldset>", want: "L\n\nt" },
  { name: "address", html: "<address>Line 1<br>Line 2</address>", want: "Line 1\\\nLine 2" },
  {
    name: "checkbox custom",
    html: '<ul><li><span role="checkbox" aria-checked="false"></span> Open</li></ul>',
    want: "- [ ] Open",
  },
  { name: "mixed case", html: "<p>a<strong>b </strong>c <em> d</em></p>", want: "a**b** c _d_" },
  {
    name: "deep shadow",
    html: "<x-o></x-o>",
    want: "before _light_ after",
    script:
      "const o=document.querySelector('x-o').attachShadow({mode:'open'});o.innerHTML='<x-i><em>light</em></x-i>';const i=o.querySelector('x-i').attachShadow({mode:'open'});i.innerHTML='<p>before <slot></slot> after</p>';",
  },
  {
    name: "adopted sheet hidden",
    html: "<x-a></x-a>",
    want: "a",
    script:
      "const r=document.querySelector('x-a').attachShadow({mode:'open'});r.innerHTML='<p>a<span class=h>hid</span></p>';const s=new CSSStyleSheet();s.replaceSync('.h{display:none}');r.adoptedStyleSheets=[s];",
  },
  {
    name: "sib pre numbers",
    html: '<div style="display:flex"><div><div>1</div><div>2</div></div><pre><code>a\nb</code></pre></div>',
    want: "```\na\nb\n```",
  },
  { name: "numbers paragraph", html: "<p>1</p><pre><code>a</code></pre>", want: "1\n\n```\na\n```" },
  {
    name: "a paragraph that inherits the lines of its container is formatted",
    html: `<div style="white-space:pre-wrap"><p>one\ntwo</p>\n<blockquote>\n<p>three <b>four</b>\nfive</p>\n</blockquote></div>`,
    want: "one two\n\n> three **four** five",
  },
  {
    name: "code whose class names no language",
    html: `<pre><code class="hljs language-">a\n</code></pre>`,
    want: "```\na\n```",
  },
  {
    name: "a list that is formatted piece by piece",
    html: `<ol><li>One</li></ol>\n<ol start="2"><li>Two</li></ol><ol start="7"><li>Seven</li></ol>`,
    want: "1. One\n2. Two\n\n7) Seven",
  },
  {
    name: "the name of a file above its code",
    html: "<p>Put this in place:</p><div class=block><div class=bar><span>src/server.py</span><button>Copy</button></div><pre><code>x = 1\n</code></pre></div><p>Done.</p>",
    want: "Put this in place:\n\n`src/server.py`\n\n```py\nx = 1\n```\n\nDone.",
  },
];
