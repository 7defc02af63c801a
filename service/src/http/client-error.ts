import type { IncomingMessage } from "node:http";
import type { Socket } from "node:net";
import { problems, type ProblemCode } from "@querent/contract";
import { v7 } from "uuid";
import { ProblemError } from "../api/problem-error.ts";
import { problemBody } from "./problem.ts";

/** The request line and all headers together; the parser rejects more. */
export const headerBytesMax = 16 * 1024;
const urlLengthMax = 8 * 1024;
/** How long a rejected client may continue to send before its connection is closed. */
const lingerMs = 2_000;

const codes: Readonly<Record<string, ProblemCode>> = {
  HPE_HEADER_OVERFLOW: "headers_too_large",
  ERR_HTTP_REQUEST_TIMEOUT: "request_timeout",
};

/** There is no request object for what the HTTP parser rejects: the reply is written to the socket itself. */
export function answerClientError(error: Error & { code?: string; rawPacket?: unknown }, socket: Socket): void {
  if (error.code === "ECONNRESET" || !socket.writable) {
    // What a rejected client still sends is discarded until it disconnects: closing now would reset its connection.
    if (!socket.writableEnded) socket.destroy();
    return;
  }
  const requestId = v7();
  const code = isEndlessAddress(error) ? "uri_too_long" : (codes[error.code ?? ""] ?? "malformed_request");
  const problem = new ProblemError(code, details[code] ?? "The request could not be read as HTTP.");
  const body = problemBody(problem, { requestId, path: "" });
  socket.end(
    `HTTP/1.1 ${problem.status} ${problems[code].title}\r\n` +
      `Content-Type: application/problem+json\r\nContent-Length: ${Buffer.byteLength(body)}\r\nX-Request-Id: ${requestId}\r\nConnection: close\r\n\r\n${body}`,
  );
  const linger = setTimeout(() => socket.destroy(), lingerMs);
  socket.once("close", () => clearTimeout(linger));
}

const details: Partial<Record<ProblemCode, string>> = {
  uri_too_long: `The address is longer than ${urlLengthMax} characters.`,
  headers_too_large: `The headers are larger than ${headerBytesMax} bytes together.`,
  request_timeout: "The request did not arrive in time.",
};

/** Rejects ambiguous requests that the parser accepts, and URLs that are too long. */
export function requireReadable({ headersDistinct, httpVersion, url = "" }: IncomingMessage): void {
  if (url.length > urlLengthMax) throw new ProblemError("uri_too_long", details.uri_too_long ?? "");
  const hosts = headersDistinct["host"]?.length ?? 0;
  if (hosts > 1 || (hosts === 0 && httpVersion === "1.1"))
    throw new ProblemError("malformed_request", "Send one `Host` header.");
  if ((headersDistinct["authorization"]?.length ?? 0) > 1)
    throw new ProblemError("malformed_request", "Send one `Authorization` header.");
}

/** True if the request line was too long. */
function isEndlessAddress({ code, rawPacket }: { code?: string; rawPacket?: unknown }): boolean {
  if (code !== "HPE_HEADER_OVERFLOW" || !Buffer.isBuffer(rawPacket)) return false;
  const start = rawPacket.subarray(0, urlLengthMax).toString("latin1");
  return /^[A-Z]+ \//.test(start) && !start.includes("\n");
}
