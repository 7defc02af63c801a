import { createHash } from "node:crypto";
import { createReadStream, statSync } from "node:fs";
import { basename } from "node:path";
import { pipeline } from "node:stream/promises";
import { InvalidRequestError, type ImportRecord } from "@querent/client";
import { Option, type Command } from "commander";
import { count } from "../arguments.ts";
import type { Context, Open } from "../context.ts";
import { CliError, UsageError } from "../exit-codes.ts";
import { AnswerFault } from "../input/answer-fault.ts";
import { readAnswerFile } from "../input/answer-file.ts";
import { plural } from "../output/answer.ts";
import { printableLine } from "../output/printable.ts";
import { addMaxWait } from "./max-wait.ts";

interface ImportFlags {
  readonly format: ImportRecord["format"];
  readonly name?: string;
  readonly panel?: string;
  readonly chunk: number;
  readonly skipInvalid?: boolean;
}

const shownMax = 20;
const idPattern = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

export function addImport(commands: Command, open: Open): void {
  addMaxWait(
    commands
      .command("import")
      .description(
        "import answers from elsewhere as observations, free of charge; can be stopped at any time and resumed by running it again",
      )
      .argument("<file>", "one answer or one response per line, or a JSON list of them; also compressed with gzip"),
  )
    .addOption(
      new Option("--format <form>", "form of the answers: our own, or unchanged responses of another service")
        .choices(["querent", "serpapi", "dataforseo"])
        .default("querent"),
    )
    .option(
      "--panel <panel>",
      "id or name of the panel of the answers that name none; if there is none of this name, it is made of the questions, and never asked",
    )
    .option(
      "--name <name>",
      "name of the import (default: of the file's name, the digest of its contents, and the panel)",
    )
    .option("--chunk <n>", "answers per request, up to 2000", count, 1_000)
    .option("--skip-invalid", "leave out answers that are not valid, and list all of them")
    .action(async (file: string, flags: ImportFlags, command: Command) => {
      if (statSync(file, { throwIfNoEntry: false })?.isFile() !== true)
        throw new UsageError(`The file ${file} does not exist.`);
      if (flags.chunk > 2_000) throw new UsageError("A request has at most 2000 answers.");
      await importFile(open(command), file, flags);
    });
}

async function importFile({ output, querent, signal }: Context, file: string, flags: ImportFlags): Promise<void> {
  const { format, chunk, skipInvalid = false } = flags;
  // The same file may be imported without a panel, and into several: each is an import of its own.
  const place = flags.panel === undefined ? "" : ` in ${flags.panel}`;
  const name = flags.name ?? `${basename(file).slice(0, 200 - place.length)}@${await digestOf(file)}${place}`;
  const panel =
    flags.panel === undefined ? {} : idPattern.test(flags.panel) ? { panelId: flags.panel } : { panel: flags.panel };
  const leftOut = new Set<number>();
  const placed = (line: number, text: string) => printableLine(`${file}${line === 0 ? "" : `:${line}`}: ${text}`);
  const leaveOut = (line: number, text: string) => {
    leftOut.add(line);
    output.note(placed(line, text));
  };
  const { answers, lineOf } = readAnswerFile(file, (fault) => {
    if (!skipInvalid) throw fault;
    leaveOut(fault.line, fault.message);
  });
  const located = (errors: readonly { readonly pointer: string; readonly detail: string }[]) =>
    errors.map(({ pointer, detail }) => {
      const [, number = "0", member] = /^\/(\d+)(?:\/(.*))?$/.exec(pointer) ?? [];
      return [lineOf(Number(number)), member === undefined ? detail : `${member}: ${detail}`] as const;
    });
  const onInvalid = (errors: InvalidRequestError["errors"]) => {
    for (const [line, text] of located(errors)) leaveOut(line, text);
  };
  let last: ImportRecord | null = null;
  let isResumed = true;
  const sent = noting(answers, () => (isResumed = false));
  try {
    const options = { name, format, chunk, signal, ...panel, ...(skipInvalid ? { onInvalid } : {}) };
    for await (const state of querent.imports.send(sent, options)) {
      last = state;
      for (const [line, text] of located(state.warnings ?? [])) output.note(placed(line, text));
      const received = plural(state.nextLine - 1, "line");
      if (isResumed && state.nextLine > 1) output.note(`Resuming the import after ${received}.`);
      output.status(`${received} received`);
    }
  } catch (error) {
    if (error instanceof AnswerFault)
      throw new CliError("refused", `${imported(last)} ${placed(error.line, error.message)}`);
    if (!(error instanceof InvalidRequestError)) throw error;
    if (error.errors.length === 0) throw new CliError("refused", `${error.message} ${imported(last)}`);
    const faults = located(error.errors).map(([line, text]) => placed(line, text));
    throw new CliError("refused", refusal(faults, last));
  } finally {
    output.status("");
  }
  if (last === null) throw new UsageError(`${file} contains no answers.`);
  const { importedCount, duplicateCount, importId, panelId } = last;
  const left = leftOut.size === 0 ? "" : ` ${plural(leftOut.size, "line")} left out.`;
  await output.show(last, () => [
    `${plural(importedCount, "answer")} imported, ${duplicateCount.toLocaleString("en")} there already.${left} Import ${importId}.`,
    ...(panelId === null
      ? []
      : [
          `They belong to the panel ${panelId}: see \`querent panel figures ${panelId}\`, with --from if they are older than 28 days.`,
        ]),
  ]);
}

async function* noting(lines: AsyncIterable<string>, onLine: () => void): AsyncGenerator<string, void, void> {
  for await (const line of lines) {
    onLine();
    yield line;
  }
}

function imported(last: ImportRecord | null): string {
  if (last === null) return "Nothing was imported.";
  const count = last.nextLine - 1;
  return count === 1 ? "The first line is imported." : `The first ${count.toLocaleString("en")} lines are imported.`;
}

/** Every position of the refused part, with the line of the file. */
function refusal(faults: readonly string[], last: ImportRecord | null): string {
  const more = faults.length - shownMax;
  return [
    `${imported(last)} These lines are not valid:`,
    ...faults.slice(0, shownMax).map((fault) => `  ${fault}`),
    ...(more > 0 ? [`  and ${more} more`] : []),
    "Correct or remove them, and run the command again, or leave them out with --skip-invalid.",
  ].join("\n");
}

async function digestOf(file: string): Promise<string> {
  const hash = createHash("sha256");
  await pipeline(createReadStream(file), hash);
  return hash.digest("hex").slice(0, 16);
}
