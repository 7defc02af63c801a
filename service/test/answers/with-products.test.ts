import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { readCards } from "../../src/answers/index.ts";
import { withProducts, type GivenProduct } from "../../src/answers/with-products.ts";

const product = (more: Partial<GivenProduct>): GivenProduct => ({
  ...{ position: 1, title: "Acme Mill", url: null, price: "", priceUnit: "", mall: "" },
  ...more,
});

test("products stand below the text, in the form of our own cards", () => {
  const text = withProducts("Both are good:\n\n```sh\nopen", [
    product({
      title: "Acme Mill 2.0",
      url: "https://shop.example/1?a=b",
      price: "99",
      priceUnit: "EUR",
      mall: "Corner",
    }),
    product({ position: 2, title: "Globex [*new*]", url: "https://shop.example/(2)", price: "$5" }),
    product({ position: 3, title: "Brook", mall: "Café & Co" }),
  ]);
  assert.equal(
    text,
    `Both are good:

\`\`\`sh
open
\`\`\`

> **product** · [Acme Mill 2.0](https://shop.example/1?a=b "card 1")
>
> **99 EUR** · Corner

> **product** · [Globex \\[\\*new\\*\\]](https://shop.example/\\(2\\) "card 2")
>
> **$5**

> **product** · Brook
>
> Café & Co`,
  );
});

test("texts without words, with cards, or with more products than are kept, stay as they are", () => {
  for (const [content, products] of [
    ["", [product({})]],
    [" \n", [product({})]],
    ['Good:\n\n> **product** · [Acme](https://a.example/ "card 1")', [product({})]],
    ["Good.", Array.from({ length: 201 }, (_, at) => product({ position: at + 1 }))],
    [
      "Good.",
      Array.from({ length: 200 }, (_, at) =>
        product({ position: at + 1, url: `https://a.example/${"x".repeat(8_000)}` }),
      ),
    ],
    ["Good.", []],
  ] as const)
    assert.equal(withProducts(content, products), content);
});

test("whatever is in them, each product is a card of its own, and cannot be another one", () => {
  const odd = fc.oneof(
    fc.string({ unit: "grapheme", maxLength: 30 }),
    fc.stringMatching(/^[ab .\-+#>*_[\]()!|<&$~\\`\n"'w:/@]{0,30}$/),
  );
  const url = fc.oneof(fc.constant(null), fc.webUrl({ withQueryParameters: true, withFragments: true }), odd);
  const given = fc.record({ title: odd, url, price: odd, priceUnit: odd, mall: odd });
  fc.assert(
    fc.property(fc.array(given, { minLength: 1, maxLength: 4 }), odd, (all, content) => {
      const products = all.map((one, at) => ({ position: at + 1, ...one }));
      const text = withProducts(`Text ${content}`, products);
      const cards = readCards(text).filter(({ type }) => type === "product");
      assert.equal(cards.length, products.length, text);
    }),
  );
});
