import hongKong from "opencc-js/dict/HKVariants";
import simplifiedToTraditional from "opencc-js/dict/STCharacters";
import traditionalToSimplified from "opencc-js/dict/TSCharacters";
import taiwan from "opencc-js/dict/TWVariants";

/** Pairs of a character and what it is in another script or standard. */
const pairsOf = (table: string): (readonly [string, string])[] =>
  table.split("|").map((pair) => {
    const [from = "", to = ""] = pair.split(" ");
    return [from, to];
  });

const simplified = new Map(pairsOf(traditionalToSimplified));
const traditional = new Map(pairsOf(simplifiedToTraditional));
const ofTaiwan = new Map(pairsOf(taiwan));
const ofHongKong = new Map(pairsOf(hongKong));

/**
 * The ways to write a name in the other Chinese script, in the standards of Taiwan and Hong Kong, too: `網易` of `网易`. Some characters
 * have several counterparts or keep their form, which depends on the name, so these are all that may be; answers show which is meant. The
 * library's tables of phrases would tell more of them, but take 250 MB. Empty for Japanese names with kana.
 */
export function inOtherChineseScript(name: string): string[] {
  if (!/\p{Script=Han}/u.test(name) || /[\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u.test(name))
    return [];
  let written = [""];
  for (const character of name) {
    const forms = formsOf(character);
    // A name with more characters that have several forms keeps the first of each.
    const allowed = written.length * forms.length > formsMax ? forms.slice(0, 1) : forms;
    written = written.flatMap((start) => allowed.map((form) => start + form));
  }
  return written.filter((form) => form !== name);
}

const formsMax = 32;

/** What a character may be in the other script, the likeliest first, and itself. */
function formsOf(character: string): string[] {
  const full = traditional.get(character) ?? character;
  const forms = [full, ofTaiwan.get(full), ofHongKong.get(full), simplified.get(character), character];
  const other = forms.find((form) => form !== undefined && form !== character);
  return [...new Set([other ?? character, ...forms.filter((form) => form !== undefined)])];
}
