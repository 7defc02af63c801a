import type { ImportedAnswer, ImportFormat } from "@querent/contract";
import { readLines, refuseLines } from "../../src/panels/imports/read-lines.ts";

/** The answers of an import's lines; throws the error with which a part with invalid lines is refused. */
export async function readImported(body: string | Buffer, format: ImportFormat): Promise<readonly ImportedAnswer[]> {
  const { answers, errors } = await readLines(Buffer.from(body), { format, firstLine: 1 });
  if (errors.length > 0) throw refuseLines(errors);
  return answers.map(({ answer }) => answer);
}
