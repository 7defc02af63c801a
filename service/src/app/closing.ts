import type { Service } from "../runtime/service.ts";

/** A service for what needs no start but has to be closed. */
export function closing(close: () => Promise<unknown>): Service {
  return {
    start: () => undefined,
    stop: async () => {
      await close();
    },
  };
}
