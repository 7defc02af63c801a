import type { FastifyReply } from "fastify";
import { RateLimiterMemory, RateLimiterRes } from "rate-limiter-flexible";
import { ProblemError } from "../api/problem-error.ts";

const windowSeconds = 60;

/** Whose requests are counted: an account's, all or those that cost no points, or those from one address. */
type RateLimitOf = "account" | "account-free" | "address";

/** Limits the requests per minute of each account or address in this process; reported in the headers of the IETF draft `ratelimit-headers`. */
export class RateLimit {
  readonly #limiter: RateLimiterMemory | null;
  readonly #of: RateLimitOf;
  readonly #what: string;
  readonly #policy: string;

  constructor(of: RateLimitOf, requestsPerMinute: number, what = "requests") {
    this.#limiter =
      requestsPerMinute > 0 ? new RateLimiterMemory({ points: requestsPerMinute, duration: windowSeconds }) : null;
    this.#of = of;
    this.#what = what;
    this.#policy = `"${of}";q=${requestsPerMinute};w=${windowSeconds}`;
  }

  /** Counts a request of the account or address, and throws 429 if there were too many. */
  async take(who: string, reply: FastifyReply): Promise<void> {
    if (this.#limiter === null) return;
    try {
      const left = await this.#limiter.consume(who);
      reply.headers({
        ratelimit: beside(reply.getHeader("ratelimit"), this.#remaining(left)),
        "ratelimit-policy": beside(reply.getHeader("ratelimit-policy"), this.#policy),
      });
    } catch (refused) {
      if (!(refused instanceof RateLimiterRes)) throw refused;
      throw new ProblemError(
        "rate_limited",
        `The ${this.#of === "address" ? "address" : "account"} sends ${this.#what} faster than the service allows.`,
        {
          headers: {
            ratelimit: this.#remaining(refused),
            "ratelimit-policy": this.#policy,
            "retry-after": String(Math.max(1, Math.ceil(refused.msBeforeNext / 1000))),
          },
        },
      );
    }
  }

  #remaining(left: RateLimiterRes): string {
    return `"${this.#of}";r=${left.remainingPoints};t=${Math.ceil(left.msBeforeNext / 1000)}`;
  }
}

/** Both are lists: a request may count towards several limits. */
const beside = (earlier: number | string | string[] | undefined, item: string) =>
  earlier === undefined ? item : `${[earlier].flat().join(", ")}, ${item}`;
