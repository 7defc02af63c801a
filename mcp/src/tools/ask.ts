import type { McpServer } from "@modelcontextprotocol/server";
import { optionColumns, WaitTimeoutError, type OptionColumn, type SubmittedOptions } from "@querent/client";
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
        ...optionArguments(),
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

/** The members of `options` that change an answer. What is made of it, such as a screenshot, an assistant does not read. */
function optionArguments(): Record<string, z.ZodType> {
  const offered = optionColumns.filter(({ member }) => member !== "output" && member !== "resultFormat");
  const shapes = Object.entries(Object.groupBy(offered, ({ member }) => member)).map(([member, columns]) => {
    const parts = columns.flatMap((column) => (column.part === null ? [] : [[column.part, argument(column)] as const]));
    const [whole] = columns;
    const shape =
      parts.length > 0 || whole === undefined ? z.object(Object.fromEntries(parts)).optional() : argument(whole);
    return [member, shape] as const;
  });
  return Object.fromEntries(shapes);
}

/** The service validates texts. */
function argument(column: OptionColumn): z.ZodType {
  return valueOf(column)
    .optional()
    .describe(`${column.words.charAt(0).toUpperCase()}${column.words.slice(1)}.`);
}

function valueOf(column: OptionColumn): z.ZodType {
  switch (column.kind) {
    case "boolean":
      return z.boolean();
    case "number":
      return z.number();
    case "list":
      return z.array(z.string());
    case "choice":
      return z.enum(column.choices);
    default:
      return z.string();
  }
}

/** The service validates the values. */
const submitted = (options: object) => given(options) as SubmittedOptions;
