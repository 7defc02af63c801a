/** True of what a browser opens as a page. Everything else that a platform calls an address is shown and not linked. */
export function isWebAddress(address: string): boolean {
  return URL.canParse(address) && /^https?:$/.test(new URL(address).protocol);
}

/** True of an address that opens an app: a scheme of its own, and none that a browser itself would act on. */
export function isAppAddress(address: string): boolean {
  if (!/^[a-z][a-z0-9+.-]{1,63}:\/\/[^\s]/i.test(address)) return false;
  return !browserSchemes.has(address.slice(0, address.indexOf(":")).toLowerCase());
}

const browserSchemes = new Set([
  "about",
  "blob",
  "chrome",
  "data",
  "file",
  "filesystem",
  "ftp",
  "http",
  "https",
  "javascript",
  "vbscript",
  "view-source",
  "ws",
  "wss",
]);

export const hostOf = (address: string): string => (URL.canParse(address) ? new URL(address).host : "");
