/** The directives that say which brands and sources an answer has, and how that changes: the truth that figures are held against. */

/** What is drawn for each answer. */
export interface DirectedBrand {
  readonly name: string;
  /** The share of answers that name it. */
  readonly rate: number;
  /** Brands are listed by it; brands of one position in random order. Null: after all others. */
  readonly position: number | null;
}

export interface DirectedCitation {
  readonly address: string;
  readonly rate: number;
}

export interface DirectedAdvertiser {
  /** The host of its landing page, and its name. */
  readonly host: string;
  /** The share of answers beside which it advertises. */
  readonly rate: number;
}

export interface DirectedProduct {
  readonly name: string;
  /** The share of answers that show it. */
  readonly rate: number;
  /** The host of the shop. */
  readonly shop: string;
}

/** New rates of brands, citations, advertisers or products, from the start of a day in UTC. */
export interface DirectedChange {
  readonly day: string;
  readonly name: string;
  readonly rate: number;
}

export interface DirectedModel {
  /** The day from which it holds; null for the beginning. */
  readonly day: string | null;
  readonly version: string;
}

export interface BrandDirectives {
  readonly brands: readonly DirectedBrand[];
  readonly cites: readonly DirectedCitation[];
  readonly advertisers: readonly DirectedAdvertiser[];
  readonly products: readonly DirectedProduct[];
  readonly changes: readonly DirectedChange[];
  readonly models: readonly DirectedModel[];
  /** The correlation of the same brand or citation in two answers to one question on one day. */
  readonly correlation: number;
  readonly seed: string;
}

export const noBrandDirectives: BrandDirectives = {
  brands: [],
  cites: [],
  advertisers: [],
  products: [],
  changes: [],
  models: [],
  correlation: 0,
  seed: "0",
};

const listMax = 50;
const nameCharsMax = 60;

export const howBrandsWritten = {
  brands: `write up to ${listMax} names with their rates and, if they have one, their positions: brands=Acme:0.6@1,Globex_Corp:0.25. An underscore is a space.`,
  cites: `write up to ${listMax} hosts or addresses without a scheme, with their rates: cites=example.com:0.5,news.example/acme:0.2.`,
  advertisers: `write up to ${listMax} hosts with their rates: advertisers=acme.example:0.3,globex.example:0.1.`,
  products: `write up to ${listMax} names with their rates and, if it is not shop.example, the host of the shop: products=Acme_Mill:0.6@acme.example,Globex:0.2. An underscore is a space.`,
  change: `write days with a name of brands, cites, advertisers or products and its rate from then on: change=2026-12-01:Acme:0.9,2026-12-15:Acme:0.4.`,
  model: `write a version, or days with versions: model=alpha,2026-12-01:beta.`,
  correlation: "write a number from 0 to 1, such as correlation=0.3.",
  seed: `write up to ${nameCharsMax} letters or digits, such as seed=7.`,
} as const;

type Parsers = Readonly<Record<keyof typeof howBrandsWritten, (value: string) => Partial<BrandDirectives> | null>>;

export const brandParsers: Parsers = {
  brands: (value) => listed("brands", value, readBrand, ({ name }) => name),
  cites: (value) => listed("cites", value, readCitation, ({ address }) => address),
  advertisers: (value) => listed("advertisers", value, readAdvertiser, ({ host }) => host),
  products: (value) => listed("products", value, readProduct, ({ name }) => name),
  change: (value) => listed("changes", value, readChange, ({ day, name }) => `${day} ${name}`),
  model: (value) => listed("models", value, readModel, ({ day }) => day ?? ""),
  correlation: (value) => {
    const correlation = readRate(value);
    return correlation === null ? null : { correlation };
  },
  seed: (value) => (/^[a-z0-9]+$/iu.test(value) && value.length <= nameCharsMax ? { seed: value } : null),
};

/** A list in which each element reads well and no key is given twice. */
function listed<Element>(
  member: "brands" | "cites" | "advertisers" | "products" | "changes" | "models",
  value: string,
  read: (part: string) => Element | null,
  keyOf: (element: Element) => string,
): Partial<BrandDirectives> | null {
  const parts = value.split(",", listMax + 1);
  const elements = parts.map(read).filter((element) => element !== null);
  const keys = new Set(elements.map(keyOf));
  return parts.length <= listMax && keys.size === parts.length ? { [member]: elements } : null;
}

function readBrand(part: string): DirectedBrand | null {
  const [, name = "", rate = "", position] = /^([^:@]+):([\d.]+)(?:@(\d{1,2}))?$/u.exec(part) ?? [];
  const read = readRate(rate);
  if (read === null || name.length > nameCharsMax) return null;
  return { name: spaced(name), rate: read, position: position === undefined ? null : Number(position) };
}

function readCitation(part: string): DirectedCitation | null {
  const [, address = "", rate = ""] = /^([^:]+):([\d.]+)$/u.exec(part) ?? [];
  const read = readRate(rate);
  if (read === null || address.length > 200 || !URL.canParse(`https://${address}`)) return null;
  return { address, rate: read };
}

function readAdvertiser(part: string): DirectedAdvertiser | null {
  const { address, rate } = readCitation(part) ?? {};
  // A path would be no host.
  if (address === undefined || rate === undefined || new URL(`https://${address}`).host !== address) return null;
  return { host: address, rate };
}

function readProduct(part: string): DirectedProduct | null {
  const [, name = "", rate = "", host = "shop.example"] = /^([^:@]+):([\d.]+)(?:@([^:@]+))?$/u.exec(part) ?? [];
  const shop = readAdvertiser(`${host}:1`);
  const read = readRate(rate);
  if (read === null || shop === null || name.length > nameCharsMax) return null;
  return { name: spaced(name), rate: read, shop: shop.host };
}

function readChange(part: string): DirectedChange | null {
  const [, day = "", name = "", rate = ""] = /^([^:]+):([^:]+):([\d.]+)$/u.exec(part) ?? [];
  const read = readRate(rate);
  return read === null || !isDay(day) ? null : { day, name: spaced(name), rate: read };
}

function readModel(part: string): DirectedModel | null {
  const [, day, version = ""] = /^(?:(\d{4}-\d{2}-\d{2}):)?([\w.-]{1,60})$/u.exec(part) ?? [];
  if (version === "" || (day !== undefined && !isDay(day))) return null;
  return { day: day ?? null, version };
}

const spaced = (name: string): string => name.replaceAll("_", " ");

function readRate(text: string): number | null {
  return /^(?:0|1|[01]?\.\d{1,6})$/u.test(text) && Number(text) <= 1 ? Number(text) : null;
}

function isDay(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/u.test(text)) return false;
  const day = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(text);
}
