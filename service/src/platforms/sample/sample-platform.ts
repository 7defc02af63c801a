import { setImmediate as turnOfTheLoop } from "node:timers/promises";
import { systemClock, type Clock } from "../../kernel/clock.ts";
import { effectiveOptions } from "../option-support.ts";
import type { Platform } from "../platform.ts";
import { composeAnswer, sampleOptions } from "./compose-answer.ts";
import type { CorpusProblem } from "./corpus.ts";
import { WatchedFolder } from "./watched-folder.ts";

export interface SamplePlatformOptions {
  readonly folder: string;
  readonly clock?: Clock;
  /** Called for each item in the folder that could not be used, whenever the folder is read. */
  readonly onProblem?: (problem: CorpusProblem) => void;
  /** The minimum interval between checks of the folder for changes. */
  readonly rescanMsMin?: number;
}

/**
 * A platform that answers from a folder of documents, without a key or network. `docs/sample-platform.md` describes the folder.
 */
export async function samplePlatform(options: SamplePlatformOptions): Promise<Platform> {
  const { folder, clock = systemClock, onProblem = () => {}, rescanMsMin = 2_000 } = options;
  const watched = await WatchedFolder.open({ folder, onProblem, rescanMsMin });
  // One answer per turn of the event loop: hundreds of concurrent questions must not make other requests wait for all of them.
  let lastTurn: Promise<void> = Promise.resolve();
  const nextTurn = () => (lastTurn = lastTurn.then(() => turnOfTheLoop()));
  return {
    code: "sample",
    name: "Sample documents",
    kind: "sample",
    returns: {
      sources: true,
      products: true,
      videos: true,
      media: true,
      reasoningProcess: true,
      searchProcess: true,
      pageHtml: false,
    },
    outputs: ["answer"],
    resultFormats: ["json"],
    options: sampleOptions,
    get missing() {
      return watched.current().missing;
    },

    async ask(question, { signal }) {
      await nextTurn();
      if (signal.aborted) return { kind: "canceled" };
      const { index } = watched.current();
      if (index === null) {
        return {
          kind: "permanent",
          code: "platform_not_configured",
          stage: "platform",
          message: "The sample platform has no documents to answer from.",
          platformStatus: null,
        };
      }
      const effective = effectiveOptions(sampleOptions, question.options);
      const answer = { ...composeAnswer(index, question, clock.now()), effective };
      return { kind: "answered", answer, raw: null, consumption: null };
    },
  };
}
