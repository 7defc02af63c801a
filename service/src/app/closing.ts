import type { Service } from "../runtime/service.ts";

/** A service that needs no start but must be closed. */
export function closing(close: () => Promise<unknown>): Service {
  return {
    start: () => undefined,
    stop: async () => {
      await close();
    },
  };
}
