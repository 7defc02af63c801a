/** The other side of `computeInProcess`: does one job. */
import type { Answer } from "@querent/figures";
import { endWithParent } from "../../runtime/child-process.ts";
import type { FromProcess, ToProcess } from "./compute-in-process.ts";
import { decoderFor, jobSteps, type Job } from "./jobs.ts";

const answers: Answer[] = [];
let work: { readonly job: Job; readonly decode: (page: string) => Answer[] } | null = null;

endWithParent();
process.on("message", (message: ToProcess) => {
  try {
    take(message);
  } catch (error) {
    reply({ error });
  }
});

function take(message: ToProcess): void {
  if ("job" in message) work = { job: message.job, decode: decoderFor(message.job) };
  else if (work === null) throw new Error("The process was sent answers before its job.");
  else if ("page" in message) {
    for (const answer of work.decode(message.page)) answers.push(answer);
    reply({ decoded: true });
  } else reply({ result: Buffer.from(run(work.job)) });
}

function run(given: Job): string {
  const steps = jobSteps(given, answers);
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}

const reply = (message: FromProcess) => process.send?.(message);
