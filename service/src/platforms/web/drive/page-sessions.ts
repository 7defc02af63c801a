/** What a web platform needs of the sessions that it asks with. */
import type { BrowserContext } from "playwright-core";
import type { AskContext, Outcome } from "../../platform.ts";
import type { Stopped } from "../recipe/stopped.ts";
import { late, within } from "../../../kernel/within.ts";
import { readFileSync, statSync } from "node:fs";
import { Type } from "typebox";
import { querentd } from "../../../kernel/program-name.ts";
import { compileCheck } from "../../../kernel/validate.ts";

export interface PageSessions {
  /** Why none can be used; null: one can; undefined: none is stored. */
  missing(): string | null | undefined;
  /** Whether any is stored, looked up now. */
  stored(): Promise<boolean>;
  /** Takes one for a run, after waiting for one if all are busy. */
  hold(input: { readonly signal: AbortSignal; readonly runMs: number }): Promise<PageHold>;
}

type PageHold =
  | {
      readonly kind: "held";
      readonly state: object;
      /** Never throws. */
      release(end: SessionEnd): Promise<void>;
    }
  /** None can be used now. */
  | { readonly kind: "wait"; readonly waitMs: number }
  /** None is stored. */
  | { readonly kind: "none" };

type SessionEnd =
  | { readonly kind: "worked"; readonly text: string | null }
  | { readonly kind: "signed_out" | "needs_person"; readonly why: string }
  | { readonly kind: "throttled"; readonly forMs: number }
  | { readonly kind: "other" };

export interface SessionRun {
  readonly outcome: Outcome;
  readonly stopped: Stopped | null;
  /** What the session was at the end of a run that went well; null: unknown. */
  readonly text: string | null;
}

/** Soon: another session may be free, and holding one waits by itself. */
const nextSessionMs = 1;

/**
 * Runs with one of the sessions. If the page says that it is signed out, asks for a human, or for patience, only that session pauses, and the
 * task is asked again with another one.
 */
export async function askWithSession(
  sessions: PageSessions,
  { signal, runMs, requester }: Pick<AskContext, "signal" | "requester"> & { readonly runMs: number },
  run: (state: object | null) => Promise<SessionRun>,
): Promise<Outcome> {
  const holding = sessions.hold({ signal, runMs });
  let hold: PageHold;
  try {
    // Waiting for a session is not run time.
    hold = await (requester === undefined ? holding : requester.whileQueued(holding));
  } catch (error) {
    if (!signal.aborted) throw error;
    // It may have been taken at this moment.
    void holding.then(
      (late) => (late.kind === "held" ? late.release({ kind: "other" }) : undefined),
      () => undefined,
    );
    return { kind: "canceled" };
  }
  if (hold.kind === "none") return (await run(null)).outcome;
  if (hold.kind === "wait") {
    return { kind: "throttled", retryAfterMs: hold.waitMs, platformStatus: null, ownPace: true };
  }
  let end: SessionEnd = { kind: "other" };
  try {
    const { outcome, stopped, text } = await run(hold.state);
    if (stopped === null) {
      if (outcome.kind === "answered") end = { kind: "worked", text };
      return outcome;
    }
    if (stopped.code === "platform_auth" || stopped.code === "platform_human_check") {
      end = { kind: stopped.code === "platform_auth" ? "signed_out" : "needs_person", why: stopped.message };
      return { kind: "lost", message: stopped.message };
    }
    if (stopped.retryAfterMs === null) return outcome;
    end = { kind: "throttled", forMs: stopped.retryAfterMs };
    return { kind: "throttled", retryAfterMs: nextSessionMs, platformStatus: stopped.status, ownPace: true };
  } finally {
    await hold.release(end);
  }
}

const stateMsMax = 10_000;

/** What the session of a context is now; null if the browser does not say it in time. */
export async function readSessionText(context: BrowserContext): Promise<string | null> {
  // The drive closes pages that others open, and the browser opens one to read an origin's storage.
  context.removeAllListeners("page");
  const state = await within(
    context.storageState({ indexedDB: true }).catch(() => null),
    stateMsMax,
  );
  return state === null || state === late ? null : JSON.stringify(state);
}

const fileBytesMax = 16 * 1024 * 1024;

/** As much of Playwright's storage state as shows that a file is one. */
const check = compileCheck(
  Type.Object({
    cookies: Type.Optional(Type.Array(Type.Object({ name: Type.String(), value: Type.String() }))),
    origins: Type.Optional(Type.Array(Type.Object({ origin: Type.String() }))),
  }),
);

/** Returns a function that says what is wrong with a session file; null: nothing. An unchanged file is read only once. */
export function sessionFileCheck(file: string): () => string | null {
  let seen: { readonly version: string; readonly fault: string | null } | null = null;
  return () => {
    const stats = statSync(file, { throwIfNoEntry: false });
    if (stats === undefined) return told(file, "is not there");
    const version = `${stats.mtimeMs} ${stats.size} ${stats.mode} ${stats.ino}`;
    if (seen?.version !== version) seen = { version, fault: contentFault(file, stats.size) };
    return seen.fault === null ? null : told(file, seen.fault);
  };
}

function contentFault(file: string, size: number): string | null {
  if (size > fileBytesMax) return `is larger than ${fileBytesMax} bytes`;
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch (error) {
    return `can't be read (${(error as NodeJS.ErrnoException).code ?? "unknown fault"})`;
  }
  // The parser's message would quote the file, which is a secret.
  try {
    return check(JSON.parse(text)).length === 0 ? null : "contains no session";
  } catch {
    return "is not valid JSON";
  }
}

function told(file: string, fault: string): string {
  return `The session file ${file} ${fault}. \`${querentd} recipe sign-in\` makes one.`;
}
