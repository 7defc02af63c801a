/** A task as people read it in a terminal. Everything in it is made printable here. */
import type { TaskRecord, TaskSummary } from "@querent/client";
import { beside, wrap } from "./columns.ts";
import type { Output } from "./output.ts";
import { printable, printableLine } from "./printable.ts";

/** A column narrower than this is not read but deciphered. */
const columnWidthMin = 36;
const gap = 3;

/** Answers beside each other where the terminal is wide enough, below each other where it is not. */
export function answersBeside(tasks: readonly TaskRecord[], output: Output): string[] {
  const width = Math.floor((output.width - gap * (tasks.length - 1)) / tasks.length);
  const isWide = width >= columnWidthMin;
  const own = isWide ? width : output.width;
  const blocks = tasks.map((task) => [headline(task, output), "─".repeat(own), ...wrap(answerText(task), own)]);
  return isWide ? beside(blocks, own) : blocks.flatMap((block) => [...block, ""]);
}

/** State and what it cost, in a few words. */
export function headline(task: TaskRecord | TaskSummary, { color }: Output): string {
  const points = task.state === "completed" ? `, ${plural(task.chargedPoints, "point")}` : "";
  const seconds = task.state === "completed" ? `, ${secondsOf(task)}` : "";
  return `${color.bold(printableLine(task.platformCode))} ${stateText(task, color)}${points}${seconds}`;
}

export function stateText(task: { readonly state: string }, color: Output["color"]): string {
  const paint = { completed: color.green, failed: color.red, canceled: color.yellow }[task.state] ?? color.dim;
  return paint(printableLine(task.state));
}

/** The answer with its sources, or why there is none. */
export function answerText(task: TaskRecord): string {
  if (task.state !== "completed") {
    return task.failure === null
      ? `No answer: ${printableLine(task.state)}.`
      : `${printableLine(task.failure.message)} (${task.failure.code}${task.failure.retryable ? ", worth asking again" : ""})`;
  }
  if (task.expired) return "The result has passed its retention period.";
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

/** A Markdown table is padded for a page; in a column it would be torn apart. Its rows are kept, its padding is not. */
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
