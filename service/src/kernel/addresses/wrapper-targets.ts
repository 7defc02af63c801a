/** Where the address of a wrapper has that of its target. Each returns null if it is not there. */

/** The first of these parameters that has a web address. */
export const parameter =
  (...names: readonly string[]) =>
  (url: URL): string | null => {
    for (const name of names) {
      const value = url.searchParams.get(name);
      if (value !== null && isTarget(value)) return value;
    }
    return null;
  };

/** The address, or `host/path` of it, after what the pattern matches. */
export const inPath =
  (before: RegExp) =>
  (url: URL): string | null => {
    const match = before.exec(url.pathname);
    if (match === null) return null;
    const rest = url.pathname.slice(match[0].length);
    if (/^https?:\/\/?[^/]/iu.test(rest)) return `${rest.replace(/^(https?:)\/(?!\/)/iu, "$1//")}${url.search}`;
    return /^[^/.]+\.[^/]+/u.test(rest) ? `https://${rest}${url.search}` : null;
  };

/** The address behind the question mark, as it is. */
export const inQuery = (url: URL): string | null => {
  const value = decodedOnce(url.search.slice(1));
  return isTarget(value) ? value : null;
};

/** The address in the path, encoded, after what the pattern matches. */
export const encodedAfter =
  (before: RegExp) =>
  ({ pathname }: URL): string | null => {
    const match = before.exec(pathname);
    const value = match === null ? "" : decodedOnce(pathname.slice(match.index + match[0].length));
    return isTarget(value) ? value : null;
  };

export const nowhere = (): null => null;

const isTarget = (value: string): boolean => /^https?:\/\//iu.test(value);

/** Older ids contain the address, in base64. */
export function newsTarget(url: URL): string | null {
  const id = url.pathname.split("/").at(-1) ?? "";
  return /https?:\/\/[\x21-\x7e]+/u.exec(Buffer.from(id, "base64url").toString("latin1"))?.[0] ?? null;
}

export function attributedVideo(url: URL): string | null {
  const path = url.searchParams.get("u");
  return path?.startsWith("/watch") === true ? `https://www.youtube.com${path}` : null;
}

/** `/pub/NAME/p/POST` is `https://NAME.substack.com/p/POST`. */
export function postOfSubstack(url: URL): string | null {
  const [, name, post] = /^\/pub\/([\w-]+)(\/p\/.+)$/u.exec(url.pathname) ?? [];
  return name === undefined || post === undefined ? null : `https://${name}.substack.com${post}`;
}

/** One of the segments of the path is the whole address, encoded. */
export function encodedInPath(url: URL): string | null {
  return url.pathname.split("/", 32).map(decodedOnce).find(isTarget) ?? null;
}

/** `en-m-wikipedia-org.translate.goog`: a dot is a hyphen, and a hyphen two. */
export function translatedHost(url: URL): string | null {
  const host = url.hostname
    .replace(/\.translate\.goog$/u, "")
    .replace(/--|-/gu, (found) => (found === "-" ? "." : "-"));
  return host.includes(".") ? `https://${host}${url.pathname}${url.search}` : null;
}

export function cached(url: URL): string | null {
  const [, target] = /^cache:(?:[\w-]+:)?(\S+)/u.exec(url.searchParams.get("q") ?? "") ?? [];
  if (target === undefined) return null;
  return /^https?:\/\//iu.test(target) ? target : `https://${target}`;
}

/** `a1` and the address in base64 for URLs. */
export function bingTarget(url: URL): string | null {
  const value = url.searchParams.get("u") ?? url.searchParams.get("url") ?? "";
  const target = value.startsWith("a1")
    ? Buffer.from(value.slice(2), "base64url").toString("utf8")
    : decodedOnce(value);
  return isTarget(target) ? target : null;
}

/** `/RU=<address>/RK=…` in the path. */
export function yahooTarget(url: URL): string | null {
  const [, value] = /\/RU=([^/]+)/u.exec(url.pathname) ?? [];
  const target = decodedOnce(value ?? "");
  return isTarget(target) ? target : null;
}

/** `-` for `%` and `_` for `/`. */
export function proofpointTarget(url: URL): string | null {
  const value = url.searchParams.get("u");
  if (value === null) return null;
  const target = url.pathname.startsWith("/v2/") ? decodedOnce(value.replaceAll("-", "%").replaceAll("_", "/")) : value;
  return isTarget(target) ? target : null;
}

/** `/v3/__https://example.com/path__;…`. The asterisks, which stand for other characters, are left. */
export function urlDefenseTarget(url: URL): string | null {
  const [, target] = /^\/v3\/__(https?:\/\/?.+?)__;/iu.exec(url.pathname + url.search) ?? [];
  return target === undefined ? null : target.replace(/^(https?:)\/(?!\/)/iu, "$1//");
}

function decodedOnce(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
