/** Web addresses, as people and programs read them. */

export function isWebAddress(address: string): boolean {
  return /^https?:/iu.test(address) && URL.canParse(address);
}

/** The host name as people read it. `""` for an address without one. */
export function siteOf(address: string): string {
  return isWebAddress(address) ? new URL(address).hostname.replace(/^www\./u, "") : "";
}
