import type { Database } from "../../db/index.ts";
import { PollLoop } from "../../runtime/poll-loop.ts";
import type { Service } from "../../runtime/service.ts";
import type { ItemRules } from "../../tasks/index.ts";
import { findDue, postpone, runDue, type DueRun } from "./run-due.ts";

export interface SchedulerDeps {
  readonly database: Database;
  readonly rules: () => Promise<ItemRules>;
  /** Throws if the account gets no new tasks because of what it stores. None: every account does. */
  readonly requireRoom?: (accountId: string) => Promise<void>;
  readonly onRun: (run: DueRun) => void;
  readonly onFault: (error: unknown) => void;
}

const panelsAtOnce = 20;

/** Starts the runs of panels whose time has come. Any number of processes may do so. */
export function scheduler({ database, rules, requireRoom, onRun, onFault }: SchedulerDeps): Service {
  return new PollLoop({
    everyMs: 1000,
    jitter: 0.1,
    onFault,
    async look() {
      const due = await findDue(database, panelsAtOnce);
      if (due.length === 0) return undefined;
      const now = await rules();
      let ran = 0;
      for (const panel of due) {
        try {
          const run = await runDue(database, panel, now, requireRoom);
          if (run === null) continue;
          ran++;
          onRun(run);
        } catch (error) {
          onFault(error);
          await postpone(database, panel);
        }
      }
      // Those that ran may be due again, for the next of several times that passed.
      return ran > 0 || due.length === panelsAtOnce ? 0 : undefined;
    },
  });
}
