/**
 * What the audit log says of the request or the command that is being worked on. It is written with the first of its transactions that
 * writes anything, so that a change and its entry are there together or not at all. Code below only adds what it alone knows.
 */
import { AsyncLocalStorage } from "node:async_hooks";
import type { AuditActorKind } from "@querent/contract";

/** What is known of an action. Settings are never secrets, questions' texts or answers. */
export interface AuditNote {
  /** Of whose log it is an entry. */
  readonly accountId?: string;
  readonly actor?: { readonly kind: AuditActorKind; readonly id: string | null; readonly name: string | null };
  readonly target?: AuditTarget | null;
  readonly before?: object | null;
  readonly after?: object | null;
}

export interface AuditTarget {
  readonly type: string;
  readonly id: string;
}

export interface AuditStatement {
  readonly name: string;
  readonly text: string;
  readonly values: unknown[];
}

/** One action that is recorded. */
export class AuditedAction {
  readonly #statementOf: (note: AuditNote, isAlone: boolean) => AuditStatement;
  readonly #isWrittenWithChange: boolean;
  #note: AuditNote;
  #state: "open" | "written" | "over" = "open";

  constructor(input: {
    note: AuditNote;
    /** False for what only reads: its transactions may be those of a replica, and its entry is written by itself. */
    isWrittenWithChange: boolean;
    /** Unless it is alone, the statement writes the entry only if its transaction has written something. */
    statementOf: (note: AuditNote, isAlone: boolean) => AuditStatement;
  }) {
    this.#note = input.note;
    this.#isWrittenWithChange = input.isWrittenWithChange;
    this.#statementOf = input.statementOf;
  }

  get isOpen(): boolean {
    return this.#state === "open";
  }

  /** The statement to commit with a change; null if that was done already. */
  statement(): AuditStatement | null {
    return this.isOpen && this.#isWrittenWithChange ? this.#statementOf(this.#note, false) : null;
  }

  /** The statement that writes the entry by itself. */
  ownStatement(): AuditStatement {
    return this.#statementOf(this.#note, true);
  }

  add(note: AuditNote): void {
    this.#note = { ...this.#note, ...note };
  }

  written(): void {
    if (this.#state === "open") this.#state = "written";
  }

  /** Nothing that is done from now on belongs to the action. */
  end(): void {
    this.#state = "over";
  }
}

const current = new AsyncLocalStorage<AuditedAction | null>();

/** The action that is being worked on; null outside of one. */
export const currentAction = (): AuditedAction | null => current.getStore() ?? null;

/** Does the work as part of an action. */
export const withinAction = <Result>(action: AuditedAction, work: () => Promise<Result>): Promise<Result> =>
  current.run(action, work);

/** Does work that is not what the action was asked for, such as telling of its refusal: the entry is not written with it. */
export const apartFromAction = <Result>(work: () => Promise<Result>): Promise<Result> => current.run(null, work);

/** Adds to the entry of the current action. Outside of one, nothing is recorded. */
export const noteAudit = (note: AuditNote): void => currentAction()?.add(note);

/** The current action has turned out to change and to reveal nothing, as one that repeats another. */
export const nothingToRecord = (): void => currentAction()?.end();
