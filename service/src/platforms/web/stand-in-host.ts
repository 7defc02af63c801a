/** The hosts of stand-ins. No name under `.invalid` exists (RFC 6761), so the page's address says in every record that it is not the assistant's. */
const pattern = /^([a-z0-9][a-z0-9-]{0,63})\.stand-in\.invalid$/;

export const standInHost = (code: string): string => `${code}.stand-in.invalid`;

/** The platform in whose place a host answers; undefined: it is no stand-in. */
export const standInPlatform = (host: string): string | undefined => pattern.exec(host)?.[1];

/** Whether the page at this address is a stand-in. */
export const isStandIn = (url: string): boolean => standInPlatform(URL.parse(url)?.hostname ?? "") !== undefined;
