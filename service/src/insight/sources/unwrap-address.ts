/** The target that a wrapper's address contains, or null if it is no wrapper. The target is not checked. */
export function unwrapAddress(url: URL): string | null {
  const host = url.hostname.replace(/^www\./u, "");
  for (const { hosts, path, target } of wrappers) {
    if (!hosts.test(host) || (path !== undefined && !path.test(url.pathname))) continue;
    const found = target(url);
    if (found !== null) return found;
  }
  return null;
}

/** Redirects whose target only their server knows. */
export function isOpaqueRedirect(url: URL): boolean {
  const host = url.hostname.replace(/^www\./u, "");
  if (host === "vertexaisearch.cloud.google.com") return url.pathname.startsWith("/grounding-api-redirect/");
  if (host === "baidu.com") return url.pathname === "/link";
  if (host === "bing.com") return /^\/(?:ck\/a|aclick)/u.test(url.pathname);
  return shorteners.has(host) && url.pathname.length > 1;
}

const shorteners = new Set(
  "t.co bit.ly goo.gl tinyurl.com ow.ly buff.ly lnkd.in amzn.to amzn.eu a.co rb.gy is.gd cutt.ly dlvr.it t.cn dwz.cn url.cn v.gd trib.al fb.me wp.me apple.co g.co aka.ms redd.it shorturl.at rebrand.ly bl.ink".split(
    " ",
  ),
);

interface Wrapper {
  readonly hosts: RegExp;
  readonly path?: RegExp;
  readonly target: (url: URL) => string | null;
}

/** The first of these parameters that has a web address. */
const parameter =
  (...names: readonly string[]) =>
  (url: URL): string | null => {
    for (const name of names) {
      const value = url.searchParams.get(name);
      if (value !== null && /^https?:\/\//iu.test(value)) return value;
    }
    return null;
  };

/** `host/path` of the address, after what the pattern matches. `s/` says https. */
const inPath =
  (before: RegExp) =>
  (url: URL): string | null => {
    const match = before.exec(url.pathname);
    if (match === null) return null;
    const rest = url.pathname.slice(match[0].length);
    return /^[^/.]+\.[^/]+/u.test(rest) ? `https://${rest}${url.search}` : null;
  };

const wrappers: readonly Wrapper[] = [
  // Search engines.
  {
    hosts: /^(?:[a-z]+\.)?google\.[a-z.]{2,6}$/u,
    path: /^\/(?:url|imgres|aclk|travel\/clk)$/u,
    target: parameter("q", "url", "imgrefurl", "adurl"),
  },
  { hosts: /^google\.[a-z.]{2,6}$/u, path: /^\/amp\//u, target: inPath(/^\/amp\/(?:s\/)?/u) },
  { hosts: /^translate\.google\.[a-z.]{2,6}$/u, target: parameter("u") },
  { hosts: /\.translate\.goog$/u, target: translatedHost },
  { hosts: /^webcache\.googleusercontent\.com$/u, target: cached },
  { hosts: /^(?:[a-z0-9-]+\.)?cdn\.ampproject\.org$/u, target: inPath(/^\/(?:c|v|a|r|wp)\/(?:s\/)?/u) },
  { hosts: /^(?:googleadservices\.com|[a-z0-9]+\.doubleclick\.net)$/u, target: parameter("adurl", "ds_dest_url") },
  { hosts: /^(?:[a-z]+\.)?bing\.com$/u, path: /^\/(?:ck\/a|aclick)/u, target: bingTarget },
  { hosts: /^duckduckgo\.com$/u, path: /^\/l\//u, target: parameter("uddg") },
  { hosts: /(?:^|\.)search\.yahoo\.com$/u, target: yahooTarget },
  { hosts: /^(?:[a-z]+\.)?yandex\.[a-z]{2,3}$/u, path: /^\/(?:redir|clck)/u, target: parameter("url", "to") },
  // Social networks and messengers.
  {
    hosts: /^(?:l|lm)?\.?(?:facebook|instagram|threads)\.(?:com|net)$/u,
    path: /^\/(?:l\.php|flx\/warn\/?)?$/u,
    target: parameter("u"),
  },
  { hosts: /^(?:m\.)?youtube\.com$/u, path: /^\/redirect$/u, target: parameter("q") },
  { hosts: /^linkedin\.com$/u, path: /^\/(?:redir\/redirect|safety\/go|slink)/u, target: parameter("url") },
  { hosts: /^out\.reddit\.com$/u, target: parameter("url") },
  { hosts: /^t\.umblr\.com$/u, target: parameter("z") },
  { hosts: /^(?:m\.)?vk\.com$/u, path: /^\/away(?:\.php)?$/u, target: parameter("to") },
  { hosts: /^slack-redir\.net$/u, target: parameter("url") },
  { hosts: /^steamcommunity\.com$/u, path: /^\/linkfilter/u, target: parameter("url", "u") },
  { hosts: /^disq\.us$/u, target: (url) => parameter("url")(url)?.replace(/:[\w-]{20,}$/u, "") ?? null },
  { hosts: /^link\.(?:zhihu\.com|juejin\.cn|csdn\.net)$/u, target: parameter("target") },
  { hosts: /^jianshu\.com$/u, path: /^\/go-wild$/u, target: parameter("url") },
  { hosts: /^(?:weibo\.cn|t\.cn|weibo\.com)$/u, path: /^\/sinaurl$/u, target: parameter("u", "toasturl") },
  { hosts: /^c\.pc\.qq\.com$/u, target: parameter("pfurl", "url") },
  { hosts: /^getpocket\.com$/u, path: /^\/redirect$/u, target: parameter("url") },
  // Mail programs and their protection.
  { hosts: /\.safelinks\.protection\.outlook\.com$/u, target: parameter("url") },
  { hosts: /^urldefense\.proofpoint\.com$/u, target: proofpointTarget },
  { hosts: /^urldefense\.com$/u, path: /^\/v3\/__/u, target: urlDefenseTarget },
  // Affiliate programmes.
  { hosts: /^awin1\.com$/u, target: parameter("ued", "p") },
  { hosts: /^click\.linksynergy\.com$/u, target: parameter("murl", "RD_PARM1") },
  { hosts: /^go\.(?:redirectingat|skimresources)\.com$/u, target: parameter("url") },
  {
    hosts: /^(?:shareasale\.com|anrdoezrs\.net|dpbolvw\.net|jdoqocy\.com|kqzyfj\.com|tkqlhce\.com)$/u,
    target: parameter("urllink", "url"),
  },
  // Archives: the copy of a page is the page.
  { hosts: /^web\.archive\.org$/u, path: /^\/web\/\d+/u, target: archived },
];

/** `en-m-wikipedia-org.translate.goog`: a dot is a hyphen, and a hyphen two. */
function translatedHost(url: URL): string | null {
  const host = url.hostname
    .replace(/\.translate\.goog$/u, "")
    .replace(/--|-/gu, (found) => (found === "-" ? "." : "-"));
  return host.includes(".") ? `https://${host}${url.pathname}${url.search}` : null;
}

function cached(url: URL): string | null {
  const [, target] = /^cache:(?:[\w-]+:)?(\S+)/u.exec(url.searchParams.get("q") ?? "") ?? [];
  if (target === undefined) return null;
  return /^https?:\/\//iu.test(target) ? target : `https://${target}`;
}

/** `a1` and the address in base64 for URLs. */
function bingTarget(url: URL): string | null {
  const value = url.searchParams.get("u") ?? "";
  const target = value.startsWith("a1")
    ? Buffer.from(value.slice(2), "base64url").toString("utf8")
    : decodedOnce(value);
  return /^https?:\/\//iu.test(target) ? target : null;
}

/** `/RU=<address>/RK=…` in the path. */
function yahooTarget(url: URL): string | null {
  const [, value] = /\/RU=([^/]+)/u.exec(url.pathname) ?? [];
  const target = decodedOnce(value ?? "");
  return /^https?:\/\//iu.test(target) ? target : null;
}

/** `-` for `%` and `_` for `/`. */
function proofpointTarget(url: URL): string | null {
  const value = url.searchParams.get("u");
  if (value === null) return null;
  const target = url.pathname.startsWith("/v2/") ? decodedOnce(value.replaceAll("-", "%").replaceAll("_", "/")) : value;
  return /^https?:\/\//iu.test(target) ? target : null;
}

/** `/v3/__https://example.com/path__;…`. The asterisks, which stand for other characters, are left. */
function urlDefenseTarget(url: URL): string | null {
  const [, target] = /^\/v3\/__(https?:\/\/?.+?)__;/iu.exec(url.pathname + url.search) ?? [];
  return target === undefined ? null : target.replace(/^(https?:)\/(?!\/)/iu, "$1//");
}

function archived(url: URL): string | null {
  const [, target] = /^\/web\/\d+(?:[a-z]{2}_)?\/(.+)$/u.exec(url.pathname) ?? [];
  if (target === undefined) return null;
  const whole = /^https?:\/\/?/iu.test(target) ? target.replace(/^(https?:)\/(?!\/)/iu, "$1//") : `https://${target}`;
  return `${whole}${url.search}`;
}

function decodedOnce(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
