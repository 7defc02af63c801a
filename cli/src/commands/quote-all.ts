import { ForbiddenError, type Quote } from "@querent/client";
import type { Context } from "../context.ts";
import { CliError } from "../exit-codes.ts";
import type { JournalPart } from "../input/journal.ts";
import { Mistakes } from "../input/mistakes.ts";
import type { LocatedQuestion } from "../input/read-questions.ts";
import { plural } from "../output/answer.ts";
import { ProgressBar } from "../output/progress-bar.ts";
import { printableLine } from "../output/printable.ts";
import { querent, querentd } from "../program-names.ts";

const platformCodes: ReadonlySet<string> = new Set(["unknown_platform", "platform_not_configured"]);
const chunkBytesMax = 4 * 1024 * 1024;

interface QuoteInput {
  /** The name of the file as given by the user. */
  readonly name: string;
  readonly questions: AsyncIterable<LocatedQuestion>;
  readonly chunkItems: number;
  readonly total: number;
  /** Parts that were submitted before and are not priced. */
  readonly except: readonly JournalPart[];
}

export interface WholeQuote {
  readonly questions: number;
  readonly estimatedPoints: number;
  readonly availablePoints: number;
}

/**
 * The total price of many questions, and the available points. Fails with every error that the service would report. Null if
 * the token may submit but may not read prices.
 */
export async function quoteAll(context: Context, input: QuoteInput): Promise<WholeQuote | null> {
  const { output, querent: client, signal } = context;
  const bar = new ProgressBar(output, "pricing");
  const mistakes = new Mistakes(input.name);
  let isPlatform = false;
  const counts = { questions: 0, estimatedPoints: 0, availablePoints: 0 };
  let chunk: LocatedQuestion[] = [];
  let bytes = 0;
  let index = 0;
  const price = async () => {
    const quote = await client.tasks.quote(
      chunk.map(({ question }) => question),
      { signal },
    );
    collect(quote, chunk, mistakes);
    isPlatform ||= quote.items.some(({ errors }) => errors.some(({ code }) => platformCodes.has(code)));
    counts.questions += chunk.length;
    counts.estimatedPoints += quote.estimatedPoints;
    counts.availablePoints = quote.availablePoints;
    chunk = [];
    bytes = 0;
    bar.update(counts.questions, input.total);
  };
  try {
    for await (const located of input.questions) {
      const at = index++;
      if (input.except.some(({ firstItem, itemCount }) => at >= firstItem && at < firstItem + itemCount)) continue;
      const size = Buffer.byteLength(JSON.stringify(located.question));
      if (chunk.length >= input.chunkItems || (chunk.length > 0 && bytes + size > chunkBytesMax)) await price();
      chunk.push(located);
      bytes += size;
    }
    if (chunk.length > 0) await price();
  } catch (error) {
    if (!(error instanceof ForbiddenError)) throw error;
    output.note("This token lacks the scope tasks:read, so the price is not checked in advance.");
    return null;
  } finally {
    bar.end("");
  }
  if (mistakes.count > 0)
    throw new CliError(
      "refused",
      [
        "The service rejects the questions.",
        ...mistakes.describe(),
        ...(isPlatform ? [`\`${querent} platforms\` lists the available platforms.`] : []),
      ].join("\n"),
    );
  return counts;
}

function collect(quote: Quote, chunk: readonly LocatedQuestion[], mistakes: Mistakes): void {
  for (const { index, errors } of quote.items) {
    for (const { pointer, detail } of errors) {
      const member = pointer.replace(/^\/\d+\/?/, "");
      mistakes.add(chunk[index]?.line ?? 0, printableLine(`${member === "" ? "" : `${member}: `}${detail}`));
    }
  }
}

/** Why the account cannot pay for everything, and the remedy. Null if it can. */
export function shortage({ questions, estimatedPoints, availablePoints }: WholeQuote): string | null {
  const missing = estimatedPoints - availablePoints;
  if (missing <= 0) return null;
  const those = questions === 1 ? "1 question costs" : `${questions.toLocaleString("en")} questions cost`;
  return `${those} ${plural(estimatedPoints, "point")}, and ${availablePoints.toLocaleString("en")} ${availablePoints === 1 ? "is" : "are"} available: ${missing.toLocaleString("en")} short. The operator grants points with \`${querentd} points grant ${missing} --account NAME\`.`;
}
