import { InvalidArgumentError, type Command } from "commander";
import { readerVersion } from "../../answers/index.ts";
import { EntitySearch, observeTasks } from "../../observations/index.ts";
import { canReread, reparse, type AnswerPosition, type ReparseReport } from "../../tasks/index.ts";
import { CommandError } from "../command-error.ts";
import { readTime, print, readUuid, withDatabase, stopSignal, type OperatorOutput } from "./operator-command.ts";
import { readAllPlatformSettings } from "../platform-settings.ts";
import { observedPlatforms, platformsToRead } from "../platforms.ts";

interface Options extends OperatorOutput {
  readonly platform?: string;
  readonly batch?: string;
  readonly task?: string;
  readonly since?: Date;
  readonly until?: Date;
  readonly after?: AnswerPosition;
  readonly dryRun?: boolean;
}

/** `querentd reparse` */
export function addReparseCommand(program: Command): void {
  program
    .command("reparse")
    .description("parse stored answers again, and announce changed results as new revisions")
    .option("--platform <code>", "answers of this platform")
    .option("--batch <id>", "answers to this batch", readUuid)
    .option("--task <id>", "the answer to this task", readUuid)
    .option(
      "--since <time>",
      "of tasks that ended at this time or later: 2026-11-01, 2026-11-01T09:30:00Z, or how long ago, such as 12h or 7d",
      readTime,
    )
    .option("--until <time>", "of tasks that ended before this time (default: now)", readTime)
    .option("--after <place>", "continue at the position where an earlier run stopped", readPlace)
    .option("--dry-run", "show what would change, without changing it")
    .option("--json", "print JSON")
    .action((options: Options) => reparseCommand(options));
}

/** The number of answers between two progress lines. */
const progressEvery = 5_000;

async function reparseCommand(options: Options): Promise<void> {
  const { platform = null, batch = null, task = null, since = null, dryRun = false } = options;
  if (platform === null && batch === null && task === null && since === null)
    throw new CommandError(
      "Specify which answers: --platform, --batch, --task or --since; --since 1970-01-01 means all.",
    );
  await withDatabase(async ({ config, database }) => {
    const settings = readAllPlatformSettings(config.config);
    const known = await platformsToRead({ config, settings, onSampleProblem: () => undefined });
    const platforms = new Map(known.map((each) => [each.code, each]));
    const named = platform === null ? null : (platforms.get(platform) ?? null);
    if (platform !== null && (named === null || !canReread(named))) {
      const able = [...platforms.values()].filter(canReread).map(({ code }) => code);
      throw new CommandError(
        named === null
          ? `There is no platform ${platform}. Those whose answers can be read again: ${able.join(", ")}.`
          : `The answers of ${platform} are stored without the bytes that they were read from. Those that can be read again: ${able.join(", ")}.`,
      );
    }
    // Tasks that end while this runs are parsed by the current code anyway. By the database's clock, like their ends.
    const { rows } = await database.query<{ now: Date }>("select now() as now");
    const now = rows[0]?.now ?? new Date();
    using stop = stopSignal();
    let reported = 0;
    const report = await reparse(
      {
        database,
        platforms,
        bodyBytesMax: config.notificationBytesMax,
        observe: observeTasks({
          entities: new EntitySearch(database),
          reader: readerVersion,
          ...observedPlatforms(platforms),
        }),
      },
      {
        scope: { platform, batchId: batch, taskId: task, since, until: options.until ?? now },
        after: options.after ?? null,
        dryRun,
        signal: stop.signal,
        onProgress: (soFar) => {
          if (soFar.read - reported < progressEvery) return;
          reported = soFar.read;
          console.error(`${soFar.read} read, ${soFar.changed} changed; at ${placeOf(soFar)}`);
        },
      },
    );
    const { position: _, ...figures } = report;
    print(options, { dryRun, ...figures, after: placeOf(report) }, summary(report, dryRun));
    if (report.failed > 0 || !report.finished) process.exitCode = 1;
  });
}

function summary(report: ReparseReport, dryRun: boolean): string {
  const lines = [
    `${report.read} answers were read again. ${report.changed} ${dryRun ? "would change" : "have a new revision"}, ${report.equal} came out as they are, ${report.failed} could not be read and stay as they were.`,
  ];
  if (report.unreadable > 0)
    lines.push(`${report.unreadable} were left: the platform's bytes are not kept, or its code reads none.`);
  if (report.passedOver > 0) lines.push(`${report.passedOver} expired or were replaced meanwhile, and were left.`);
  lines.push(
    ...report.failures.map(({ taskId, platform, code, message }) => `${taskId}  ${platform}  ${code}: ${message}`),
  );
  if (report.failed > report.failures.length) lines.push(`… and ${report.failed - report.failures.length} more.`);
  if (!report.finished) lines.push(`Stopped before the end. To go on, add: --after ${placeOf(report) ?? "-"}`);
  return lines.join("\n");
}

const placeOf = ({ position }: ReparseReport) => (position === null ? null : `${position.day}/${position.taskId}`);

function readPlace(text: string): AnswerPosition {
  const [day = "", taskId = ""] = text.split("/");
  const time = new Date(day);
  if (Number.isNaN(time.getTime()) || time.toISOString().slice(0, 10) !== day)
    throw new InvalidArgumentError("A position has the form DAY/TASK, as printed by an earlier call.");
  return { day, taskId: readUuid(taskId) };
}
