import list from "./domain-types.json" with { type: "json" };

/** Belongs to every count of domain types. */
export const domainTypesVersion = list.version;

const types = new Map(Object.entries(list.types).flatMap(([type, hosts]) => hosts.map((host) => [host, type])));
const suffixes = new Map(
  Object.entries(list.suffixes).flatMap(([type, found]) => found.map((suffix) => [suffix, type])),
);

/** What kind of site a host is, such as `news` or `forum`: the most specific entry of the list; `other` for all others. */
export function domainType(host: string): string {
  for (const name of upward(host)) {
    const type = types.get(name);
    if (type !== undefined) return type;
  }
  for (const name of upward(host)) {
    const type = suffixes.get(name);
    if (type !== undefined && name !== host) return type;
  }
  return "other";
}

/** `a.b.c`, `b.c`, `c`. */
export function upward(host: string): string[] {
  const labels = host.split(".");
  return labels.map((_, index) => labels.slice(index).join("."));
}
