/** Long work on the main thread is done in slices of at most so many milliseconds, with a call of `yieldToEventLoop` between them. */
export const sliceMs = 10;

const waiting: (() => void)[] = [];

/**
 * Resolves in a later turn of the event loop. Each turn serves one caller, so however many do long work at the same time, every
 * other request waits for one slice at most.
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
