import type { McpServer } from "@modelcontextprotocol/server";
import { WaitTimeoutError, type SubmittedOptions } from "@querent/client";
import { z } from "zod";
import type { Tools } from "./tools.ts";
import { given, reply } from "../reply.ts";
import { summariesOf, taskSummaries } from "./task-summary.ts";

const platformsMax = 10;
const waitSecondsDefault = 120;

export function addAsk(server: McpServer, { querent, waitSecondsMax }: Tools): void {
  server.registerTool(
    "ask",
    {
      title: "Ask answer platforms",
      description:
        "Asks one or more AI answer platforms a question and waits for their answers with sources. This costs points. If it takes longer than waitSeconds, the tasks continue: call results with their taskIds.",
      inputSchema: z.object({
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
        waitSeconds: z.number().int().min(1).max(waitSecondsMax).default(Math.min(waitSecondsDefault, waitSecondsMax)),
      }),
      outputSchema: taskSummaries,
      annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: true },
    },
    ({ question, platforms, waitSeconds, ...options }, { mcpReq: { signal } }) =>
      reply(async () => {
        const { tasks } = await querent.tasks.submit(
          platforms.map((platformCode) => ({ question, platformCode, options: submitted(options) })),
          { signal },
        );
        return summariesOf(
          await Promise.all(
            tasks.map(({ taskId }) =>
              querent.tasks.wait(taskId, { signal, timeoutMs: waitSeconds * 1000 }).catch((error: unknown) => {
                if (error instanceof WaitTimeoutError) return querent.tasks.get(taskId, { signal });
                throw error;
              }),
            ),
          ),
        );
      }),
  );
}

/** The service validates the values. */
const submitted = (options: object) => given(options) as SubmittedOptions;
