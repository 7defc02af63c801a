import { renameSync, rmSync, writeFileSync } from "node:fs";
import { verifyEvidence } from "@querent/evidence";
import type { Command } from "commander";
import type { Open } from "../context.ts";
import { CommandError, UsageError } from "../exit-codes.ts";
import { printableLine } from "../output/printable.ts";
import { querent as program } from "../program-names.ts";

export function addEvidence(commands: Command, open: Open): void {
  commands
    .command("evidence")
    .description("download the evidence of a completed task: a signed zip that can be checked offline")
    .argument("<taskId>")
    .option("-o, --output <file>", "a .zip file; evidence-TASK.zip when left out, - for standard output")
    .action(async (taskId: string, { output: file }: { output?: string }, command: Command) => {
      const { output, querent, signal } = open(command);
      const path = file ?? `evidence-${taskId}.zip`;
      if (path !== "-" && !/\.zip$/i.test(path)) throw new UsageError(`${path}: evidence is a .zip file.`);
      if (path === "-" && process.stdout.isTTY)
        throw new UsageError("A zip is not for a terminal: name a file with -o.");
      const bytes = await querent.tasks.evidence(taskId, { signal });
      // Half a download must not be taken for evidence.
      const { verdict, sentence } = verifyEvidence(Buffer.from(bytes), null);
      if (verdict === "refused")
        throw new CommandError("unavailable", `What came is not whole: ${sentence} Try again.`);
      if (path === "-") return void process.stdout.write(bytes);
      const draft = `${path}.part`;
      try {
        writeFileSync(draft, bytes);
        renameSync(draft, path);
      } finally {
        rmSync(draft, { force: true });
      }
      await output.show({ taskId, file: path, bytes: bytes.length }, () => [
        printableLine(
          `${path}, ${bytes.length.toLocaleString("en")} bytes. To check who signed it: ${program} verify ${path}`,
        ),
      ]);
    });
}
