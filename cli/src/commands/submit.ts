import { rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { NotFoundError, type QuestionForm } from "@querent/client";
import { Option, type Command } from "commander";
import { count } from "../arguments.ts";
import type { Context, Open } from "../context.ts";
import { CliError, UsageError } from "../exit-codes.ts";
import { formOf } from "../input/form-of.ts";
import type { Journal } from "../input/journal.ts";
import { countQuestions, readQuestions } from "../input/read-questions.ts";
import { spoolInput } from "../input/spool-input.ts";
import { plural } from "../output/answer.ts";
import { querent as program } from "../program-names.ts";
import { addMaxWait } from "./max-wait.ts";
import { addQuestionOptions, submittedOptions, type QuestionOptions } from "./question-options.ts";
import { bringBack } from "./bring-back.ts";
import { quoteAll, shortage, type WholeQuote } from "./quote-all.ts";
import { itemsOf, pointsOf, sendAll, sum, type Input } from "./send-all.ts";

interface SubmitFlags extends QuestionOptions {
  readonly results?: string;
  readonly csv?: boolean;
  readonly wait: boolean;
  readonly dryRun?: boolean;
  readonly maxPoints?: number;
  readonly allowPartial?: boolean;
  readonly journal?: string;
  readonly again?: boolean;
  readonly chunk: number;
  readonly format?: QuestionForm;
}

export function addSubmit(commands: Command, open: Open): void {
  addMaxWait(
    addQuestionOptions(
      commands
        .command("submit")
        .description(
          "submit a file of questions, wait, and write the results; can be stopped at any time and resumed by running it again",
        )
        .argument("<file>", "a .csv, .tsv, .jsonl or .txt file, or - for standard input"),
    ),
  )
    .option("-o, --results <file>", "a .jsonl or .csv file (default: JSON lines on standard output)")
    .option("--csv", "CSV on standard output")
    .option("--no-wait", "print the batches and do not wait for their tasks")
    .option("--dry-run", "print the price and the errors, and submit nothing")
    .option("--max-points <n>", "submit nothing if the file would cost more", count)
    .option(
      "--allow-partial",
      "if the points are not enough for the file, submit as many requests as possible (default: none)",
    )
    .option("--journal <file>", "file that records the progress (default: FILE.querent-journal)")
    .option("--again", "submit a file again that was submitted before; resumes such a run if it was stopped")
    .option("--chunk <n>", "questions per request", count, 500)
    .addOption(
      new Option(
        "--format <form>",
        "format of the input, if its name does not show it; lines: one question per line",
      ).choices(["csv", "jsonl", "lines"]),
    )
    .action(async (file: string, flags: SubmitFlags, command: Command) => submit(open(command), file, flags));
}

async function submit(context: Context, name: string, flags: SubmitFlags): Promise<void> {
  const spool = name === "-" ? await spoolInput() : null;
  try {
    const defaults = { platforms: flags.platform ?? [], options: submittedOptions(flags), tags: flags.tag ?? [] };
    const path = spool === null ? name : join(spool, "input");
    if (statSync(path, { throwIfNoEntry: false })?.isFile() !== true)
      throw new UsageError(`The file ${name} does not exist.`);
    const file = { path, name: spool === null ? name : "standard input", form: flags.format ?? formOf(name, path) };
    const journal = flags.journal ?? (spool === null ? `${name}.querent-journal` : null);
    // All rows are read before the first is sent, so that an error in the last row is reported before anything is submitted.
    await run(context, { ...file, defaults, journal, count: await countQuestions(file, defaults) }, flags);
  } finally {
    if (spool !== null) rmSync(spool, { recursive: true, force: true });
  }
}

async function run(context: Context, input: Input, flags: SubmitFlags): Promise<void> {
  const { output } = context;
  const again = flags.again === true;
  const { Journal } = await import("../input/journal.ts");
  const known = input.journal === null ? null : Journal.peek(input.journal, { again });
  if (known !== null) await checkResumable(context, known, input);
  const quote = known?.isFinished === true ? nothingLeft : await price(context, input, known, flags.chunk);
  if (flags.dryRun === true) return await showQuote(context, quote);
  if (quote !== null) checkPoints(quote, known, flags);

  const place = input.journal ?? join(input.path, "../journal");
  const journal = Journal.open(
    place,
    { url: context.settings.url, chunkItems: flags.chunk, defaults: JSON.stringify(input.defaults) },
    { again },
  );
  try {
    // Another process may have started in the meantime.
    if (known === null && !journal.isNew) await checkResumable(context, journal, input);
    if (input.journal === null) output.note("Input from a pipe cannot be resumed without --journal.");
    const before = pointsOf(journal);
    const { isShort } = await sendAll(context, input, journal);
    const batches = journal.accepted;
    if (!flags.wait) {
      for (const { batchId, itemCount, estimatedPoints } of batches)
        await output.json({ batchId, itemCount, estimatedPoints });
    } else if (batches.length > 0) {
      await bringBack(
        context,
        batches.map(({ batchId }) => batchId),
        { results: flags.results, csv: flags.csv, total: itemsOf(journal) },
      );
    }
    if (isShort) throw await pointsShort(context, { input, journal, quote, spent: pointsOf(journal) - before });
    journal.finish();
  } catch (error) {
    noteProgress(context, input, journal, error);
    throw error;
  } finally {
    journal.close();
  }
}

const nothingLeft: WholeQuote = { questions: 0, estimatedPoints: 0, availablePoints: 0 };

const price = (context: Context, input: Input, known: Journal | null, chunkItems: number) =>
  quoteAll(context, {
    name: input.name,
    questions: readQuestions(input, input.defaults),
    chunkItems,
    total: input.count,
    except: known?.settled ?? [],
  });

async function showQuote({ output }: Context, quote: WholeQuote | null): Promise<void> {
  if (quote === null) throw new CliError("unauthorized", "Prices require a token with the scope tasks:read.");
  const { questions, estimatedPoints, availablePoints } = quote;
  const short = shortage(quote);
  const record = { questions, estimatedPoints, availablePoints, affordable: short === null };
  await output.show(record, () => [
    questions === 0
      ? "All questions of the file have already been submitted. The command would write their results and cost nothing."
      : `${plural(questions, "question")} would cost ${plural(estimatedPoints, "point")}; ${availablePoints.toLocaleString("en")} ${availablePoints === 1 ? "is" : "are"} available.`,
  ]);
  if (short !== null) throw new CliError("pointsShort", `The submission would be rejected: ${short}`);
}

/** Fails if the price exceeds the limit or the available points. */
function checkPoints(quote: WholeQuote, known: Journal | null, { maxPoints, allowPartial }: SubmitFlags): void {
  const whole = quote.estimatedPoints + (known === null ? 0 : pointsOf(known));
  if (quote.questions > 0 && whole > (maxPoints ?? Infinity))
    throw new UsageError(`It would cost ${plural(whole, "point")}, more than --max-points. Nothing was submitted.`);
  const short = shortage(quote);
  if (short === null || allowPartial === true) return;
  const left = known !== null && known.accepted.length > 0 ? "Nothing more" : "Nothing";
  throw new CliError(
    "pointsShort",
    `${left} was submitted. ${short} Then run the same command again, or use --allow-partial to submit as much as the points allow.`,
  );
}

interface ShortInput {
  readonly input: Input;
  readonly journal: Journal;
  readonly quote: WholeQuote | null;
  /** The points held for what this command submitted. */
  readonly spent: number;
}

/** The error for exhausted points: what was accepted, what was not, and how to continue. */
async function pointsShort(
  { querent, signal }: Context,
  { input, journal, quote, spent }: ShortInput,
): Promise<CliError> {
  const accepted = itemsOf(journal);
  const rest = input.count - accepted;
  const first = await firstOf(readQuestions(input, input.defaults));
  // The points available now, because tasks that have ended may have released some.
  const now = await querent.tasks.quote(first === null ? [] : [first.question], { signal }).catch(() => null);
  const short =
    quote === null || now === null
      ? null
      : shortage({
          questions: rest,
          estimatedPoints: quote.estimatedPoints - spent,
          availablePoints: now.availablePoints,
        });
  return new CliError(
    "pointsShort",
    [
      accepted === 0
        ? `Not enough points: none of ${plural(input.count, "question")} was accepted.`
        : `Not enough points: ${accepted.toLocaleString("en")} of ${plural(input.count, "question")} were accepted, for at most ${plural(pointsOf(journal), "point")}; ${rest.toLocaleString("en")} were not, and are not charged.`,
      ...(short === null ? [] : [`The remaining ${short}`]),
      ...(input.journal === null ? [] : ["When points are available, run the same command to submit the rest."]),
    ].join("\n"),
  );
}

async function firstOf<Value>(values: AsyncIterable<Value>): Promise<Value | null> {
  for await (const value of values) return value;
  return null;
}

/** Prints what continues without the command, and how to resume it. */
function noteProgress({ output, signal }: Context, input: Input, journal: Journal, error: unknown): void {
  const accepted = itemsOf(journal);
  const unknown = journal.settled.reduce((sum, { itemCount }) => sum + itemCount, 0) - accepted;
  if (input.journal === null || accepted + unknown === 0) return;
  // The messages of these errors explain how to continue.
  if (error instanceof UsageError || (error instanceof CliError && error.ending === "pointsShort")) return;
  const [batch, ...others] = journal.accepted;
  if (accepted > 0)
    output.note(
      `${accepted.toLocaleString("en")} of ${plural(input.count, "question")} were accepted in ${plural(others.length + 1, "batch", "batches")}. Their tasks continue, and are charged when they complete.`,
    );
  if (unknown > 0)
    output.note(
      `It is unknown whether ${unknown.toLocaleString("en")} more were accepted. They will not be charged twice.`,
    );
  output.note(`To resume, run the same command. The progress is recorded in ${input.journal}.`);
  if (signal.aborted && batch !== undefined)
    output.note(
      others.length === 0
        ? `To cancel the unfinished tasks: ${program} batches cancel ${batch.batchId}`
        : `To cancel the unfinished tasks, for each batch of \`${program} batches list\`: ${program} batches cancel ID`,
    );
}

async function checkResumable(
  { querent, settings, output, signal }: Context,
  journal: Journal,
  input: Input,
): Promise<void> {
  const { head, path, accepted, howToStartAnew: anew } = journal;
  if (head.url !== settings.url) throw new UsageError(`${path}: it was submitted to ${head.url}. ${anew}`);
  if (head.defaults !== JSON.stringify(input.defaults))
    throw new UsageError(`${path}: it was submitted with other flags: ${head.defaults}. ${anew}`);
  const [first] = accepted;
  if (first !== undefined) {
    // The token of another account would submit everything again, charged to that account.
    await querent.batches.get(first.batchId, { signal }).catch((error: unknown) => {
      if (!(error instanceof NotFoundError)) throw error;
      throw new UsageError(
        `${path}: it was submitted by another account, or to a service whose data has been deleted. ${anew}`,
      );
    });
  }
  output.note(
    `Resuming the submission of ${head.createdAt}: ${plural(sum(accepted.map(({ itemCount }) => itemCount)), "question")} were accepted.`,
  );
}
