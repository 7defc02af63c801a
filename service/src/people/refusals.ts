/** Refused sign-ins in the audit log, of which nobody can make as many as they like. */
import { RateLimiterMemory } from "rate-limiter-flexible";
import type { Database, Queryable } from "../db/index.ts";
import { accountOf } from "./person.ts";

/** Writes an entry beside that of the request. */
export type RecordEntry = (
  tx: Queryable,
  entry: {
    readonly accountId?: string;
    readonly kind?: "change" | "refusal";
    readonly operation: string;
    readonly actor: {
      readonly kind: "person" | "system" | "visitor";
      readonly id: string | null;
      readonly name: string | null;
    };
    readonly target: { readonly type: string; readonly id: string } | null;
    readonly before?: object;
    readonly after?: object;
    readonly address: string;
    readonly requestId: string;
  },
) => Promise<void>;

export interface RefusedSignIn {
  readonly operation: "signIn" | "acceptLink" | "signInWithProvider" | "signInByProxy" | "signInWithPasskey";
  readonly reason: string;
  /** Null: nobody here. What was entered as the e-mail address is not recorded: some enter their password there. */
  readonly personId: string | null;
  readonly provider?: string;
  readonly address: string;
  readonly requestId: string;
}

/** Entries of one person, or of nobody, in a process. */
const ofOne = { points: 5, duration: 15 * 60 };
/** Entries of all in a process. */
const ofAll = { points: 100, duration: 3600 };

/** Those beyond the limits are counted, and told with the next entry. */
export class Refusals {
  readonly #database: Database;
  readonly #record: RecordEntry;
  readonly #onFault: (error: unknown) => void;
  readonly #one = new RateLimiterMemory(ofOne);
  readonly #all = new RateLimiterMemory(ofAll);
  #unrecorded = 0;

  constructor(deps: { database: Database; record: RecordEntry; onFault: (error: unknown) => void }) {
    this.#database = deps.database;
    this.#record = deps.record;
    this.#onFault = deps.onFault;
  }

  /** Returns at once: whether a person exists must not be told by the time that the entry takes. */
  note(refused: RefusedSignIn): void {
    this.#write(refused).catch(this.#onFault);
  }

  async #write({ operation, reason, personId, provider, address, requestId }: RefusedSignIn): Promise<void> {
    const isWithin = await this.#one.consume(personId ?? "nobody").then(
      () => this.#all.consume("all").then(...settled),
      () => false,
    );
    if (!isWithin) {
      this.#unrecorded++;
      return;
    }
    const unrecorded = this.#unrecorded;
    this.#unrecorded = 0;
    const accountId = personId === null ? null : await accountOf(this.#database, personId);
    await this.#record(this.#database, {
      // None: the log of the installation.
      ...(accountId === null ? {} : { accountId }),
      kind: "refusal",
      operation,
      actor: { kind: "visitor", id: null, name: null },
      target: personId === null ? null : { type: "person", id: personId },
      after: {
        reason,
        ...(provider === undefined ? {} : { provider }),
        ...(unrecorded === 0 ? {} : { unrecordedBefore: unrecorded }),
      },
      address,
      requestId,
    });
  }
}

const settled = [() => true, () => false] as const;
