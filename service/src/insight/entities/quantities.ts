/** `3M` before `users` is a number. Only names that can be one are looked at. */

const numberAndMagnitude = /^\d+(?:\.\d+)?[kmb]$/iu;

const counted =
  "accounts?|answers?|articles?|barrels?|billion|calls|citizens|clicks|coins|companies|copies|creators|customers|daily|deals|developers|" +
  "devices|dollars|downloads|downloaders|drivers|employees|euros|events|families|fans|files|followers|gamers|guests|homes|hours|households|" +
  "images|impressions|installs|installations|items|jobs|km|kilometers|kilometres|likes|listeners|listings|lines|members|messages|meters|metres|" +
  "miles|minutes|monthly|orders|pages|parameters|patients|people|photos|players|plays|posts|pounds|products sold|questions|readers|records|" +
  "requests|residents|reviews|riders|rows|sales|searches|seconds|sellers|sessions|shares|shoppers|songs|stars|streams|students|subscribers|" +
  "subscriptions|teams|tokens|tons|tonnes|transactions|trips|tweets|units|usd|eur|users?|vehicles|videos|viewers|views|visitors|visits|" +
  "voters|votes|websites|weekly|women|men|children|words|workers|yen|yuan|years";
const adjectives =
  "active|additional|concurrent|daily|different|free|global|happy|logged-in|monthly|more|new|online|other|paid|paying|registered|total|unique|weekly|yearly";
const after = new RegExp(
  `^\\+?(?:[ \\u00a0]|-)(?:(?:of )?(?:${adjectives}),? (?:and )?){0,2}(?:${counted})(?![\\p{L}\\p{N}])`,
  "iu",
);
const before = /(?:[~≈]|(?<!\p{L})(?:nearly|almost|roughly|approximately|(?:more|fewer|less) than))[ \u00a0]?$/iu;
/** More than the longest of them. */
const charsBeforeMax = 20;
const charsAfterMax = 80;

/** True if the text between the offsets is a number that counts what stands after it. */
export function isQuantity(text: string, start: number, end: number): boolean {
  if (!isDigit(text.charCodeAt(start)) || end - start > charsBeforeMax) return false;
  if (!numberAndMagnitude.test(text.slice(start, end))) return false;
  return (
    after.test(text.slice(end, end + charsAfterMax)) ||
    before.test(text.slice(Math.max(0, start - charsBeforeMax), start))
  );
}

const isDigit = (code: number): boolean => code >= 0x30 && code <= 0x39;
