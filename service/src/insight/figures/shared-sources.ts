import type { SourceInAnswer } from "@querent/figures";

/** The first of equal sources: most are cited by many answers. */
export function sharedSources(): (source: SourceInAnswer) => SourceInAnswer {
  /** By canonical URL. An address has had another domain or type at most a few times, as the rules changed. */
  const known = new Map<string, SourceInAnswer[]>();
  return (source) => {
    const { canonicalUrl, domain, type } = source;
    const same = known.get(canonicalUrl);
    if (same === undefined) {
      known.set(canonicalUrl, [source]);
      return source;
    }
    const before = same.find((one) => one.domain === domain && one.type === type);
    if (before !== undefined) return before;
    same.push(source);
    return source;
  };
}
