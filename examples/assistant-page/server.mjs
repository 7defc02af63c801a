/**
 * npm run assistant-page
 *
 * An example of an assistant's web page, for testing web platforms. Words `knob=value` in the question, or in the URL of the
 * page, simulate the problems of such pages. Its answers are invented, and always the same.
 */
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { answerTo, readKnobs } from "./answer.mjs";

const page = () => readFileSync(new URL("page.html", import.meta.url));

/** Starts the page. Port 0 selects a free port. */
export function startAssistantPage({ port = 4199, host = "127.0.0.1" } = {}) {
  let asked = 0;
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? "/", "http://page");
    if (url.pathname === "/api/answer" && request.method === "POST") {
      asked++;
      stream(request, response).catch(() => response.destroy());
    } else if (url.pathname === "/api/title") {
      response.writeHead(200, { "content-type": "application/json" }).end('{"title":"A conversation"}');
    } else if (url.pathname === "/picture.svg") {
      response
        .writeHead(200, { "content-type": "image/svg+xml" })
        .end(
          '<svg xmlns="http://www.w3.org/2000/svg" width="96" height="64"><rect width="96" height="64" fill="#cde"/></svg>',
        );
    } else if (url.pathname === "/") {
      const status = Number(url.searchParams.get("status") ?? 200);
      response.writeHead(status, { "content-type": "text/html; charset=utf-8" }).end(page());
    } else {
      response.writeHead(404).end();
    }
  });
  return new Promise((resolve, reject) => {
    server.once("error", reject).listen(port, host, () => {
      const address = server.address();
      resolve({
        /** The number of questions so far. */
        asked: () => asked,
        address: `http://${host}:${typeof address === "object" && address !== null ? address.port : port}/`,
        close: () =>
          new Promise((closed) => {
            server.close(() => closed());
            server.closeAllConnections();
          }),
      });
    });
  });
}

/** Streams the answer as events of a few words, like assistants do. */
async function stream(request, response) {
  const parts = [];
  for await (const part of request) parts.push(part);
  const { question, deep } = JSON.parse(Buffer.concat(parts).toString("utf8"));
  const knobs = readKnobs(question);
  if (knobs.status !== undefined) {
    response.writeHead(Number(knobs.status)).end();
    return;
  }
  response.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-store" });
  const { html, ...rest } = answerTo(question, { deep });
  // Not split within a tag, because the page displays the text received so far as HTML.
  const pieces = html.match(/<[^>]+>|[^<]+/g) ?? [];
  const half = Math.floor(pieces.length / 2);
  const pauseMs = Number(knobs.pace ?? 2);
  for (const [index, piece] of pieces.entries()) {
    if (response.destroyed) return;
    if (index === half) {
      if (knobs.stall !== undefined) await sleep(Number(knobs.stall) * 1000);
      if (knobs.cut !== undefined) {
        response.destroy();
        return;
      }
    }
    response.write(`data: ${JSON.stringify({ html: piece })}\n\n`);
    if (pauseMs > 0 && index % 4 === 0) await sleep(pauseMs);
  }
  response.end(`data: ${JSON.stringify(rest)}\n\n`);
}

if (process.argv[1] !== undefined && import.meta.filename === process.argv[1]) {
  const { address } = await startAssistantPage({ port: Number(process.env.PORT ?? 4199) });
  console.log(`The example assistant is available at ${address}. Press Ctrl-C to stop.`);
}
