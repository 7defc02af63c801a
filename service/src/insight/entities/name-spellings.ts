/**
 * The other spellings of a name that are the same name to every reader, but have other characters than separators: `Dr Martens` of
 * `Dr. Martens`, `NodeJS` of `Node.js`. Each is searched for like the name itself.
 */
export interface NameSpelling {
  readonly text: string;
  /** Found only in this case, because in another it is something else: `Head and Shoulders`. */
  readonly isCaseSensitive: boolean;
}

export function otherSpellings(name: string): readonly NameSpelling[] {
  if (!/[.&\s]|\p{Ll}\p{Lu}|^ال/u.test(name)) return [];
  const found = new Map<string, NameSpelling>();
  const add = (text: string, isCaseSensitive = false): void => {
    if (text !== name && !found.has(text)) found.set(text, { text, isCaseSensitive });
  };
  add(withAbbreviations(name, /(^|\s)(\p{L}{1,4})\.(?=\s|$)/gu, ""));
  add(withAbbreviations(name, /(^|\s)(\p{L}{1,4})(?=\s)/gu, "."));
  add(name.replace(initials, (whole) => whole.replaceAll(/\.\s?/gu, "")));
  add(name.replace(/^\p{Lu}{2,3}(?=\s)/u, (letters) => Array.from(letters, (letter) => `${letter}.`).join("")));
  add(withoutEnding(name));
  // `Node.js` of NodeJS.
  add(
    name.replace(/^(\S*\p{Ll})(\p{Lu}{2})$/u, (_, word: string, ending: string) => `${word}.${ending.toLowerCase()}`),
  );
  add(name.replaceAll(" & ", " and "), true);
  add(name.replaceAll(/ and /giu, " & "));
  // Arabic contracts the preposition and the article that a name begins with.
  add(name.replace(/^ال(?=ل)/u, "").replace(/^ال/u, "لل"));
  return [...found.values()];
}

/** Words that are written with or without a full stop, as initials are. A full stop after any other word ends a sentence. */
const abbreviations = new Set("dr drs mr mrs ms st ste mt ft prof jr sr bros co inc ltd corp".split(" "));

function withAbbreviations(name: string, word: RegExp, ending: string): string {
  return name.replaceAll(word, (whole, before: string, letters: string) => {
    const isInitial = /^\p{Lu}$/u.test(letters);
    return isInitial || abbreviations.has(letters.toLowerCase()) ? `${before}${letters}${ending}` : whole;
  });
}

/** `J.P.` before another word. */
const initials = /^\p{Lu}\.(?:\s?\p{Lu}\.)+(?=\s\p{L}{2})/u;

/** `NodeJS` of `Node.js`, and `OtterAI` of `Otter.ai`. Other endings that are domains are words: `Notion.so`. */
function withoutEnding(name: string): string {
  return name.replace(
    /^(\S*\p{Ll})\.([Jj][Ss]|[Aa][Ii])$/u,
    (_, word: string, ending: string) => `${word}${ending.toUpperCase()}`,
  );
}
