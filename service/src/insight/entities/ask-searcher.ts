import type { ChildProcess } from "node:child_process";
import { sendToChild } from "../../runtime/child-process.ts";
import type { FromSearch, ToSearch } from "./search-process.ts";

/** A process has ended: it was killed, could not be started, or needed more memory than it may use. Or it takes too long. */
export class SearcherError extends Error {
  constructor() {
    super("The process that searches texts has ended, or takes too long.");
  }
}

/** Sends a message, and resolves to the reply. Throws a `SearcherError` if the process ends before, or `signal` aborts. */
export function askChild(child: ChildProcess, message: ToSearch, signal: AbortSignal): Promise<FromSearch> {
  return new Promise((resolve, reject) => {
    const end = (): void => {
      child.off("message", take);
      child.off("exit", fail);
      child.off("error", fail);
      signal.removeEventListener("abort", fail);
    };
    const take = (reply: unknown): void => {
      end();
      // The process is our own code.
      resolve(reply as FromSearch);
    };
    const fail = (): void => {
      end();
      reject(new SearcherError());
    };
    child.on("message", take);
    child.on("exit", fail);
    child.on("error", fail);
    signal.addEventListener("abort", fail, { once: true });
    if (signal.aborted || child.exitCode !== null || child.signalCode !== null || !child.connected) return fail();
    sendToChild(child, message);
  });
}
