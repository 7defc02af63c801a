/** A Model Context Protocol server over standard input and output, with the official SDK. Loaded only when needed. */
import { once } from "node:events";
import { QuerentError, WaitTimeoutError, type Querent, type SubmittedOptions, type TaskRecord } from "@querent/client";
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import { z } from "zod";
import { version } from "../version.ts";

const platformsMax = 10;
const waitSecondsMax = 600;
/** Longer answers are cut, because a model's context is limited. `contentCut` shows it. */
const contentCharactersMax = 20_000;
const sourcesMax = 50;
const resultsMax = 50;

/** The parts of a task that are useful for a model. */
interface Summary {
  taskId: string;
  platformCode: string;
  state: string;
  question: string;
  content: string | null;
  contentCut: boolean;
  sources: { title: string; url: string }[];
  failure: string | null;
  chargedPoints: number;
}

const summarySchema = {
  taskId: z.string(),
  platformCode: z.string(),
  state: z.string(),
  question: z.string(),
  content: z.string().nullable(),
  contentCut: z.boolean(),
  sources: z.array(z.object({ title: z.string(), url: z.string() })),
  failure: z.string().nullable(),
  chargedPoints: z.number(),
};

export async function serveMcp(querent: Querent, signal: AbortSignal): Promise<void> {
  const server = new McpServer({ name: "querent", version });
  addAsk(server, querent);
  addResults(server, querent);
  addPlatforms(server, querent);
  const transport = new StdioServerTransport();
  await server.connect(transport);
  // The client ends the session by closing standard input.
  await Promise.race([once(process.stdin, "end"), once(signal, "abort")]);
  await server.close();
}

function addAsk(server: McpServer, querent: Querent): void {
  server.registerTool(
    "ask",
    {
      title: "Ask answer platforms",
      description:
        "Asks one or more AI answer platforms a question and waits for their answers with sources. This costs points. If it takes longer than waitSeconds, the tasks continue: call results with their taskIds.",
      inputSchema: {
        question: z.string().min(1).max(10_000),
        platforms: z
          .array(z.string().min(1).max(64))
          .min(1)
          .max(platformsMax)
          .describe("Codes from the tool platforms."),
        deepAnalysis: z.boolean().optional(),
        country: z.string().optional().describe("ISO 3166-1 code of the country to ask from, such as DE."),
        language: z.string().optional().describe("Language of the answer as a BCP 47 tag, such as de."),
        persona: z.string().max(2_000).optional().describe("Whom the assistant talks to or plays."),
        model: z.string().optional().describe("One of the platform's optionValues.model."),
        searchDepth: z.enum(["low", "medium", "high"]).optional(),
        domains: z.object({ allow: z.array(z.string()).optional(), deny: z.array(z.string()).optional() }).optional(),
        since: z.string().optional().describe("Use only pages published since this date, YYYY-MM-DD."),
        onUnsupported: z
          .enum(["refuse", "ignore"])
          .optional()
          .describe("What happens if the platform does not support one of these options. Default: refuse."),
        waitSeconds: z.number().int().min(1).max(waitSecondsMax).default(120),
      },
      outputSchema: { tasks: z.array(z.object(summarySchema)) },
      annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: true },
    },
    ({ question, platforms, waitSeconds, ...options }, { signal }) =>
      reply(async () => {
        const { tasks } = await querent.tasks.submit(
          platforms.map((platformCode) => ({ question, platformCode, options: given(options) })),
          { signal },
        );
        return Promise.all(
          tasks.map(({ taskId }) =>
            querent.tasks.wait(taskId, { signal, timeoutMs: waitSeconds * 1000 }).catch((error: unknown) => {
              if (error instanceof WaitTimeoutError) return querent.tasks.get(taskId, { signal });
              throw error;
            }),
          ),
        );
      }),
  );
}

function addResults(server: McpServer, querent: Querent): void {
  server.registerTool(
    "results",
    {
      title: "Read results",
      description: "Returns the current state of tasks, by their ids or by batch. Costs nothing.",
      inputSchema: {
        taskIds: z.array(z.uuid()).max(resultsMax).optional(),
        batchId: z.uuid().optional(),
      },
      outputSchema: { tasks: z.array(z.object(summarySchema)) },
      annotations: { readOnlyHint: true, openWorldHint: false },
    },
    ({ taskIds = [], batchId }, { signal }) =>
      reply(async () => {
        const tasks = await Promise.all(taskIds.map((taskId) => querent.tasks.get(taskId, { signal })));
        if (batchId === undefined) return tasks;
        for await (const task of querent.batches.results(batchId, { signal })) {
          if (tasks.push(task) >= resultsMax) break;
        }
        return tasks;
      }),
  );
}

function addPlatforms(server: McpServer, querent: Querent): void {
  server.registerTool(
    "platforms",
    {
      title: "List answer platforms",
      description:
        "Lists the available platforms with the fields that they return, their prices in points, and their health.",
      inputSchema: {},
      annotations: { readOnlyHint: true, openWorldHint: false },
    },
    async (_input, { signal }) => {
      try {
        const platforms = await querent.platforms.list({ signal });
        return { content: [{ type: "text", text: JSON.stringify(platforms) }] };
      } catch (error) {
        return failure(error);
      }
    },
  );
}

/** As received, JSON: without members that are undefined. The service validates the values. */
const given = (options: object): SubmittedOptions => JSON.parse(JSON.stringify(options)) as SubmittedOptions;

async function reply(read: () => Promise<readonly TaskRecord[]>) {
  try {
    const tasks = (await read()).map(summaryOf);
    return { content: [{ type: "text" as const, text: JSON.stringify({ tasks }) }], structuredContent: { tasks } };
  } catch (error) {
    return failure(error);
  }
}

/** Errors of the service are returned to the model. Other errors are reported by the protocol. */
function failure(error: unknown) {
  if (!(error instanceof QuerentError)) throw error;
  return { isError: true, content: [{ type: "text" as const, text: error.message }] };
}

function summaryOf(task: TaskRecord): Summary {
  const { taskId, platformCode, state, question, content, chargedPoints } = task;
  return {
    taskId,
    platformCode,
    state,
    question,
    content: content === null ? null : content.slice(0, contentCharactersMax),
    contentCut: (content?.length ?? 0) > contentCharactersMax,
    sources: task.sources.slice(0, sourcesMax).map(({ title, url }) => ({ title, url })),
    failure: task.failure === null ? null : `${task.failure.code}: ${task.failure.message}`,
    chargedPoints,
  };
}
