/** The sessions of all web platforms, as the workers use them. */
import { readFile, stat } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import type { Database } from "../db/index.ts";
import { querentd } from "../kernel/program-name.ts";
import { PollLoop } from "../runtime/poll-loop.ts";
import type { MasterKey } from "../vault/index.ts";
import type { AccountTurnLimits } from "./choose-session.ts";
import { holdSession, releaseHold, type HoldEnd, type StoredHold } from "./hold-session.ts";
import { keepSession } from "./keep-session.ts";
import { readSessions } from "./read-sessions.ts";
import { parseSession, SessionError, sessionBytesMax } from "./session-text.ts";

export type SessionEvent =
  | { readonly event: "session.imported"; readonly platform: string; readonly session: string; readonly file: string }
  | {
      readonly event: "session.signed_out" | "session.needs_person" | "session.not_saved";
      readonly platform: string;
      readonly session: string;
      readonly why: string;
    };

export interface PlatformSessionsDeps {
  readonly database: Database;
  readonly masterKey: MasterKey;
  readonly onEvent: (event: SessionEvent) => void;
  readonly onFault: (error: unknown) => void;
}

export interface OnePlatform {
  readonly code: string;
  /** The session files of the settings, by the name of the session. */
  readonly files: ReadonlyMap<string, string>;
  readonly limits: ReadonlyMap<string, AccountTurnLimits>;
}

const refreshEveryMs = 5_000;
/** After its run's time limit, a run has this long to release its session. */
const leaseReserveMs = 120_000;
/** A run that waits for one of its platform's sessions looks this often, and for at most so long. */
const busyPollMs = 500;
const busyMaxMs = 600_000;
/** How long tasks wait if every session is signed out and a run was started nevertheless. */
const signedOutWaitMs = 60_000;

export class PlatformSessions {
  readonly #deps: PlatformSessionsDeps;
  /** Whether one of a platform's sessions can be used. Platforms without sessions are not in it. */
  #usable = new Map<string, boolean>();
  readonly #loop: PollLoop;
  readonly #imported = new Map<string, number>();

  constructor(deps: PlatformSessionsDeps) {
    this.#deps = deps;
    this.#loop = new PollLoop({
      everyMs: refreshEveryMs,
      jitter: 0.1,
      look: () => this.refresh(),
      onFault: deps.onFault,
    });
  }

  start(): void {
    this.#loop.wake();
    this.#loop.start();
  }

  stop(): Promise<void> {
    return this.#loop.stop();
  }

  async refresh(): Promise<void> {
    const usable = new Map<string, boolean>();
    for (const { platform, signedOutAt } of await readSessions(this.#deps.database))
      usable.set(platform, signedOutAt === null || usable.get(platform) === true);
    this.#usable = usable;
  }

  /** The sessions of one platform. */
  of(platform: OnePlatform) {
    const { code } = platform;
    return {
      /** Why none can be used; null: one can; undefined: none is stored. */
      missing: (): string | null | undefined => {
        const usable = this.#usable.get(code);
        return usable === false
          ? `Each of its sessions is signed out or needs a person. Its tasks wait until you sign in again, or pass the check: \`${querentd} session list\` shows why.`
          : usable && null;
      },
      stored: async (): Promise<boolean> => {
        await this.refresh();
        return this.#usable.has(code);
      },
      hold: (input: { readonly signal: AbortSignal; readonly runMs: number }) => this.#hold(platform, input),
    };
  }

  async #hold(platform: OnePlatform, { signal, runMs }: { readonly signal: AbortSignal; readonly runMs: number }) {
    const { database, masterKey } = this.#deps;
    const until = performance.now() + busyMaxMs;
    for (;;) {
      await this.#importFiles(platform);
      const held = await holdSession(database, masterKey, {
        platform: platform.code,
        forMs: runMs + leaseReserveMs,
        limitsOf: (name) => platform.limits.get(name) ?? {},
      });
      switch (held.kind) {
        case "none":
          return held;
        case "held":
          return this.#held(held);
        case "signed_out":
          await this.refresh();
          return { kind: "wait", waitMs: signedOutWaitMs } as const;
        case "wait":
          if (!held.busy || performance.now() > until) return { kind: "wait", waitMs: held.waitMs || 1_000 } as const;
      }
      await sleep(busyPollMs, undefined, { signal });
    }
  }

  #held(hold: StoredHold) {
    const state = parseSession(hold.text);
    return {
      kind: "held" as const,
      name: hold.name,
      state,
      /** Never throws: an answer is not lost with what its session has become. */
      release: async (end: HoldEnd): Promise<void> => {
        try {
          await this.#release(hold, end);
        } catch (error) {
          this.#deps.onFault(error);
        }
      },
    };
  }

  async #release(hold: StoredHold, end: HoldEnd): Promise<void> {
    const { database, masterKey, onEvent } = this.#deps;
    const at = { platform: hold.platform, session: hold.name };
    const fault = end.kind === "worked" ? faultOf(end.text) : null;
    if (fault !== null) onEvent({ event: "session.not_saved", ...at, why: fault });
    const kept = await releaseHold(database, masterKey, hold, fault === null ? end : { kind: "worked", text: null });
    if ((end.kind !== "signed_out" && end.kind !== "needs_person") || !kept) return;
    onEvent({ event: `session.${end.kind}`, ...at, why: end.why });
    await this.refresh();
  }

  /** A file that is new or has changed is imported; what was written back since its import stays otherwise. */
  async #importFiles({ code, files }: OnePlatform): Promise<void> {
    const { database, masterKey, onEvent } = this.#deps;
    for (const [name, file] of files) {
      const found = await stat(file).catch(() => null);
      if (found === null || this.#imported.get(file) === found.mtimeMs) continue;
      try {
        if (found.size > sessionBytesMax) throw new SessionError("The file is larger than a session can be.");
        const text = await readFile(file, "utf8");
        const isNew = await keepSession(database, masterKey, { platform: code, name, text, fromFile: true });
        this.#imported.set(file, found.mtimeMs);
        if (isNew) onEvent({ event: "session.imported", platform: code, session: name, file });
      } catch (error) {
        if (!(error instanceof SessionError)) throw error;
        const why = `${file}: ${error.message}`;
        // If a session is stored, the tasks go on, and the file is read again when it has changed.
        if ((await readSessions(database, code)).length === 0) throw new SessionError(why);
        this.#imported.set(file, found.mtimeMs);
        onEvent({ event: "session.not_saved", platform: code, session: name, why });
      }
    }
  }
}

function faultOf(text: string | null): string | null {
  if (text === null) return "The browser did not return what the session is now. The stored one stays.";
  try {
    parseSession(text);
    return null;
  } catch (error) {
    if (error instanceof SessionError) return `${error.message} The stored one stays.`;
    throw error;
  }
}
