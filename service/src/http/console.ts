import type { BuiltConsole, ConsoleFile } from "@querent/console";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { negotiate } from "../api/negotiate.ts";
import { ProblemError } from "../api/problem-error.ts";
import { sendCompressed } from "./compressed.ts";

/** The path of the console. */
const consoleBase = "/console";

/**
 * Nothing is executed or loaded from elsewhere except images: those in an answer are loaded from where its platform hosts them,
 * and only on the reader's request. `blob:` is for an answer's stored page, in a frame without permissions, and for
 * the picture of a page, which needs the token to be read.
 */
const consolePolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "font-src 'self'",
  "connect-src 'self'",
  "img-src 'self' data: blob: https:",
  "frame-src blob:",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join("; ");

const pageHeaders = {
  "content-security-policy": consolePolicy,
  "cache-control": "no-cache",
  "cross-origin-opener-policy": "same-origin",
  "permissions-policy": "camera=(), microphone=(), geolocation=(), browsing-topics=()",
};

/**
 * The console: a single page at every path below its own, and its files. Built for the first request, so that the service
 * starts quickly.
 */
export function consolePages(app: FastifyInstance): void {
  const page = async (request: FastifyRequest, reply: FastifyReply) => {
    const { index } = await builtConsole();
    return sendFile(request, reply.headers(pageHeaders), index);
  };
  // Browsers that open the service's address get the console; programs get the reference.
  app.get("/", (request, reply) => {
    const isBrowser = negotiate(request.headers.accept, ["application/json", "text/html"]) === "text/html";
    return reply.header("vary", "Accept").redirect(isBrowser ? consoleBase : "/docs", 302);
  });
  app.get(consoleBase, page);
  app.get(`${consoleBase}/*`, page);
  app.get<{ Params: { "*": string } }>(`${consoleBase}/assets/*`, async (request, reply) => {
    const { assets } = await builtConsole();
    const file = assets.get(`assets/${request.params["*"]}`);
    if (file === undefined) throw new ProblemError("not_found", "There is no such file.");
    return sendFile(request, reply.header("cache-control", "public, max-age=31536000, immutable"), file);
  });
}

const sendFile = (request: FastifyRequest, reply: FastifyReply, file: ConsoleFile) =>
  sendCompressed(request, reply.type(file.type), file);

let built: Promise<BuiltConsole> | undefined;

/** Built once per process. A build that failed is repeated for the next request. */
async function builtConsole(): Promise<BuiltConsole> {
  built ??= import("@querent/console").then(({ buildConsole }) => buildConsole(consoleBase));
  try {
    return await built;
  } catch (error) {
    built = undefined;
    throw error;
  }
}
