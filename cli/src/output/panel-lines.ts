/** What the command line says of a panel, its price and its runs. */
import type { PanelQuote, PanelRecord, PanelRun } from "@querent/client";
import { plural } from "./answer.ts";
import { printableLine } from "./printable.ts";

export function panelLines(panel: PanelRecord): string[] {
  const { panelId, name, revision, promptCount, cellCount, taskCount, schedule, nextRunAt, askUntil } = panel;
  const when =
    panel.platforms.length === 0
      ? "it is never asked: its answers are imported"
      : schedule === null
        ? "it runs on request"
        : schedule.paused
          ? "its schedule is paused"
          : `it runs at "${schedule.cron}" in ${schedule.timeZone}, next ${minute(nextRunAt)} UTC`;
  return [
    `${panelId} ${printableLine(name)}, revision ${revision}`,
    `${plural(promptCount, "prompt")}, ${plural(cellCount, "cell")}, ${plural(taskCount, "task")} a ${askUntil === undefined ? "run" : "wave"}`,
    ...(askUntil === undefined
      ? []
      : [
          `a run asks in waves until the interval is ${askUntil.width} wide, each cell at most ${plural(askUntil.repeatsMax, "time")}`,
        ]),
    when,
    brandsLine(panel),
  ];
}

function brandsLine({ brands }: PanelRecord): string {
  if (brands === null) return "brands: all own ones and competitors of the account, until it runs";
  const names = (of: readonly { readonly name: string }[]) => of.map(({ name }) => name).join(", ") || "none";
  return printableLine(`brands: ${names(brands.own)}; competitors: ${names(brands.competitors)}`);
}

export function costLine({ estimatedPoints, waves }: PanelQuote): string {
  if (waves === null) return `a run costs ${plural(estimatedPoints, "point")}`;
  const { leastPoints, mostPoints, expectedPoints } = waves;
  return `a run costs ${leastPoints} to ${plural(mostPoints, "point")}${expectedPoints === null ? "" : `, ${expectedPoints} in the mean of the last ones`}`;
}

export function runLine({ createdAt, state, slot, taskCount, points, batches, problem }: PanelRun): string {
  const completed = batches.reduce((sum, { counts }) => sum + counts.completed, 0);
  const what =
    problem === null
      ? `${completed} of ${plural(taskCount, "task")} completed, ${plural(points, "point")} held`
      : printableLine(problem.detail);
  return `${minute(slot ?? createdAt)} ${state}${slot === null ? " on request" : ""}: ${what}`;
}

export function waveLines({ waves }: PanelRun): string[] {
  if (waves === null) return [];
  const { asked, max, stopped, pointsSaved, problem, platforms } = waves;
  const why = stopped === null ? "it goes on" : `stopped: ${stopped}, ${plural(pointsSaved ?? 0, "point")} saved`;
  return [
    `${asked} of at most ${plural(max, "wave")}; ${why}`,
    ...(problem === null ? [] : [printableLine(problem.detail)]),
    ...platforms.map(
      ({ platformCode, answers, value, width }) =>
        `${platformCode}: ${value === null ? "no figure" : percent(value)} from ${plural(answers, "answer")}, ${width === null ? "no width before 15 waves" : `width ${percent(width)}`}`,
    ),
  ];
}

const percent = (share: number) => `${(100 * share).toFixed(1)} %`;

export function endLines({ endedAt, tasks }: PanelRun): string[] {
  if (endedAt === null || tasks === null) return ["not all of its tasks have ended"];
  const reasons = Object.entries(tasks.failedByCode).map(([code, tasksOfCode]) => `${tasksOfCode} ${code}`);
  return [
    `ended ${minute(endedAt)}: ${tasks.completed} completed, ${tasks.failed} failed${reasons.length === 0 ? "" : ` (${reasons.join(", ")})`}, ${tasks.canceled} canceled`,
  ];
}

export const minute = (time: string | null) => (time === null ? "-" : time.slice(0, 16).replace("T", " "));
