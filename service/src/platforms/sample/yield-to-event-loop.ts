import { setImmediate } from "node:timers/promises";

/** The duration of a time slice before the rest of the process gets a turn. */
const sliceMs = 8;

/** Returns a function to call between the steps of long work: it yields to the event loop when a time slice is over. */
export function yieldToEventLoop(): () => Promise<void> | undefined {
  let since = performance.now();
  return () => {
    if (performance.now() - since < sliceMs) return undefined;
    return setImmediate().then(() => {
      since = performance.now();
    });
  };
}
