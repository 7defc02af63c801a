/** Which mentions are items of lists, and which are recommended. */
import assert from "node:assert/strict";
import { suite, test } from "node:test";
import fc from "fast-check";
import { judgeMentions } from "../../src/insight/entities/judge-mentions.ts";

/** The judgment of each `Acme` and `Beta` of a text. */
function judge(text: string) {
  const spans = Array.from(text.matchAll(/Acme|Beta|Gamma/gu), ({ index, 0: name }) => ({
    start: index,
    end: index + name.length,
  }));
  return judgeMentions(text, spans).map(({ listPosition, recommended }) => [listPosition, recommended]);
}

suite("lists", () => {
  test("a name that begins an item has the item's place, whatever marks it", () => {
    for (const list of [
      "1. Acme is light.\n2. Beta is not.",
      "1) **Acme** – light\n2) *Beta*",
      "### 1. Acme\n\nLight.\n\n### 2. Beta\n\nHeavy.",
      "**1. Acme**\nLight.\n\n**2. Beta**\nHeavy.",
      "1. **Best for beginners: Acme**\n2. Best overall: Beta",
      "1. The Acme\n2. **Maker Beta**",
      "1. Acme\n1. Beta",
      "- Acme\n- Beta",
      "* [Acme](https://a.example)\n* 🏆 Beta",
      "1、Acme：轻\n2、Beta",
      "- Acme\n  - light\n  - cheap\n- Beta",
      "1. Acme\n   - Pros: light\n   - Cons: dear\n2. Beta",
    ])
      assert.deepEqual(judge(list), [[1, true], [2, true]], list); // prettier-ignore
  });

  test("a name within an item, below an item, or in prose is not listed", () => {
    assert.deepEqual(judge("1. Lighter than Acme\n2. Something for users of Beta"), [[null, false], [null, false]]); // prettier-ignore
    assert.deepEqual(judge("1. Gamma is lighter than Acme\n   - Beta is heavier"), [[1, true], [null, false], [null, false]]); // prettier-ignore
    assert.deepEqual(judge("Acme was founded in 1. Beta is older."), [[null, false], [null, false]]); // prettier-ignore
    assert.deepEqual(judge("1.5 kg weighs the Acme"), [[null, false]]);
  });

  test("a new list starts at 1, and one of things to avoid recommends nothing", () => {
    const text = "Good ones:\n- Gamma\n- Acme\n\nBrands to avoid:\n- Beta";
    assert.deepEqual(judge(text), [[1, true], [2, true], [1, false]]); // prettier-ignore
    assert.deepEqual(judge("Nicht zu empfehlen:\n1. Acme\n2. Beta"), [[1, false], [2, false]]); // prettier-ignore
  });
});

suite("phrases", () => {
  const recommended = (text: string) => judge(text).map(([, verdict]) => verdict);

  test("English, German, French and Chinese recommend", () => {
    for (const text of [
      "I recommend Acme for espresso.",
      "For most people, Acme is the best choice.",
      "If money is no object, go with Acme!",
      "Acme is our top pick.",
      "I can't recommend Acme highly enough.",
      "Ich empfehle Acme.",
      "Acme ist der Testsieger.",
      "Besonders empfehlenswert ist Acme.",
      "Je recommande Acme.",
      "Acme reste le meilleur choix.",
      "我推荐Acme。",
      "首选是Acme，性价比高。",
    ])
      assert.deepEqual(recommended(text), [true], text);
  });

  test("denials, questions and what something is preferred to do not", () => {
    for (const text of [
      "Acme makes grinders.",
      "I would not recommend Acme.",
      "I don't really recommend Acme.",
      "Acme is not the best choice.",
      "Avoid Acme, although others recommend it.",
      "Would you recommend Acme?",
      "Ich kann Acme nicht empfehlen.",
      "Ich empfehle Acme eher nicht.",
      "Von Acme ist abzuraten.",
      "Je ne recommande pas Acme.",
      "Je déconseille Acme.",
      "不推荐Acme。",
      "They recommend it. Acme is another one.",
    ])
      assert.deepEqual(recommended(text), [false], text);
    assert.deepEqual(recommended("I recommend Acme over Beta."), [true, false]);
    assert.deepEqual(recommended("Ich empfehle Acme statt Beta."), [true, false]);
    assert.deepEqual(recommended("推荐Acme而不是Beta。"), [true, false]);
  });

  test("any text has a judgment for each mention, in a time that its length bounds", () => {
    const parts = fc.constantFrom(
      "Acme",
      " ",
      "\n",
      "1. ",
      "- ",
      "recommend ",
      "not ",
      "rate ",
      "ab",
      "**",
      "ne ",
      "。",
      "?",
      "\t",
    );
    fc.assert(
      fc.property(fc.array(parts, { maxLength: 80 }), (all) => {
        const text = all.join("");
        assert.equal(judge(text).length, text.split("Acme").length - 1);
      }),
      { seed: 1 },
    );
    const hostile = ["rate ", "not a b c ", "I'd ", "**[", "1. ", "empfehle a b c d "].map((part) =>
      part.repeat(20_000),
    );
    const startedAt = process.cpuUsage();
    for (const text of hostile) judge(`${text}Acme ${text}Acme`);
    const { user } = process.cpuUsage(startedAt);
    assert.ok(user < 2_000_000, `${user} µs`);
  });
});
