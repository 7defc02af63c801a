import { readFile } from "node:fs/promises";
import { api } from "@querent/contract";
import type { Queryable } from "../db/index.ts";
import { negotiate } from "../api/negotiate.ts";
import { ProblemError } from "../api/problem-error.ts";
import { route, type Route, type RouteReply } from "../api/route.ts";
import { listArtifacts, readForReply, type ArtifactKind } from "./artifact-rows.ts";
import type { ContentStore } from "./file-store.ts";
import { createHmac, timingSafeEqual } from "node:crypto";

interface PublicRoutesDeps {
  readonly database: Queryable;
  readonly store: ContentStore;
  /** The key that public URLs are made with. */
  readonly addressKey: Buffer;
  /** The path of a font file that pages use; null if there is none. */
  readonly fontPath: (name: string) => string | null;
}

/** Public routes, open to everyone with the URL: shared pages, screenshots, and the fonts of the pages. */
export function publicRoutes(deps: PublicRoutesDeps): Route[] {
  const find = async (purpose: AddressPurpose, kind: ArtifactKind, token: string, signal: AbortSignal) => {
    const taskId = readPublicToken(deps.addressKey, purpose, token);
    if (taskId === null) throw new ProblemError("not_found", "There is nothing at this address.");
    const artifact = (await listArtifacts(deps.database, taskId)).find((one) => one.kind === kind);
    // The URL was issued here, so the artifact existed.
    if (artifact === undefined) throw new ProblemError("gone", "The file has expired.");
    return { taskId, content: await readForReply(deps.store, artifact, signal) };
  };

  return [
    route(api.getSharePage, async ({ params, headers, signal }) => {
      try {
        const { content } = await find("share", "page", params.token, signal);
        return { status: 200, headers: pageHeaders, body: content };
      } catch (error) {
        if (!(error instanceof ProblemError) || !wantsPage(headers["accept"])) throw error;
        return { status: error.status, headers: { ...pageHeaders, ...error.headers }, body: refusal(error) };
      }
    }),

    route(api.getScreenshot, async ({ params, signal }): Promise<RouteReply> => {
      const { content, taskId } = await find("screenshot", "screenshot", params.token, signal);
      return {
        status: 200,
        headers: {
          ...openHeaders,
          "content-type": "image/png",
          "content-security-policy": "default-src 'none'; sandbox",
          "content-disposition": `inline; filename="screenshot-${taskId}.png"`,
        },
        body: content,
      };
    }),

    route(api.getPageFont, async ({ params }) => {
      const path = deps.fontPath(params.file);
      if (path === null) throw new ProblemError("not_found", "There is no such font.");
      return {
        status: 200,
        headers: {
          "content-type": "font/woff2",
          // A sandboxed page has no origin, and fonts are requested with CORS, so every origin is allowed.
          "access-control-allow-origin": "*",
          "cross-origin-resource-policy": "cross-origin",
          "cache-control": "public, max-age=31536000, immutable",
        },
        body: await readFile(path),
      };
    }),
  ];
}

const openHeaders = {
  "x-robots-tag": "noindex, nofollow, noarchive",
  "cache-control": "private, max-age=60",
} as const;

/**
 * In addition to the page's own policy, which restricts styles to a digest: no frames, scripts or forms, and a sandbox, so that
 * the page does not share the API's origin. Links can be opened.
 */
const pageHeaders = {
  ...openHeaders,
  "content-type": "text/html; charset=utf-8",
  "content-security-policy":
    "default-src 'none'; style-src 'unsafe-inline'; font-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; sandbox allow-popups allow-popups-to-escape-sandbox",
  "cross-origin-opener-policy": "same-origin",
} as const;

const wantsPage = (accept: string | undefined) =>
  negotiate(accept, ["application/problem+json", "text/html"]) === "text/html";

/** One line for people that says what happened. It contains nothing of the request. */
function refusal({ code }: ProblemError): string {
  const [title, text] =
    code === "gone"
      ? [
          "This answer is no longer available",
          "A shared answer is available for as long as its result, and this one has expired.",
        ]
      : code === "not_found"
        ? ["There is nothing at this address", "Check that the address is whole: all of it is needed."]
        : ["This page can't be shown right now", "Try again in a moment."];
  return `<!doctype html>
<html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="robots" content="noindex">
<title>${title}</title>
<style>body{margin:0;display:grid;place-content:center;min-height:100vh;font:17px/1.6 system-ui,sans-serif;color:#1d2127;background:#f3f4f6}main{padding:2rem;max-width:30rem}h1{font-size:1.3rem;margin:0 0 .5rem}p{margin:0;color:#5b6470}</style>
<main><h1>${title}</h1><p>${text}</p></main></html>
`;
}

// Public URLs, which open without an access token. Such a URL contains the id of what it opens and a code that cannot be computed without
// this installation's key, so none can be guessed or derived from another, and one that was never issued is refused without a
// database query.

/** What a URL opens. A URL of one purpose does not work for another. */
export type AddressPurpose = "share" | "screenshot" | "report" | "figures" | "unsubscribe";

const idBytes = 16;
/** 256 bits. */
const codeBytes = 32;

export function publicToken(key: Buffer, purpose: AddressPurpose, ofId: string): string {
  const id = Buffer.from(ofId.replaceAll("-", ""), "hex");
  return Buffer.concat([id, codeOf(key, purpose, id)]).toString("base64url");
}

/** The id that a token is for; null if it was not issued here for this purpose. */
export function readPublicToken(key: Buffer, purpose: AddressPurpose, token: string): string | null {
  if (!/^[\w-]{64}$/.test(token)) return null;
  const bytes = Buffer.from(token, "base64url");
  const id = bytes.subarray(0, idBytes);
  if (!timingSafeEqual(bytes.subarray(idBytes), codeOf(key, purpose, id))) return null;
  return id.toString("hex").replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}

function codeOf(key: Buffer, purpose: AddressPurpose, id: Buffer): Buffer {
  return createHmac("sha256", key).update(`${purpose}\0`).update(id).digest().subarray(0, codeBytes);
}
