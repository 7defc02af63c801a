/** Classifies a response: a success, a problem, or not from a Querent service. */
import { UnexpectedReplyError, type ErrorContext } from "./errors.ts";
import type { Problem } from "./wire.ts";

export function problemIn(text: string): Problem | null {
  try {
    const value: unknown = JSON.parse(text);
    const isProblem =
      typeof value === "object" && value !== null && "code" in value && "title" in value && "detail" in value;
    return isProblem ? (value as Problem) : null;
  } catch {
    return null;
  }
}

export function parseJson(text: string, response: Response): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw notOurs(response, text);
  }
}

export function notOurs(response: Response, text: string, context: ErrorContext = {}): UnexpectedReplyError {
  const beginning = text.slice(0, 200).replaceAll(/\s+/g, " ").trim();
  return new UnexpectedReplyError(
    `The response is not from a Querent service: status ${response.status}, ${response.headers.get("content-type") ?? "no type"}, "${beginning}"`,
    { status: response.status, ...context },
  );
}

/** The message of the innermost cause, because the error of fetch is only "fetch failed". */
export function causeText(error: unknown): string {
  let inner = error;
  for (let depth = 0; depth < 5 && inner instanceof Error && inner.cause !== undefined; depth++) inner = inner.cause;
  if (!(inner instanceof Error)) return String(inner);
  return inner.message === "" && "code" in inner ? String(inner.code) : inner.message;
}
