import { LRUCache } from "lru-cache";

/** Where the address of a wrapper has that of its target. Each returns null if it is not there. */

/** The first of these parameters that has a web address. */
const parameter =
  (...names: readonly string[]) =>
  (url: URL): string | null => {
    for (const name of names) {
      const value = url.searchParams.get(name);
      if (value !== null && isTarget(value)) return value;
    }
    return null;
  };

/** The address, or `host/path` of it, after what the pattern matches. */
const inPath =
  (before: RegExp) =>
  (url: URL): string | null => {
    const match = before.exec(url.pathname);
    if (match === null) return null;
    const rest = url.pathname.slice(match[0].length);
    if (/^https?:\/\/?[^/]/iu.test(rest)) return `${rest.replace(/^(https?:)\/(?!\/)/iu, "$1//")}${url.search}`;
    return /^[^/.]+\.[^/]+/u.test(rest) ? `https://${rest}${url.search}` : null;
  };

/** The address behind the question mark, as it is. */
const inQuery = (url: URL): string | null => {
  const value = decodedOnce(url.search.slice(1));
  return isTarget(value) ? value : null;
};

/** The address in the path, encoded, after what the pattern matches. */
const encodedAfter =
  (before: RegExp) =>
  ({ pathname }: URL): string | null => {
    const match = before.exec(pathname);
    const value = match === null ? "" : decodedOnce(pathname.slice(match.index + match[0].length));
    return isTarget(value) ? value : null;
  };

const nowhere = (): null => null;

const isTarget = (value: string): boolean => /^https?:\/\//iu.test(value);

/** Older ids contain the address, in base64. */
function newsTarget(url: URL): string | null {
  const id = url.pathname.split("/").at(-1) ?? "";
  return /https?:\/\/[\x21-\x7e]+/u.exec(Buffer.from(id, "base64url").toString("latin1"))?.[0] ?? null;
}

function attributedVideo(url: URL): string | null {
  const path = url.searchParams.get("u");
  return path?.startsWith("/watch") === true ? `https://www.youtube.com${path}` : null;
}

/** `/pub/NAME/p/POST` is `https://NAME.substack.com/p/POST`. */
function postOfSubstack(url: URL): string | null {
  const [, name, post] = /^\/pub\/([\w-]+)(\/p\/.+)$/u.exec(url.pathname) ?? [];
  return name === undefined || post === undefined ? null : `https://${name}.substack.com${post}`;
}

/** One of the segments of the path is the whole address, encoded. */
function encodedInPath(url: URL): string | null {
  return url.pathname.split("/", 32).map(decodedOnce).find(isTarget) ?? null;
}

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
  const value = url.searchParams.get("u") ?? url.searchParams.get("url") ?? "";
  const target = value.startsWith("a1")
    ? Buffer.from(value.slice(2), "base64url").toString("utf8")
    : decodedOnce(value);
  return isTarget(target) ? target : null;
}

/** `/RU=<address>/RK=…` in the path. */
function yahooTarget(url: URL): string | null {
  const [, value] = /\/RU=([^/]+)/u.exec(url.pathname) ?? [];
  const target = decodedOnce(value ?? "");
  return isTarget(target) ? target : null;
}

/** `-` for `%` and `_` for `/`. */
function proofpointTarget(url: URL): string | null {
  const value = url.searchParams.get("u");
  if (value === null) return null;
  const target = url.pathname.startsWith("/v2/") ? decodedOnce(value.replaceAll("-", "%").replaceAll("_", "/")) : value;
  return isTarget(target) ? target : null;
}

/** `/v3/__https://example.com/path__;…`. The asterisks, which stand for other characters, are left. */
function urlDefenseTarget(url: URL): string | null {
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

/** The target that a wrapper's address contains, or null if it is no wrapper. The target is not checked. */
export function unwrapAddress(url: URL): string | null {
  for (const { target } of wrappersOf(url)) {
    const found = target(url);
    if (found !== null) return found;
  }
  return null;
}

/** Whether the address is one of a redirect: if it is not unwrapped, only its server knows the target. */
export const opaqueRedirect = (url: URL): boolean => wrappersOf(url).some(({ isRedirect }) => isRedirect === true);

const wrappersOf = ({ hostname, pathname }: URL): Wrapper[] =>
  wrappersAt(hostname).filter(({ path }) => path === undefined || path.test(pathname));

const wrappersAt = byHost((hostname) => {
  const host = hostname.replace(/^www\./u, "").replace(/(?<=[^.])\.$/u, "");
  return wrappers.filter(({ hosts }) => hosts.test(host));
});

interface Wrapper {
  readonly hosts: RegExp;
  readonly path?: RegExp;
  readonly target: (url: URL) => string | null;
  /** Whether such an address is always a redirect. */
  readonly isRedirect?: true;
}

const wrappers: readonly Wrapper[] = [
  // Search engines.
  {
    hosts: /^(?:[a-z]+\.)?google\.[a-z.]{2,6}$/u,
    path: /^\/(?:url|imgres|aclk|pagead\/aclk|travel\/clk|interstitial|goto|share\.google)$/u,
    target: parameter("q", "url", "imgrefurl", "adurl"),
    isRedirect: true,
  },
  // What a reader is asked before a page.
  {
    hosts: /^(?:consent\.)?(?:google|youtube)\.[a-z.]{2,6}$/u,
    path: /^\/(?:m|ml|d|sorry\/index)$/u,
    target: parameter("continue"),
  },
  // Viewers of documents.
  { hosts: /^(?:docs|drive)\.google\.com$/u, path: /^\/(?:viewer|viewerng\/viewer|gview)$/u, target: parameter("url") },
  { hosts: /^view\.officeapps\.live\.com$/u, target: parameter("src") },
  {
    hosts: /^news\.google\.[a-z.]{2,6}$/u,
    path: /^\/(?:u\/\d+\/)?(?:rss\/)?(?:__i\/rss\/rd\/)?(?:articles|read)\//u,
    target: newsTarget,
    isRedirect: true,
  },
  { hosts: /^(?:[a-z]+\.)?google\.[a-z.]{2,6}$/u, path: /^\/amp\//u, target: inPath(/^\/amp\/(?:s\/)?/u) },
  { hosts: /^translate\.google\.[a-z.]{2,6}$/u, target: parameter("u") },
  { hosts: /\.translate\.goog$/u, target: translatedHost },
  { hosts: /^translatetheweb\.com$/u, target: parameter("a") },
  { hosts: /^webcache\.googleusercontent\.com$/u, target: cached },
  {
    hosts: /^(?:[a-z0-9-]+\.)?(?:cdn\.ampproject\.org|bing-amp\.com)$/u,
    target: inPath(/^\/(?:c|v|a|r|wp)\/(?:s\/)?/u),
  },
  {
    hosts: /^(?:googleadservices\.com|(?:[a-z0-9-]+\.)+doubleclick\.net)$/u,
    path: /\/(?:aclk|clk)/u,
    target: (url) => parameter("adurl", "ds_dest_url")(url) ?? inQuery(url),
    isRedirect: true,
  },
  { hosts: /^(?:search\.app|[a-z0-9-]+\.(?:page\.link|app\.goo\.gl))$/u, target: parameter("link") },
  {
    hosts: /^vertexaisearch\.cloud\.google\.com$/u,
    path: /^\/grounding-api-redirect\//u,
    target: nowhere,
    isRedirect: true,
  },
  {
    hosts: /^(?:[a-z]+\.)?bing\.com$/u,
    path: /^\/(?:ck\/a|aclick|aclk|alink\/link|news\/apiclick\.aspx)/u,
    target: bingTarget,
    isRedirect: true,
  },
  { hosts: /^cc\.bingj\.com$/u, path: /^\/cache\.aspx$/u, target: nowhere, isRedirect: true },
  { hosts: /^search\.brave\.com$/u, path: /^\/a\/redirect$/u, target: parameter("click_url"), isRedirect: true },
  { hosts: /^(?:[a-z]+\.)?duckduckgo\.com$/u, path: /^\/l\//u, target: parameter("uddg"), isRedirect: true },
  { hosts: /^duckduckgo\.com$/u, path: /^\/y\.js$/u, target: nowhere, isRedirect: true },
  {
    hosts: /^(?:[a-z-]+\.)*search\.yahoo\.(?:com|co\.jp)$/u,
    path: /\/RU=|^\/cbclk/u,
    target: yahooTarget,
    isRedirect: true,
  },
  {
    hosts: /^(?:[a-z]+\.)?yandex\.[a-z.]{2,6}$/u,
    path: /^\/(?:redir|clck|an\/count)/u,
    target: parameter("url", "to"),
    isRedirect: true,
  },
  { hosts: /^(?:[a-z]+\.)?yandex\.[a-z.]{2,6}$/u, path: /^\/turbo$/u, target: parameter("text") },
  { hosts: /^(?:[a-z]+\.)?yandex\.[a-z.]{2,6}$/u, path: /^\/turbo\/(?:s\/)?/u, target: inPath(/^\/turbo\/(?:s\/)?/u) },
  {
    hosts: /^(?:[a-z0-9-]+\.)*baidu\.com$/u,
    path: /(?:\/link|\/tc|^\/baidu\.php)$/u,
    target: parameter("url", "src"),
    isRedirect: true,
  },
  { hosts: /^(?:[a-z]+\.)?sogou\.com$/u, path: /\/(?:link|tc)$/u, target: parameter("url"), isRedirect: true },
  { hosts: /^(?:[a-z]+\.)?so\.com$/u, path: /^\/(?:link|jump)$/u, target: parameter("url", "u"), isRedirect: true },
  { hosts: /^(?:[a-z]+\.)?toutiao\.com$/u, path: /\/jump\/?$/u, target: parameter("url"), isRedirect: true },
  {
    hosts: /^(?:[a-z0-9]+\.)?(?:search\.)?naver\.com$/u,
    path: /^\/(?:bridge|p\/crd\/rd|adcr|rd|redir|redirect)$/u,
    target: parameter("url", "u"),
    isRedirect: true,
  },
  // Social networks and messengers.
  {
    hosts: /^(?:l|lm)?\.?(?:facebook|instagram|threads|messenger|workplace|meta)\.(?:com|net|ai)$/u,
    path: /^\/(?:l\.php|flx\/warn\/?)?$/u,
    target: parameter("u"),
  },
  {
    hosts: /^(?:l|lm)?\.?(?:facebook|instagram|threads|messenger|workplace|meta)\.(?:com|net|ai)$/u,
    path: /^\/l\.php$/u,
    target: nowhere,
    isRedirect: true,
  },
  { hosts: /^(?:m\.)?youtube\.com$/u, path: /^\/redirect$/u, target: parameter("q"), isRedirect: true },
  { hosts: /^(?:m\.)?youtube\.com$/u, path: /^\/attribution_link$/u, target: attributedVideo },
  {
    hosts: /^linkedin\.com$/u,
    path: /^\/(?:redir\/redirect|safety\/go|slink)/u,
    target: parameter("url"),
    isRedirect: true,
  },
  { hosts: /^out\.reddit\.com$/u, target: parameter("url"), isRedirect: true },
  { hosts: /^t\.umblr\.com$/u, target: parameter("z"), isRedirect: true },
  { hosts: /^(?:m\.|away\.)?vk\.com$/u, path: /^\/away(?:\.php)?$/u, target: parameter("to"), isRedirect: true },
  { hosts: /^slack-redir\.net$/u, target: parameter("url"), isRedirect: true },
  { hosts: /^steamcommunity\.com$/u, path: /^\/linkfilter/u, target: parameter("url", "u"), isRedirect: true },
  {
    hosts: /^disq\.us$/u,
    target: (url) => parameter("url")(url)?.replace(/:[\w-]{20,}$/u, "") ?? null,
    isRedirect: true,
  },
  { hosts: /^(?:href\.li|anonym\.to|nullrefer\.com|dereferer\.me)$/u, target: inQuery },
  { hosts: /^deviantart\.com$/u, path: /^\/users\/outgoing$/u, target: inQuery, isRedirect: true },
  { hosts: /^(?:x|twitter)\.com$/u, path: /^\/i\/redirect$/u, target: parameter("url"), isRedirect: true },
  {
    hosts: /^(?:[a-z]+\.)?pinterest\.[a-z.]{2,6}$/u,
    path: /^\/offsite\/?$/u,
    target: parameter("url"),
    isRedirect: true,
  },
  { hosts: /^tiktok\.com$/u, path: /^\/link\/v2$/u, target: parameter("target"), isRedirect: true },
  { hosts: /^douban\.com$/u, path: /^\/link2\/?$/u, target: parameter("url"), isRedirect: true },
  { hosts: /^exit\.sc$/u, target: parameter("url"), isRedirect: true },
  {
    hosts: /^medium\.com$/u,
    path: /^\/(?:r\/|m\/global-identity)/u,
    target: parameter("url", "redirectUrl"),
    isRedirect: true,
  },
  { hosts: /^open\.substack\.com$/u, path: /^\/pub\/[\w-]+\/p\//u, target: postOfSubstack },
  { hosts: /^substack\.com$/u, path: /^\/redirect\//u, target: nowhere, isRedirect: true },
  { hosts: /^email\.(?:mg\d*\.)?substack\.com$/u, path: /^\/c\//u, target: nowhere, isRedirect: true },
  { hosts: /^link\.(?:zhihu\.com|juejin\.cn|csdn\.net|wtturl\.cn)$/u, target: parameter("target"), isRedirect: true },
  {
    hosts: /^(?:gitee\.com|sspai\.com|xie\.infoq\.cn)$/u,
    path: /^\/link\/?$/u,
    target: parameter("target"),
    isRedirect: true,
  },
  { hosts: /^link\.segmentfault\.com$/u, target: parameter("url"), isRedirect: true },
  { hosts: /^oschina\.net$/u, path: /^\/action\/GoToLink$/iu, target: parameter("url"), isRedirect: true },
  {
    hosts: /^cloud\.tencent\.com$/u,
    path: /^\/developer\/tools\/blog-entry$/u,
    target: parameter("target"),
    isRedirect: true,
  },
  { hosts: /^mp\.weixinbridge\.com$/u, target: parameter("url"), isRedirect: true },
  { hosts: /^jianshu\.com$/u, path: /^\/go-wild$/u, target: parameter("url"), isRedirect: true },
  {
    hosts: /^(?:weibo\.cn|t\.cn|weibo\.com)$/u,
    path: /^\/sinaurl$/u,
    target: parameter("u", "toasturl"),
    isRedirect: true,
  },
  { hosts: /^c\.pc\.qq\.com$/u, target: parameter("pfurl", "url"), isRedirect: true },
  { hosts: /^docs\.qq\.com$/u, path: /^\/scenario\/link\.html$/u, target: parameter("url"), isRedirect: true },
  { hosts: /^getpocket\.com$/u, path: /^\/redirect$/u, target: parameter("url"), isRedirect: true },
  { hosts: /^flipboard\.com$/u, path: /^\/redirect$/u, target: parameter("url"), isRedirect: true },
  { hosts: /^reddit\.com$/u, path: /^\/r\/[^/]+\/s\/[^/]+/u, target: nowhere, isRedirect: true },
  { hosts: /^tiktok\.com$/u, path: /^\/t\/[^/]+/u, target: nowhere, isRedirect: true },
  // Mail programs and their protection, and newsletters.
  { hosts: /\.safelinks\.protection\.outlook\.com$/u, target: parameter("url"), isRedirect: true },
  { hosts: /^statics\.teams\.cdn\.office\.net$/u, path: /safelinks/u, target: parameter("url"), isRedirect: true },
  { hosts: /^linkprotect\.cudasvc\.com$/u, target: parameter("a"), isRedirect: true },
  { hosts: /^secure-web\.cisco\.com$/u, target: encodedInPath, isRedirect: true },
  { hosts: /^urldefense\.proofpoint\.com$/u, target: proofpointTarget, isRedirect: true },
  { hosts: /^urldefense\.com$/u, path: /^\/v3\/__/u, target: urlDefenseTarget, isRedirect: true },
  { hosts: /\.awstrack\.me$/u, target: encodedInPath, isRedirect: true },
  { hosts: /\.list-manage\.com$/u, path: /^\/track\/click/u, target: nowhere, isRedirect: true },
  { hosts: /\.ct\.sendgrid\.net$/u, target: nowhere, isRedirect: true },
  { hosts: /^feeds\.feedburner\.com$/u, path: /^\/~r\//u, target: nowhere, isRedirect: true },
  // Affiliate programmes.
  { hosts: /^awin1\.com$/u, target: parameter("ued", "p"), isRedirect: true },
  { hosts: /^click\.linksynergy\.com$/u, target: parameter("murl", "RD_PARM1"), isRedirect: true },
  { hosts: /^prf\.hn$/u, target: encodedAfter(/\/destination:/u) },
  { hosts: /^rover\.ebay\.com$/u, target: parameter("mpre"), isRedirect: true },
  { hosts: /^redirect\.viglink\.com$/u, target: parameter("u"), isRedirect: true },
  { hosts: /^go\.(?:redirectingat|skimresources)\.com$/u, target: parameter("url"), isRedirect: true },
  {
    hosts: /^(?:shareasale\.com|anrdoezrs\.net|dpbolvw\.net|jdoqocy\.com|kqzyfj\.com|tkqlhce\.com)$/u,
    target: parameter("urllink", "url"),
  },
  // Archives and readers: the copy of a page is the page.
  {
    hosts: /^web\.archive\.org$/u,
    path: /^\/(?:web|save)\//u,
    target: inPath(/^\/(?:web|save)\/(?:(?:\d+\*?|\*)(?:[a-z]{2}_)?\/)?/u),
  },
  {
    hosts: /^archive\.(?:ph|today|is|li|vn|fo|md)$/u,
    target: (url) => inPath(/^\/(?:o\/\w+|newest|oldest|\d{4}[\d.-]*)?\/?(?=https?:)/u)(url) ?? parameter("url")(url),
  },
  { hosts: /^wayback\.archive-it\.org$/u, target: inPath(/^\/(?:\w+\/)?\d+(?:[a-z]{2}_)?\//u) },
  { hosts: /^arquivo\.pt$/u, target: inPath(/^\/(?:noFrame\/replay|wayback)\/\d+(?:[a-z]{2}_)?\//u) },
  { hosts: /^webarchive\.nationalarchives\.gov\.uk$/u, target: inPath(/^\/(?:ukgwa\/)?\d+(?:[a-z]{2}_)?\//u) },
  { hosts: /^(?:r\.jina\.ai|12ft\.io|freedium\.cfd)$/u, target: inPath(/^\/(?=https?:)/u) },
  // Whatever the site: a page of this name, with a whole address in a parameter of that name, does nothing but lead there.
  {
    hosts: /./u,
    path: /\/(?:redirect|redir|outbound|outgoing|out|away|leave|linkout|goto|go|jump|link|external|exit|clickout)(?:\.(?:php|aspx?|html?|cgi))?\/?$/iu,
    target: parameter("url", "u", "to", "target", "dest", "destination", "goto", "link", "href"),
  },
];

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
