import { isObject, list, object, string, type JsonObject } from "./json.ts";

/**
 * Whether a document is an error that states its code beside its message, as DashScope sends it, even with status 200 and in the
 * middle of a stream. Members of an answer may stand beside them, but are empty.
 */
export function isStatedError(document: JsonObject): boolean {
  const { code, message, output, choices } = document;
  if (string(code) === "" || typeof message !== "string" || /^(?:0|200|ok|success)$/iu.test(string(code))) return false;
  const { text, choices: wrapped } = object(output);
  const isEmpty = (value: unknown) => !isObject(value) && list(value).length === 0 && string(value) === "";
  return [choices, wrapped, text, document["content"]].every(isEmpty) && !Array.isArray(output);
}
