/** A row by the names of its columns. */
type Row = Readonly<Record<string, unknown>>;

/** The columns that are members of `options`, as the API has them, and those of the item. */
export function splitOptions({
  deepAnalysis,
  output,
  resultFormat,
  country,
  language,
  city,
  region,
  latitude,
  longitude,
  persona,
  model,
  searchDepth,
  domains,
  excludeDomains,
  since,
  onUnsupported,
  ...rest
}: Row): { readonly rest: Row; readonly options: object } {
  // In JSON lines, `domains` can also be the object of the API.
  const isObject = typeof domains === "object" && domains !== null && !Array.isArray(domains);
  const options = defined({
    deepAnalysis,
    output,
    resultFormat,
    country,
    language,
    location: objectOf({ city, region, latitude, longitude }),
    persona,
    model,
    searchDepth,
    domains: isObject ? domains : objectOf({ allow: domains, deny: excludeDomains }),
    since,
    onUnsupported,
  });
  return { rest, options };
}

function defined(members: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined));
}

function objectOf(members: Readonly<Record<string, unknown>>): object | undefined {
  const kept = defined(members);
  return Object.keys(kept).length === 0 ? undefined : kept;
}
