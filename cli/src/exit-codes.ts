/** What a command's end tells a script: one code for each thing that a script would do differently. */
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
  done: { code: 0, about: "Done." },
  fault: { code: 1, about: "A fault of the command itself." },
  usage: {
    code: 2,
    about: "The command was called in a way that it can't do, or its input is not right. Nothing was sent.",
  },
  notCompleted: {
    code: 3,
    about: "The service did what was asked, and not every task was completed, or a test notification did not pass.",
  },
  refused: {
    code: 4,
    about: "The service refused the request: it is not valid, there is no such thing, or its state forbids it.",
  },
  unauthorized: { code: 5, about: "The token is missing, not valid, or lacks a scope." },
  pointsShort: { code: 6, about: "Not enough points for all of it. The message says what was accepted, if anything." },
  unavailable: {
    code: 7,
    about: "The service can't be reached, or can't do it now. The same command may succeed later.",
  },
  timeout: { code: 8, about: "The time given with `--timeout` is over. What was waited for goes on." },
  notVerified: { code: 9, about: "`verify`: the signature, or the evidence, is not right." },
  interrupted: { code: 130, about: "Interrupted with Ctrl-C." },
} as const;

export type Ending = keyof typeof exitCodes;

/** Something that the person at the keyboard has to put right. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}

/** The command can't do it, and says why; its exit code is that of `ending`. */
export class CommandError extends Error {
  override readonly name = "CommandError";
  readonly ending: Ending;
  constructor(ending: Ending, message: string) {
    super(message);
    this.ending = ending;
  }
}

export class Interrupted extends Error {
  override readonly name = "Interrupted";
}

export function endingOf(error: unknown): Ending {
  if (error instanceof Interrupted) return "interrupted";
  if (error instanceof UsageError) return "usage";
  if (error instanceof CommandError) return error.ending;
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

/** What went wrong and what to do about it, in lines for a person. Null: nothing that a person could mend. */
export function explain(error: unknown, url: string): readonly string[] | null {
  if (error instanceof Interrupted) return [];
  if (error instanceof CommandError) return [error.message];
  if (error instanceof ConnectionError)
    return [
      `There is no service at ${url}: ${error.message.replace(/^No answer from \S+ /, "")}`,
      "Start one with `npm start` in a checkout of Querent, or name yours with --url or QUERENT_URL.",
    ];
  if (error instanceof UnauthorizedError)
    return [
      `${url} does not take this token.`,
      `Set QUERENT_TOKEN, or put it into the configuration file. The operator makes one with \`${querentd} token create --account NAME\`.`,
    ];
  if (error instanceof InvalidRequestError && error.errors.length > 0) {
    const places = error.errors.slice(0, 10).map(({ pointer, detail }) => `  ${pointer}  ${detail}`);
    const more = error.errors.length - places.length;
    const platform = error.errors.some(({ code }) => code === "unknown_platform" || code === "platform_not_configured");
    return [
      `${error.problem?.title ?? error.message}. Nothing was accepted.`,
      ...places,
      ...(more > 0 ? [`  and ${more} more`] : []),
      ...(platform ? [`\`${querent} platforms\` lists those that there are.`] : []),
    ];
  }
  return endingOf(error) === "fault" ? null : [error instanceof Error ? error.message : String(error)];
}
