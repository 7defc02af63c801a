/** The thread's side of `computeInThread`: does one job. */
import { parentPort } from "node:worker_threads";
import type { Answer } from "@querent/figures";
import type { FromThread, ToThread } from "./compute-in-thread.ts";
import { decoderFor, jobSteps, type Job } from "./jobs.ts";

const answers: Answer[] = [];
let work: { readonly job: Job; readonly decode: (page: string) => Answer[] } | null = null;

parentPort?.on("message", (message: ToThread) => {
  if ("job" in message) work = { job: message.job, decode: decoderFor(message.job) };
  else if (work === null) throw new Error("The thread was sent answers before its job.");
  else if ("page" in message) {
    for (const answer of work.decode(message.page)) answers.push(answer);
    reply({ decoded: true });
  } else {
    const bytes = Uint8Array.from(Buffer.from(run(work.job)));
    reply({ result: bytes }, [bytes.buffer]);
  }
});

function run(given: Job): string {
  const steps = jobSteps(given, answers);
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}

const reply = (message: FromThread, transferred: ArrayBuffer[] = []) => parentPort?.postMessage(message, transferred);
