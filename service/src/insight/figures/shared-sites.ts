import type { CitedSite } from "@querent/figures";

/** The first of equal sites: most are cited by many answers. */
export function sharedSites(): (site: CitedSite) => CitedSite {
  /** By host. It has had another domain or type at most a few times, as the rules changed. */
  const known = new Map<string, CitedSite[]>();
  return (site) => {
    const { host, domain, type } = site;
    const same = known.get(host);
    if (same === undefined) {
      known.set(host, [site]);
      return site;
    }
    const before = same.find((one) => one.domain === domain && one.type === type);
    if (before !== undefined) return before;
    same.push(site);
    return site;
  };
}
