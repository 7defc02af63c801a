import { createHash } from "node:crypto";
import { createReadStream, statSync } from "node:fs";
import { basename } from "node:path";
import { createInterface } from "node:readline";
import { pipeline } from "node:stream/promises";
import { InvalidRequestError, type ImportRecord } from "@querent/client";
import { Option, type Command } from "commander";
import { count } from "../arguments.ts";
import type { Open } from "../context.ts";
import { CommandError, UsageError } from "../exit-codes.ts";
import { printableLine } from "../output/printable.ts";
import { addMaxWait } from "./max-wait.ts";

interface ImportFlags {
  readonly format: ImportRecord["format"];
  readonly name?: string;
  readonly chunk: number;
}

const shownMax = 20;

export function addImport(commands: Command, open: Open): void {
  addMaxWait(
    commands
      .command("import")
      .description(
        "import answers from elsewhere as observations, free of charge; can be stopped at any time and resumed by running it again",
      )
      .argument("<file>", "JSON lines: one answer or one response per line"),
  )
    .addOption(
      new Option("--format <form>", "form of the lines: our own, or unchanged responses of another service")
        .choices(["querent", "serpapi", "dataforseo"])
        .default("querent"),
    )
    .option("--name <name>", "name of the import (default: the file's name and the digest of its contents)")
    .option("--chunk <n>", "lines per request, up to 2000", count, 1_000)
    .action(async (file: string, { format, name, chunk }: ImportFlags, command: Command) => {
      const { output, querent, signal } = open(command);
      if (statSync(file, { throwIfNoEntry: false })?.isFile() !== true)
        throw new UsageError(`The file ${file} does not exist.`);
      if (chunk > 2_000) throw new UsageError("A request has at most 2000 lines.");
      const named = name ?? `${basename(file).slice(0, 200)}@${await digestOf(file)}`;
      let last: ImportRecord | null = null;
      try {
        for await (const state of querent.imports.send(linesOf(file), { name: named, format, chunk, signal })) {
          if (last === null && state.nextLine > 1) output.note(`Resuming the import at line ${state.nextLine}.`);
          last = state;
          output.status(`${formatted(state.nextLine - 1)} lines imported`);
        }
      } catch (error) {
        if (!(error instanceof InvalidRequestError)) throw error;
        throw new CommandError("refused", faultsOf(file, error, last));
      } finally {
        output.status("");
      }
      if (last === null) throw new UsageError(`${file} contains no lines.`);
      const { importedCount, duplicateCount, importId } = last;
      await output.show(last, () => [
        printableLine(
          `${formatted(importedCount)} answers imported, ${formatted(duplicateCount)} were there already. Import ${importId}.`,
        ),
      ]);
    });
}

/** Every position of the refused part, with the line's number in the file. */
function faultsOf(file: string, error: InvalidRequestError, last: ImportRecord | null): string {
  const errors = error.problem?.errors ?? [];
  const imported = last === null ? "Nothing was imported." : `The lines before ${last.nextLine} are imported.`;
  if (errors.length === 0) return `${error.message} ${imported}`;
  const texts = errors.slice(0, shownMax).map(({ pointer, detail }) => {
    const [, line = "", member] = /^\/(\d+)(?:\/(.*))?$/.exec(pointer) ?? [];
    return printableLine(`  ${file}:${line}: ${member === undefined ? "" : `${member}: `}${detail}`);
  });
  const more = errors.length - shownMax;
  return [
    `${imported} The next lines are not valid:`,
    ...texts,
    ...(more > 0 ? [`  and ${more} more`] : []),
    "Correct or remove them, and run the command again.",
  ].join("\n");
}

/** The reader is created when the first line is wanted: what it reads before somebody iterates over it is lost. */
async function* linesOf(file: string): AsyncGenerator<string> {
  yield* createInterface({ input: createReadStream(file, "utf8"), crlfDelay: Infinity });
}

async function digestOf(file: string): Promise<string> {
  const hash = createHash("sha256");
  await pipeline(createReadStream(file), hash);
  return hash.digest("hex").slice(0, 16);
}

const formatted = (value: number) => value.toLocaleString("en");
