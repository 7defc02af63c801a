/** robots.txt by RFC 9309, as far as a reader of a few pages needs it. */
export interface Robots {
  allows(path: string): boolean;
  readonly sitemaps: readonly string[];
}

const rulesMax = 2_000;
const patternCharsMax = 512;

/** `agent`: our name in lower case. Its group counts alone; without one, that of `*`. */
export function readRobots(text: string, agent: string): Robots {
  const groups: { readonly agents: string[]; readonly rules: Rule[] }[] = [];
  const sitemaps: string[] = [];
  let isOpen = false;
  let count = 0;
  for (const line of text.split(/\r\n|\r|\n/u)) {
    const [, name = "", value = ""] = /^\s*([a-z-]{1,20})\s*:\s*([^#]*)/iu.exec(line.slice(0, 2_048)) ?? [];
    const given = value.trim();
    switch (name.toLowerCase()) {
      case "user-agent":
        if (!isOpen) groups.push({ agents: [], rules: [] });
        isOpen = true;
        groups.at(-1)?.agents.push(given.toLowerCase());
        break;
      case "allow":
      case "disallow":
        isOpen = false;
        // An empty rule says nothing.
        if (given !== "" && given.length <= patternCharsMax && count++ < rulesMax)
          groups.at(-1)?.rules.push({ pattern: given, isAllowed: name.toLowerCase() === "allow" });
        break;
      case "sitemap":
        if (sitemaps.length < 10) sitemaps.push(given);
        break;
      default:
    }
  }
  const ours = groups.filter(({ agents }) => agents.includes(agent));
  const rules = (ours.length > 0 ? ours : groups.filter(({ agents }) => agents.includes("*"))).flatMap(
    (group) => group.rules,
  );
  return {
    sitemaps,
    allows: (path) => {
      let best: Rule | null = null;
      for (const rule of rules) {
        if (!fits(rule.pattern, path)) continue;
        const isBetter =
          best === null ||
          rule.pattern.length > best.pattern.length ||
          (rule.pattern.length === best.pattern.length && rule.isAllowed);
        if (isBetter) best = rule;
      }
      return best?.isAllowed ?? true;
    },
  };
}

interface Rule {
  readonly pattern: string;
  readonly isAllowed: boolean;
}

/** `*` stands for anything, `$` for the end. By hand: a regular expression made of many `*` could take forever. */
function fits(pattern: string, path: string): boolean {
  const isWhole = pattern.endsWith("$");
  const [first = "", ...rest] = (isWhole ? pattern.slice(0, -1) : pattern).split("*");
  if (!path.startsWith(first)) return false;
  let at = first.length;
  for (const [index, part] of rest.entries()) {
    if (isWhole && index === rest.length - 1) return path.length - part.length >= at && path.endsWith(part);
    const found = path.indexOf(part, at);
    if (found === -1) return false;
    at = found + part.length;
  }
  return !isWhole || at === path.length;
}
