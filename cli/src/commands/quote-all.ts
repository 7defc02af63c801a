import type { Question } from "@querent/client";
import type { Context } from "../context.ts";
import { UsageError } from "../exit-codes.ts";
import { ProgressBar } from "../output/progress-bar.ts";
import { printableLine } from "../output/printable.ts";

const faultsMax = 20;

/** What many questions would cost together. Fails with what is wrong with them. */
export async function quoteAll(
  { querent, output, signal }: Context,
  questions: AsyncIterable<Question>,
  chunkItems: number,
  total: number,
): Promise<number> {
  const bar = new ProgressBar(output, "pricing");
  const faults: string[] = [];
  let points = 0;
  let done = 0;
  let chunk: Question[] = [];
  const price = async () => {
    const quote = await querent.tasks.quote(chunk, { signal });
    points += quote.estimatedPoints;
    for (const { index, errors } of quote.items) {
      for (const { pointer, detail } of errors)
        faults.push(
          `  ${printableLine(chunk[index]?.clientReference ?? String(done + index + 1))} ${pointer.replace(/^\/\d+/, "")}: ${detail}`,
        );
    }
    done += chunk.length;
    chunk = [];
    bar.update(done, total);
  };
  try {
    for await (const question of questions) {
      chunk.push(question);
      if (chunk.length >= chunkItems) await price();
    }
    if (chunk.length > 0) await price();
  } finally {
    bar.end("");
  }
  if (faults.length === 0) return points;
  const more = faults.length - faultsMax;
  throw new UsageError(
    [
      `The service would not accept it:`,
      ...faults.slice(0, faultsMax),
      ...(more > 0 ? [`  and ${more} more`] : []),
    ].join("\n"),
  );
}
