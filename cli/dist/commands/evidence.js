import { renameSync, rmSync, writeFileSync } from "node:fs";
import { verifyEvidence } from "@querent/evidence";
import { CommandError, UsageError } from "../exit-codes.js";
import { printableLine } from "../output/printable.js";
import { querent as program } from "../program-names.js";
export function addEvidence(commands, open) {
  commands
    .command("evidence")
    .description("download the evidence of a completed task: a signed zip file that can be verified offline")
    .argument("<taskId>")
    .option("-o, --output <file>", "a .zip file, or - for standard output (default: evidence-TASK.zip)")
    .action(async (taskId, { output: file }, command) => {
      const { output, querent, signal } = open(command);
      const path = file ?? `evidence-${taskId}.zip`;
      if (path !== "-" && !/\.zip$/i.test(path)) throw new UsageError(`${path}: the file name must end with .zip.`);
      if (path === "-" && process.stdout.isTTY)
        throw new UsageError("Cannot write a zip file to a terminal. Specify a file with -o.");
      const bytes = await querent.tasks.evidence(taskId, { signal });
      // An incomplete download must not be saved as evidence.
      const { verdict, sentence } = verifyEvidence(Buffer.from(bytes), null);
      if (verdict === "refused")
        throw new CommandError("unavailable", `The download is incomplete: ${sentence} Try again.`);
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
          `${path}, ${bytes.length.toLocaleString("en")} bytes. To verify the signature: ${program} verify ${path}`,
        ),
      ]);
    });
}
