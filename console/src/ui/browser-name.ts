/** The name of a browser and its system, as far as the text that it sends says so. */
export function browserName(userAgent: string): string {
  const browsers = { Edg: "Edge", OPR: "Opera", Firefox: "Firefox", Chrome: "Chrome", Safari: "Safari" };
  const systems = {
    Android: "Android",
    iPhone: "iOS",
    iPad: "iPadOS",
    Windows: "Windows",
    Mac: "macOS",
    Linux: "Linux",
  };
  const found = (names: Readonly<Record<string, string>>) =>
    Object.entries(names).find(([mark]) => userAgent.includes(mark))?.[1];
  const named = [found(browsers), found(systems)].filter((name) => name !== undefined);
  return named.length === 0 ? userAgent.slice(0, 60) : named.join(", ");
}
