import { isObject, list, object, objects, string, type JsonObject } from "./json.ts";

/**
 * Whether a document is an error that states its code beside its message, as DashScope, Zhipu and vLLM send it, even with status
 * 200 and in the middle of a stream. Members of an answer may stand beside them, but are empty.
 */
export function isStatedError(document: JsonObject): boolean {
  const { code, message, msg, detail, errors, output, choices, type, object: kind } = document;
  if (![message, msg, detail].some((text) => typeof text === "string") && objects(errors).length === 0) return false;
  const named = type === "error" || kind === "error" || objects(errors).length > 0;
  if (!named && !isErrorCode(code) && statedStatus(document) === null) return false;
  const { text, choices: wrapped } = object(output);
  const isEmpty = (value: unknown) => !isObject(value) && list(value).length === 0 && string(value) === "";
  return [choices, wrapped, text, document["content"]].every(isEmpty) && !Array.isArray(output);
}

function isErrorCode(code: unknown): boolean {
  if (typeof code === "number") return code !== 0 && code !== 200;
  return string(code) !== "" && !/^(?:0|200|ok|success)$/iu.test(string(code));
}

/**
 * The status of HTTP that an error states: as a number or in digits, under any of the names that are in use. Vendors' own codes
 * have more digits, or fewer.
 */
export function statedStatus(...documents: readonly JsonObject[]): number | null {
  const stated = documents.flatMap((document) => statusNames.map((name) => document[name])).find(isErrorStatus);
  return stated === undefined ? null : Number(stated);
}

const statusNames = ["code", "status", "status_code", "statusCode", "http_status", "httpStatus", "http_code"];

function isErrorStatus(value: unknown): boolean {
  return (typeof value === "number" || typeof value === "string") && /^[45]\d\d$/u.test(String(value).trim());
}
