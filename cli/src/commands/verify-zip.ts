import { EvidenceFileError, readBounded, readTrusted, verifyEvidence } from "@querent/evidence";
import { UsageError } from "../exit-codes.ts";
import type { CommandOutput } from "../output/output.ts";
import { printableLine } from "../output/printable.ts";
import { verifyReport } from "../verify-report.ts";

/** Verifies evidence or a report offline, with only the file and the keys to trust. Returns whether it is valid. */
export async function verifyZip(output: CommandOutput, file: string, keyFile: string | undefined): Promise<boolean> {
  const verdict = await verdictOf(file, keyFile).catch((error: unknown) => {
    throw error instanceof EvidenceFileError ? new UsageError(error.message) : error;
  });
  const isRefused = verdict.verdict === "refused";
  const paint = isRefused ? output.color.red : output.color.green;
  await output.show(verdict, () => [paint(printableLine(verdict.sentence))]);
  return !isRefused;
}

async function verdictOf(file: string, keyFile: string | undefined) {
  const trusted = await readTrusted(keyFile);
  const zip = await readBounded(file);
  const report = verifyReport(zip, trusted);
  // The manifest is not that of a report.
  const isOther = report.verdict === "refused" && ["unknown_format", "no_manifest"].includes(report.reason);
  return isOther ? verifyEvidence(zip, trusted) : report;
}
