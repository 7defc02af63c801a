import { RequestFailed } from "./request.ts";

const triesMax = 8;
const waitMsMax = 30_000;

/** Asks again what the service put off (429, 503, a key in use) or what got lost on the way. The caller sees to it that asking twice does nothing twice. */
export async function patiently<Value>(ask: () => Promise<Value>, signal: AbortSignal): Promise<Value> {
  for (let tries = 1; ; tries++) {
    try {
      return await ask();
    } catch (error) {
      if (!(error instanceof RequestFailed) || !isPutOff(error) || tries === triesMax || signal.aborted) throw error;
      await wait(Math.min(waitMsMax, Math.max((error.retryAfter ?? 0) * 1000, 500 * 2 ** tries)), signal);
    }
  }
}

function isPutOff({ status, problem }: RequestFailed): boolean {
  return status === 0 || status === 429 || status >= 500 || problem?.code === "idempotency_key_in_use";
}

function wait(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = window.setTimeout(done, ms);
    signal.addEventListener("abort", stop, { once: true });
    function done() {
      signal.removeEventListener("abort", stop);
      resolve();
    }
    function stop() {
      window.clearTimeout(timer);
      reject(signal.reason as Error);
    }
  });
}
