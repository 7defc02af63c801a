/** One HTTP request, within limits of time and size that the platform cannot extend, and only to the given URL. */
import { Agent, request } from "undici";
import type { Headers } from "../read/retry-after.ts";
import { promisify } from "node:util";
import { brotliDecompress, gunzip, inflate, zstdDecompress } from "node:zlib";

export interface Sent {
  readonly method: "GET" | "POST";
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
}

export type SendEnd =
  | { readonly kind: "received"; readonly status: number; readonly headers: Headers; readonly body: string }
  /** The status was received, but not the whole body. */
  | { readonly kind: "cut"; readonly status: number; readonly body: string }
  | { readonly kind: "oversize"; readonly status: number }
  /** The whole body was received, but it is not text in a known encoding. */
  | { readonly kind: "undecodable"; readonly status: number }
  | { readonly kind: "timeout" }
  | { readonly kind: "unreachable"; readonly reason: string }
  | { readonly kind: "aborted" };

export interface SendLimits {
  readonly timeoutMs: number;
  readonly bodyBytesMax: number;
  readonly signal: AbortSignal;
}

/**
 * Shared by all platforms. Redirects are never followed, because the key would be sent along. The single timer below bounds the
 * time. Idle connections do not keep the process alive.
 */
const agent = new Agent({ headersTimeout: 0, bodyTimeout: 0, connect: { timeout: 10_000 }, allowH2: false });

export async function send(sent: Sent, limits: SendLimits): Promise<SendEnd> {
  const timer = new AbortController();
  const timeout = setTimeout(() => timer.abort(), limits.timeoutMs);
  const signal = AbortSignal.any([timer.signal, limits.signal]);
  let status = 0;
  const chunks: Buffer[] = [];
  try {
    const response = await request(sent.url, {
      dispatcher: agent,
      method: sent.method,
      // Uncompressed, so that the size is what it appears to be.
      headers: { ...sent.headers, "accept-encoding": "identity" },
      body: sent.body,
      signal,
    });
    status = response.statusCode;
    let bytes = 0;
    for await (const chunk of response.body as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      if (bytes > limits.bodyBytesMax) return { kind: "oversize", status };
      chunks.push(chunk);
    }
    const headers = flat(response.headers);
    const decoded = await decodeBody(Buffer.concat(chunks), headers, limits.bodyBytesMax);
    if (decoded.kind === "decoded") return { kind: "received", status, headers, body: storable(decoded.text) };
    // The status of a failure says enough.
    if (status >= 300) return { kind: "received", status, headers, body: "" };
    return { kind: decoded.kind, status };
  } catch (error) {
    if (limits.signal.aborted) return { kind: "aborted" };
    if (timer.signal.aborted) return { kind: "timeout" };
    if (status !== 0) return { kind: "cut", status, body: textOf(chunks) };
    return { kind: "unreachable", reason: reasonOf(error) };
  } finally {
    clearTimeout(timeout);
  }
}

/** What was received of a broken response, as UTF-8. */
function textOf(chunks: readonly Buffer[]): string {
  return storable(Buffer.concat(chunks).toString());
}

/** Without U+0000, which the database rejects and no document contains. */
function storable(text: string): string {
  return text.includes("\0") ? text.replaceAll("\0", "\uFFFD") : text;
}

function flat(headers: Readonly<Record<string, string | string[] | undefined>>): Headers {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value ?? ""].flat().join(", ")]));
}

/** A code such as ECONNREFUSED; the first one if several addresses were tried. */
function reasonOf(error: unknown): string {
  const { code, errors } = error as { code?: unknown; errors?: unknown };
  const first: unknown = Array.isArray(errors) ? errors[0] : undefined;
  const found = typeof code === "string" && code !== "" ? code : (first as { code?: unknown } | undefined)?.code;
  return typeof found === "string" ? found : "no connection";
}

// The text of a response: decompressed, and in the character set that its headers name.

export type DecodedBody =
  | { readonly kind: "decoded"; readonly text: string }
  | { readonly kind: "oversize" }
  /** An unknown encoding, or bytes that are damaged. */
  | { readonly kind: "undecodable" };

/** `bytesMax` bounds the decompressed size. */
async function decodeBody(bytes: Buffer, headers: Headers, bytesMax: number): Promise<DecodedBody> {
  let plain = bytes;
  // Servers, and what stands in front of them, compress although `identity` was requested.
  const encodings = (headers["content-encoding"] ?? "").toLowerCase().split(",");
  for (const encoding of encodings.map((each) => each.trim()).toReversed()) {
    if (encoding === "" || encoding === "identity" || plain.length === 0) continue;
    const decompress = decompressors[encoding];
    if (decompress === undefined) return { kind: "undecodable" };
    try {
      plain = await decompress(plain, { maxOutputLength: bytesMax });
    } catch (error) {
      const { code } = error as { code?: unknown };
      return { kind: code === "ERR_BUFFER_TOO_LARGE" ? "oversize" : "undecodable" };
    }
  }
  const text = textIn(plain, charsetIn(headers["content-type"] ?? ""));
  return text === null ? { kind: "undecodable" } : { kind: "decoded", text };
}

type Decompress = (bytes: Buffer, options: { readonly maxOutputLength: number }) => Promise<Buffer>;

const decompressors: Readonly<Record<string, Decompress>> = {
  gzip: promisify(gunzip),
  "x-gzip": promisify(gunzip),
  deflate: promisify(inflate),
  br: promisify(brotliDecompress),
  zstd: promisify(zstdDecompress),
};

function charsetIn(contentType: string): string {
  return /;\s*charset\s*=\s*"?([\w.:-]{1,40})/iu.exec(contentType)?.[1]?.toLowerCase() ?? "utf-8";
}

/** JSON is UTF-8, whatever single-byte set a server's default names; only others are believed without a look. */
function textIn(bytes: Buffer, charset: string): string | null {
  const singleByte = /^(?:iso-?8859|latin|windows-125|us-ascii|ascii)/u.test(charset);
  for (const label of singleByte ? ["utf-8", charset] : [charset]) {
    try {
      return new TextDecoder(label, { fatal: true }).decode(bytes);
    } catch {
      // The next one.
    }
  }
  return null;
}
