import { setImmediate } from "node:timers/promises";

/** Work of this length is done at a stretch; then everything else in the process has its turn. */
const stretchMs = 8;

/** Returns a function to call between steps of long work: it lets the event loop turn when a stretch is over. */
export function breath(): () => Promise<void> | undefined {
  let since = performance.now();
  return () => {
    if (performance.now() - since < stretchMs) return undefined;
    return setImmediate().then(() => {
      since = performance.now();
    });
  };
}
