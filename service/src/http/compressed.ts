import { promisify } from "node:util";
import { gzip } from "node:zlib";
import type { FastifyReply, FastifyRequest } from "fastify";

const compress = promisify(gzip);

/** A file that is sent to many. */
export interface SentFile {
  readonly body: Buffer;
  /** Null: compressing it saves nothing. */
  readonly brotli: Buffer | null;
}

/** Compressed when it is first asked for: browsers take Brotli over HTTPS, and only gzip over plain HTTP. */
const gzipped = new WeakMap<Buffer, Promise<Buffer>>();

/** Sends a file in the best encoding that the client accepts. The reply has its type and its other headers. */
export async function sendCompressed(
  request: FastifyRequest,
  reply: FastifyReply,
  { body, brotli }: SentFile,
): Promise<FastifyReply> {
  reply.header("vary", "Accept-Encoding");
  if (brotli === null) return reply.send(body);
  const accepted = [request.headers["accept-encoding"]].flat().join(",");
  if (accepts(accepted, "br")) return reply.header("content-encoding", "br").send(brotli);
  if (!accepts(accepted, "gzip")) return reply.send(body);
  let bytes = gzipped.get(body);
  if (bytes === undefined) gzipped.set(body, (bytes = compress(body, { level: 9 })));
  return reply.header("content-encoding", "gzip").send(await bytes);
}

/** Whether the header names the coding, other than with a weight of 0. */
function accepts(header: string, coding: string): boolean {
  return header.split(",").some((part) => {
    const [name = "", ...parameters] = part.split(";").map((text) => text.trim().toLowerCase());
    return name === coding && !parameters.some((parameter) => /^q=0(?:\.0*)?$/.test(parameter));
  });
}
