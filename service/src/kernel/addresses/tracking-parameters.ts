import rules from "./tracking-parameters.json" with { type: "json" };

const everywhere = new Set(rules.everywhere);
const atDomains = new Map(Object.entries(rules.atDomains).map(([domain, names]) => [domain, new Set(names)]));
const national = /^(amazon|google|ebay|booking)\.[a-z.]{2,6}$/u;

const outputs = new Set(["outputtype", "output", "format", "view", "type", "mode", "version"]);

/** True if a parameter, in lower case, only records how a reader reached the page. */
export function isTrackingParameter(name: string, domain: string, part: string): boolean {
  // `?amp`, `?amp=1` and `?outputType=amp` choose another form of the page; parameters of these names with other values do not.
  if (name === "amp" || name === "amphtml") return /^[^=]*(?:=(?:1|true|yes)?)?$/iu.test(part);
  // Blogspot's edition for telephones.
  if (name === "m" && domain.startsWith("blogspot.")) return /^m=[01]$/u.test(part);
  if (outputs.has(name)) return /=amp(?:html)?$/iu.test(part);
  if (everywhere.has(name) || rules.prefixes.some((prefix) => name.startsWith(prefix))) return true;
  const [, shop] = national.exec(domain) ?? [];
  return atDomains.get(shop === undefined ? domain : `${shop}.com`)?.has(name) ?? false;
}
