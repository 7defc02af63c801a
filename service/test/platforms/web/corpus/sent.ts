/** What the model sent, in the corpus of pages: everything that pages are known to spoil. */
export const sent = `## Circles and prices

The area is $\\pi r^2$, and the filter costs \\$5 to \\$10, **not more**, as _measured_ with \`area(r)\`.

$$
\\sum_{i=1}^{n} i = \\frac{n(n+1)}{2}
$$

1. Weigh **the beans** first.
2. Then [read on](https://one.example/a?b=1), where $x_1 \\le x_2$.
   - A detail
   - Another ~~wrong~~ one

> Quoted, with **weight**.

| Model | Price | $t$ |
| :---- | ----: | :-: |
| Nova One | \\$129 | $t_0$ |
| Nova **Two** | \\$249 | 3 |

\`\`\`python
def area(r):

    return pi * r**2  # no tax
\`\`\`

\`\`\`sh
npm install
npm start
\`\`\`

\`\`\`
plain  text
\`\`\`

That is the end.`;

/** Long enough that a page shows only a part of it. */
export const sentLong = [
  sent,
  ...Array.from(
    { length: 40 },
    (_, at) => `Paragraph ${at + 1} has a formula, $y_{${at}}$, and some more words to fill a line or two of the page.`,
  ),
  "That is the very end.",
].join("\n\n");
