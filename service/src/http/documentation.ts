import { promisify } from "node:util";
import { brotliCompress, constants } from "node:zlib";
import { itemProblems, openapiDocument, problemCodes, problems, type ProblemCode } from "@querent/contract";
import Fastify, { type FastifyInstance, type FastifyReply } from "fastify";
import { ProblemError } from "../api/problem-error.ts";
import { sendCompressed, type SentFile } from "./compressed.ts";
import { sendProblem } from "./problem.ts";

const brotli = promisify(brotliCompress);
/** What the reference viewer needs; nothing is loaded from elsewhere. */
const viewerPolicy =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; font-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
const start = `Scalar.createApiReference("#reference", {
  url: "/openapi.json", withDefaultFonts: false, telemetry: false, hideClientButton: true, agent: { disabled: true },
  mcp: { disabled: true }, showDeveloperTools: "never", defaultOpenAllTags: false, operationTitleSource: "summary",
});`;

/** Only the viewer: our styles would change its own. */
const viewerPage = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Querent API</title>
<body><div id="reference"></div><script src="/docs/viewer.js"></script><script src="/docs/start.js"></script></body>
</html>
`;

/**
 * The pages that explain the API: the document, its viewer, and one page for each problem. All are served by this process,
 * without third parties.
 */
export function documentationPages(app: FastifyInstance, version: string): void {
  let document: Promise<SentFile> | undefined;
  app.get("/openapi.json", async (request, reply) => {
    // Made when it is first read: it would take a tenth of the processor time of a start.
    document ??= compressible(Buffer.from(JSON.stringify(openapiDocument({ version }))));
    return sendCompressed(request, reply.type("application/json; charset=utf-8"), await document);
  });
  app.get("/llms.txt", (_request, reply) => reply.type("text/plain; charset=utf-8").send(overview));
  app.get("/docs", (_request, reply) => html(reply, viewerPage, viewerPolicy));
  app.get("/docs/start.js", (_request, reply) => reply.type("text/javascript; charset=utf-8").send(start));
  app.get("/docs/viewer.js", async (request, reply) => {
    viewer ??= loadViewer();
    reply.type("text/javascript; charset=utf-8").header("cache-control", "public, max-age=86400");
    return sendCompressed(request, reply, await viewer);
  });
  app.get("/problems", (_request, reply) => html(reply, problemIndex()));
  app.get<{ Params: { code: string } }>("/problems/:code", (request, reply) => {
    const { code } = request.params;
    if (!isProblemCode(code))
      return sendProblem(reply, request, new ProblemError("not_found", "There is no such problem."));
    return html(reply, problemPage(code));
  });
}

/** For language models (llmstxt.org), in Markdown. URLs are relative to the service. */
const overview = `# Querent

> Asks AI answer platforms questions, in batches, and brings back evidence: answer, sources, product, video and media cards, screenshots.

- Every request carries \`Authorization: Bearer <token>\`. Bodies are JSON. The operator issues tokens.
- Ask: \`POST /v1/tasks/batch\` with an \`Idempotency-Key\` header (a new UUID for each new submission, the same one to retry) and a list: \`[{"question": "How fine should I grind for espresso?", "platformCode": "sample"}]\`. The answer, 202, has a \`taskId\` for each item.
- Read: \`GET /v1/tasks/{task_id}\` with \`Prefer: wait=30\`, until \`state\` is no longer \`pending\` but \`completed\`, \`failed\` or \`canceled\`. A field that is empty says why in \`availability\`.
- Which platforms there are, what each returns and costs: \`GET /v1/platforms\`. What a submission would cost, and what is wrong with it, without making it: \`POST /v1/tasks/quote\`.
- Assistants use \`/mcp\` (Model Context Protocol) with the same token.
- Be told: \`PUT /v1/webhook\` with \`{"url": "https://..."}\`; notifications are signed. Or follow \`GET /v1/events\`.
- Each task costs points when it completes, and nothing when it fails or is canceled.
- Refusals are \`application/problem+json\` with a stable \`code\`; \`errors\` points to each wrong place. Unknown members and parameters are refused.

## Documents

- [OpenAPI 3.1](/openapi.json): every operation and schema, and the notifications
- [Reference](/docs): the same, to read and to try
- [Problems](/problems): what the service answers when it can't do what was asked, one page each

## Optional

- [Console](/console): tasks, batches, answers and usage in a browser
`;

let viewer: Promise<SentFile> | undefined;

/**
 * The viewer's script, read from its plugin when the reference is first opened: it is 5 MB, which would slow down the start.
 */
async function loadViewer(): Promise<SentFile> {
  const { default: plugin } = await import("@scalar/fastify-api-reference");
  const shell = Fastify();
  await shell.register(plugin, { routePrefix: "/docs", configuration: { url: "/openapi.json" } });
  const { rawPayload } = await shell.inject("/docs/js/scalar.js");
  await shell.close();
  return compressible(rawPayload);
}

const compressible = async (body: Buffer): Promise<SentFile> => ({
  body,
  brotli: await brotli(body, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }),
});

const pagePolicy =
  "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

function html(reply: FastifyReply, text: string, policy = pagePolicy): FastifyReply {
  return reply.type("text/html; charset=utf-8").header("content-security-policy", policy).send(text);
}

/** Plain text in which `backticks` mark code. */
const withCode = (text: string) => escapeHtml(text).replace(/`([^`]+)`/g, "<code>$1</code>");

const isProblemCode = (code: string): code is ProblemCode => Object.hasOwn(problems, code);

function problemPage(code: ProblemCode): string {
  const { status, title, explanation } = problems[code];
  const items =
    code === "validation_failed"
      ? `<h2>Codes in <code>errors</code></h2><dl>${Object.entries(itemProblems)
          .map(([item, meaning]) => `<dt><code>${item}</code></dt><dd>${withCode(meaning)}</dd>`)
          .join("")}</dl>`
      : "";
  return page(
    title,
    `<main><p><a href="/problems">All problems</a></p><h1>${escapeHtml(title)}</h1><p><code>${code}</code>, HTTP ${status}</p><p>${withCode(explanation)}</p>${items}</main>`,
  );
}

function problemIndex(): string {
  const rows = problemCodes
    .map(
      (code) =>
        `<tr><td>${problems[code].status}</td><td><a href="/problems/${code}"><code>${code}</code></a></td><td>${escapeHtml(problems[code].title)}</td></tr>`,
    )
    .join("");
  return page(
    "Problems",
    `<main><h1>Problems</h1><p>What the service answers when it can't do what was asked.</p><table>${rows}</table></main>`,
  );
}

const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => entities[character] ?? character);
}

/** A small page of the service itself: no scripts, no fonts, nothing from elsewhere. `body` is HTML. */
function page(title: string, body: string): string {
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title>
<style>
:root { color-scheme: light dark; }
body { margin: 0; font: 16px/1.6 system-ui, sans-serif; }
main { max-width: 46rem; margin: 3rem auto; padding: 0 1.25rem; }
code { font-family: ui-monospace, monospace; }
td { padding: .25rem 1rem .25rem 0; vertical-align: top; }
dt { margin-top: .75rem; } dd { margin-left: 0; }
</style>
${body}
</html>
`;
}
