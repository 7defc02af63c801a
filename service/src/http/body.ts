import { isUtf8 } from "node:buffer";
import type { FastifyRequest } from "fastify";
import { ProblemError } from "../kernel/problem-error.ts";

/** Refuses a body that is not declared as plain JSON, before it is read. */
export function requireJson(request: FastifyRequest, required: boolean): void {
  const { headers } = request;
  const type = headers["content-type"];
  const hasBody = headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > 0;
  if (type === undefined && !hasBody && !required) return;
  if (type === undefined && !hasBody)
    throw new ProblemError("malformed_json", "The body is empty; this operation needs one.");
  if (!/^application\/json\s*(;|$)/i.test(type ?? "") || !/^utf-?8$/i.test(charset(type ?? ""))) {
    throw new ProblemError("unsupported_media_type", "Send the body as `Content-Type: application/json`, in UTF-8.");
  }
  if (headers["content-encoding"] !== undefined && headers["content-encoding"] !== "identity") {
    throw new ProblemError("unsupported_media_type", "Send the body without `Content-Encoding`.");
  }
}

function charset(type: string): string {
  return /;\s*charset\s*=\s*"?([^";\s]*)/i.exec(type)?.[1] ?? "utf-8";
}

/** Parses JSON in UTF-8. Names like `__proto__` become members like any other, and are refused as unknown later. */
export function parseJsonBody(rawBody: Buffer): unknown {
  if (rawBody.length === 0) throw new ProblemError("malformed_json", "The body is empty; this operation needs one.");
  if (!isUtf8(rawBody)) throw new ProblemError("malformed_json", "The body is not valid UTF-8.");
  try {
    return JSON.parse(rawBody.toString("utf8"));
  } catch (error) {
    throw new ProblemError("malformed_json", `The body is not JSON: ${where(error)}.`, { cause: error });
  }
}

/** Where parsing stopped. Never repeats what the body holds. */
function where(error: unknown): string {
  const position = /position (\d+)(?: \(line (\d+) column (\d+)\))?/.exec(error instanceof Error ? error.message : "");
  if (position === null) return "it ends too early";
  return position[2] === undefined
    ? `it breaks at position ${position[1]}`
    : `it breaks at line ${position[2]}, column ${position[3]}`;
}
