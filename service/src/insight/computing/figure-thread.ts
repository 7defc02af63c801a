/** The thread's side of `computeInThread`: does one job. */
import { parentPort } from "node:worker_threads";
import type { Answer } from "@querent/figures";
import { answerDecoder } from "../figures/decode-answers.ts";
import type { FromThread, ToThread } from "./compute-in-thread.ts";
import { jobSteps, type Job } from "./jobs.ts";

const decode = answerDecoder();
const answers: Answer[] = [];
let job: Job | null = null;

parentPort?.on("message", (message: ToThread) => {
  if ("job" in message) job = message.job;
  else if ("page" in message) {
    for (const answer of decode(message.page)) answers.push(answer);
    reply({ decoded: true });
  } else if (job !== null) {
    const bytes = Uint8Array.from(Buffer.from(run(job)));
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
