import rules from "./tracking-parameters.json" with { type: "json" };

const everywhere = new Set(rules.everywhere);
const atDomains = new Map(Object.entries(rules.atDomains).map(([domain, names]) => [domain, new Set(names)]));
const national = /^(amazon|google|ebay|booking)\.[a-z.]{2,6}$/u;

/** True if a parameter, in lower case, only records how a reader reached the page. */
export function isTrackingParameter(name: string, domain: string, part: string): boolean {
  // `?amp` and `?amp=1` choose another form of the page; a parameter of this name with any other value does not.
  if (name === "amp") return /^amp(?:=(?:1|true)?)?$/iu.test(part);
  if (everywhere.has(name) || rules.prefixes.some((prefix) => name.startsWith(prefix))) return true;
  const [, shop] = national.exec(domain) ?? [];
  return atDomains.get(shop === undefined ? domain : `${shop}.com`)?.has(name) ?? false;
}
