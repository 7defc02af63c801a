/** The prices of products over time, as platforms showed them. */
import type { PanelPrices, PriceSeries, PriceSpread } from "@querent/contract";
import { readPrice } from "./price.ts";
import { compareTexts, mostFrequent, spelled } from "./words.ts";

/** A median and quartiles are stated from so many prices on. */
const pricesMin = 5;

/** A product card of an answer, with what its price needs. */
export interface ShownOffer {
  readonly answer: number;
  readonly observedAt: string;
  readonly platformCode: string;
  readonly kind: PriceSeries["kind"];
  readonly locale: string;
  readonly persona: string;
  readonly title: string;
  readonly entityIds: readonly string[];
  readonly shop: string;
  readonly price: string;
  readonly priceUnit: string;
}

/** What is chosen of the series. */
export interface PriceChoice {
  readonly entityId?: string;
  readonly shop?: string;
  readonly currency?: string;
  readonly limit: number;
}

interface Priced {
  readonly offer: ShownOffer;
  readonly amount: number;
}

/** The series of each product, shop and currency on each surface: those with most prices first. Amounts of two currencies never meet. */
export function priceSeries(
  offers: readonly ShownOffer[],
  { entityId, shop, currency, limit }: PriceChoice,
): Pick<PanelPrices, "offers" | "leftOut" | "seriesCount" | "series"> {
  const leftOut: Record<string, number> = {};
  const bySeries = new Map<string, Priced[]>();
  let count = 0;
  for (const offer of offers) {
    if (entityId !== undefined && !offer.entityIds.includes(entityId)) continue;
    if (shop !== undefined && offer.shop !== shop) continue;
    const price = readPrice(offer.price, offer.priceUnit, countryOf(offer.locale));
    if (typeof price !== "string" && currency !== undefined && price.currency !== currency) continue;
    count++;
    if (typeof price === "string") {
      leftOut[price] = (leftOut[price] ?? 0) + 1;
      continue;
    }
    const { platformCode, kind, locale, persona, title } = offer;
    const key = JSON.stringify([platformCode, kind, locale, persona, spelled(title), offer.shop, price.currency]);
    const known = bySeries.get(key);
    if (known === undefined) bySeries.set(key, [{ offer, amount: price.amount }]);
    else known.push({ offer, amount: price.amount });
  }
  const sorted = [...bySeries].toSorted(([one, a], [other, b]) => b.length - a.length || compareTexts(one, other));
  return {
    offers: count,
    leftOut,
    seriesCount: sorted.length,
    series: sorted.slice(0, limit).map(([key, priced]) => seriesOf(key, priced)),
  };
}

function seriesOf(key: string, priced: readonly Priced[]): PriceSeries {
  // As it was written above.
  const [platformCode, kind, locale, persona, , shop, currency] = JSON.parse(key) as [
    string,
    PriceSeries["kind"],
    string,
    string,
    string,
    string,
    string,
  ];
  const byDay = Map.groupBy(priced, ({ offer }) => offer.observedAt.slice(0, 10));
  return {
    ...{ platformCode, kind, locale, persona },
    product: mostFrequent(priced.map(({ offer }) => offer.title)),
    entityIds: [...new Set(priced.flatMap(({ offer }) => offer.entityIds))].toSorted(),
    ...{ shop, currency },
    ...spreadOf(priced),
    days: [...byDay]
      .toSorted(([one], [other]) => compareTexts(one, other))
      .map(([day, ofDay]) => ({ day, ...spreadOf(ofDay) })),
  };
}

function spreadOf(priced: readonly Priced[]): PriceSpread {
  const amounts = priced.map(({ amount }) => amount).toSorted((one, other) => one - other);
  const isEnough = amounts.length >= pricesMin;
  const at = (share: number) => (isEnough ? quantile(amounts, share) : null);
  return {
    offers: amounts.length,
    answers: new Set(priced.map(({ offer }) => offer.answer)).size,
    lowest: amounts[0] ?? 0,
    lowerQuartile: at(0.25),
    median: at(0.5),
    upperQuartile: at(0.75),
    highest: amounts.at(-1) ?? 0,
    reason: isEnough ? null : { code: "too_few_prices", there: amounts.length, needed: pricesMin },
  };
}

/** Between the neighbours, as NumPy and R do by default; of prices, to a thousandth. */
function quantile(sorted: readonly number[], share: number): number {
  const place = (sorted.length - 1) * share;
  const [below = 0, above = below] = [sorted[Math.floor(place)], sorted[Math.ceil(place)]];
  return Math.round((below + (above - below) * (place % 1)) * 1000) / 1000;
}

/** The country of a locale, as panels (`DE/de`) and other tools (`de-DE`) write it; empty if it names none. */
function countryOf(locale: string): string {
  const [, first, last] = /^([A-Z]{2})(?=\/|$)|^[a-z]{2,3}[-_]([A-Z]{2})$/u.exec(locale) ?? [];
  return first ?? last ?? "";
}
