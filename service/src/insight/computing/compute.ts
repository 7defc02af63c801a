import type { Answer } from "@querent/figures";
import { runInSlices } from "../../runtime/slices.ts";
import { computeInProcess, type JobOptions } from "./compute-in-process.ts";
import { decoderFor, jobSteps, type Job } from "./jobs.ts";

type Pages = AsyncGenerator<string, void, void>;

/** As many answers as these pages have are computed in less time than a process takes to start. */
const pagesHere = 4;

/**
 * Does a job with the answers in the pages of `answerPages`: few of them in slices on this thread, many in a process of their
 * own, so that no other request waits for them. Ends when `signal` aborts. Callers limit how many jobs there are at once.
 */
export async function compute(options: JobOptions, pages: Pages): Promise<string | Buffer> {
  const { job, signal } = options;
  const first: string[] = [];
  try {
    while (first.length < pagesHere) {
      const page = await pages.next();
      signal.throwIfAborted();
      if (page.done === true) return await runInSlices(stepsHere(job, first));
      first.push(page.value);
    }
    return await computeInProcess(options, withRest(first, pages));
  } finally {
    await pages.return();
  }
}

function* stepsHere(job: Job, pages: readonly string[]): Generator<void, string, void> {
  const decode = decoderFor(job);
  const answers: Answer[] = [];
  for (const page of pages) {
    for (const answer of decode(page)) answers.push(answer);
    yield;
  }
  return yield* jobSteps(job, answers);
}

async function* withRest(first: readonly string[], rest: Pages): Pages {
  yield* first;
  yield* rest;
}
