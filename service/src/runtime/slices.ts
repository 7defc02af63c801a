/**
 * Long work on the main thread is divided into slices of at most this duration, with a call of `yieldToEventLoop` in between. A
 * task needs a dozen turns of the event loop from its acceptance to its delivery, and waits for a slice in each.
 */
export const sliceMs = 4;

const waiting: (() => void)[] = [];

/**
 * Resolves in a later turn of the event loop. Each turn serves one caller, so regardless of how many do long work concurrently,
 * every other request waits for one slice at most.
 */
export function yieldToEventLoop(): Promise<void> {
  return new Promise((resolve) => {
    if (waiting.push(resolve) === 1) setImmediate(serve);
  });
}

function serve(): void {
  waiting.shift()?.();
  if (waiting.length > 0) setImmediate(serve);
}

/** Runs work that pauses often, in slices. */
export async function runInSlices<Result>(steps: Iterator<void, Result, void>): Promise<Result> {
  await yieldToEventLoop();
  for (let since = performance.now(); ;) {
    const step = steps.next();
    if (step.done === true) return step.value;
    if (performance.now() - since < sliceMs) continue;
    await yieldToEventLoop();
    since = performance.now();
  }
}
