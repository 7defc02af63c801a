/** Classifies a response: a success, a problem, or not from a Querent service. */
import { UnexpectedReplyError } from "./errors.js";
export function problemIn(text) {
  try {
    const value = JSON.parse(text);
    const isProblem =
      typeof value === "object" && value !== null && "code" in value && "title" in value && "detail" in value;
    return isProblem ? value : null;
  } catch {
    return null;
  }
}
export function parseJson(text, response) {
  try {
    return JSON.parse(text);
  } catch {
    throw notOurs(response, text);
  }
}
export function notOurs(response, text, context = {}) {
  const beginning = text.slice(0, 200).replaceAll(/\s+/g, " ").trim();
  return new UnexpectedReplyError(
    `The response is not from a Querent service: status ${response.status}, ${response.headers.get("content-type") ?? "no type"}, "${beginning}"`,
    { status: response.status, ...context },
  );
}
/** The message of the innermost cause, because the error of fetch is only "fetch failed". */
export function causeText(error) {
  let inner = error;
  for (let depth = 0; depth < 5 && inner instanceof Error && inner.cause !== undefined; depth++) inner = inner.cause;
  if (!(inner instanceof Error)) return String(inner);
  return inner.message === "" && "code" in inner ? String(inner.code) : inner.message;
}
