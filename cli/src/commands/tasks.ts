import { optionFilters, type TaskFilters, type TaskRecord, type TaskState, type TaskSummary } from "@querent/client";
import { Option, type Command } from "commander";
import { count, durationMs, timestamp } from "../arguments.ts";
import type { Context, Open } from "../context.ts";
import { exitCodes } from "../exit-codes.ts";
import { answerText, headline, stateText } from "../output/answer.ts";
import { table, wrap, type Column } from "../output/columns.ts";
import { printableLine } from "../output/printable.ts";
import { attemptLines, waitText } from "../output/waits.ts";
import { addMaxWait } from "./max-wait.ts";
import { reportWaits } from "./report-waits.ts";

interface ListFlags extends Pick<TaskFilters, (typeof optionFilters)[number]["name"]> {
  readonly state?: TaskState;
  readonly platform?: string;
  readonly batch?: string;
  readonly tag?: string;
  readonly project?: string;
  readonly reference?: string;
  readonly text?: string;
  readonly contains?: string;
  readonly from?: string;
  readonly before?: string;
  readonly limit: number;
}

export function addTasks(program: Command, open: Open): void {
  const tasks = program.command("tasks").description("list tasks, show them, wait for them, cancel them");
  const listing = tasks.command("list");
  listing
    .description("list tasks, newest first")
    .addOption(new Option("--state <state>").choices(["pending", "completed", "failed", "canceled"]))
    .option("--platform <code>")
    .option("--batch <id>")
    .option("--tag <tag>")
    .option("--project <name>", "what the panels of a project have asked, by its name or id")
    .option("--reference <text>", "the exact reference")
    .option("--contains <text>", "part of the question")
    .option("--from <time>", "created at this time or later, such as 2h or 2026-11-01", timestamp)
    .option("--before <time>", "created before this time", timestamp)
    .option("-n, --limit <n>", "maximum number of tasks", count, 50)
    .action(async (flags: ListFlags, command: Command) => listTasks(open(command), flags));
  for (const { name, flag, example } of optionFilters)
    listing.option(`--${flag}`, `the requested ${name}, such as ${example}`);
  addMaxWait(tasks.command("get"))
    .description("show a task with its answer")
    .argument("<taskId>")
    .option("--wait", "wait until it has ended")
    .option("--timeout <time>", "how long to wait", durationMs)
    .action(async (taskId: string, flags: { wait?: boolean; timeout?: number }, command: Command) =>
      getTask(open(command), taskId, flags),
    );
  tasks
    .command("attempts")
    .description("show the attempts of a task, and its waits with their reasons")
    .argument("<taskId>")
    .action(async (taskId: string, _flags: object, command: Command) => {
      const { output, querent, signal } = open(command);
      const attempts = await querent.tasks.attempts(taskId, { signal });
      await output.show(attempts, () => [
        `${attempts.taskId} ${stateText(attempts, output.color)}`,
        ...attemptLines(attempts),
      ]);
    });
  tasks
    .command("cancel")
    .description("cancel a task that has not ended; it is not charged")
    .argument("<taskId>")
    .action(async (taskId: string, _flags: object, command: Command) => {
      const { output, querent, signal } = open(command);
      const task = await querent.tasks.cancel(taskId, { signal });
      await output.show(task, () => [`${task.taskId} ${stateText(task, output.color)}`]);
    });
}

const columns: readonly Column[] = [
  { head: "TASK" },
  { head: "CREATED (UTC)", optional: 2 },
  { head: "PLATFORM", least: 8 },
  { head: "STATE" },
  { head: "POINTS", align: "right", optional: 1 },
  { head: "QUESTION", least: 12 },
];

async function listTasks({ output, querent, signal }: Context, flags: ListFlags): Promise<void> {
  const { limit } = flags;
  const given = Object.entries({
    state: flags.state,
    platformCode: flags.platform,
    batchId: flags.batch,
    tag: flags.tag,
    project: flags.project,
    clientReference: flags.reference,
    ...Object.fromEntries(optionFilters.map(({ name }) => [name, flags[name]])),
    text: flags.contains,
    createdFrom: flags.from,
    createdBefore: flags.before,
    limit: Math.min(limit, 200),
  }).filter(([, value]) => value !== undefined);
  const filters: TaskFilters = Object.fromEntries(given);
  const found: TaskSummary[] = [];
  let number = 0;
  for await (const task of querent.tasks.list(filters, { signal })) {
    if (output.format === "json") await output.json(task);
    else found.push(task);
    if (++number >= limit) break;
  }
  if (output.format === "json") return;
  const rows = found.map((task) => [
    task.taskId,
    task.createdAt.slice(0, 19).replace("T", " "),
    printableLine(task.platformCode),
    stateText(task, output.color),
    String(task.chargedPoints),
    printableLine(task.question),
  ]);
  await output.text(...table(columns, rows, output.width));
}

async function getTask(
  context: Context,
  taskId: string,
  { wait, timeout }: { readonly wait?: boolean; readonly timeout?: number },
): Promise<void> {
  const { output, querent, signal } = context;
  const task =
    wait === true
      ? await reportWaits(
          context,
          async (call) => [await querent.tasks.get(taskId, call)],
          () => querent.tasks.wait(taskId, { signal, timeoutMs: timeout }),
        )
      : await querent.tasks.get(taskId, { signal });
  await output.show(task, () => [
    headline(task, output),
    output.color.dim(printableLine(task.question)),
    "",
    ...wrap(task.state === "pending" ? pendingText(task) : answerText(task), output.width),
  ]);
  if (wait === true && task.state !== "completed") process.exitCode = exitCodes.notCompleted.code;
}

function pendingText({ progress }: TaskRecord): string {
  const wait = progress === null ? null : waitText(progress);
  return `Pending: ${wait ?? progress?.phase ?? "queued"}.`;
}
