/** Exit codes: one for each result that a script would handle differently. */
import {
  ConflictError,
  ConnectionError,
  ForbiddenError,
  GoneError,
  InvalidRequestError,
  NotFoundError,
  PointsShortError,
  RateLimitedError,
  RequestTimeoutError,
  SignatureError,
  UnauthorizedError,
  UnavailableError,
  UnexpectedReplyError,
  WaitTimeoutError,
} from "@querent/client";
import { querent, querentd } from "./program-names.ts";

export const exitCodes = {
  done: { code: 0, about: "Success." },
  fault: { code: 1, about: "Internal error of the command." },
  usage: {
    code: 2,
    about: "Invalid usage or invalid input. Nothing was sent.",
  },
  notCompleted: {
    code: 3,
    about: "The request succeeded, but not every task was completed, or a test webhook failed.",
  },
  refused: {
    code: 4,
    about:
      "The service rejected the request: it is not valid, the resource does not exist, or its state does not allow it.",
  },
  unauthorized: { code: 5, about: "The token is missing or invalid, or lacks a scope." },
  pointsShort: { code: 6, about: "Not enough points. The message states what was accepted, if anything." },
  unavailable: {
    code: 7,
    about: "The service is unreachable or unavailable. The same command may succeed later.",
  },
  timeout: { code: 8, about: "The time set with `--timeout` has passed. The tasks continue." },
  notVerified: { code: 9, about: "`verify`: the signature or the evidence is invalid." },
  interrupted: { code: 130, about: "Interrupted with Ctrl-C." },
} as const;

export type CommandEnding = keyof typeof exitCodes;

/** An error that the user must correct. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}

/** An error with a message for the user. The exit code is that of `ending`. */
export class CliError extends Error {
  override readonly name = "CommandError";
  readonly ending: CommandEnding;
  constructor(ending: CommandEnding, message: string) {
    super(message);
    this.ending = ending;
  }
}

export class Interrupted extends Error {
  override readonly name = "Interrupted";
}

export function endingOf(error: unknown): CommandEnding {
  if (error instanceof Interrupted) return "interrupted";
  if (error instanceof UsageError) return "usage";
  if (error instanceof CliError) return error.ending;
  if (error instanceof UnauthorizedError || error instanceof ForbiddenError) return "unauthorized";
  if (error instanceof PointsShortError) return "pointsShort";
  if (error instanceof WaitTimeoutError) return "timeout";
  if (error instanceof SignatureError) return "notVerified";
  if (
    error instanceof InvalidRequestError ||
    error instanceof NotFoundError ||
    error instanceof ConflictError ||
    error instanceof GoneError
  )
    return "refused";
  const isAway =
    error instanceof ConnectionError ||
    error instanceof RequestTimeoutError ||
    error instanceof UnavailableError ||
    error instanceof RateLimitedError ||
    error instanceof UnexpectedReplyError;
  return isAway ? "unavailable" : "fault";
}

/** The error and its remedy, in lines for the user. Null for internal errors. */
export function explain(error: unknown, url: string): readonly string[] | null {
  if (error instanceof Interrupted) return [];
  if (error instanceof CliError) return [error.message];
  if (error instanceof ConnectionError && speaksHttp(error, url))
    return [
      `The service at ${url} does not use HTTPS. Nothing was sent.`,
      `Write the URL as ${url.replace(/^https:/, "http:")} in --url or QUERENT_URL, if the service is on this machine or in a network that you trust.`,
    ];
  if (error instanceof ConnectionError)
    return [
      `The service at ${url} cannot be reached: ${error.message.replace(/^No response from \S+ /, "")}`,
      "Start a service with `npm start` in a checkout of Querent, or set its URL with --url or QUERENT_URL.",
    ];
  if (error instanceof UnauthorizedError)
    return [
      `${url} rejected the token.`,
      `Set QUERENT_TOKEN, or write it to the configuration file. The operator creates a token with \`${querentd} token create --account NAME\`.`,
    ];
  if (error instanceof InvalidRequestError && error.errors.length > 0) {
    const places = error.errors.slice(0, 10).map(({ pointer, detail }) => `  ${pointer}  ${detail}`);
    const more = error.errors.length - places.length;
    const platform = error.errors.some(({ code }) => code === "unknown_platform" || code === "platform_not_configured");
    return [
      `${error.problem?.title ?? error.message}. Nothing was accepted.`,
      ...places,
      ...(more > 0 ? [`  and ${more} more`] : []),
      ...(platform ? [`\`${querent} platforms\` lists the available platforms.`] : []),
    ];
  }
  return endingOf(error) === "fault" ? null : [error instanceof Error ? error.message : String(error)];
}

/** Whether what answered an `https` URL was no TLS, as a service does that listens for HTTP. */
function speaksHttp(error: Error, url: string): boolean {
  if (!url.startsWith("https:")) return false;
  for (let cause: unknown = error; cause instanceof Error; cause = cause.cause)
    if ("code" in cause && cause.code === "ERR_SSL_WRONG_VERSION_NUMBER") return true;
  return false;
}
