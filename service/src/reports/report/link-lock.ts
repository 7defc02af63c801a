/** Passwords of links: what is asked of whoever opens one, and how often it may be tried. */
import { createHmac, timingSafeEqual } from "node:crypto";
import { LRUCache } from "lru-cache";
import { RateLimiterMemory, RateLimiterRes } from "rate-limiter-flexible";
import { isPassword } from "../../api/password.ts";
import { ProblemError } from "../../api/problem-error.ts";

/** A link that opens with a password alone. */
export interface LockedLink {
  readonly id: string;
  readonly passwordHash: string;
  readonly expiresAt: Date;
}

/** How often a password is tried, in this process: at one link by whomever, and from one address at any. */
const triesOfLink = { points: 30, duration: 15 * 60 };
const triesFrom = { points: 10, duration: 15 * 60 };
const openedMs = 12 * 3_600_000;
/** A program sends the password with each request: it is not hashed again for so long. */
const provenMs = 10 * 60_000;

export const passwordRequired = (detail: string) =>
  new ProblemError("link_password_required", detail, {
    headers: { "www-authenticate": 'Basic realm="link", charset="UTF-8"' },
  });

export class LinkLocks {
  readonly #key: Buffer;
  readonly #ofLink = new RateLimiterMemory(triesOfLink);
  readonly #from = new RateLimiterMemory(triesFrom);
  /** Passwords that were right, as digests of them with the hash that they were compared with. */
  readonly #proven = new LRUCache<string, true>({ max: 10_000, ttl: provenMs });

  constructor(key: Buffer) {
    this.#key = key;
  }

  /** Whether it is the password. Throws if it was tried too often; a try that succeeds does not count. */
  async opens({ id, passwordHash }: LockedLink, password: string, address: string): Promise<boolean> {
    const known = this.#code("password", passwordHash, password).toString("base64");
    if (this.#proven.has(known)) return true;
    await take(this.#from, address, "address");
    await take(this.#ofLink, id, "link");
    if (!(await isPassword(password, passwordHash))) return false;
    await Promise.all([this.#from.reward(address), this.#ofLink.reward(id)]);
    this.#proven.set(known, true);
    return true;
  }

  /** Whether a program that sends `Authorization: Basic` knows the password. Null: it sends none. */
  async opensTo(link: LockedLink, authorization: string | undefined, address: string): Promise<boolean | null> {
    const password = basicPassword(authorization);
    return password === null ? null : this.opens(link, password, address);
  }

  /** The cookie for a browser in which the password was entered, which sends it to this link alone. `url`: of the link. */
  cookie(link: LockedLink, url: URL): string {
    const until = Math.floor(Math.min(Date.now() + openedMs, link.expiresAt.getTime()) / 1000);
    const { name, secure } = cookieAt(url);
    const value = `${until}.${this.#ticket(link, until).toString("base64url")}`;
    const seconds = Math.max(0, until - Math.floor(Date.now() / 1000));
    return `${name}=${value}; Path=${url.pathname}; Max-Age=${seconds}; HttpOnly; SameSite=Lax${secure ? "; Secure" : ""}`;
  }

  /** Whether the browser has the cookie of this link, from the time since its password was set. */
  hasCookie(link: LockedLink, url: URL, sent: string | undefined): boolean {
    const { name } = cookieAt(url);
    return (sent ?? "").split(";").some((pair) => {
      const [, sentName, until = "", code = ""] = /^([\w-]+)=(\d{10})\.([\w-]{43})$/.exec(pair.trim()) ?? [];
      if (sentName !== name || Number(until) * 1000 <= Date.now()) return false;
      return timingSafeEqual(Buffer.from(code, "base64url"), this.#ticket(link, Number(until)));
    });
  }

  /** The salt in the hash is another one for each password that is set. */
  #ticket({ id, passwordHash }: LockedLink, until: number): Buffer {
    return this.#code("cookie", id, passwordHash, String(until));
  }

  #code(...parts: readonly string[]): Buffer {
    return createHmac("sha256", this.#key)
      .update(JSON.stringify(["link password", ...parts]))
      .digest();
  }
}

/** Over HTTPS, a name that browsers accept over HTTPS alone. */
function cookieAt(url: URL) {
  const secure = url.protocol === "https:";
  return { name: secure ? "__Secure-querent-link" : "querent-link", secure };
}

function basicPassword(authorization: string | undefined): string | null {
  const [, encoded] = /^basic ([A-Za-z0-9+/]{1,1000}={0,2})$/i.exec(authorization ?? "") ?? [];
  if (encoded === undefined) return null;
  const text = Buffer.from(encoded, "base64").toString();
  const colon = text.indexOf(":");
  return colon === -1 ? null : text.slice(colon + 1);
}

async function take(limiter: RateLimiterMemory, key: string, of: "address" | "link"): Promise<void> {
  try {
    await limiter.consume(key);
  } catch (error) {
    if (!(error instanceof RateLimiterRes)) throw error;
    const seconds = Math.max(1, Math.ceil(error.msBeforeNext / 1000));
    throw new ProblemError(
      "rate_limited",
      `Passwords were tried too often ${of === "link" ? "at this link" : "from this address"}. Wait ${Math.ceil(seconds / 60)} minutes, and ask whoever sent the link.`,
      {
        headers: {
          ratelimit: `"${of}";r=0;t=${seconds}`,
          "ratelimit-policy": `"${of}";q=${limiter.points};w=${limiter.duration}`,
          "retry-after": String(seconds),
        },
      },
    );
  }
}
