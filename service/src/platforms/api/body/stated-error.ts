import { isObject, list, object, string, type JsonObject } from "./json.ts";

/**
 * Whether a document is an error that states its code beside its message, as DashScope, Zhipu and vLLM send it, even with status
 * 200 and in the middle of a stream. Members of an answer may stand beside them, but are empty.
 */
export function isStatedError(document: JsonObject): boolean {
  const { code, message, msg, output, choices, type, object: kind } = document;
  if (typeof message !== "string" && typeof msg !== "string") return false;
  const named = type === "error" || kind === "error";
  if (!named && !isErrorCode(code) && !isErrorStatus(document["status"])) return false;
  const { text, choices: wrapped } = object(output);
  const isEmpty = (value: unknown) => !isObject(value) && list(value).length === 0 && string(value) === "";
  return [choices, wrapped, text, document["content"]].every(isEmpty) && !Array.isArray(output);
}

function isErrorCode(code: unknown): boolean {
  if (typeof code === "number") return code !== 0 && code !== 200;
  return string(code) !== "" && !/^(?:0|200|ok|success)$/iu.test(string(code));
}

/** A status of HTTP that is an error's, as a number or in digits. */
export function isErrorStatus(value: unknown): boolean {
  return (typeof value === "number" || typeof value === "string") && /^[45]\d\d$/u.test(String(value).trim());
}
