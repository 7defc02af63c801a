import { createHash } from "node:crypto";
import { renameSync, rmSync, writeFileSync } from "node:fs";
import type { PageEvidence } from "@querent/client";
import { Option, type Command } from "commander";
import type { Context, Open } from "../context.ts";
import { CliError, UsageError } from "../exit-codes.ts";
import { printableLine } from "../output/printable.ts";
import { querent as program } from "../program-names.ts";

type Only = PageEvidence["kind"];

const endings = { picture: ".png", archive: ".wacz" } as const satisfies Record<Only, string>;

export function addEvidence(commands: Command, open: Open): void {
  commands
    .command("evidence")
    .description("download the evidence of a completed task: a signed zip file that can be verified offline")
    .argument("<taskId>")
    .option("-o, --output <file>", "a file, or - for standard output (default: evidence-TASK.zip, or page-TASK.png)")
    .addOption(
      new Option(
        "--only <file>",
        "only the picture or the web archive of the page, where the operator keeps it",
      ).choices(Object.keys(endings)),
    )
    .action(async (taskId: string, { output: file, only }: { output?: string; only?: Only }, command: Command) => {
      const context = open(command);
      const ending = only === undefined ? ".zip" : endings[only];
      const path = file ?? (only === undefined ? `evidence-${taskId}.zip` : `page-${taskId}${ending}`);
      if (path !== "-" && !path.toLowerCase().endsWith(ending))
        throw new UsageError(`${path}: the file name must end with ${ending}.`);
      if (path === "-" && process.stdout.isTTY)
        throw new UsageError("Cannot write such a file to a terminal. Specify a file with -o.");
      const bytes = only === undefined ? await evidenceOf(context, taskId) : await pageFileOf(context, taskId, only);
      if (path === "-") return void process.stdout.write(bytes);
      save(path, bytes);
      const size = `${path}, ${bytes.length.toLocaleString("en")} bytes.`;
      const next =
        only === undefined
          ? `To verify the signature: ${program} verify ${path}`
          : "Its SHA-256 is that of the task's record.";
      await context.output.show({ taskId, file: path, bytes: bytes.length }, () => [printableLine(`${size} ${next}`)]);
    });
}

async function evidenceOf({ querent, signal }: Context, taskId: string): Promise<Uint8Array> {
  const bytes = await querent.tasks.evidence(taskId, { signal });
  // Loaded when needed: the other commands start faster without it.
  const { verifyEvidence } = await import("@querent/evidence");
  // An incomplete download must not be saved as evidence.
  const { verdict, sentence } = verifyEvidence(Buffer.from(bytes), null);
  if (verdict === "refused") throw new CliError("unavailable", `The download is incomplete: ${sentence} Try again.`);
  return bytes;
}

async function pageFileOf({ querent, signal }: Context, taskId: string, only: Only): Promise<Uint8Array> {
  const bytes = await querent.tasks.pageEvidence(taskId, only, { signal });
  const { evidence } = await querent.tasks.get(taskId, { signal });
  const expected = evidence.find(({ kind }) => kind === only)?.sha256;
  if (createHash("sha256").update(bytes).digest("hex") !== expected)
    throw new CliError("unavailable", "The downloaded file does not have the digest of the task's record. Try again.");
  return bytes;
}

function save(path: string, bytes: Uint8Array): void {
  const draft = `${path}.part`;
  try {
    writeFileSync(draft, bytes);
    renameSync(draft, path);
  } finally {
    rmSync(draft, { force: true });
  }
}
