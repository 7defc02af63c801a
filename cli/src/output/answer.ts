/** A task as text for a terminal. All untrusted text is made printable here. */
import type { TaskRecord, TaskSummary } from "@querent/client";
import { beside, wrap } from "./columns.ts";
import type { CommandOutput } from "./output.ts";
import { printable, printableLine } from "./printable.ts";

/** Narrower columns are hard to read. */
const columnWidthMin = 36;
const gap = 3;

/** Answers side by side if the terminal is wide enough, otherwise one after the other. */
export function answersBeside(tasks: readonly TaskRecord[], output: CommandOutput): string[] {
  const width = Math.floor((output.width - gap * (tasks.length - 1)) / tasks.length);
  const isWide = width >= columnWidthMin;
  const own = isWide ? width : output.width;
  const blocks = tasks.map((task) => [headline(task, output), "─".repeat(own), ...wrap(answerText(task), own)]);
  return isWide ? beside(blocks, own) : blocks.flatMap((block) => [...block, ""]);
}

/** Platform, state, points and duration. */
export function headline(task: TaskRecord | TaskSummary, { color }: CommandOutput): string {
  const points = task.state === "completed" ? `, ${plural(task.chargedPoints, "point")}` : "";
  const seconds = task.state === "completed" ? `, ${secondsOf(task)}` : "";
  return `${color.bold(printableLine(task.platformCode))} ${stateText(task, color)}${points}${seconds}`;
}

export function stateText(task: { readonly state: string }, color: CommandOutput["color"]): string {
  const paint = { completed: color.green, failed: color.red, canceled: color.yellow }[task.state] ?? color.dim;
  return paint(printableLine(task.state));
}

/** The answer with its sources, or the reason why there is none. */
export function answerText(task: TaskRecord): string {
  if (task.state !== "completed") {
    return task.failure === null
      ? `No answer: ${printableLine(task.state)}.`
      : `${printableLine(task.failure.message)} (${task.failure.code}${task.failure.retryable ? ", retryable" : ""})`;
  }
  if (task.expired) return "The result has expired.";
  const sources = task.sources.map(
    ({ title, site, url }, index) =>
      `${index + 1}. ${printableLine(title)} (${printableLine(site)})\n   ${printableLine(url)}`,
  );
  const pages = [task.screenshotUrl, task.shareUrl].filter((url) => url !== null);
  return [
    squeezeTables(printable(task.content ?? "").trim()),
    ...(sources.length === 0 ? [] : ["", "Sources", ...sources]),
    ...(pages.length === 0 ? [] : ["", ...pages.map(printableLine)]),
  ].join("\n");
}

/** Removes the padding of Markdown tables, which would break in a narrow column. */
function squeezeTables(text: string): string {
  return text
    .split("\n")
    .filter((line) => !/^[>\s]*\|(\s*:?-+:?\s*\|)+\s*$/.test(line))
    .map((line) => {
      const row = /^([>\s]*)\|(.*)\|\s*$/.exec(line);
      return row === null
        ? line
        : `${row[1]}${(row[2] ?? "")
            .split(/(?<!\\)\|/)
            .map((cell) => cell.trim())
            .join(" · ")}`;
    })
    .join("\n");
}

function secondsOf(task: TaskRecord | TaskSummary): string {
  const from = Date.parse(task.startedAt ?? task.createdAt);
  return `${((Date.parse(task.completedAt ?? task.createdAt) - from) / 1000).toFixed(1)} s`;
}

export const plural = (count: number, word: string, many = `${word}s`) =>
  `${count.toLocaleString("en")} ${count === 1 ? word : many}`;
