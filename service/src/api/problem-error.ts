import { problems, type ProblemCode, type ProblemItem } from "@querent/contract";

interface ProblemErrorDetails {
  /** Positions in the request; at most 100 are shown. */
  errors?: readonly ProblemItem[];
  headers?: Readonly<Record<string, string>>;
  /** The cursor after which a reader of the event feed can continue. */
  resumeAfter?: string;
  cause?: unknown;
}

/** HTTP asks for it in every 401. */
const asksForToken = { "www-authenticate": 'Bearer realm="querent"' };

/** An error meant for the client: one code of the catalogue and one sentence. Thrown anywhere below a route; `http/` sends it. */
export class ProblemError extends Error {
  readonly code: ProblemCode;
  readonly errors: readonly ProblemItem[] | undefined;
  readonly headers: Readonly<Record<string, string>>;
  readonly resumeAfter: string | undefined;

  constructor(code: ProblemCode, detail: string, details: ProblemErrorDetails = {}) {
    super(detail, details.cause === undefined ? undefined : { cause: details.cause });
    this.name = "ProblemError";
    this.code = code;
    this.errors = details.errors;
    this.headers = { ...(code === "unauthorized" ? asksForToken : {}), ...details.headers };
    this.resumeAfter = details.resumeAfter;
  }

  get status(): number {
    return problems[this.code].status;
  }
}

/** The same for a token that is missing, unknown, revoked or expired. */
export const unauthorized = () =>
  new ProblemError("unauthorized", "Send a valid access token: `Authorization: Bearer qrt_...`.");
