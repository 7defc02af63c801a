/** Prices as platforms show them: one amount with its currency, or why it is none. */

export interface ShownPrice {
  readonly amount: number;
  /** The ISO 4217 code; or the sign, such as `$`, where several currencies have it and nothing tells which. */
  readonly currency: string;
}

/** Why a shown price is not one amount of one currency. */
export type NoPrice = "no_price" | "not_one_price" | "recurring" | "no_currency" | "not_understood";

/** Signs and words that only one currency has; the longer ones first. */
const ofOneCurrency: readonly (readonly [RegExp, string])[] = [
  [/US\s?\$|\$\s?US\b|U\.S\. dollars?/iu, "USD"],
  [/(?:CA?|CDN)\s?\$|\$\s?CA\b/u, "CAD"],
  [/AU?\s?\$|\$\s?AU\b/u, "AUD"],
  [/NZ\s?\$/u, "NZD"],
  [/HK\s?\$|港[币元]|港幣/u, "HKD"],
  [/NT\s?\$|新[台臺][币幣]/u, "TWD"],
  [/S\s?\$|SG\s?\$/u, "SGD"],
  [/MX\s?\$/u, "MXN"],
  [/R\$/u, "BRL"],
  [/CN\s?¥|RMB|人民[币幣]/iu, "CNY"],
  [/JP\s?¥|円|日元/u, "JPY"],
  [/€|euros?\b/iu, "EUR"],
  [/£/u, "GBP"],
  [/₹|\bRs\.?(?=\s?\d)/u, "INR"],
  [/₩|원/u, "KRW"],
  [/₽|руб\.?/iu, "RUB"],
  [/₺/u, "TRY"],
  [/₫|đ(?!\p{L})/iu, "VND"],
  [/₴|грн\.?/iu, "UAH"],
  [/₦/u, "NGN"],
  [/฿/u, "THB"],
  [/₪/u, "ILS"],
  [/₱/u, "PHP"],
  [/₸/u, "KZT"],
  [/zł(?!\p{L})/iu, "PLN"],
  [/Kč/iu, "CZK"],
  [/(?<!\p{L})lei(?!\p{L})/iu, "RON"],
  [/(?<!\p{L})Ft(?!\p{L})/u, "HUF"],
  [/(?<!\p{L})Rp\.?(?=\s?\d)/u, "IDR"],
  [/(?<!\p{L})RM(?=\s?\d)/u, "MYR"],
  [/د\.إ/u, "AED"],
  [/ر\.س|﷼/u, "SAR"],
];

/** Codes that stand in prices as they are: those of ISO 4217 that shops use. */
const codes = new Set(
  "AED ARS AUD BDT BGN BHD BRL CAD CHF CLP CNY COP CZK DKK EGP EUR GBP HKD HUF IDR ILS INR JOD JPY KES KRW KWD KZT LKR MAD MXN MYR NGN NOK NZD OMR PEN PHP PKR PLN QAR RON RSD RUB SAR SEK SGD THB TND TRY TWD UAH USD UYU VND ZAR".split(
    " ",
  ),
);

/** Signs of several currencies, and which of them it is in a country. */
const ofSeveral: readonly (readonly [RegExp, string, Readonly<Record<string, string>>])[] = [
  [
    /\$/u,
    "$",
    {
      ...{ US: "USD", CA: "CAD", AU: "AUD", NZ: "NZD", HK: "HKD", TW: "TWD", SG: "SGD", MX: "MXN" },
      ...{ AR: "ARS", CL: "CLP", CO: "COP", UY: "UYU", PR: "USD", EC: "USD", SV: "USD" },
    },
  ],
  [/[¥元]/u, "¥", { CN: "CNY", JP: "JPY" }],
  [/(?<!\p{L})kr\.?(?!\p{L})|:-/iu, "kr", { SE: "SEK", NO: "NOK", DK: "DKK", IS: "ISK" }],
  [/(?<!\p{L})R(?=\s?\d)/u, "R", { ZA: "ZAR" }],
];

/** Currencies with thousandths: `1.250` of them can be one and a quarter. */
const ofThousandths = new Set(["BHD", "IQD", "JOD", "KWD", "LYD", "OMR", "TND"]);

const recurring =
  /\/\s?(?:mo|mth|month|yr|year|week|wk|day|monat|jahr|mois|an|mes|año)\b|per (?:month|year|week|day)|monthly|a month|pro (?:Monat|Jahr)|par mois|al mes|[/每]\s?[个個]?[月年周天]|月付|分期|instal?lments?|× ?\d+ ?(?:mo|期)/iu;
const notOne = /\b(?:from|starting at|up to|as low as|ab|dès|desde|a partir de|от)\s|(?:起|から|~)\s*$|^\s*~|\+\s*$/iu;

const digits = String.raw`\d(?:[\d.,'’\u00A0\u202F\u2009 ]*\d)?`;
const amounts = new RegExp(String.raw`(-?)(${digits})\s?(万|萬|k\b)?`, "giu");
/** Longer ones are no prices. */
const charsMax = 120;

/**
 * The price of a card, from the text and the unit that the platform shows beside each other.
 *
 * @param country ISO 3166-1 alpha-2, of which a sign such as `$` is that country's; empty if it is not known
 */
export function readPrice(shown: string, unit = "", country = ""): ShownPrice | NoPrice {
  const text = plain(`${shown} ${unit}`);
  if (plain(shown) === "") return "no_price";
  if (text.length > charsMax) return "not_understood";
  if (recurring.test(text)) return "recurring";
  if (notOne.test(text)) return "not_one_price";
  const currency = currencyOf(text, country);
  if (currency === undefined) return "not_one_price";
  const found = Array.from(text.matchAll(amounts));
  const [first, ...others] = found;
  if (first === undefined) return "not_understood";
  if (others.length > 0) return "not_one_price";
  const [, sign = "", digitsFound = "", scale = ""] = first;
  const amount = sign === "" ? numberOf(digitsFound, currency ?? "") : null;
  if (amount === null) return "not_understood";
  if (currency === null) return "no_currency";
  return { amount: scaled(amount, scale), currency };
}

/** With digits and widths as in Latin texts, and without directions. */
const plain = (text: string): string =>
  text
    .normalize("NFKC")
    .replaceAll("\uFFE5", "¥")
    .replaceAll(/[٠-٩۰-۹०-९]/gu, (digit) => String((digit.codePointAt(0) ?? 0) & 15).replace(/^1[0-5]$/u, "0"))
    .replaceAll(/[\u200E\u200F\u202A-\u202E\u2066-\u2069]/gu, "")
    .trim();

/** Null: it has none; undefined: several. */
function currencyOf(text: string, country: string): string | null | undefined {
  const found = new Set<string>();
  let left = text;
  for (const [sign, currency] of ofOneCurrency)
    if (sign.test(left)) {
      found.add(currency);
      left = left.replace(sign, " ");
    }
  for (const [, code = ""] of left.matchAll(/(?<!\p{L})([A-Z]{3})(?!\p{L})/gu)) if (codes.has(code)) found.add(code);
  if (found.size > 1) return undefined;
  const [only] = found;
  if (only !== undefined) return only;
  for (const [sign, shown, byCountry] of ofSeveral) if (sign.test(text)) return byCountry[country] ?? shown;
  return null;
}

/** The number that is written; null if its separators could mean two. */
function numberOf(written: string, currency: string): number | null {
  const text = written.replaceAll(/[\u00A0\u202F\u2009 '’]/gu, "_");
  const separators = text.replaceAll(/\d/gu, "");
  if (separators === "") return Number(text);
  const last = separators.at(-1) ?? "";
  const at = text.lastIndexOf(last);
  const [before, after] = [text.slice(0, at), text.slice(at + 1)];
  const isOnly = separators.length === 1;
  if (last !== "_" && isOnly) {
    // `1.250` is a thousand and more, but for `0.250`, and in currencies with thousandths, where it may be both.
    if (after.length !== 3 || before === "0") return after.length <= 3 ? Number(`${before}.${after}`) : null;
    if (ofThousandths.has(currency)) return null;
    return before.length <= 3 ? Number(before + after) : null;
  }
  const isDecimal = last !== "_" && !before.includes(last);
  const whole = isDecimal ? before : text;
  // Thousands in groups of three, or as in India and China in others; and one kind of separator between them.
  if (new Set(whole.replaceAll(/\d/gu, "")).size > 1 || !/^\d{1,4}(?:[._,]\d{2,4})*$/u.test(whole)) return null;
  if (!/(?:^|[._,])\d{3,4}$|^\d+$/u.test(whole)) return null;
  const integer = whole.replaceAll(/\D/gu, "");
  return isDecimal ? (after.length <= 3 ? Number(`${integer}.${after}`) : null) : Number(integer);
}

function scaled(amount: number, scale: string): number {
  if (scale === "") return amount;
  const factor = scale.toLowerCase() === "k" ? 1000 : 10_000;
  return Math.round(amount * factor * 100) / 100;
}
