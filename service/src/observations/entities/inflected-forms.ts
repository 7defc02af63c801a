import { foldWord } from "./fold-text.ts";

/**
 * The endings that a name takes in sentences of languages that inflect names, by the ending of its base form. They are so many, and so
 * short, that they are no rule of the matcher: a form that stands in an answer is proposed as an alias, and a person decides. They are
 * compared as texts are folded: `ę` is `e`, `й` is `и`, `ς` is `σ`.
 */
const endings: readonly (readonly [base: string, forms: string])[] = [
  // German and the Scandinavian languages.
  ["", "s es en ens ets"],
  ["e", "en"],
  ["er", "eren ere"],
  // Polish, Czech, Slovak, Slovenian, Croatian and Serbian in Latin letters: after a consonant,
  ["", "a u owi ovi em om ie e y i ow ou um ech ami ach iem"],
  ["ek", "ka ku kiem kem kowi kovi ki"],
  ["ec", "ca cu cem ce cowi"],
  // of names on -a, with the consonants that change,
  ["a", "y i ie e u o ou om ach ami ej oj ami ama"],
  ["ka", "ce"],
  ["ga", "dze ze"],
  ["ra", "rze"],
  ["ta", "cie"],
  ["da", "dzie"],
  ["la", "le"],
  ["cha", "se sze"],
  ["ha", "ze"],
  ["o", "a u em om ie e ovi owi"],
  // and of adjectives.
  ["y", "eho emu ym e ou ej ego ych ymi"],
  ["i", "iho imu im iej iego iemu ich imi"],
  // Finnish, Estonian and Hungarian, also with the vowel that joins them to a consonant.
  ["", "n a ta na ssa sta lla lta lle ksi tta t in an on iin aan oon een lta le l st ga ks"],
  ["", "in ia issa ista illa ilta ille iksi ina itta iin"],
  ["", "ban ben bol ba be ra re rol tol nal nel hoz hez nak nek val vel ot et at ig ert nal es os"],
  // Turkish, where the apostrophe is left out; and Romanian.
  ["", "da de dan den tan ten te nin nun in un yi yu ya ye la le yla yle"],
  ["", "ul ului ei"],
  // Lithuanian and Latvian.
  ["as", "o ui a e u"],
  ["is", "io iui i iu yje"],
  ["a", "os ai oje a am as"],
  ["s", "a am u"],
  // Russian, Ukrainian, Belarusian, Bulgarian, Serbian: after a consonant,
  ["", "а у ом ем е ы и ов ам ами ах ові еві і"],
  ["ок", "ка ку ком ке ки"],
  ["ец", "ца цу цем це цы"],
  ["и", "я ю ем е и ї єм"],
  ["ь", "я ю ем е и ью і"],
  // of names on a vowel,
  ["а", "ы и е у ои ою ам ами ах і о"],
  ["я", "и е ю еи ею і ї єю"],
  ["ка", "ці"],
  ["га", "зі"],
  ["ха", "сі"],
  ["о", "а у ом е і"],
  ["е", "я ю ем и"],
  // and of adjectives, where `ий` is folded as `ии`.
  ["ая", "ои ую ою"],
  ["яя", "еи юю"],
  ["ыи", "ого ому ым ом ые ых ыми ая ои ую"],
  ["ии", "ого его ому ему им ом ем ие их ими"],
  ["ои", "ого ому ым ом"],
  ["а", "ої іи ою"],
  ["ое", "ого ому ым ом"],
  // Greek.
  ["οσ", "ου ο ε οι ων ουσ"],
  ["ησ", "η ηδων"],
  ["ασ", "α"],
  ["εσ", "ε"],
  ["ισ", "ι"],
  ["α", "ασ εσ ων"],
  ["η", "ησ εσ ων εωσ"],
  ["ο", "ου α ων"],
  ["ι", "ιου ια ιων"],
];

/** Of German adjectives, which names of several words have: Deutsche Bahn. */
const adjectiveEndings: typeof endings = [["e", "er em es"]];

const read = (list: typeof endings) =>
  list.map(([base, forms]) => ({ base: foldWord(base), forms: new Set(forms.split(" ").map(foldWord)) }));
const table = read(endings);
const adjectiveTable = read(adjectiveEndings);

/** Shorter names have too many other words beside them: `BP` and `BPs`. */
const lettersMin = 4;
/** After the ending of its base form is taken away. */
const stemLettersMin = 3;
/** A name of more words is hardly inflected. */
const wordsMax = 3;

/** The forms of a word of a name, folded; not the word itself. */
function formsOf(folded: string, isOneOfSeveral: boolean): Set<string> {
  const forms = new Set<string>();
  const isCyrillicOrGreek = !/[a-z]$/u.test(folded);
  for (const { base, forms: of } of isOneOfSeveral ? [...table, ...adjectiveTable] : table) {
    if (!folded.endsWith(base) || folded.length - base.length < stemLettersMin) continue;
    const stem = folded.slice(0, folded.length - base.length);
    for (const form of of) if (/^[a-z]/u.test(form) !== isCyrillicOrGreek) forms.add(stem + form);
  }
  forms.delete(folded);
  return forms;
}

interface InflectedWord {
  /** The word itself, for the other words of a name. */
  readonly folded: string;
  readonly forms: ReadonlySet<string>;
}

/** Finds the inflected forms of names in texts. One pass over the words of a text, whatever the names are. */
export class InflectedForms {
  /** By the first word in any form. */
  readonly #names = new Map<string, (readonly InflectedWord[])[]>();
  /** Folded words, because the words of answers repeat. */
  readonly #folded = new Map<string, string>();

  constructor(names: Iterable<string>) {
    for (const name of names) this.#add(name);
  }

  #add(name: string): void {
    const written = name.trim().split(/[\s-]+/u);
    // Of proper names only, in scripts that have capital letters: in lower case, a form is a form of the word.
    const isInflected = /^[\p{Lu}][\p{L}\p{M}\s-]*$/u.test(name) && written.length <= wordsMax;
    if (!isInflected || !/^[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{M}\s-]+$/u.test(name)) return;
    const words = written.map((word) => {
      const folded = foldWord(word);
      return { folded, forms: folded.length < lettersMin ? new Set<string>() : formsOf(folded, written.length > 1) };
    });
    const [first] = words;
    if (first === undefined) return;
    for (const form of [first.folded, ...first.forms]) {
      const of = this.#names.get(form);
      if (of === undefined) this.#names.set(form, [words]);
      else of.push(words);
    }
  }

  /** Calls `take` with each form as it is written. */
  find(text: string, take: (written: string) => void): void {
    if (this.#names.size === 0) return;
    const found = Array.from(text.matchAll(/\p{L}[\p{L}\p{M}]*/gu));
    for (const [at, { 0: word, index }] of found.entries()) {
      if (!/^\p{Lu}/u.test(word)) continue;
      for (const words of this.#names.get(this.#fold(word)) ?? []) {
        const last = found[at + words.length - 1];
        if (last === undefined) continue;
        const written = text.slice(index, last.index + last[0].length);
        if (/[^\p{L}\p{M} -]/u.test(written)) continue;
        const folded = words.map((_, place) => this.#fold(found[at + place]?.[0] ?? ""));
        const isForm = words.every((each, place) => {
          const one = folded[place] ?? "";
          return one === each.folded || each.forms.has(one);
        });
        if (isForm && words.some((each, place) => folded[place] !== each.folded)) take(written.normalize("NFC"));
      }
    }
  }

  #fold(word: string): string {
    let folded = this.#folded.get(word);
    if (folded === undefined) {
      folded = foldWord(word);
      if (this.#folded.size < foldedMax) this.#folded.set(word, folded);
    }
    return folded;
  }
}

const foldedMax = 50_000;
