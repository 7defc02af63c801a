import { isUtf8 } from "node:buffer";
import type { FastifyRequest } from "fastify";
import { visit } from "jsonc-parser";
import { ProblemError } from "../api/problem-error.ts";
import { yieldToEventLoop } from "../runtime/slices.ts";

/** Bodies above this size are read and parsed in slices, and count towards the account's limit of large bodies. */
export const largeBodyBytes = 256 * 1024;
/** Bytes scanned at a time, in 2 ms. */
const scannedBytes = 1024 * 1024;

/** Rejects a body that is not declared as plain JSON, or as lines of it. Can be called before the body is read. */
export function requireJson({ headers }: FastifyRequest, expected: string = "application/json"): void {
  const type = headers["content-type"];
  const hasBody = headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > 0;
  if (!hasBody) throw emptyBody();
  const declared = (type ?? "").split(";", 1)[0]?.trim().toLowerCase();
  if (declared !== expected || !/^utf-?8$/i.test(charset(type ?? "")))
    throw new ProblemError("unsupported_media_type", `Send the body as \`Content-Type: ${expected}\`, in UTF-8.`);
  if (headers["content-encoding"] !== undefined && headers["content-encoding"] !== "identity") {
    throw new ProblemError("unsupported_media_type", "Send the body without `Content-Encoding`.");
  }
}

function charset(type: string): string {
  return /;\s*charset\s*=\s*"?([^";\s]*)/i.exec(type)?.[1] ?? "utf-8";
}

/** True if the body may be large, by its declared length or because it declares none. */
export function mayBeLarge({ headers }: FastifyRequest): boolean {
  const length = headers["content-length"];
  return length === undefined ? headers["transfer-encoding"] !== undefined : Number(length) > largeBodyBytes;
}

/**
 * Rejects a body with more values than the operation can use before it is parsed: parsing 16 MiB of `[` or of `1,` takes
 * seconds and gigabytes. Values are counted by the commas and opening brackets outside strings.
 */
export async function requireFewValues(rawBody: Buffer, valuesMax: number): Promise<void> {
  const scan = { inString: false, escaped: false, values: 1 };
  for (let from = 0; from < rawBody.length; from += scannedBytes) {
    if (from > 0) await yieldToEventLoop();
    countValues(rawBody.subarray(from, from + scannedBytes), scan);
    if (scan.values > valuesMax) {
      const detail = `The body holds more than ${valuesMax} values, members and elements counted at every depth.`;
      throw new ProblemError("validation_failed", "The body is not valid. Nothing was accepted.", {
        errors: [{ pointer: "", code: "too_many", detail }],
      });
    }
  }
}

/** By index: an iterator over the bytes takes ten times as long. */
function countValues(bytes: Buffer, scan: { inString: boolean; escaped: boolean; values: number }): void {
  let { inString, escaped, values } = scan;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at];
    if (inString) {
      if (escaped) escaped = false;
      else if (byte === 0x5c) escaped = true;
      else if (byte === 0x22) inString = false;
    } else if (byte === 0x22) inString = true;
    else if (byte === 0x2c || byte === 0x5b || byte === 0x7b) values++;
  }
  Object.assign(scan, { inString, escaped, values });
}

/**
 * Parses JSON in UTF-8; a leading byte order mark is ignored (RFC 8259, 8.1). Names like `__proto__` become ordinary members,
 * and are rejected as unknown later.
 */
export async function parseJsonBody(rawBody: Buffer): Promise<unknown> {
  if (rawBody.length === 0) throw emptyBody();
  if (!isUtf8(rawBody)) throw new ProblemError("malformed_json", "The body is not valid UTF-8.");
  const text = rawBody.toString("utf8").replace(/^\uFEFF/, "");
  if (rawBody.length > largeBodyBytes) await yieldToEventLoop();
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new ProblemError("malformed_json", `The body is not JSON: ${where(error, text)}.`, { cause: error });
  }
}

const emptyBody = () => new ProblemError("malformed_json", "The body is empty; this operation needs one.");

/** The position where parsing stopped. Never repeats the body's contents. */
function where(error: unknown, text: string): string {
  const message = error instanceof Error ? error.message : "";
  const [, position, line, column] = /position (\d+)(?: \(line (\d+) column (\d+)\))?/.exec(message) ?? [];
  if (message.startsWith("Unexpected end") || position === String(text.length))
    return `it ends too early, after ${text.length} characters`;
  if (line !== undefined) return `it breaks at line ${line}, column ${column}`;
  if (position !== undefined) return `it breaks at position ${position}`;
  // The parser gives no position for an unknown token. A large text is not parsed a second time to find it.
  const found = text.length > largeBodyBytes ? null : findFault(text);
  return found === null ? "it breaks off" : `it breaks at line ${found.line}, column ${found.column}`;
}

function findFault(text: string): { line: number; column: number } | null {
  let found: { line: number; column: number } | null = null;
  const stop = (line: number, column: number) => {
    found = { line: line + 1, column: column + 1 };
    throw new Found();
  };
  try {
    visit(
      text,
      {
        onError: (_error, _offset, _length, line, column) => stop(line, column),
        onComment: (_offset, _length, line, column) => stop(line, column),
      },
      { disallowComments: true, allowTrailingComma: false },
    );
  } catch (error) {
    // Text that is nested deeper than the stack allows is rejected without a position.
    if (!(error instanceof Found || error instanceof RangeError)) throw error;
  }
  return found;
}

class Found extends Error {}
