import { createWriteStream, mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { extname, join } from "node:path";
import { randomUUID } from "node:crypto";
import { pipeline } from "node:stream/promises";
import { NotFoundError } from "@querent/client";
import { Option, type Command } from "commander";
import { count } from "../arguments.ts";
import type { Context, Open } from "../context.ts";
import { UsageError } from "../exit-codes.ts";
import { Journal } from "../input/journal.ts";
import { readQuestions, type Defaults, type InputForm } from "../input/read-questions.ts";
import { plural } from "../output/answer.ts";
import { ProgressBar } from "../output/progress-bar.ts";
import { addQuestionOptions, submittedOptions, type QuestionOptions } from "./question-options.ts";
import { bringBack } from "./bring-back.ts";
import { quoteAll } from "./quote-all.ts";

interface SubmitFlags extends QuestionOptions {
  readonly results?: string;
  readonly csv?: boolean;
  readonly wait: boolean;
  readonly dryRun?: boolean;
  readonly maxPoints?: number;
  readonly journal?: string;
  readonly again?: boolean;
  readonly chunk: number;
  readonly format?: InputForm;
}

/** What is submitted: a file, also when it came through a pipe, and what its rows leave open. */
interface Input {
  readonly file: string;
  readonly name: string;
  readonly form: InputForm;
  readonly defaults: Defaults;
  readonly count: number;
}

export function addSubmit(program: Command, open: Open): void {
  addQuestionOptions(
    program
      .command("submit")
      .description(
        "submit a file of questions, wait, and bring back the results; can be stopped at any instant and run again",
      )
      .argument("<file>", "a .csv file with a header, a .jsonl file, or - for standard input"),
  )
    .option("-o, --results <file>", "a .jsonl or .csv file; JSON lines on standard output when left out")
    .option("--csv", "CSV on standard output")
    .option("--no-wait", "do not wait for the tasks to end; prints the batches")
    .option("--dry-run", "say what it would cost and what is wrong with it; submit nothing")
    .option("--max-points <n>", "submit nothing if it would cost more", count)
    .option("--journal <file>", "where to keep what was done; FILE.querent-journal when left out")
    .option("--again", "submit the file anew, though it was submitted before")
    .option("--chunk <n>", "questions a request", count, 500)
    .addOption(new Option("--format <form>", "of the input, when its name does not tell").choices(["csv", "jsonl"]))
    .action(async (file: string, flags: SubmitFlags, command: Command) => submit(open(command), file, flags));
}

async function submit(context: Context, name: string, flags: SubmitFlags): Promise<void> {
  const spool = name === "-" ? await spoolInput() : null;
  try {
    const defaults = { platforms: flags.platform ?? [], options: submittedOptions(flags), tags: flags.tag ?? [] };
    const form = flags.format ?? formOf(name);
    const file = spool === null ? name : join(spool, "input");
    if (statSync(file, { throwIfNoEntry: false })?.isFile() !== true) throw new UsageError(`There is no file ${name}.`);
    // Every row is read before the first is sent: a mistake in the last one is told while nothing has happened.
    let total = 0;
    for await (const _ of readQuestions(file, form, defaults)) total++;
    const input = { file, name, form, defaults, count: total };
    if (flags.dryRun === true || flags.maxPoints !== undefined) {
      const points = await quoteAll(context, readQuestions(file, form, defaults), flags.chunk, total);
      if (flags.dryRun === true)
        return await context.output.show({ questions: total, estimatedPoints: points }, () => [
          `${plural(total, "question")} would cost ${plural(points, "point")}.`,
        ]);
      if (points > (flags.maxPoints ?? Infinity))
        throw new UsageError(
          `It would cost ${plural(points, "point")}, more than --max-points. Nothing was submitted.`,
        );
    }
    await run(context, input, flags);
  } finally {
    if (spool !== null) rmSync(spool, { recursive: true, force: true });
  }
}

async function run(context: Context, input: Input, flags: SubmitFlags): Promise<void> {
  const { output } = context;
  const path = flags.journal ?? (input.name === "-" ? null : `${input.name}.querent-journal`);
  const place = path ?? join(input.file, "../journal");
  if (flags.again === true) rmSync(place, { force: true });
  const journal = new Journal(place, {
    querent: 1,
    runKey: randomUUID(),
    url: context.settings.url,
    chunkItems: flags.chunk,
    defaults: JSON.stringify(input.defaults),
    createdAt: new Date().toISOString(),
  });
  try {
    if (!journal.isNew) await checkResumable(context, journal, input);
    if (path === null) output.note("Without --journal, what comes through a pipe can't be gone on with after a stop.");
    await sendAll(context, input, journal);
    if (!flags.wait) {
      for (const { batchId, itemCount, estimatedPoints } of journal.accepted)
        await output.json({ batchId, itemCount, estimatedPoints });
      return;
    }
    await bringBack(
      context,
      journal.accepted.map(({ batchId }) => batchId),
      { results: flags.results, csv: flags.csv, total: input.count },
    );
  } catch (error) {
    if (path !== null && journal.accepted.length > 0)
      output.note(`The same command goes on from here: ${path} knows what was done.`);
    throw error;
  } finally {
    journal.close();
  }
}

async function checkResumable(
  { querent, settings, output, signal }: Context,
  journal: Journal,
  input: Input,
): Promise<void> {
  const { head, path, accepted } = journal;
  const again = "Submit it anew with --again, or name another journal with --journal.";
  if (head.url !== settings.url) throw new UsageError(`${path}: it was submitted to ${head.url}. ${again}`);
  if (head.defaults !== JSON.stringify(input.defaults))
    throw new UsageError(`${path}: it was submitted with other flags: ${head.defaults}. ${again}`);
  const [first] = accepted;
  if (first !== undefined) {
    // Another account's token would submit everything a second time, and have it paid by that account.
    await querent.batches.get(first.batchId, { signal }).catch((error: unknown) => {
      if (!(error instanceof NotFoundError)) throw error;
      throw new UsageError(
        `${path}: it was submitted by another account, or to a service whose data is gone. ${again}`,
      );
    });
  }
  output.note(
    `Going on with what was begun on ${head.createdAt}: ${plural(sum(accepted.map(({ itemCount }) => itemCount)), "question")} were accepted.`,
  );
}

async function sendAll({ querent, output, signal }: Context, input: Input, journal: Journal): Promise<void> {
  const bar = new ProgressBar(output, "submitting");
  let done = 0;
  const chunks = querent.tasks.submitAll(readQuestions(input.file, input.form, input.defaults), {
    runKey: journal.head.runKey,
    chunkItems: journal.head.chunkItems,
    signal,
    skip: (chunk) => {
      const isAccepted = journal.isAccepted(
        chunk,
        `${input.name}: questions ${chunk.firstItem + 1} to ${chunk.firstItem + chunk.itemCount}`,
      );
      if (isAccepted) bar.update((done += chunk.itemCount), input.count);
      return isAccepted;
    },
    onSend: (chunk) => journal.send(chunk),
    onQueueFull: () => bar.update(done, input.count, "the account's queue is full, waiting"),
  });
  try {
    for await (const { index, digest, itemCount, accepted } of chunks) {
      const { batchId, estimatedPoints } = accepted;
      journal.accept({ accepted: index, digest, batchId, itemCount, estimatedPoints });
      bar.update((done += itemCount), input.count);
    }
  } finally {
    bar.end("");
  }
  const points = sum(journal.accepted.map(({ estimatedPoints }) => estimatedPoints));
  output.note(
    `${plural(done, "question")} accepted in ${plural(journal.accepted.length, "batch", "batches")}, ${plural(points, "point")} held.`,
  );
}

const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0);

function formOf(name: string): InputForm {
  const extension = extname(name).toLowerCase();
  if (extension === ".csv") return "csv";
  if ([".jsonl", ".ndjson"].includes(extension) || name === "-") return "jsonl";
  throw new UsageError(`${name}: say with --format whether it is csv or jsonl.`);
}

/** What comes through a pipe, as a file: it is read twice. */
async function spoolInput(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), "querent-"));
  try {
    await pipeline(process.stdin, createWriteStream(join(folder, "input"), { mode: 0o600 }));
    return folder;
  } catch (error) {
    rmSync(folder, { recursive: true, force: true });
    throw error;
  }
}
