import { Type } from "typebox";
import { ImportedAnswer, importFormats, ImportPage, ImportRecord } from "./import.ts";
import { cursor, json, operation, pageLimit, usual, withBody, withStorage } from "./operation.ts";
import { Closed, StorableText, Uuid } from "./scalars.ts";

/** Lines of one request: they are read, described and stored in about a second. */
export const importLinesMax = 2_000;

export const importAnswers = operation({
  id: "importAnswers",
  method: "POST",
  path: "/v1/imports",
  tag: "Observations",
  summary: "Import answers from elsewhere",
  description: `JSON lines, one answer or one response per line: in the service's own form, or unchanged responses of SerpApi (\`google_ai_mode\`, \`bing_copilot\`, and searches with an AI overview) and DataForSEO (LLM responses, LLM scraper, AI mode, AI overviews). Each answer becomes an observation of the kind \`imported\`: it has no task, no evidence and no webhook, and costs nothing. At most ${importLinesMax} lines per request: send a longer file in parts with the same \`name\`. A part is imported as a whole or not at all, and an answer that was imported before is left alone, so any part can be sent again.

An answer that names a panel, or is sent with \`panelId\` or \`panel\`, belongs to a cell of that panel: to one of its prompts, and to its own platform, locale and persona. Figures and reports of the panel state it as \`imported\`, beside the panel's own answers and never together with them. A panel, prompt or run that the account does not have is an error with the number of the line, together with all other errors of the part.`,
  scope: "tasks:write",
  free: true,
  stores: "free",
  query: Closed({
    name: StorableText({ minLength: 1, maxLength: 255, description: "Identifies the import, such as a file name." }),
    panelId: Type.Optional(Uuid),
    panel: Type.Optional(
      StorableText({
        minLength: 1,
        maxLength: 200,
        description:
          "The name of a panel for all answers that name none. If the account has no panel of this name, it is made: without platforms and a schedule, so that it is never asked, and its prompts are the questions of the import. Needs `panels:write`, too. More questions are added to a panel without platforms; any other panel must have them.",
      }),
    ),
    format: Type.Optional(Type.Enum([...importFormats], { default: "querent" })),
    firstLine: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 2_000_000_000, default: 1, description: "Number of the body's first line." }),
    ),
  }),
  body: { schema: ImportedAnswer, required: true, bytesMax: 16 * 1024 ** 2, type: "application/x-ndjson" },
  replies: { 200: { description: "Every line was imported, now or before.", content: json(ImportRecord) } },
  problems: [...usual, ...withBody, ...withStorage, "state_conflict"],
});

export const getImport = operation({
  id: "getImport",
  method: "GET",
  path: "/v1/imports/{import_id}",
  tag: "Observations",
  summary: "Read one import",
  scope: "tasks:read",
  params: Closed({ import_id: Uuid }),
  replies: { 200: { description: "The import.", content: json(ImportRecord) } },
  problems: [...usual, "not_found"],
});

export const listImports = operation({
  id: "listImports",
  method: "GET",
  path: "/v1/imports",
  tag: "Observations",
  summary: "List imports",
  description: "Newest first.",
  scope: "tasks:read",
  query: Closed({
    name: Type.Optional(StorableText({ minLength: 1, maxLength: 255, description: "Exact match." })),
    limit: pageLimit,
    cursor,
  }),
  replies: { 200: { description: "A page of imports.", content: json(ImportPage) } },
  problems: usual,
});
