/** Which texts of a site's pages may be prompts. */
import type { FoundText } from "../engine/propose.ts";
import { languageRules } from "../engine/languages.ts";
import { isQuestion, languageOf, rulesFor, termsIn, textCharsMax, tidy } from "../engine/read-text.ts";
import type { SiteText } from "./read-site.ts";
import type { Tally } from "./tally.ts";

/** A heading on so many pages is a part of the site's frame. */
const repeatedFrom = 3;
/** Longer headings are sentences of advertising. */
const termsMax = 10;

export function* pageTexts(
  texts: readonly SiteText[],
  assumed: string | null,
  tally: Tally,
): Generator<FoundText, void, void> {
  const pagesOf = new Map<string, Set<string>>();
  for (const { text, address } of texts) {
    const key = tidy(text).toLowerCase();
    pagesOf.set(key, (pagesOf.get(key) ?? new Set()).add(address));
  }
  for (const { place, text: written, address } of texts) {
    // Titles end with the name of the site.
    const text = place === "title" ? tidy(tidy(written).replace(/\s+[|–—·»-]\s+[^|–—·»]{1,60}$/u, "")) : tidy(written);
    const language = languageOf(text.slice(0, textCharsMax)) ?? assumed;
    const asks = isQuestion(text.slice(0, textCharsMax), language);
    if (!asks) {
      const isChrome =
        (pagesOf.get(tidy(written).toLowerCase())?.size ?? 0) >= repeatedFrom ||
        rulesFor(language).some((one) => languageRules[one].chrome.test(text));
      if (isChrome) {
        tally.leaveOut("chrome");
        continue;
      }
      const terms = termsIn(text.slice(0, textCharsMax), language).length;
      if (terms < 2 || terms > termsMax) {
        tally.leaveOut(terms < 2 ? "too_short" : "too_long");
        continue;
      }
    }
    if (tally.takes(text, textCharsMax))
      yield { text, evidence: { origin: "page", kind: asks && place === "heading" ? "question" : place, address } };
  }
}
