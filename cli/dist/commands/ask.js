import { randomUUID } from "node:crypto";
import { text as textOf } from "node:stream/consumers";
import { QuerentError } from "@querent/client";
import { durationMs } from "../arguments.js";
import { exitCodes, UsageError } from "../exit-codes.js";
import { answersBeside, headline } from "../output/answer.js";
import { printableLine } from "../output/printable.js";
import { querent as program } from "../program-names.js";
import { addMaxWait } from "./max-wait.js";
import { addQuestionOptions, submittedOptions } from "./question-options.js";
import { pendingOf, reportWaits } from "./report-waits.js";
export function addAsk(commands, open) {
  addMaxWait(
    addQuestionOptions(
      commands
        .command("ask")
        .description("ask one or more platforms a question, and wait for the answers")
        .argument("<question>", "the question; - reads it from standard input"),
    ),
  )
    .option("--timeout <time>", "how long to wait, such as 90s; without it, until the tasks end", durationMs)
    .option("--reference <text>", "your own reference, stored with the tasks")
    .option("--key <key>", "Idempotency-Key: the same question with the same key is asked and charged once")
    .action(async (question, flags, command) => ask(open(command), question, flags));
}
async function ask(context, words, flags) {
  const { output } = context;
  const question = (words === "-" ? await textOf(process.stdin) : words).trim();
  if (question === "") throw new UsageError("The question is empty.");
  const platforms = flags.platform ?? (await platformsMissing(context));
  const accepted = await submit(context, question, platforms, flags);
  for (const [index, { taskId }] of accepted.tasks.entries())
    output.note(output.noteColor.dim(`task ${taskId} (${printableLine(platforms[index] ?? "")})`));
  const ended = await reportWaits(context, pendingOf(context, accepted.batchId), () =>
    waitForAll(context, accepted, platforms, flags.timeout),
  ).catch((error) => {
    noteUnfinished(context, accepted);
    throw error;
  });
  await print(context, ended);
  if (ended.some(({ state }) => state !== "completed")) process.exitCode = exitCodes.notCompleted.code;
}
async function submit({ output, querent, signal }, question, platforms, flags) {
  const key = flags.key ?? randomUUID();
  try {
    return await querent.tasks.submit(
      platforms.map((platformCode) => ({
        question,
        platformCode,
        options: submittedOptions(flags),
        ...(flags.reference === undefined ? {} : { clientReference: flags.reference }),
        ...(flags.tag === undefined ? {} : { tags: [...flags.tag] }),
      })),
      { idempotencyKey: key, signal },
    );
  } catch (error) {
    const isRefused = error instanceof QuerentError && error.status !== null && error.status < 500;
    if (!isRefused)
      output.note(
        `No response was received, so it is unknown whether the question was accepted. To retry without asking or paying twice, run the same command with --key ${key}.`,
      );
    throw error;
  }
}
function waitForAll({ output, querent, signal }, { tasks }, platforms, timeoutMs) {
  const waiting = new Set(platforms);
  const showWaiting = () => output.status(waiting.size === 0 ? "" : `asking ${[...waiting].join(", ")} …`);
  showWaiting();
  return Promise.all(
    tasks.map(async ({ taskId }, index) => {
      const task = await querent.tasks.wait(taskId, { signal, timeoutMs });
      waiting.delete(platforms[index] ?? "");
      showWaiting();
      // Printed as they complete. The answers follow in the order of the platforms.
      if (output.format === "text" && tasks.length > 1 && output.isLive) output.note(headline(task, output));
      return task;
    }),
  ).finally(() => output.status(""));
}
/** Explains how to continue after the command stopped waiting before the tasks ended. */
function noteUnfinished({ output }, { tasks, batchId }) {
  const [task] = tasks;
  const one = tasks.length === 1 && task !== undefined;
  output.note(
    one
      ? "The task continues, and is charged when it completes."
      : `The ${tasks.length} tasks continue, and each is charged when it completes.`,
    `  to wait for ${one ? "it" : "them"}: ${program} ${one ? `tasks get ${task.taskId} --wait` : `batches wait ${batchId}`}`,
    `  to cancel ${one ? "it" : "them"}:   ${program} ${one ? `tasks cancel ${task.taskId}` : `batches cancel ${batchId}`}`,
  );
}
async function print({ output }, tasks) {
  if (output.format === "text") return output.text(...answersBeside(tasks, output));
  for (const task of tasks) await output.json(task);
}
/** Fails with the available platforms if none was given. */
async function platformsMissing({ querent, signal }) {
  const platforms = await querent.platforms.list({ signal });
  const codes = platforms.filter(({ configured }) => configured).map(({ platformCode }) => platformCode);
  throw new UsageError(`Specify one or more platforms with --platform: ${codes.join(", ")}.`);
}
