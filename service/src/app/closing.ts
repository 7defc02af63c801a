import type { Service } from "../runtime/service.ts";

/** A service of what needs no start, and has to be closed. */
export function closing(close: () => Promise<unknown>): Service {
  return {
    start: () => undefined,
    stop: async () => {
      await close();
    },
  };
}
