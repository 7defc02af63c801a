/** Words that recommend, in English, German, French and Chinese. A change of them is a new version of the matcher. */

interface Span {
  readonly start: number;
  readonly end: number;
}

const positive = new RegExp(
  [
    String.raw`\brecommend(?:s|ed|ing|ations?)?\b`,
    String.raw`\b(?:best|top|great|excellent|solid|safe|good)\s+(?:overall\s+)?(?:choice|option|pick|bet|buy)\b`,
    String.raw`\bgo\s+(?:with|for)\b`,
    String.raw`\b(?:my|our)\s+(?:top\s+|first\s+)?(?:pick|choice|favou?rite)\b`,
    String.raw`\bworth\s+(?:buying|getting|it|the\s+money)\b`,
    String.raw`\b(?:i['’]?d|i\s+would|you\s+should)\s+(?:choose|pick|buy|get|suggest)\b`,
    String.raw`empf(?:ehl|ohlen|iehl)\p{L}*`,
    String.raw`\b(?:beste|erste|gute|klare|richtige)[rsn]?\s+wahl\b`,
    String.raw`testsieger|kauftipp|preistipp`,
    String.raw`recommand\p{L}*|conseill\p{L}*`,
    String.raw`(?:meilleur|bon|excellent|premier)e?s?\s+(?:choix|option)\b`,
    String.raw`à\s+privilégier`,
    String.raw`推荐|推薦|首选|首選|最佳选择|最好的选择|值得(?:购买|入手|一试|考虑)|建议(?:选择|购买|入手)`,
  ].join("|"),
  "giu",
);

const negative = new RegExp(
  [
    String.raw`(?:\bnot|\bnever|n['’]t|\bcannot|\bno\s+longer|\bhardly)\s+(?:[\p{L}'’]+\s+){0,3}recommend(?!.*\benough\b)`,
    String.raw`(?:\bnot|n['’]t)\s+(?:[\p{L}'’]+\s+){0,3}(?:best|top|great|good|right|safe|worth|go\s+(?:with|for))\b`,
    String.raw`\b(?:i['’]?d|i\s+would)\s+not\b|\bavoid(?:s|ed|ing)?\b|\bsteer\s+clear\b`,
    String.raw`\b(?:nicht|nie|kaum|keine?n?)\s+(?:\p{L}+\s+){0,3}empf(?:ehl|ohlen)`,
    String.raw`empf(?:ehl|iehl)\p{L}*\s+(?:[^\s.]+\s+){0,5}nicht\b|\babzuraten|\babraten|\brate\p{L}*\b.*\bab\b`,
    String.raw`\b(?:keine|nicht\s+die)\s+(?:beste|gute|richtige|erste)\s+wahl|\bvermeiden\b`,
    String.raw`\b(?:ne\s+|n['’])(?:\p{L}+\s+){0,2}(?:recommand|conseill)|déconseill|(?:^|[^\p{L}])évit`,
    String.raw`\bpas\s+(?:\p{L}+\s+){0,2}(?:meilleur|bon|recommand|conseill)`,
    String.raw`[不没](?:太|会|是)?(?:推荐|建议|值得|最佳|首选)|避免|避开|慎(?:选|买)`,
  ].join("|"),
  "iu",
);

/** What is recommended stands before such a word; after it, what it is preferred to. */
const ratherThan =
  /\bover\b|\brather\s+than\b|\binstead\s+of\b|\bthan\b|\bstatt\b|\banstelle\b|plutôt\s+que|au\s+lieu\s+d|而不是|而非/iu;

/** The longest part of a sentence that is looked at, before and after a mention. */
const contextCharsMax = 300;
const warningCharsMax = 300;

/** True if the sentence of the mention recommends it. */
export function recommends(text: string, line: Span, mention: Span): boolean {
  const { start, sentence } = sentenceAround(text, line, mention);
  const phrases = [...sentence.matchAll(positive)];
  if (phrases.length === 0) return false;
  // A question states no verdict.
  if (/[?？]["'”’»*_)\s]*$/u.test(sentence) || negative.test(sentence)) return false;
  const [from, to] = [mention.start - start, mention.end - start];
  for (const { index, 0: phrase } of phrases) {
    const between = index < from ? sentence.slice(index + phrase.length, from) : sentence.slice(to, index);
    const isPreferredTo = index < from ? ratherThan.test(between) : /\bover\b|\bthan\b/iu.test(sentence.slice(0, from));
    if (!isPreferredTo) return true;
  }
  return false;
}

/** True if a line announces things to avoid. */
export function warns(text: string, { start, end }: Span): boolean {
  return negative.test(text.slice(Math.max(start, end - warningCharsMax), end));
}

const sentenceEnd = /[.!?…]["'”’»*_)\]]*(?=\s)|[。！？]/gu;

function sentenceAround(text: string, line: Span, { start, end }: Span): { start: number; sentence: string } {
  const earliest = Math.max(line.start, start - contextCharsMax);
  const ends = [...text.slice(earliest, start).matchAll(sentenceEnd)];
  const last = ends.at(-1);
  const from = last === undefined ? earliest : earliest + last.index + last[0].length;
  const rest = text.slice(end, Math.min(line.end, end + contextCharsMax));
  const [first] = rest.matchAll(sentenceEnd);
  const to = first === undefined ? end + rest.length : end + first.index + first[0].length;
  return { start: from, sentence: text.slice(from, to) };
}
