/**
 * npm run assistant-page
 *
 * An example of an assistant's web page, for testing web platforms. Words `knob=value` in the question, or in the URL of the
 * page, simulate the problems of such pages. Its answers are invented, and always the same. The service uses it as the stand-in
 * for assistants' pages that nobody has set up yet.
 */
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { answerTo, boundedKnob, readKnobs } from "./answer.mjs";

/** The longest question has 10,000 characters, of which JSON makes up to 12 bytes each. */
const bodyBytesMax = 256 * 1024;
const connectionsMax = 200;
const stallSecondsMax = 1800;
const paceMsMax = 1000;

const page = () => readFileSync(new URL("page.html", import.meta.url), "utf8");

/**
 * Starts the page. Port 0 selects a free port. `standInFor` returns, for the host that a request names, the code of the platform
 * in whose place the page answers, or undefined: the request is refused. By default the page answers every host for itself.
 */
export function startAssistantPage({ port = 4199, host = "127.0.0.1", standInFor = () => null } = {}) {
  let asked = 0;
  const server = createServer({ requestTimeout: 30_000 }, (request, response) => {
    const url = URL.parse(request.url ?? "/", "http://page");
    const platform = standInFor(request.headers.host ?? "");
    if (platform === undefined || url === null) {
      response.writeHead(404).end();
    } else if (url.pathname === "/api/answer" && request.method === "POST") {
      asked++;
      stream(request, response, platform).catch(() => response.destroy());
    } else if (url.pathname === "/api/title") {
      response.writeHead(200, { "content-type": "application/json" }).end('{"title":"A conversation"}');
    } else if (url.pathname === "/picture.svg") {
      response
        .writeHead(200, { "content-type": "image/svg+xml" })
        .end(
          '<svg xmlns="http://www.w3.org/2000/svg" width="96" height="64"><rect width="96" height="64" fill="#cde"/></svg>',
        );
    } else if (url.pathname === "/") {
      const status = statusOf(url.searchParams.get("status"));
      response.writeHead(status, { "content-type": "text/html; charset=utf-8" }).end(pageFor(platform));
    } else {
      response.writeHead(404).end();
    }
  });
  server.maxConnections = connectionsMax;
  return new Promise((resolve, reject) => {
    server.once("error", reject).listen(port, host, () => {
      const address = server.address();
      const own = typeof address === "object" && address !== null ? address.port : port;
      resolve({
        /** The number of questions so far. */
        asked: () => asked,
        address: `http://${host}:${own}/`,
        port: own,
        close: () =>
          new Promise((closed) => {
            server.close(() => closed());
            server.closeAllConnections();
          }),
      });
    });
  });
}

/** The page with a notice of what it is, where it answers for another one. */
function pageFor(platform) {
  if (platform === null) return page();
  const notice = `<p class="notice" style="margin:0;padding:0.75rem 1rem;background:#fff4d6">Stand-in for ${platform}: an example page of this service. No assistant is asked.</p>`;
  return page()
    .replace("<title>Example assistant</title>", `<title>Stand-in for ${platform}</title>`)
    .replace("<body>", `<body>${notice}`);
}

/** A status that a response can have. */
function statusOf(value) {
  const status = boundedKnob(value, 200, 599);
  return status < 200 ? 200 : status;
}

/** Streams the answer as events of a few words, like assistants do. */
async function stream(request, response, platform) {
  const gone = new AbortController();
  response.once("close", () => gone.abort());
  const parts = [];
  let bytes = 0;
  for await (const part of request) {
    bytes += part.length;
    if (bytes > bodyBytesMax) {
      response.writeHead(413).end();
      return;
    }
    parts.push(part);
  }
  const { question, deep } = JSON.parse(Buffer.concat(parts).toString("utf8"));
  const knobs = readKnobs(question);
  if (knobs.status !== undefined) {
    response.writeHead(statusOf(knobs.status)).end();
    return;
  }
  response.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-store" });
  const { html, ...rest } = answerTo(question, { deep, standInFor: platform });
  // Not split within a tag, because the page displays the text received so far as HTML.
  const pieces = html.match(/<[^>]+>|[^<]+/g) ?? [];
  const half = Math.floor(pieces.length / 2);
  const pauseMs = boundedKnob(knobs.pace, 2, paceMsMax);
  const pause = (ms) => sleep(ms, undefined, { signal: gone.signal });
  for (const [index, piece] of pieces.entries()) {
    if (response.destroyed) return;
    if (index === half) {
      if (knobs.stall !== undefined) await pause(boundedKnob(knobs.stall, 0, stallSecondsMax) * 1000);
      if (knobs.cut !== undefined) {
        response.destroy();
        return;
      }
    }
    response.write(`data: ${JSON.stringify({ html: piece })}\n\n`);
    if (pauseMs > 0 && index % 4 === 0) await pause(pauseMs);
  }
  response.end(`data: ${JSON.stringify(rest)}\n\n`);
}

if (process.argv[1] !== undefined && import.meta.filename === process.argv[1]) {
  const { address } = await startAssistantPage({ port: Number(process.env.PORT ?? 4199) });
  process.stdout.write(`The example assistant is available at ${address}. Press Ctrl-C to stop.\n`);
}
