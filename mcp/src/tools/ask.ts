import { WaitTimeoutError } from "@querent/client";
import type { ToolAnswer } from "./tools.ts";
import { reply } from "../reply.ts";
import { summariesOf } from "./task-summary.ts";

/** `options`: the arguments that are members of `options`. */
export const ask: ToolAnswer<"ask"> = ({ querent }, { question, platforms, waitSeconds = 1, ...options }, signal) =>
  reply(async () => {
    const { tasks } = await querent.tasks.submit(
      platforms.map((platformCode) => ({ question, platformCode, options })),
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
  });
