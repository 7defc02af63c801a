import { LRUCache } from "lru-cache";

/** Remembers what a host name gives: most addresses are of hosts that were seen before. Hosts are at most as long as addresses. */
export function byHost<Result extends {}>(compute: (host: string) => Result): (host: string) => Result {
  const known = new LRUCache<string, Result>({ maxSize: 400_000, sizeCalculation: (_, host) => host.length + 100 });
  return (host) => {
    const before = known.get(host);
    if (before !== undefined) return before;
    const result = compute(host);
    known.set(host, result);
    return result;
  };
}
