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
  [/(?<!\p{L})US\s?\$|\$\s?US(?!\p{L})|(?<!\p{L})U\$[SD](?!\p{L})|U\.S\. dollars?/iu, "USD"],
  [/(?<!\p{L})(?:CA?|CDN)\s?\$|\$\s?CA(?!\p{L})/u, "CAD"],
  [/(?<!\p{L})AU?\s?\$|\$\s?AU(?!\p{L})/u, "AUD"],
  [/(?<!\p{L})NZ\s?\$/u, "NZD"],
  [/(?<!\p{L})HK\s?\$|港[币元]|港幣/u, "HKD"],
  [/(?<!\p{L})NT\s?\$|新[台臺][币幣]/u, "TWD"],
  [/(?<!\p{L})SG?\s?\$/u, "SGD"],
  [/(?<!\p{L})MX\s?\$/u, "MXN"],
  [/(?<!\p{L})ARS?\s?\$/u, "ARS"],
  [/(?<!\p{L})R\$/u, "BRL"],
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
  /\/\s?(?:mo|mth|month|yr|year|week|wk|day|monat|jahr|mois|an|mes|año)(?!\p{L})|per (?:month|year|week|day)|monthly|yearly|annually|a month|pro (?:Monat|Jahr)|monatlich|jährlich|mtl\.|p\.\s?[ma]\.|par (?:mois|an)|al mes|月額|[/每]\s?[个個]?[月年周天]|月付|分期|instal?lments?|× ?\d+ ?(?:mo|期)/iu;
const notOne =
  /(?<!\p{L})(?:from|starting at|up to|under|below|over|as low as|ab|bis|unter|dès|desde|hasta|vanaf|[aà] partir de|от|до)(?!\p{L})|and up|(?:起|から|~)\s*$|^\s*~|\+\s*$/iu;

const digits = String.raw`[.,]?\d(?:[\d.,'’\u00A0\u202F\u2009 ]*\d)?`;
const amounts = new RegExp(String.raw`(${digits})\s?(万|萬|k(?!\p{L}))?`, "giu");
/** Where a currency stood: between two amounts it still divides them. */
const taken = "¤";
/** What may stand beside an amount and change nothing. */
const harmless =
  /(?<!\p{L})(?:prices?|now|only|each|nur|jetzt|je|preis|prix|precio|incl(?:uding|\.)? (?:vat|taxe?s?)|inkl\.? (?:mwst|ust)|ttc)(?!\p{L})\.?|(?:券后|到手|优惠|活动)[价價]?|[价價](?:格)?|[售现現][价價]|税込|税抜き?|\/\s?(?:件|个|個|台|只|瓶|盒|pcs?|piece|stück|stk)(?!\p{L})/giu;
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
  const { currency, left } = currencyOf(text, country);
  if (currency === undefined) return "not_one_price";
  const [first, ...others] = Array.from(left.matchAll(amounts));
  if (first === undefined) return "not_understood";
  if (others.length > 0) return "not_one_price";
  const [found, written = "", scale = ""] = first;
  const before = left.slice(0, first.index);
  // A word or a sign that is not known may make of it a discount, a rate or a million.
  const beside = `${before} ${left.slice(first.index + found.length)}`.replaceAll(harmless, " ");
  if (/[\p{L}\p{N}%<>≤≥]/u.test(beside) || /[-−–]\s*¤?\s*$/u.test(before)) return "not_understood";
  const amount = numberOf(written, currency ?? "");
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

/** `currency`: null if the text has none, and undefined if it has several. `left`: the text without it. */
function currencyOf(text: string, country: string): { currency: string | null | undefined; left: string } {
  const found = new Set<string>();
  let left = text;
  for (const [sign, currency] of ofOneCurrency)
    if (sign.test(left)) {
      found.add(currency);
      left = withoutSign(left, sign);
    }
  left = left.replaceAll(/(?<!\p{L})[A-Z]{3}(?!\p{L})/gu, (code) => {
    if (!codes.has(code)) return code;
    found.add(code);
    return taken;
  });
  let several: string | null = null;
  for (const [sign, shown, byCountry] of ofSeveral)
    if (sign.test(left)) {
      several ??= byCountry[country] ?? shown;
      left = withoutSign(left, sign);
    }
  if (found.size > 1) return { currency: undefined, left };
  const [only] = found;
  return { currency: only ?? several, left };
}

/** A sign may stand on both sides: ₩15,000원. */
const withoutSign = (text: string, sign: RegExp) => text.replaceAll(new RegExp(sign.source, `${sign.flags}g`), taken);

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
    if (before === "") return null;
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
