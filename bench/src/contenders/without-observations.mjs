/** Preloaded with `--import` by a process of the service that is to write no observations: what they cost is the difference. */
import { registerHooks } from "node:module";

registerHooks({
  load(url, context, next) {
    if (!url.endsWith("/observations/records/observe-tasks.ts")) return next(url, context);
    const source = "export const observeTasks = () => ({ describe: async () => undefined, write: async () => {} });";
    return { format: "module", source, shortCircuit: true };
  },
});
